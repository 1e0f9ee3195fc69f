import FerryKernel
import FerrySync

/// An answer, and what of it all requests look at. Bodies that aren't JSON (a proxy's page) are answers too.
struct KintoAnswer: Sendable {
  let head: HTTPHead
  let body: [UInt8]
  private let server: String
  /// When it came, by this device's clock, in seconds since 1970.
  private let came: Int64

  init(_ head: HTTPHead, _ body: [UInt8], server: String, at came: Int64) {
    (self.head, self.body, self.server, self.came) = (head, body, server, came)
  }

  var status: Int { head.status }

  /// Whether asking again may give another answer.
  var isPassing: Bool { [408, 409, 425, 429].contains(status) || status >= 500 }

  /// Whether it says that nothing was done.
  var isUndone: Bool { status == 429 || status < 500 }

  /// The collection's or record's revision, from an ETag that a proxy may have made weak.
  var revision: Int64? {
    guard var text = head["ETag"].map({ Substring($0) }) else { return nil }
    if text.hasPrefix("W/") { text = text.dropFirst(2) }
    guard text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count > 2 else { return nil }
    return Int64(text.dropFirst().dropLast())
  }

  /// The server's clock, in seconds since 1970.
  var date: Int64? { head["Date"].flatMap(HTTPDate.seconds) }

  /// How long it asks to be left alone before the same is asked again.
  var wish: Duration? { duration("Retry-After") }

  /// How long it asks to be left alone although all is well.
  var backoff: Duration? { duration("Backoff") }

  private func duration(_ name: String) -> Duration? {
    head[name].flatMap { RetryAfter.seconds($0, now: date ?? came) }.map { .seconds($0) }
  }

  /// What the service announces, in words.
  var alert: String? {
    guard let text = head["Alert"] else { return nil }
    let json = try? JSONValue.parse(text: text)  // why: one that isn't JSON is shown as it came
    let words = [json?["message"]?.stringValue, json?["url"]?.stringValue].compactMap { $0 }
    return words.isEmpty ? text : words.joined(separator: " ")
  }

  /// The body, where it is JSON.
  var json: JSONValue? {
    guard head["Content-Type"]?.lowercased().hasPrefix("application/json") == true else { return nil }
    return try? JSONValue.parse(body)  // why: what isn't what it says is told by its status alone
  }

  /// What the server says of an error, for a person: one line, of bounded length.
  var message: String { KintoAnswer.message(json, status) }

  /// The server's number for the error.
  var errorNumber: Int64? { json?["errno"]?.integerValue }

  static func message(_ json: JSONValue?, _ status: Int) -> String {
    let said = json?["message"]?.stringValue ?? json?["error"]?.stringValue
    guard let said, !said.isEmpty else { return "it answers \(status)" }
    // One that quotes the request would have the secret printed.
    let safe = said.replacing(/(?i)basic\s+[a-z0-9+\/=]{4,}/, with: "Basic …")
    let line = safe.split(whereSeparator: \.isNewline).joined(separator: " ")
    return "\(line.count > 200 ? "\(line.prefix(200))…" : line)".withoutFullStop
  }

  /// The body as JSON that must be.
  func reader(_ place: String) throws -> JSONReader {
    try reading(place) { () throws(JSONFault) in JSONReader(try JSONValue.parse(body), of: "answer") }
  }

  /// Runs `body`; what it finds wrong is an error of the server's.
  func reading<Result>(_ place: String, _ body: () throws(JSONFault) -> Result) throws -> Result {
    do throws(JSONFault) { return try body() } catch {
      throw RemoteError.badAnswer(where: place, why: error.sentence.withoutFullStop)
    }
  }

  /// The error that an answer is which nothing was made of.
  func refusal(_ what: String) -> RemoteError {
    if status == 405 { return .readOnly(server: server) }
    if isPassing {
      return .unreachable(
        server: server, why: json == nil ? "it answers \(status)" : "\(message) (\(status))")
    }
    if (300...399).contains(status) {
      return .badAnswer(
        where: "The answer", why: "it sends us elsewhere (\(status)), where no secret of ours goes")
    }
    return .refused(what: what, why: "\(message) (\(status))")
  }
}
