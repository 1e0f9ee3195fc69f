extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object with these members in this order; of two with one name the later one counts.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init()
    for (name, value) in members { self[name] = value }
  }
}
