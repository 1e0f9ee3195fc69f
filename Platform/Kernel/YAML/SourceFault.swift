/// What is wrong in a configuration file, where, and what to do about it.
///
///     roadmap.yaml:14:5: domain 'item' comes before 'folder', which it depends on. Move it below line 19.
public struct SourceFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// A stable name for scripts, such as `yaml.duplicateKey` or `roadmap.unknownKey`.
  public let code: String
  /// The file's name as a person knows it.
  public let file: String
  /// The place; `nil` where the file itself can't be read.
  public let position: SourcePosition?
  /// What is wrong: part of a sentence, without a full stop.
  public let message: String
  /// What to do next: whole sentences.
  public let remedy: String

  /// Describes a fault. `message` has no full stop, `remedy` has one.
  public init(code: String, file: String, position: SourcePosition?, message: String, remedy: String) {
    self.code = code
    self.file = file
    self.position = position
    self.message = message
    self.remedy = remedy
  }

  /// The place and the message, as compilers print them: `roadmap.yaml:14:5: unknown key 'stratgy'.`
  public var sentence: String {
    let place = position.map { "\(file):\($0)" } ?? file
    return "\(place): \(message)\(message.hasSuffix("?") ? "" : ".")"
  }

  /// The sentence, then the remedy.
  public var description: String { "\(sentence) \(remedy)" }
}
