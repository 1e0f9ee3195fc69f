import FerryStore

/// What a log line says by name, in the order in which it says it.
///
///     LogLine(…, message: "pulled", fields: ["feed": "items", "rows": .integer(580), "token": .redacted(token)])
public struct LogFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  public let json: JSONObject

  public init(_ json: JSONObject) { self.json = json }

  public init(dictionaryLiteral fields: (String, JSONValue)...) {
    var json = JSONObject()
    for (name, value) in fields { json[name] = value }
    self.init(json)
  }

  /// As JSON.
  ///
  /// - Throws: `JSONFault` for a number that JSON doesn't have.
  public func text() throws(JSONFault) -> String { try JSONValue.object(json).text() }
}

extension JSONValue {
  /// What a redacted value is to a log.
  public static func redacted<Value>(_ value: Redacted<Value>) -> JSONValue { .string(value.description) }
}

extension LogFields: ColumnValue {
  public static var shape: ColumnShape { JSONForm<[String: String]>.shape }

  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> LogFields {
    let text = try String.read(row, index)
    guard let fields = value(from: .text(text)) else {
      throw StoreError.badValue(column: "fields", expected: "an object of JSON")
    }
    return fields
  }

  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    let json: String
    do throws(JSONFault) {
      json = try text()
    } catch {
      throw .notEncodable(type: "LogFields", why: error.sentence)
    }
    try json.bind(binder, index)
  }

  public var stored: StoredValue {
    // What has no text can't be bound either, which says so.
    (try? text()).map { .text($0) } ?? .null  // why: see above
  }

  public static func value(from stored: StoredValue) -> LogFields? {
    guard case .text(let text) = stored else { return nil }
    let json = try? JSONValue.parse(text: text)  // why: nil says that it is none
    return json?.objectValue.map(LogFields.init)
  }
}
