import AttachmentDomain
import Composition
import FerryConsole
import FerryKernel
import FerryStore
import Foundation
import ItemDomain

// What `app-cli attachment` does with files.
extension AttachmentCommands {
  static func add(_ call: Invocation) async throws -> ExitCode {
    let file = call.argument("FILE")
    let (name, type) = (call.value("name"), call.value("type"))
    let key = try call.requiredValue("item")
    return try await AccountWork.writing(call, .attachment) { account in
      var generator = SystemRandomNumberGenerator()
      let added = try await AttachmentDAO.add(
        account, file: file, to: item(key, account), named: name, mimeType: type, at: Ferry.now(),
        using: &generator)
      let row = json(try await AttachmentDAO.entry(account, added.id) ?? .init(attachment: added, file: nil))
      return try call.answer(
        account, "\(added.fileName), \(grouped(Int(added.byteSize))) bytes, is attached as \(added.id).",
        ["row": .object(row)])
    }
  }

  static func open(_ call: Invocation) async throws -> ExitCode {
    let (key, budget, blobs) = (call.argument("KEY"), try budget(call), try call.ferry().blobs)
    return try await AccountWork.writing(call, .attachment) { account in
      let id = try await attachment(key, account).id
      let path = try await stoppable {
        try await AttachmentDAO.open(account, id, from: blobs, at: Ferry.now(), budget: budget)
      }
      return try show(path, of: id, account, call)
    }
  }

  static func save(_ call: Invocation) async throws -> ExitCode {
    let (key, budget, target) = (call.argument("KEY"), try budget(call), try call.requiredValue("to"))
    let blobs = try call.ferry().blobs
    return try await AccountWork.writing(call, .attachment) { account in
      let id = try await attachment(key, account).id
      let path = try await stoppable {
        try await AttachmentDAO.save(
          account, id, to: target, from: blobs, at: Ferry.now(), budget: budget)
      }
      return try show(path, of: id, account, call)
    }
  }

  private static func item(_ key: String, _ account: AccountStore) async throws -> ItemID {
    try await account.read { try AccountWork.find(Item.self, key, $0, of: account.id).id }
  }

  private static func show(
    _ path: String, of id: AttachmentID, _ account: AccountStore, _ call: Invocation
  ) throws -> ExitCode {
    try call.answer(account, path, ["id": .string(id.rawValue), "path": .string(path)])
  }

  static func remove(_ call: Invocation) async throws -> ExitCode {
    let key = call.argument("KEY")
    return try await AccountWork.writing(call, .attachment) { account in
      let found = try await attachment(key, account)
      try await AttachmentDAO.remove(account, [found.id])
      return try call.answer(
        account, "\(found.fileName) is deleted.", ["id": .string(found.id.rawValue), "removed": true])
    }
  }

  static func send(_ call: Invocation) async throws -> ExitCode {
    let ferry = try call.ferry()
    return try await AccountWork.writing(call, .attachment) { account in
      // A sync sends the very same.
      let lock = try ferry.lock()
      defer { withExtendedLifetime(lock) {} }
      let blobs = ferry.blobs
      let outcomes = try await stoppable {
        try await AttachmentDAO.sendFiles(account, through: blobs, retrying: true).map {
          Outcome($0.id, $0.outcome)
        }
      }
      let failed = outcomes.contains { $0.reason != nil }
      if call.wantsJSON {
        let list = outcomes.map { outcome in
          JSONValue.object([
            "id": .string(outcome.id.rawValue), "outcome": .string(outcome.name),
            "reason": outcome.reason.map { .string($0) } ?? .null,
          ])
        }
        try call.document(["account": .string(account.id.description), "files": .array(list)])
      } else {
        for outcome in outcomes {
          try call.print(visible("\(outcome.id): \(outcome.name)" + (outcome.reason.map { ", \($0)" } ?? "")))
        }
        if outcomes.isEmpty { call.note("The server has every file.") }
      }
      return failed ? .partial : .ok
    }
  }

