import Composition
import FerryConsole
import FerryKernel
import FerryStore
import Foundation
import RealmDecryption
import RealmFile
import RealmSource

/// `app-cli migrate init`: a first roadmap for a file that nobody has mapped yet.
enum MigrateInitCommand {
  static let command = Command(
    "init", "Write a first roadmap.yaml for a Realm file.",
    discussion: """
      Classes and properties are guessed for every domain by their names and types; "?" stands where nothing \
      looked right, and what is left to do is told. The file is never overwritten.
      """,
    options: [
      .option(
        "output", value: "PATH", "Where to write it; roadmap.yaml in the folder of --config if not said.",
        short: "o")
    ] + RealmCommand.keyOptions,
    arguments: [.required("FILE", "A Realm file.")]
  ) { call in
    let file = call.argument("FILE")
    let account = try AccountID(server: "file", user: "file")
    let key = try call.realmKey()
    let source = RealmSource([(account: account, path: file)]) { try open($0, key) }
    let domains = RegisteredDomains.all
    let classes = try source.classes(of: account)
    guard !classes.isEmpty else {
      throw Failure(
        "\(file) has no class yet.", code: "init.noClasses", remedy: "Name a file that an app has written to."
      )
    }
    let name = URL(fileURLWithPath: file).lastPathComponent
    let draft = RoadmapDraft(domains, classes: classes, file: name, core: RegisteredDomains.core)
    let path = try call.value("output") ?? "\(call.requiredValue("config"))/roadmap.yaml"
    let gaps = try gaps(of: draft.text, named: URL(fileURLWithPath: path).lastPathComponent, domains, source)
    try write(draft.text, to: path)
    if call.wantsJSON {
      try call.document([
        "path": .string(path), "classes": .integer(Int64(classes.count)),
        "gaps": .array(gaps.map { .string($0.description) }),
        "leftOut": .array(draft.leftOut.map { .string($0) }),
      ])
      return .ok
    }
    try call.print(visible("Wrote \(path)."))
    if key != nil { try call.print("The file is encrypted: its item in ferry.yaml needs a key-file, too.") }
    for gap in gaps { try call.print(visible(gap.description)) }
    if !draft.leftOut.isEmpty {
      try call.print(
        "No property looked like these, which may be left out: \(draft.leftOut.joined(separator: ", ")).")
    }
    try call.print(
      gaps.isEmpty
        ? "Every field that a domain must have has a property. Check that it is the right one."
        : "\(gaps.count) \(gaps.count == 1 ? "gap is" : "gaps are") left to fill, each where it says.")
    return .ok
  }

  /// Opens the file as `app-cli realm` does, and says of a missing or wrong key what that says.
  private static func open(_ path: String, _ key: RealmKey?) throws -> RealmFile {
    do {
      guard let key else { return try RealmFile(path: path) }
      return try RealmFile.open(path: path, key: key)
    } catch {
      switch error {
      case RealmFileError.encrypted, is RealmDecryptionError: throw Failure.realm(error, path: path)
      default: throw error
      }
    }
  }

  /// What the check says of the draft: what a run would be refused for.
  private static func gaps(of text: String, named file: String, _ domains: [Domain], _ source: RealmSource)
    throws
    -> [SourceFault]
  {
    do {
      let plan = try Plan(Roadmap.parse(text: text, file: file), domains: domains)
      try plan.check(against: source, steps: plan.enabled)
      return []
    } catch let faults as SourceFaults {
      return faults.faults
    }
  }

  /// Makes the file, which must not be there.
  private static func write(_ text: String, to path: String) throws {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    } catch CocoaError.fileWriteFileExists {
      throw Failure(
        "\(path) exists.", code: "init.exists", remedy: "Move it away, or say --output with another path.")
    } catch {
      throw Failure(
        "\(path) can't be written: \(error.localizedDescription)", code: "init.unwritable",
        remedy: "Check the folder and its permissions.")
    }
  }
}
