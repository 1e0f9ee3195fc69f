import Foundation
import Testing

/// What the articles show is code, and the compiler is asked about it.
@Suite(.enabled(if: TypeChecker.modules != nil, "a test bundle isn't beside its modules here"))
struct `The articles on the store` {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../../Platform/Store/Store.docc")
    .standardizedFileURL

  /// Each sample is the body of a function, which has around it what an app would.
  private static func wrapped(_ sample: Substring, _ number: Int) -> String {
    let place = sample.contains("snapshot.") && !sample.contains("snapshot in")
    return """
      func sample\(number)(
        store: Store, alice: AccountStore, account: AccountStore, list: Screen, icon: Screen, inbox: Identifier<Folder>,
        item: Item, items: [Item], entry: Setting\(place ? ", snapshot: borrowing Snapshot<AccountScope>" : "")
      ) async throws {
      \(sample)
      }

      """
  }

  @Test func `show code that compiles`() async throws {
    var text = """
      import FerryStore
      import Foundation
      struct Screen { func show(_: some Any) {} }
      struct Address: Codable { var mail: String }
      typealias ItemKind = Kind

      """
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted() {
      let article = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
      var line = 1
      for (index, piece) in article.split(separator: "```", omittingEmptySubsequences: false).enumerated() {
        if index % 2 == 1, piece.hasPrefix("swift\n") {
          count += 1
          // The wrapping takes four lines before the sample, which begins in the line after its fence.
          text += "#sourceLocation(file: \"\(name)\", line: \(line - 3))\n"
          text += Self.wrapped(piece.dropFirst("swift\n".count), count)
        }
        line += piece.count { $0 == "\n" }
      }
    }
    let found = try await TypeChecker.diagnostics(
      of: ["Records.swift"], and: text + "#sourceLocation()\n", options: ["-suppress-warnings"])
    #expect(found.isEmpty, "\(found)")
    #expect(count >= 8)
  }
}
