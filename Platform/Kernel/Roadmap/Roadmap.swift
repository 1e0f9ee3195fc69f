/// What crosses, how, and in which order: the content of `roadmap.yaml`.
///
/// Only the file's own structure has been checked; whether the domains exist and what they depend on is for
/// whoever knows the registered domains. Every name keeps its place for the faults found there.
public struct Roadmap: Sendable, Equatable {
  /// The version of the file's format that this build reads.
  public static let currentVersion: Int64 = 1

  /// The file's name as faults show it.
  public let file: String
  /// The version of the file's format.
  public let version: Int64
  /// The domains in the order in which they cross; each domain once.
  public let steps: [Step]

  /// Joins the steps of a roadmap. Files are read with ``load(path:)`` and ``parse(_:file:)``.
  public init(file: String, version: Int64 = Roadmap.currentVersion, steps: [Step]) {
    self.file = file
    self.version = version
    self.steps = steps
  }

  /// Reads the roadmap at `path`. Faults show the last part of the path.
  public static func load(path: String) throws(SourceFault) -> Roadmap {
    let file = ConfiguredPath.lastPart(of: path)
    let bytes = try SourceFile.bytes(atPath: path, for: RoadmapReader.source(file))
    return try parse(bytes, file: file)
  }

  /// Reads a roadmap from the content of a file.
  public static func parse(_ bytes: [UInt8], file: String = "roadmap.yaml") throws(SourceFault) -> Roadmap {
    try RoadmapReader(file: file).roadmap(bytes)
  }

  /// Reads a roadmap from text.
  public static func parse(text: String, file: String = "roadmap.yaml") throws(SourceFault) -> Roadmap {
    try parse(Array(text.utf8), file: file)
  }

  /// A fault in this roadmap, for checks that the file alone doesn't allow. `rule` is the second half of the
  /// code: `order` gives `roadmap.order`.
  public func fault(
    _ rule: String, at position: SourcePosition, _ message: String, remedy: String
  ) -> SourceFault {
    RoadmapReader.source(file).fault(rule, at: position, message, remedy: remedy)
  }
}
