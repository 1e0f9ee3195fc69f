import FerryStore

extension JSONReader {
  /// An identifier that may be absent; a placeholder in its place is refused, not taken for absence.
  public func identifier<Kind>(_ name: String) throws -> Identifier<Kind>? {
    guard let text = try ifPresent(name)?.text() else { return nil }
    guard let identifier = Identifier<Kind>(text) else {
      throw RowRefusal("\(name): \"\(text)\" is a placeholder, not an identity")
    }
    return identifier
  }
}
