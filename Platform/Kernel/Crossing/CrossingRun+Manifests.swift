import FerryStore

/// Legacy files are hashed no more often than it takes: a step's last look at a file is the next step's first.
extension CrossingRun {
  /// A file as this run has seen it last, and how it looked just before that.
  struct SeenManifest: Sendable {
    let manifest: LegacyManifest
    let stamp: String
  }

  /// What a file is now, by its content: what was read since an equal one is of that file.
  func manifest(of account: AccountID) throws -> LegacyManifest {
    let stamp = try source.stamp(of: account)
    let manifest = try source.manifest(of: account)
    seen.withLock { $0[account] = stamp.map { SeenManifest(manifest: manifest, stamp: $0) } }
    return manifest
  }

  /// The same, by its content as it was seen last where the file looks as it did then. For what finds a change early;
  /// what was read is vouched for by `manifest(of:)`, afterwards.
  func likelyManifest(of account: AccountID) throws -> LegacyManifest {
    if let known = seen.withLock({ $0[account] }), try source.stamp(of: account) == known.stamp {
      return known.manifest
    }
    return try manifest(of: account)
  }
}
