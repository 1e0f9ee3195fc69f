extension RealmFile {
  /// How the top ref of a file is found.
  public enum Layout: String, Sendable, Hashable {
    /// In the header, as commits leave it.
    case plain
    /// In a footer, as exports and compaction leave it.
    case streaming
  }

  /// What the library keeps of former versions of a file.
  public enum History: Sendable, Hashable {
    /// Nothing.
    case none
    /// A log in other files; very old.
    case outOfRealm
    /// Changes for other threads and processes.
    case inRealm
    /// Changes for a sync server.
    case syncClient
    /// Changes of a sync server.
    case syncServer
    /// A number that the format specification does not know.
    case other(UInt64)
  }

  /// Facts of a file apart from its content.
  public struct Info: Sendable, Hashable {
    /// The file format of the active snapshot; 0 for a database that was never committed to.
    public let format: Int
    /// How the top ref is found.
    public let layout: Layout
    /// Whether the file is encrypted.
    public let isEncrypted: Bool
    /// The size of the (decrypted) file in bytes.
    public let size: Int
    /// The part of it that the active snapshot and its free space take.
    public let logicalSize: Int
    /// The bytes within `logicalSize` that hold nothing; compaction would give them back.
    public let freeBytes: Int
    /// The app's schema version, -1 where the app has none; nil for a file that was not made through an SDK.
    public let schemaVersion: Int64?
    /// The number of the active snapshot, which each commit raises; 0 where the file has none.
    public let versionNumber: UInt64
    /// What is kept of former versions.
    public let history: History

    /// The bytes within `logicalSize` that hold content, history and header.
    public var liveBytes: Int { logicalSize - freeBytes }
  }

  /// Facts of the file apart from its content. Reads the top node and the free list only.
  public func info() throws(RealmFileError) -> Info {
    let header = snapshot.header
    guard header.topRef != 0 else {
      return info(logicalSize: Header.size, freeBytes: 0, versionNumber: 0, history: .none)
    }
    do throws(RealmFileError) {
      let node = try snapshot.node(at: header.topRef, claims: nil)
      let top = try Slots(node, "the top node")
      let logicalSize = try top.tagged(2, "the logical file size")
      guard logicalSize <= UInt64(snapshot.image.size) else {
        throw node.damage("the file was written with \(logicalSize) bytes")
      }
      return info(
        logicalSize: Int(logicalSize), freeBytes: try freeBytes(top, within: Int(logicalSize)),
        versionNumber: try top.optionalTagged(6, "the version of the snapshot") ?? 0,
        history: History(try top.optionalTagged(7, "the type of the history") ?? 0))
    } catch {
      throw snapshot.explain(error)
    }
  }

  private func info(logicalSize: Int, freeBytes: Int, versionNumber: UInt64, history: History) -> Info {
    Info(
      format: formatVersion, layout: snapshot.header.isStreaming ? .streaming : .plain,
      isEncrypted: snapshot.image.isEncrypted, size: snapshot.image.size, logicalSize: logicalSize,
      freeBytes: freeBytes, schemaVersion: schemaVersion, versionNumber: versionNumber, history: history)
  }

  /// The sum of the free blocks' sizes (the format specification, section 4).
  private func freeBytes(_ top: Slots, within logicalSize: Int) throws(RealmFileError) -> Int {
    guard let ref = try top.optionalRef(4, "the sizes of free blocks") else { return 0 }
    let node = try snapshot.node(at: ref, claims: nil)
    let sizes = try node.integers("the sizes of free blocks")
    var sum = 0
    for index in 0..<sizes.count {
      let size = sizes[index]
      guard size >= 0, size <= Int64(logicalSize - sum) else {
        throw node.damage("there are more free bytes than bytes")
      }
      sum += Int(size)
    }
    return sum
  }
}

extension RealmFile.History {
  /// The meaning of slot 7 of the top node.
  fileprivate init(_ number: UInt64) {
    switch number {
    case 0: self = .none
    case 1: self = .outOfRealm
    case 2: self = .inRealm
    case 3: self = .syncClient
    case 4: self = .syncServer
    default: self = .other(number)
    }
  }
}

extension RealmFile.History: CustomStringConvertible {
  /// A word for a person.
  public var description: String {
    switch self {
    case .none: "none"
    case .outOfRealm: "in other files"
    case .inRealm: "local"
    case .syncClient: "sync client"
    case .syncServer: "sync server"
    case .other(let number): "unknown (\(number))"
    }
  }
}
