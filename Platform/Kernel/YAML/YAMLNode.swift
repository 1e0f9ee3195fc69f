/// One node of a YAML document, with its place.
///
/// Scalars keep the text that was written: whether `1` is a number or `no` a truth value isn't guessed
/// here, it is decided by what the reader asks for (`text()`, `integer()`, `bool()`).
public struct YAMLNode: Sendable, Equatable {
  /// What a node can be.
  public enum Content: Sendable, Equatable {
    /// Text; `isPlain` where it was written without quotes and not as a block.
    case scalar(text: String, isPlain: Bool)
    /// A list.
    case sequence([YAMLNode])
    /// Keys and values in the order of the file, each key once.
    case mapping([Entry])
  }

  /// A key and its value.
  public struct Entry: Sendable, Equatable {
    /// The key's text.
    public let key: Located<String>
    /// What stands behind the colon.
    public let value: YAMLNode

    /// Joins a key to its value.
    public init(key: Located<String>, value: YAMLNode) {
      self.key = key
      self.value = value
    }
  }

  /// What the node is.
  public let content: Content
  /// Where it begins.
  public let position: SourcePosition
  /// The file that it stands in.
  public let source: YAMLSource

  /// Makes a node; files are read with ``YAMLDocument``.
  public init(_ content: Content, at position: SourcePosition, in source: YAMLSource) {
    self.content = content
    self.position = position
    self.source = source
  }

  /// A fault at this node, in the vocabulary of its file.
  public func fault(_ rule: String, _ message: String, remedy: String) -> SourceFault {
    source.fault(rule, at: position, message, remedy: remedy)
  }
}
