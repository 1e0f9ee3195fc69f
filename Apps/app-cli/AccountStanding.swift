import AttachmentDomain
import Composition
import FerryConsole
import FerryKernel
import FerryStore
import FerrySync

/// Where an account stands with its server.
struct AccountStanding {
  private let account: Account
  private let unsent: Int
  /// Attachments' files that no server has.
  private let files: [AttachmentFile]
  private let last: LastSync?
  private let retryAt: Timestamp?

  init(of account: Account, in store: Store, _ ferry: Ferry) throws {
    self.account = account
    let handle = try store.account(account.id)
    unsent = try ferry.unsentChanges(of: handle)
    files =
      store.has(AttachmentFile.table.declaration)
      ? try handle.blockingRead { try AttachmentDAO.unsentFiles($0) } : []
    last = try LastSync.find(handle)
    let notice = try ServerNotice.find(account.id.server, in: store)?.notBefore
    retryAt = notice.flatMap { $0 > Ferry.now() ? $0 : nil }
  }

  /// What a person wants to know of it.
  var lines: [String] {
    var lines: [String] = []
    let state = account.isSignedOut ? " is signed out" : ""
    switch (last?.succeededAt, last?.failure) {
    case (let time?, nil): lines.append("\(account.id)\(state): last synced at \(time).")
    case (let time?, let failure?):
      lines.append("\(account.id)\(state): last synced at \(time), and not since: \(failure)")
    case (nil, let failure?): lines.append("\(account.id)\(state): never synced: \(failure)")
    case (nil, nil): if account.isSignedOut { lines.append("\(account.id)\(state).") }
    }
    if unsent > 0 { lines.append("\(account.id) has \(unsent) changes that no server has yet.") }
    if !files.isEmpty {
      lines.append("\(account.id) has \(counted(files.count, "file")) that no server has yet.")
    }
    if let reason = files.lazy.compactMap(\.reason).first {
      let held = files.count { $0.reason != nil }
      lines.append(
        "\(held == 1 ? "One" : "\(held)") of them waits for you: \(reason) `app-cli attachment send` tries again."
      )
    }
    if let retryAt { lines.append("Its server \(account.id.server) asks to be left alone until \(retryAt).") }
    return lines
  }

  var json: JSONObject {
    [
      "account": .string(account.id.description), "active": .bool(account.isActive),
      "signedOut": .bool(account.isSignedOut), "unsent": .integer(Int64(unsent)),
      "unsentFiles": .integer(Int64(files.count)),
      "lastSync": last.map { .string($0.at.description) } ?? .null,
      "lastSuccess": (last?.succeededAt).map { .string($0.description) } ?? .null,
      "lastFailure": (last?.failure).map { .string($0) } ?? .null,
      "retryAt": retryAt.map { .string($0.description) } ?? .null,
    ]
  }
}
