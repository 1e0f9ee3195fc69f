import FerryKernel
import FerryStore
import FolderDomain
import TestKit
import Testing

@Suite struct FolderCrossingTests {
  @Test(arguments: Golden.users)
  func `After the refill the folders are those that the server has`(user: String) async throws {
    let crossed = try await GoldenCrossing([.folder])
    let expected = try GoldenRemote(user, "folders").map { id, record in
      Folder(
        id: id, name: try record.text("name"), type: FolderType(rawValue: try record.text("type")),
        sortOrder: try record.integer("sortOrder"),
        parent: try record.ifPresent("parent").flatMap { FolderID(try $0.text()) })
    }
    #expect(differences(try crossed.all(Folder.self, of: user), expected) == [])
  }

  @Test(arguments: Golden.users)
  func `Folders that the server didn't touch are those of the legacy file`(user: String) async throws {
    let crossed = try await GoldenCrossing([.folder])
    let legacy = try Golden(user).rows(of: "NoteContainer").map { row in
      Folder(
        id: try row.key("id"), name: try row.text("name"),
        type: FolderType(rawValue: try row.text("typeRaw")),
        sortOrder: try row.integer("sortOrder"), parent: try row.target("parent"))
    }
    let found = try crossed.account(user).blockingRead { snapshot in
      try legacy.compactMap { try snapshot.find(Folder.self, $0.id) }
    }
    #expect(differences(found, legacy) == [])
  }

  @Test(arguments: Golden.users)
  func `Every legacy folder is left to the server, and none waits to be sent`(user: String) async throws {
    let crossed = try await GoldenCrossing([.folder])
    let tally = try crossed.tally("folder", of: user)
    #expect((tally.read, tally.left, tally.written, tally.quarantined) == (6, 6, 0, 0))
    #expect(tally.resynced == 7)
    #expect(try crossed.account(user).blockingRead { try $0.outboxCount() } == 0)
  }

  @Test func `The legacy key -7 is an identity like any other`() async throws {
    let crossed = try await GoldenCrossing([.folder])
    let id = try #require(FolderID(legacy: .integer(-7)))
    let folder = try #require(try await FolderDAO.find(crossed.account("alice"), id))
    #expect(folder.id.rawValue == "i-7")
    #expect(folder.name.utf8.elementsEqual("Q3 plan todo 장보기".utf8))
    #expect(FolderID(legacy: .integer(-1)) == nil)
  }

  @Test func `A type that this build has no name for is kept as it is`() async throws {
    let crossed = try await GoldenCrossing([.folder])
    let types = try crossed.all(Folder.self, of: "alice").map(\.type)
    #expect(types.contains(.unknown("smart_v2")))
    #expect(types.contains(.unknown("smart_v3")))
    #expect(types.contains(.archived))
  }

  @Test func `Folders in folders come over with their parents, and the tree is ordered`() async throws {
    let crossed = try await GoldenCrossing([.folder])
    let alice = try crossed.account("alice")
    let top = try await FolderDAO.list(alice)
    #expect(top.map(\.id.rawValue) == ["i1", "i-7", "i4"])
    let inbox = try #require(top.first)
    let inner = try await FolderDAO.list(alice, in: inbox.id)
    #expect(inner.map(\.id.rawValue) == ["i5000000000", "i5", "8f3d1c52-6b0e-4a7d-9c41-2e5f7a90b613"])
    #expect(try await FolderDAO.list(alice, in: inner.first?.id).map(\.id.rawValue) == ["i6"])
  }

  @Test func `What alice and bob have under one key stays theirs`() async throws {
    let crossed = try await GoldenCrossing([.folder])
    let inbox = try #require(FolderID(legacy: .integer(1)))
    #expect(try await FolderDAO.find(crossed.account("alice"), inbox)?.name == "alice inbox")
    #expect(try await FolderDAO.find(crossed.account("bob"), inbox)?.name == "bob inbox")
  }
}
