/// Reads an entry of `servers:` in ferry.yaml: a name, and a folder or a Kinto server.
///
///     home:
///       directory: remote            # a folder of NDJSON files
///     work:
///       kinto: https://sync.example.org/v1
///       bucket: team                 # each account's own if not said
///       secrets:                     # where they are, never what they are
///         alice: {file: alice.secret}
///         bob: {command: [pass, show, ferry/bob]}
///         zoe: {environment: ZOE_SECRET}
struct ServerReader {
  let folder: String

  typealias Server = FerryConfiguration.Server

  func server(_ entry: YAMLNode.Entry) throws(SourceFault) -> Server {
    let name = try entry.name("a server's name")
    let mapping = try entry.value.mapping(
      required: [], optional: ["directory", "kinto", "bucket", "plain-http", "secrets"])
    guard let url = mapping.valueIfPresent("kinto") else {
      guard let directory = mapping.valueIfPresent("directory") else {
        throw entry.value.fault(
          "noRemote", "server \(QuotedText(name.value)) has neither 'directory' nor 'kinto'",
          remedy: "Say where it is: 'directory: …' for a folder, 'kinto: https://host/v1' for a Kinto server."
        )
      }
      for key in ["bucket", "plain-http", "secrets"] {
        guard let extra = mapping.valueIfPresent(key) else { continue }
        throw extra.fault(
          "onlyKinto", "'\(key)' is a Kinto server's, and \(QuotedText(name.value)) is a folder",
          remedy: "Remove '\(key)', or write 'kinto: …' in place of 'directory'.")
      }
      return Server(name: name, kind: .directory(path: try path(directory)))
    }
    if let directory = mapping.valueIfPresent("directory") {
      throw directory.fault(
        "remoteTwice", "'directory' and 'kinto' both say where the server is",
        remedy: "Remove one of the two.")
    }
    return Server(
      name: name,
      kind: .kinto(
        FerryConfiguration.Kinto(
          url: try url.name("an address"),
          bucket: try mapping.valueIfPresent("bucket")?.name("a bucket's name"),
          allowsPlainHTTP: try mapping.valueIfPresent("plain-http")?.bool() ?? false,
          secrets: try secrets(mapping.valueIfPresent("secrets")))))
  }

  private func secrets(_ node: YAMLNode?) throws(SourceFault) -> [FerryConfiguration.UserSecret] {
    var secrets: [FerryConfiguration.UserSecret] = []
    for entry in try node?.entries() ?? [] {
      secrets.append(
        FerryConfiguration.UserSecret(user: try entry.name("a user's name"), place: try place(entry.value)))
    }
    return secrets
  }

  private func place(_ node: YAMLNode) throws(SourceFault) -> FerryConfiguration.UserSecret.Place {
    guard case .mapping = node.content else {
      // Perhaps somebody wrote the secret itself here: it isn't repeated.
      throw node.fault(
        "secretPlace", "a secret's place is needed here, and never the secret itself",
        remedy: "Write {file: …}, {command: [program, word, …]} or {environment: NAME}.")
    }
    let mapping = try node.mapping(required: [], optional: ["file", "command", "environment"])
    let (file, command) = (mapping.valueIfPresent("file"), mapping.valueIfPresent("command"))
    switch (file, command, mapping.valueIfPresent("environment")) {
    case (let file?, nil, nil): return .file(try path(file).value)
    case (nil, let command?, nil): return .command(try words(command))
    case (nil, nil, let variable?): return .environment(try self.variable(variable))
    default:
      throw node.fault(
        "secretPlace", "a secret has one place",
        remedy: "Write one of {file: …}, {command: [program, word, …]} and {environment: NAME}.")
    }
  }

  private func words(_ node: YAMLNode) throws(SourceFault) -> [String] {
    let nodes = try node.sequence()
    guard let first = nodes.first else {
      throw node.fault("secretPlace", "a command without a program", remedy: "Write [program, word, …].")
    }
    var words = [try first.name("a program's name").value]
    // A program in a folder is found from the file's folder, as every path here; a bare name by the system.
    if words[0].utf8.contains(UInt8(ascii: "/")) {
      words[0] = ConfiguredPath.resolved(words[0], against: folder)
    }
    for node in nodes.dropFirst() { words.append(try node.text()) }
    return words
  }

  private func variable(_ node: YAMLNode) throws(SourceFault) -> String {
    let name = try node.name("a variable's name")
    guard !name.value.utf8.contains(UInt8(ascii: "=")) else {
      throw node.fault(
        "secretPlace", "no variable of the environment is called \(QuotedText(name.value))",
        remedy: "Write its name alone.")
    }
    return name.value
  }

  private func path(_ node: YAMLNode) throws(SourceFault) -> Located<String> {
    let written = try node.name("a path")
    return Located(ConfiguredPath.resolved(written.value, against: folder), at: written.position)
  }
}

extension YAMLNode.Entry {
  /// The key as a name of the file's own choice.
  fileprivate func name(_ what: String) throws(SourceFault) -> Located<String> {
    try YAMLNode(.scalar(text: key.value, isPlain: false), at: key.position, in: value.source).name(what)
  }
}
