/// Why an export failed for another reason than the file that it reads.
public enum ExportError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file has no class of this name.
  case noSuchClass(String, known: [String])
  /// The output exists and was not to be replaced.
  case exists(path: String)
  /// The output can't be replaced, even if asked: it is a device, a pipe, or a folder that isn't empty.
  case notReplaceable(path: String)
  /// The output is the very file that is read.
  case isSource(path: String)
  /// Another process writes the same output.
  case busy(path: String)
  /// The operating system refused; `reason` is its own text.
  case output(path: String, doing: String, reason: String)
  /// SQLite refused; `reason` is its own text.
  case sqlite(doing: String, reason: String)

  /// What happened, in one sentence for a person.
  public var sentence: String {
    switch self {
    case .noSuchClass(let name, _): "The file has no class \"\(name)\"."
    case .exists(let path): "\(path) exists."
    case .notReplaceable(let path): "\(path) is neither a plain file nor an empty folder."
    case .isSource(let path): "\(path) is the file that would be read."
    case .busy(let path): "Another export to \(path) is under way."
    case .output(let path, let doing, let reason): "\(doing) \(path) failed: \(reason)."
    case .sqlite(let doing, let reason): "\(doing) the SQLite database failed: \(reason)."
    }
  }

  /// A stable identifier for scripts; it never changes for a given case.
  public var code: String {
    switch self {
    case .noSuchClass: "export.noSuchClass"
    case .exists: "export.exists"
    case .notReplaceable: "export.notReplaceable"
    case .isSource: "export.isSource"
    case .busy: "export.busy"
    case .output: "export.output"
    case .sqlite: "export.sqlite"
    }
  }

  /// What to do next.
  public var remedy: String {
    switch self {
    case .noSuchClass(_, let known) where known.isEmpty: "It has none at all."
    case .noSuchClass(_, let known): "It has \(known.joined(separator: ", "))."
    case .exists: "Name another output, or remove it."
    case .notReplaceable, .isSource: "Name another output."
    case .busy: "Wait until it is over."
    case .output:
      "Check that the folder is there, that this user may write to it, and that the disk has room."
    case .sqlite: "Check that the disk has room."
    }
  }

  /// The sentence and the remedy together.
  public var description: String { "\(sentence) \(remedy)" }
}
