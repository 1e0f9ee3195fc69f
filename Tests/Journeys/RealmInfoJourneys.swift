import FerryKernel
import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct RealmInfoJourneys {
  @Test func `A person sees what kind of file it is and how many rows each class has`() throws {
    let outcome = try RealmDesk("app/alice").run("info", "alice.realm")
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.output == """
        File            alice.realm
        Format          24
        Layout          plain
        Size            557,056 bytes
        Live            404,328 bytes
        Free            152,728 bytes
        Encrypted       no
        History         local
        Schema version  7

        Table            Kind      Properties  Rows
        metadata         internal           1     1
        AllTypes         class             87     0
        Draft            class              6     8
        EmbeddedAddress  embedded           4     0
        EmbeddedGeo      embedded           2     0
        LogEntry         class              4    50
        NoteAttachment   class              6    60
        NoteContainer    class              5     6
        NoteSummary      class             11   300
        SearchHistory    class              2     6
        Setting          class              3     6
        ---------------                        ----
        all                                     437

        """)
  }

  @Test func `A script gets the same as JSON, with the copies that Realm made beside the file`() throws {
    let desk = try RealmDesk("app/alice")
    for name in [
      "alice.v9.backup.realm", "alice.v23.backup.realm", "alice.vx.backup.realm", "alice.realm.lock",
    ] {
      try desk.write([], to: name)
    }
    let info = try desk.run("info", "alice.realm", "--json").json
    #expect(info["version"]?.integerValue == 1)
    #expect(info["format"]?.integerValue == 24)
    #expect(info["layout"]?.stringValue == "plain")
    #expect(info["size"]?.integerValue == 557_056)
    #expect(info["encrypted"]?.boolValue == false)
    #expect(info["schemaVersion"]?.integerValue == 7)
    #expect(info["rows"]?.integerValue == 437)
    #expect(try info.list("tables").count == 11)
    #expect(
      try info.list("backups").map(\.stringValue) == ["alice.v23.backup.realm", "alice.v9.backup.realm"])
  }

  @Test func `A file that was never committed to has no tables, and one without rows has its classes`() throws
  {
    let desk = try RealmDesk("app/blank", "app/empty")
    #expect(try desk.run("info", "blank.realm", "--json").json.list("tables").isEmpty)
    #expect(try desk.run("info", "empty.realm", "--json").json.list("tables").count == 11)
  }

  @Test func `An encrypted file is told with its key, from a file or a variable`() throws {
    let desk = try RealmDesk("encrypted/tiny-encrypted", "encrypted/tiny-encrypted-writecopy")
    let plain = try desk.run("info", "tiny-encrypted.realm", "--key-file", RealmDesk.key, "--json").json
    #expect(plain["encrypted"]?.boolValue == true)
    #expect(plain["layout"]?.stringValue == "plain")
    let key = try String(contentsOfFile: RealmDesk.key, encoding: .utf8)
    let copy = try desk.run(
      "info", "tiny-encrypted-writecopy.realm", "--key-env", "KEY", "--json", environment: ["KEY": key])
    #expect(try copy.json["layout"]?.stringValue == "streaming")
    #expect(!(copy.output + copy.errors).contains(key.prefix(12)))
  }

  @Test func `A key file that others can read is used, with a warning`() throws {
    let desk = try RealmDesk("encrypted/tiny-encrypted")
    try desk.write(try Data(contentsOf: URL(fileURLWithPath: RealmDesk.key)), to: "key")
    for (mode, isWarned) in [(0o600, false), (0o644, true)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: desk.folder.path("key"))
      let outcome = try desk.run("info", "tiny-encrypted.realm", "--key-file", "key")
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("warning: other users can read the key file key") == isWarned)
    }
  }

  @Test func `Nothing is made or changed beside the file, also where nothing could be`() throws {
    let desk = try RealmDesk("app/alice", "encrypted/tiny-encrypted")
    let files = try desk.names().map { ($0, try desk.data($0)) }
    let manager = FileManager.default
    let before =
      try manager.attributesOfItem(atPath: desk.folder.path("alice.realm"))[.modificationDate] as? Date
    for name in try desk.names() {
      try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: desk.folder.path(name))
    }
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: desk.folder.path)
    defer {
      do { try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: desk.folder.path) } catch {
        Issue.record("\(error)")
      }
    }
    for arguments in [["info"], ["schema"], ["export", "--json"]] {
      let outcome = try desk.run(
        arguments[0], "alice.realm", arguments.count > 1 ? arguments[1] : "--no-color")
      #expect(outcome.status == 0)
    }
    #expect(try desk.run("info", "tiny-encrypted.realm", "--key-file", RealmDesk.key).status == 0)
    #expect(try desk.names() == files.map(\.0))
    for (name, data) in files { #expect(try desk.data(name) == data) }
    #expect(
      try manager.attributesOfItem(atPath: desk.folder.path("alice.realm"))[.modificationDate] as? Date
        == before)
  }
}
