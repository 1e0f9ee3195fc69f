/// The snapshots that a damaged file may still hold: the active one, the one before, and what a search finds.
struct SalvageHeaders {
  /// The active snapshot first, if its place can be known.
  private(set) var headers: [(header: Header, isActive: Bool)] = []
  /// What is wrong with the header; nil where nothing is.
  let damage: RealmFileError?
  /// Whether the file is in order and has nothing to read.
  let isNeverCommitted: Bool

  private let bytes: [UInt8]
  private let formats: [Int]

  /// Throws for what is no damage: encrypted and unsupported files, and such as are no Realm files.
  init(_ source: any ByteSource) throws(RealmFileError) {
    var damage: RealmFileError?
    do throws(RealmFileError) {
      let header = try Header(source)
      isNeverCommitted = header.topRef == 0
    } catch {
      switch error {
      case .damaged, .notARealmFile: damage = error
      default: throw error
      }
      isNeverCommitted = false
    }
    self.damage = damage
    guard source.size >= Header.size else { throw damage ?? .notARealmFile }
    bytes = try Header.read(Header.size, at: 0, from: source)
    let selector = Int(bytes[23] & 1)
    formats = [selector, 1 - selector].map { [bytes] in Int(bytes[20 + $0]) }
    for (position, slot) in [selector, 1 - selector].enumerated() {
      let format = formats[position]
      guard RealmFile.readableFormats.contains(format) || (isNeverCommitted && position == 0) else {
        continue
      }
      let stored = Header.word(bytes, at: 8 * slot)
      let ref = stored == UInt64.max ? try Self.footer(source) : stored
      guard ref & 7 == 0, ref <= UInt64(source.size), ref != 0 || isNeverCommitted else { continue }
      headers.append((Header(bytes: bytes, format: format, topRef: Int64(ref)), position == 0))
    }
  }

  private static func footer(_ source: any ByteSource) throws(RealmFileError) -> UInt64 {
    do throws(RealmFileError) {
      return try Header.footer(source)
    } catch {
      guard case .damaged = error else { throw error }
      return 0
    }
  }

  /// Top nodes anywhere in the file, the latest first: for a file whose header or active top node is lost.
  func searched(_ source: any ByteSource) throws(RealmFileError) -> [Header] {
    guard let format = formats.first(where: { RealmFile.readableFormats.contains($0) }) else { return [] }
    let known = Set(headers.map(\.header.topRef))
    return try TopNodeSearch.refs(source).filter { !known.contains($0) }
      .map { Header(bytes: bytes, format: format, topRef: $0) }
  }
}
