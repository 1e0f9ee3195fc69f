import Foundation
import RealmExport
import RealmFile
import Testing

@Suite("CSV")
struct CSVExportTests {
  /// Lines of fields as RFC 4180 has them; nil is a field of which there is nothing at all.
  static func parse(_ data: Data) throws -> [[String?]] {
    var (lines, line, field): ([[String?]], [String?], [UInt8]) = ([], [], [])
    var (isQuoted, wasQuoted) = (false, false)
    let bytes = Array(data)
    var index = 0
    func close() {
      line.append(field.isEmpty && !wasQuoted ? nil : String(decoding: field, as: UTF8.self))
      (field, wasQuoted) = ([], false)
    }
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if isQuoted {
        if byte != UInt8(ascii: "\"") {
          field.append(byte)
        } else if index < bytes.count, bytes[index] == byte {
          field.append(byte)
          index += 1
        } else {
          isQuoted = false
        }
      } else if byte == UInt8(ascii: "\"") {
        (isQuoted, wasQuoted) = (true, true)
      } else if byte == UInt8(ascii: ",") {
        close()
      } else if byte == UInt8(ascii: "\r") {
        try #require(bytes[index] == UInt8(ascii: "\n"))
        index += 1
        close()
        lines.append(line)
        line = []
      } else {
        field.append(byte)
      }
    }
    try #require(line.isEmpty && field.isEmpty && !isQuoted, "the last line has no end")
    return lines
  }

  private func table(_ name: String, of file: String) throws -> [[String?]] {
    let export = try RealmExport(of: Fixtures.file(file), classes: [name])
    return try Self.parse(gathered { _ = try export.writeCSV(ofClass: 0, to: $0) })
  }

  @Test("Every cell is what the golden document says", arguments: ["app/alice", "formats/format-24"])
  func cells(file: String) throws {
    for (table, golden) in try Fixtures.tables(file) where table.hasPrefix("class_") {
      let lines = try self.table(table, of: file)
      let names = try #require(lines.first)
      #expect(names.first == "_key")
      #expect(lines.count == golden.rows.count + 1)
      for (line, row) in zip(lines.dropFirst(), golden.rows) {
        try #require(line.count == names.count)
        #expect(line[0] == "\(row.key)")
        for (name, field) in zip(names, line).dropFirst() {
          let name = try #require(name)
          #expect(
            agree(field, try #require(row.values[name])), "\(table) \(row.key) \(name): \(field ?? "nothing")"
          )
        }
      }
    }
  }

  /// Whether a field says what a golden value says.
  private func agree(_ field: String?, _ golden: Any) -> Bool {
    guard let field else { return golden is NSNull }
    switch golden {
    case let text as String: return field.utf8.elementsEqual(text.utf8)
    case let number as NSNumber:
      return field == "true"
        ? number.boolValue
        : field == "false"
          ? !number.boolValue : Double(field) == number.doubleValue || Float(field) == number.floatValue
    case let object as [String: Any]:
      if let text = object["$binary"] as? String ?? object["$oid"] as? String ?? object["$uuid"] as? String {
        return field == text
      }
      if let text = object["$decimal"] as? String { return field == text }
      if let link = object["$link"] as? [Any] { return field == "\(link[1])" }
      if object["$timestamp"] != nil { return field.hasSuffix("Z") }
      return isSameJSON(field, golden)
    default: return isSameJSON(field, golden)
    }
  }

  private func isSameJSON(_ field: String, _ golden: Any) -> Bool {
    do {
      let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys]
      let parsed = try JSONSerialization.jsonObject(with: Data(field.utf8), options: .fragmentsAllowed)
      return try JSONSerialization.data(withJSONObject: parsed, options: options)
        == JSONSerialization.data(withJSONObject: golden, options: options)
    } catch { return false }
  }

  @Test("Nothing is null and a pair of quotes is an empty text")
  func nullAndEmpty() throws {
    let export = try RealmExport(of: Fixtures.file("formats/format-24"), classes: ["AllTypes"])
    let text = String(decoding: try gathered { _ = try export.writeCSV(ofClass: 0, to: $0) }, as: UTF8.self)
    #expect(text.contains(",,") && text.contains(#","","#))
  }

  @Test("Text that a spreadsheet would run stays as it is")
  func formulas() throws {
    var database = SmallDatabase()
    let texts = ["=1+1", "+1", "-1", "@x", " lead", "a,b", "a\"b", "a\r\nb", "\0", "", "한글"]
    database.add("class_T", rows: texts.count, [.init("text", .strings(texts.map { Array($0.utf8) }))])
    let folder = try TemporaryFolder()
    let export = try RealmExport(of: folder.open(database))
    let lines = try Self.parse(gathered { _ = try export.writeCSV(ofClass: 0, to: $0) })
    #expect(lines.dropFirst().map { $0[1] } == texts)
  }

  @Test("Bytes that are not UTF-8 stand as the JSON that names them")
  func invalidText() throws {
    var database = SmallDatabase()
    database.add("class_T", rows: 1, [.init("text", .strings([[0x61, 0xFF]]))])
    let folder = try TemporaryFolder()
    let export = try RealmExport(of: folder.open(database))
    let lines = try Self.parse(gathered { _ = try export.writeCSV(ofClass: 0, to: $0) })
    #expect(lines[1][1] == #"{"$invalidUTF8":"Yf8="}"#)
  }

  @Test("Files have safe names that differ, whatever the classes are called")
  func fileNames() throws {
    var database = SmallDatabase()
    let names = [
      "../../etc/passwd", "a/b", "a_b", "A_B", "", ".hidden", "-rf", "nul\0l", "q\"'`;*?", "tab\t",
      "\u{202E}x",
    ]
    for name in names { database.add("class_" + name, rows: 1, [.init("v", .ints([1]))]) }
    let folder = try TemporaryFolder()
    let target = try AtomicFolder(path: folder.path("out"))
    let outcome = try RealmExport(of: folder.open(database)).writeCSV(to: target)
    try target.commit()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
    #expect(files.count == names.count)
    #expect(Set(files) == Set(outcome.classes.compactMap(\.place)))
    #expect(
      files.allSatisfy { name in name.hasSuffix(".csv") && !name.hasPrefix(".") && !name.hasPrefix("-") })
    #expect(Set(files.map { $0.lowercased() }).count == files.count)
    #expect(try folder.names() == ["out", "small.realm"])
  }
}
