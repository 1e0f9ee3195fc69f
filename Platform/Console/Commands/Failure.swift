/// An error as the person or script at the other end gets it. A tool maps every error to one
/// of these, once, at its edge.
public struct Failure: Error, Sendable, Equatable {
  /// A sentence that says what went wrong.
  public let message: String
  /// A stable name for scripts, such as `domainDisabled`.
  public let code: String
  /// A sentence that says what to do next.
  public let remedy: String?
  /// What the process exits with.
  public let exitCode: ExitCode

  /// A failure that ends the tool with `exitCode`.
  public init(_ message: String, code: String, remedy: String? = nil, exitCode: ExitCode = .failure) {
    self.message = message
    self.code = code
    self.remedy = remedy
    self.exitCode = exitCode
  }

  /// The failure in two lines for a person:
  ///
  /// ```
  /// error: roadmap.yaml:14:5: domain 'item' comes before 'folder'.
  ///   → Move it below line 19.
  /// ```
  ///
  /// Messages may quote data, so all but their line breaks is made ``visible(_:)``.
  public func rendered(styled: Bool) -> String {
    let prefix = TextStyle.red.applied(to: "error:", if: styled)
    let lines =
      [prefix + " " + indented(message, by: 2)] + (remedy.map { ["  → " + indented($0, by: 4)] } ?? [])
    return lines.joined(separator: "\n")
  }

  /// The failure as one line of JSON:
  /// `{"error":{"code":"…","message":"…","remedy":"…"}}`, `remedy` being null if there is none.
  public var json: String {
    let remedy = remedy.map(jsonString) ?? "null"
    return #"{"error":{"code":\#(jsonString(code)),"message":\#(jsonString(message)),"remedy":\#(remedy)}}"#
  }

  private func indented(_ text: String, by columns: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { visible($0) }
      .joined(separator: "\n" + String(repeating: " ", count: columns))
  }
}
