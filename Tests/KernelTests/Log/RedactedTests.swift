import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@Suite struct `A redacted value` {
  private struct Session: CustomDebugStringConvertible {
    let user: String
    let token: Redacted<String>
    var debugDescription: String { "\(user) \(token)" }
  }
  private struct Plain {
    let user: String
    let token: Redacted<String>
    let more: [Redacted<String>?]
  }
  private enum Credential { case token(Redacted<String>) }

  private static let secret = "hunter2-correct-horse"
  private let token = Redacted(secret)

  @Test func `is shown by nothing that turns values into text`() {
    let plain = Plain(user: "alice", token: token, more: [token, nil])
    var dumped = ""
    dump(plain, to: &dumped)
    var printed = ""
    print(token, plain, [token], ["a": token], to: &printed)
    let texts: [String] = [
      "\(token)", "\([token])", "\(["a": token])", "\(Optional(token) as Any)", "\((1, token))", "\(plain)",
      "\(Session(user: "alice", token: token))", "\(Credential.token(token))", String(describing: token),
      String(reflecting: token), String(describing: plain), String(reflecting: plain), dumped, printed,
      "\(Mirror(reflecting: token).children.map(\.value))", "\(Set([token]))", token.description,
      token.debugDescription, "\(Redacted(token))", "\(Redacted(7))",
    ]
    for text in texts {
      #expect(!text.contains("hunter2"), "\(text)")
      #expect(text.contains("<redacted>") || text == "[]", "\(text)")
    }
  }

  @Test func `never comes to the spill, in a message or in a field`() throws {
    let folder = try GoldenFolder()
    let spill = try LogSpill(path: folder.path("log.spill"))
    spill.append(
      LogLine(
        at: FixedClock.now(), level: .error, category: "test",
        message: "signed in with \(token) of \(Plain(user: "alice", token: token, more: [token]))",
        fields: ["token": .redacted(token), "user": "alice"]))
    let bytes = try Data(contentsOf: folder.url.appendingPathComponent("log.spill"))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("hunter2"))
    #expect(text.contains("signed in with <redacted>"))
    #expect(try spill.read(after: []).lines[0].line.fields == ["token": "<redacted>", "user": "alice"])
  }

  @Test func `is there for who says that it needs it`() {
    #expect(token.reveal { $0 } == Self.secret)
    #expect(token == Redacted(Self.secret) && token != Redacted("other"))
  }
}
