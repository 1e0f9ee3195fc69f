/// Reads `ferry.yaml` into a ``FerryConfiguration`` and throws the first fault of its structure.
struct FerryConfigurationReader {
  let file: String
  let folder: String
  let list: (String) -> [String]

  static func source(_ file: String) -> YAMLSource { YAMLSource(file: file, vocabulary: "configuration") }

  func configuration(_ bytes: [UInt8]) throws(SourceFault) -> FerryConfiguration {
    let root = try YAMLDocument.parse(bytes, file: file, vocabulary: Self.source(file).vocabulary)
    _ = try root.formatVersion(FerryConfiguration.currentVersion)
    let mapping = try root.mapping(required: ["version", "store"], optional: ["legacy", "servers"])
    let servers = try servers(mapping.valueIfPresent("servers"))
    let store = try path(mapping.value("store"))
    return FerryConfiguration(
      file: file,
      storeFolder: store,
      legacyFiles: try legacyFiles(
        mapping.valueIfPresent("legacy"), servers, hasStore: !list(store.value).isEmpty),
      servers: servers)
  }

  private func servers(_ node: YAMLNode?) throws(SourceFault) -> [FerryConfiguration.Server] {
    let reader = ServerReader(folder: folder)
    var servers: [FerryConfiguration.Server] = []
    for entry in try node?.entries() ?? [] { servers.append(try reader.server(entry)) }
    return servers
  }

  private func legacyFiles(
    _ node: YAMLNode?, _ servers: [FerryConfiguration.Server], hasStore: Bool
  ) throws(SourceFault) -> [FerryConfiguration.LegacyFile] {
    var files: [FerryConfiguration.LegacyFile] = []
    for item in try node?.sequence() ?? [] {
      for file in try LegacyFileReader(folder: folder, list: list, hasStore: hasStore).files(item) {
        try checkServer(of: file, servers, item.source)
        try checkDistinct(file, from: files, item.source)
        files.append(file)
      }
    }
    return files
  }

  private func checkServer(
    of file: FerryConfiguration.LegacyFile, _ servers: [FerryConfiguration.Server], _ source: YAMLSource
  ) throws(SourceFault) {
    let known = servers.map(\.name.value)
    let name = file.server.value
    guard !known.contains(where: { $0.hasSameBytes(as: name) }) else { return }
    throw source.fault(
      "unknownServer", at: file.server.position,
      "unknown server \(QuotedText(name))\(NearestName.hint(for: name, among: known))",
      remedy: "Name a server that 'servers' lists, or add it there.")
  }

  private func checkDistinct(
    _ file: FerryConfiguration.LegacyFile, from earlier: [FerryConfiguration.LegacyFile],
    _ source: YAMLSource
  ) throws(SourceFault) {
    let path = ConfiguredPath.comparable(file.path.value)
    if let twin = earlier.first(where: { ConfiguredPath.comparable($0.path.value) == path }) {
      throw source.fault(
        "duplicateFile", at: file.path.position,
        "this legacy file is listed twice, first on line \(twin.path.position.line)",
        remedy: "Remove one of the two.")
    }
    for (index, user) in file.users.enumerated() {
      let others = earlier.map { ($0, $0.users) } + [(file, Array(file.users[..<index]))]
      let owner = others.first { other, users in
        other.server.value.hasSameBytes(as: file.server.value)
          && users.contains { $0.name.value.hasSameBytes(as: user.name.value) }
      }
      guard let owner else { continue }
      throw source.fault(
        "duplicateAccount", at: user.name.position,
        "account \(QuotedText(user.name.value)) on server \(QuotedText(file.server.value)) already has "
          + "a legacy file, on line \(owner.0.path.position.line)",
        remedy: "Keep one legacy file per account.")
    }
  }

  private func path(_ node: YAMLNode) throws(SourceFault) -> Located<String> {
    let written = try node.name("a path")
    return Located(ConfiguredPath.resolved(written.value, against: folder), at: written.position)
  }
}
