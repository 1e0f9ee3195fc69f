import FerryKernel
import FerryStore
import FerrySync
import Foundation
import TestKit
import Testing

@testable import KintoRemote

/// Files on their way to a server that says all kinds of things.
@Suite struct `A file for Kinto` {
  private let folder: GoldenFolder
  private static let record = ScriptedClient.Reply.json(200, #"{"data":{"id":"a","last_modified":1}}"#)

  init() throws { folder = try GoldenFolder() }

  private func upload(_ rig: Rig) async throws {
    try FileOperations().writeWhole([1, 2, 3], to: folder.path("source"))
    let file = BlobFile(path: folder.path("source"), name: "a.bin", mediaType: "a/b")
    _ = try await rig.remote.upload(file, to: "a", in: "notes", of: rig.alice)
  }

  private func code(_ rig: Rig) async -> String? {
    await #expect(throws: RemoteError.self) { try await upload(rig) }?.code
  }

  @Test func `whose record was deleted meanwhile leaves nothing of itself there`() async throws {
    let rig = try Rig(
      Self.record, .json(201, "{}", ["ETag": "\"7\""]), .json(200, #"{"data":{"id":"a","deleted":true}}"#))
    #expect(await code(rig) == "sync.missingRecord")
    let path = "/buckets/default/collections/notes/records/notes__a"
    #expect(rig.client.lines == ["GET \(path)", "POST \(path)/attachment", "DELETE \(path)"])
    #expect(rig.client.requests[2].header("If-Match") == "\"7\"")
  }

  @Test(arguments: [
    (400, "sync.refused"), (413, "sync.blobTooLarge"), (415, "sync.refused"), (402, "sync.blobFailed"),
    (422, "sync.blobFailed"), (403, "sync.forbidden"), (405, "sync.readOnly"), (401, "sync.unauthorized"),
  ])
  func `is refused for good by few answers`(status: Int, code: String) async throws {
    #expect(await self.code(try Rig(Self.record, .error(status))) == code)
  }

  @Test(arguments: [
    (408, "sync.blobFailed"), (425, "sync.blobFailed"), (500, "sync.blobFailed"), (507, "sync.blobFailed"),
    (429, "sync.unreachable"), (503, "sync.unreachable"),
  ])
  func `is tried again where the server may be better at it soon`(status: Int, code: String) async throws {
    let rig = try Rig(replies: [Self.record] + (1...4).map { _ in .error(status) })
    #expect(await self.code(rig) == code)
    #expect(rig.client.isSpent)
  }

  @Test func `isn't sent to a server that keeps none, which may keep them later`() async throws {
    let rig = try Rig(
      .json(200, #"{"settings":{"batch_max_requests":25},"user":{"id":"account:alice","bucket":"b"}}"#))
    #expect(try await !rig.remote.session(of: rig.alice).keepsBlobs)
    #expect(await code(rig) == "sync.keepsNoFiles")
  }

  @Test(arguments: [408, 425])
  func `waits where not even the greeting comes in time`(status: Int) async throws {
    let rig = try Rig(replies: (1...4).map { _ in .error(status) })
    let error = await #expect(throws: RemoteError.self) { try await rig.remote.session(of: rig.alice) }
    #expect(error?.code == "sync.unreachable")
  }
}
