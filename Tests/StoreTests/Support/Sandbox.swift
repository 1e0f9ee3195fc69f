import FerryStore
import Foundation

/// A folder of a test's own, gone when the test is.
final class Sandbox: Sendable {
  let folder: URL
  var file: URL { folder.appendingPathComponent("ferry.sqlite") }

  init() {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("ferry-store-\(UUID().uuidString)")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Opens the sandbox's store.
  func open(
    _ schemas: [Schema] = [mail, device], dormant: Set<String> = [], readOnly: Bool = false,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws -> Store {
    try Store.open(at: file, schemas: schemas, dormant: dormant, readOnly: readOnly, clock: clock)
  }

  /// Makes the folder alone.
  func makeFolder() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Every file with its bytes.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      contents[name] = try Data(contentsOf: folder.appendingPathComponent(name))
    }
    return contents
  }

  func permissions(of path: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }
}

let alice = known("alice@home")
let bob = known("bob@home")

private func known(_ account: String) -> AccountID {
  do { return try AccountID(account) } catch { preconditionFailure("\(error)") }
}

/// A store with the account of alice.
struct Mailbox {
  let sandbox = Sandbox()
  let store: Store
  let account: AccountStore

  init(clock: any Clock<Duration> = ContinuousClock()) throws {
    store = try sandbox.open(clock: clock)
    account = try store.addAccount(alice)
  }
}

/// SplitMix64: small, and the same numbers for the same seed everywhere.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }
}

extension Collection {
  /// A member by chance; the collection isn't empty.
  func pick(_ generator: inout Seeded) -> Element {
    guard let member = randomElement(using: &generator) else { preconditionFailure("nothing to pick from") }
    return member
  }
}

/// Strings compare here as their bytes; Swift's `==` takes canonically equivalent ones as equal.
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Texts on which stores stumble.
let awkwardTexts = [
  "", "a", "A", "á", "a\u{301}", "한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", "\0", "a\0b",
  "🚢", "👩‍👩‍👧", "it's \"quoted\"", "; DROP TABLE folder; --", "%_*?", "\u{fffd}", "z\u{7f}\u{10ffff}", "日本語",
]