  static func evict(_ call: Invocation) async throws -> ExitCode {
    let budget = try budget(call)
    return try await AccountWork.writing(call, .attachment) { account in
      let eviction = try await AttachmentDAO.evict(account, to: budget)
      return try call.answer(
        account,
        "Deleted \(counted(eviction.files, "file")) of \(grouped(Int(eviction.bytes))) bytes; "
          + "\(grouped(Int(eviction.kept))) bytes are left, "
          + "\(grouped(Int(eviction.unsent))) of them not on the server.",
        [
          "files": .integer(Int64(eviction.files)), "bytes": .integer(eviction.bytes),
          "kept": .integer(eviction.kept), "unsent": .integer(eviction.unsent),
        ])
    }
  }

  static func verify(_ call: Invocation) async throws -> ExitCode {
    let isRepairing = call.flag("repair")
    return try await AccountWork.writing(call, .attachment) { account in
      let found = try await stoppable { try await AttachmentDAO.verify(account, repairing: isRepairing) }
      if call.wantsJSON {
        let faults = found.faults.map { fault in
          JSONValue.object([
            "id": .string(fault.id.rawValue), "fileName": .string(fault.fileName),
            "fault": .string(fault.kind.rawValue), "onServer": .bool(fault.isHeld),
          ])
        }
        try call.document([
          "account": .string(account.id.description), "files": .integer(Int64(found.files)),
          "bytes": .integer(found.bytes), "repaired": .bool(isRepairing), "faults": .array(faults),
        ])
      } else {
        for fault in found.faults {
          let remedy =
            !fault.isHeld
            ? "it was the only copy"
            : isRepairing ? "opening it fetches it again" : "--repair lets it be fetched again"
          try call.print(visible("\(fault.fileName) (\(fault.id)) is \(fault.kind.rawValue); \(remedy)."))
        }
        try call.print(
          "Read \(counted(found.files, "file")); \(grouped(Int(found.bytes))) bytes are as they were.")
      }
      let isRight = found.faults.allSatisfy { isRepairing && $0.isHeld }
      return isRight ? .ok : .partial
    }
  }

  static func orphans(_ call: Invocation) async throws -> ExitCode {
    let isRemoving = call.flag("remove")
    return try await AccountWork.writing(call, .attachment) { account in
      let found =
        try await isRemoving ? AttachmentDAO.removeOrphans(account) : AttachmentDAO.orphans(account)
      if call.wantsJSON {
        let files = found.files.map { file in
          JSONValue.object(["name": .string(file.name), "bytes": .integer(file.byteSize)])
        }
        try call.document([
          "account": .string(account.id.description), "removed": .bool(isRemoving), "files": .array(files),
          "withoutFile": .array(found.withoutFile.map { .string($0.rawValue) }),
          "withoutAttachment": .array(found.withoutAttachment.map { .string($0.rawValue) }),
          "withoutItem": .array(found.withoutItem.map { .string($0.rawValue) }),
        ])
        return .ok
      }
      var table = TextTable([.right("Bytes"), "What"])
      for file in found.files {
        table.add(grouped(Int(file.byteSize)), visible("\(file.name), a file that no attachment has"))
      }
      for id in found.withoutFile { table.add("–", visible("\(id), an attachment whose file is gone")) }
      for id in found.withoutAttachment {
        table.add("–", visible("\(id), of which only a file's row is left"))
      }
      for id in found.withoutItem { table.add("–", visible("\(id), an attachment whose item was deleted")) }
      if !found.isEmpty { try call.print(table) }
      try call.print(
        found.isEmpty
          ? "Every file has its attachment, and every attachment its file."
          : isRemoving
            ? "The files that no attachment has and the attachments without an item are removed."
            : "Nothing was changed. --remove removes the files that no attachment has and the attachments "
              + "without an item.")
      return .ok
    }
  }

  private struct Outcome: Sendable {
    let id: AttachmentID
    let name: String
    let reason: String?

    init(_ id: AttachmentID, _ sent: AttachmentDAO.Sent) {
      self.id = id
      switch sent {
      case .sent: (name, reason) = ("sent", nil)
      case .waiting: (name, reason) = ("waiting", "its record has to be sent first")
      case .held(let why, _): (name, reason) = ("held", why)
      case .failed(_, let why): (name, reason) = ("failed", why)
      }
    }
  }
}
