import FerryStore

/// A domain's backup: what must not be lost, written whole before anything is emptied.
///
/// For `copy` it is a manifest of the legacy files, which are themselves the backup. For the other strategies
/// every row has its line: kept with all its properties, left to the server under its key, refused with the
/// reason, or discarded. Restoring reads nothing else.
struct Backup: Equatable {
  struct Line: Equatable {
    enum Content: Equatable {
      /// All properties by name.
      case keep(JSONObject)
      /// The key under which the server has it.
      case left(key: String)
      case refused(reason: String, JSONObject)
      case discarded
    }
    let account: AccountID
    let entity: String
    let position: Int64
    let content: Content
  }

  let domain: String
  let manifests: [(account: AccountID, manifest: LegacyManifest)]
  var lines: [Line]

  static func == (left: Backup, right: Backup) -> Bool {
    left.domain == right.domain && left.lines == right.lines
      && left.manifests.elementsEqual(right.manifests) {
        $0.account == $1.account && $0.manifest == $1.manifest
      }
  }

  /// The lines of one entity of an account, in the order of the legacy file.
  func lines(of entity: String, account: AccountID) -> [Line] {
    lines.filter { $0.entity == entity && $0.account == account }
  }
}

extension Backup {
  func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    let files = manifests.map { account, manifest in
      JSONValue.object([
        "account": .string(account.description), "path": .string(manifest.path),
        "size": .integer(manifest.size),
        "sha256": .string(manifest.sha256),
        "schemaVersion": manifest.schemaVersion.map { .integer($0) } ?? .null,
      ])
    }
    let header: JSONObject = ["backup": .integer(1), "domain": .string(domain), "files": .array(files)]
    try JSONValue.object(header).append(to: &bytes)
    for line in lines {
      bytes.append(0x0a)
      try line.json.append(to: &bytes)
    }
    bytes.append(0x0a)
    return bytes
  }

  /// Reads what `bytes` wrote.
  ///
  /// - Parameter onlyFiles: leaves the lines out.
  /// - Throws: `KernelError.badBackup`.
  init(_ bytes: [UInt8], path: String, onlyFiles: Bool = false) throws {
    func bad(_ why: String) -> KernelError { .badBackup(path: path, why: why) }
    let texts = bytes.split(separator: 0x0a, maxSplits: onlyFiles ? 1 : .max)
    var parsed = try texts.prefix(onlyFiles ? 1 : .max).map { line in
      do { return try JSONValue.parse(line) } catch { throw bad("\(error)") }
    }[...]
    guard let header = parsed.popFirst(), header["backup"]?.integerValue == 1,
      let domain = header["domain"]?.stringValue, let files = header["files"]?.arrayValue
    else { throw bad("its first line is no header of this version") }
    self.domain = domain
    manifests = try files.map { file in
      guard let account = file["account"]?.stringValue, let path = file["path"]?.stringValue,
        let size = file["size"]?.integerValue, let sha256 = file["sha256"]?.stringValue
      else { throw bad("it names a file without saying which") }
      let manifest = LegacyManifest(
        path: path, size: size, sha256: sha256, schemaVersion: file["schemaVersion"]?.integerValue)
      return (try AccountID(account), manifest)
    }
    lines = try parsed.enumerated().map { index, json in
      guard let line = try Line(json: json) else { throw bad("line \(index + 2) is none of its kinds") }
      return line
    }
  }
}

extension Backup.Line {
  fileprivate var json: JSONValue {
    var members: JSONObject = [
      "account": .string(account.description), "entity": .string(entity), "position": .integer(position),
    ]
    switch content {
    case .keep(let row): members["keep"] = .object(row)
    case .left(let key): members["left"] = .string(key)
    case .refused(let reason, let row):
      members["refused"] = .string(reason)
      members["row"] = .object(row)
    case .discarded: members["discarded"] = .bool(true)
    }
    return .object(members)
  }

  fileprivate init?(json: JSONValue) throws {
    guard let account = json["account"]?.stringValue, let entity = json["entity"]?.stringValue,
      let position = json["position"]?.integerValue
    else { return nil }
    self.account = try AccountID(account)
    self.entity = entity
    self.position = position
    if let row = json["keep"]?.objectValue {
      content = .keep(row)
    } else if let key = json["left"]?.stringValue {
      content = .left(key: key)
    } else if let reason = json["refused"]?.stringValue, let row = json["row"]?.objectValue {
      content = .refused(reason: reason, row)
    } else if json["discarded"]?.boolValue == true {
      content = .discarded
    } else {
      return nil
    }
  }
}
