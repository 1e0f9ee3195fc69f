import Foundation

/// Where things are: the content of `ferry.yaml`.
///
/// All paths are resolved against the folder of the file.
public struct FerryConfiguration: Sendable, Equatable {
  /// The name of the file in its folder.
  public static let fileName = "ferry.yaml"
  /// The version of the file's format that this build reads.
  public static let currentVersion: Int64 = 1

  /// A legacy file and the accounts whose rows it holds.
  public struct LegacyFile: Sendable, Equatable {
    /// A user of the file.
    public struct User: Sendable, Equatable {
      /// The user's name on the server.
      public let name: Located<String>
      /// How rows of the file name the user, where several have written to it.
      public let named: Located<String>

      /// Joins a user to how the file names it.
      public init(name: Located<String>, named: Located<String>? = nil) {
        self.name = name
        self.named = named ?? name
      }
    }

    /// The file's path.
    public let path: Located<String>
    /// The configured name of the accounts' server.
    public let server: Located<String>
    /// The accounts' users on that server, at least one. Where there are several, a property of each row says
    /// whose it is: `account` in roadmap.yaml names it.
    public let users: [User]
    /// The path of the file that holds its encryption key; nil where it isn't encrypted.
    public let keyFile: Located<String>?

    /// Joins a file to its accounts.
    public init(
      path: Located<String>, server: Located<String>, users: [User], keyFile: Located<String>? = nil
    ) {
      self.path = path
      self.server = server
      self.users = users
      self.keyFile = keyFile
    }
  }

  /// The file's name as faults show it.
  public let file: String
  /// The folder of the store.
  public let storeFolder: Located<String>
  /// The legacy files; each file once, each account once.
  public let legacyFiles: [LegacyFile]
  /// The servers; each name once.
  public let servers: [Server]

  /// Joins the parts of a configuration. Files are read with ``load(folder:)``.
  public init(
    file: String = FerryConfiguration.fileName, storeFolder: Located<String>, legacyFiles: [LegacyFile],
    servers: [Server]
  ) {
    self.file = file
    self.storeFolder = storeFolder
    self.legacyFiles = legacyFiles
    self.servers = servers
  }

  /// Reads `ferry.yaml` in `folder`.
  public static func load(folder: String) throws(SourceFault) -> FerryConfiguration {
    let path = ConfiguredPath.resolved(fileName, against: folder)
    let bytes = try SourceFile.bytes(atPath: path, for: FerryConfigurationReader.source(fileName))
    return try parse(bytes, folder: folder)
  }

  /// Reads the content of a `ferry.yaml` that lies in `folder`.
  ///
  /// - Parameter list: the names of what is in a folder, for files that a pattern names.
  public static func parse(
    _ bytes: [UInt8], file: String = FerryConfiguration.fileName, folder: String,
    list: @escaping (String) -> [String] = FerryConfiguration.names(in:)
  ) throws(SourceFault) -> FerryConfiguration {
    try FerryConfigurationReader(file: file, folder: folder, list: list).configuration(bytes)
  }

  /// Reads the text of a `ferry.yaml` that lies in `folder`.
  public static func parse(
    text: String, file: String = FerryConfiguration.fileName, folder: String,
    list: @escaping (String) -> [String] = FerryConfiguration.names(in:)
  ) throws(SourceFault) -> FerryConfiguration {
    try parse(Array(text.utf8), file: file, folder: folder, list: list)
  }

  /// The names of what is in a folder; none where it can't be listed, which is then told as a pattern without
  /// a match.
  public static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // why: see above
  }

  /// A fault in this file, for checks that the file alone doesn't allow. `rule` is the second half of the
  /// code: `missingLegacyFile` gives `configuration.missingLegacyFile`.
  public func fault(
    _ rule: String, at position: SourcePosition, _ message: String, remedy: String
  ) -> SourceFault {
    FerryConfigurationReader.source(file).fault(rule, at: position, message, remedy: remedy)
  }
}
