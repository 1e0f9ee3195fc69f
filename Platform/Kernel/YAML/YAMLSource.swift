/// Where a node came from: enough to state a fault without handing the file's name through every call.
public struct YAMLSource: Sendable, Equatable {
  /// The file's name as a person knows it.
  public let file: String
  /// The first half of the codes of the faults that the reading layer states: `roadmap` gives
  /// `roadmap.unknownKey`. Faults of YAML itself are `yaml.…` whatever the vocabulary.
  public let vocabulary: String

  /// Names a file and the vocabulary that it is written in.
  public init(file: String, vocabulary: String) {
    self.file = file
    self.vocabulary = vocabulary
  }

  /// A fault in the vocabulary of this file: `rule` is the second half of its code.
  public func fault(
    _ rule: String, at position: SourcePosition?, _ message: String, remedy: String
  ) -> SourceFault {
    SourceFault(
      code: "\(vocabulary).\(rule)", file: file, position: position, message: message, remedy: remedy)
  }

  /// A fault of the YAML itself.
  func syntaxFault(
    _ rule: String, at position: SourcePosition, _ message: String, remedy: String
  ) -> SourceFault {
    SourceFault(code: "yaml.\(rule)", file: file, position: position, message: message, remedy: remedy)
  }

  /// There is nothing in the file but white space and comments.
  func emptyFile() -> SourceFault {
    syntaxFault("empty", at: .start, "the file is empty", remedy: "Write its content, or restore it.")
  }
}
