import Foundation
import RealmFile
import Testing

@testable import RealmDecryption

@Suite("Encrypted golden files")
struct GoldenTests {
  @Test("Encrypted files read byte for byte as the library reads them", arguments: Fixtures.names)
  func golden(name: String) throws {
    let file = try RealmFile.open(path: Fixtures.file(name).path, key: Fixtures.key())
    #expect(file.formatVersion == 24)
    #expect(Data(try file.json()) == (try Data(contentsOf: Fixtures.golden)))
    try file.checkUnchanged()
  }

  @Test("Reading leaves file and folder as they are", arguments: Fixtures.names)
  func untouched(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(Data(contentsOf: Fixtures.file(name))), to: "app.realm")
    let before = try FileManager.default.attributesOfItem(atPath: path)
    _ = try RealmFile.open(path: path, key: Fixtures.key()).json()
    let after = try FileManager.default.attributesOfItem(atPath: path)
    #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["app.realm"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(contentsOf: Fixtures.file(name)))
  }

  @Test(
    "Encrypted files of the library's own tests open with their keys",
    .enabled(if: Fixtures.shared != nil, Fixtures.missingShared))
  func publicFiles() throws {
    let folder = try #require(Fixtures.shared)
    let lines = try String(contentsOf: folder.appending(path: "KEYS.txt"), encoding: .utf8).split(
      separator: "\n")
    var count = 0
    for line in lines.map({ $0.split(separator: " ") }) where line.count == 2 && line[0].hasSuffix(".realm") {
      let path = folder.appending(path: String(line[0])).path
      let key = try RealmKey(content: Array(line[1].utf8))
      count += 1
      do {
        let file = try RealmFile.open(path: path, key: key)
        let golden = try JSONSerialization.jsonObject(
          with: Data(contentsOf: URL(fileURLWithPath: path.dropLast(5) + "json")))
        let read = try JSONSerialization.jsonObject(with: Data(file.json()))
        #expect(try rows(of: read) == rows(of: golden))
      } catch RealmFileError.unsupportedFormat(let format) {
        // The key was right: an older format is RealmFile's affair.
        #expect(format > 0 && format < 10)
      }
    }
    #expect(count == 2)
  }

  private func rows(of document: Any) throws -> String {
    let tables = (document as? [String: Any])?["tables"] ?? []
    return String(
      decoding: try JSONSerialization.data(withJSONObject: tables, options: .sortedKeys), as: UTF8.self)
  }
}
