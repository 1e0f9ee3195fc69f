import Foundation
import Testing

@testable import RealmFile

/// Files that are well-formed in each part and impossible as a whole.
@Suite("Hostile files")
struct HostileFileTests {
  private typealias File = HandmadeFile
  private let mixed = HandmadeFile.Column(name: "m", type: 6)
  private let integers = HandmadeFile.Column(name: "l", type: 0, attributes: 32)
  /// A mixed value that is the list in the first slot of the payload.
  private let listBits: Int64 = 20 | 4 << 5

  private func open(_ file: HandmadeFile) throws -> RealmFile {
    var file = file
    return try RealmFile(source: MemorySource(file.finish()))
  }

  private func expectDamage(_ file: HandmadeFile) {
    do throws(RealmFileError) {
      var file = file
      let opened = try RealmFile(source: MemorySource(file.finish()))
      try opened.readEverything()
      Issue.record("it was read")
    } catch {
      #expect(error.code == "realm.damaged")
    }
  }

  /// A leaf of mixed lists.
  private func lists(_ file: inout HandmadeFile, _ roots: [Int64]) -> Int64 {
    let composite = file.integers(roots.indices.map { listBits | Int64($0) << 8 })
    let refs = file.refs(roots)
    return file.refs([composite, 0, 0, 0, refs, 0])
  }

  @Test("Lists in lists read down to a hundred levels")
  func nesting() throws {
    for (levels, isReadable) in [(100, true), (101, false)] {
      var file = File()
      var root = lists(&file, [0])
      for _ in 1..<levels { root = lists(&file, [root]) }
      file.table("class_A", [mixed], root: file.cluster(rows: 1, leaves: [root]))
      if isReadable { #expect(try open(file).readEverything() == 1) } else { expectDamage(file) }
    }
  }

  @Test("The deepest nesting fits the stack of a small thread")
  func smallStack() async {
    let cells = await withCheckedContinuation { continuation in
      let thread = Thread {
        var file = File()
        var root = lists(&file, [0])
        for _ in 1..<100 { root = lists(&file, [root]) }
        file.table("class_A", [mixed], root: file.cluster(rows: 1, leaves: [root]))
        do throws(RealmFileError) {
          continuation.resume(returning: try RealmFile(source: MemorySource(file.finish())).readEverything())
        } catch {
          continuation.resume(returning: 0)
        }
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(cells == 1)
  }

  @Test("A list that contains itself is refused")
  func cycle() {
    var file = File()
    // The leaf is written after its refs, so its place is known before: two nodes of 16 bytes lie between.
    let composite = file.integers([listBits])
    let refs = file.refs([composite + 32])
    let leaf = file.refs([composite, 0, 0, 0, refs, 0])
    #expect(leaf == composite + 32)
    file.table("class_A", [mixed], root: file.cluster(rows: 1, leaves: [leaf]))
    expectDamage(file)
  }

  @Test("Shared sub-lists do not unfold into exponentially many")
  func doubling() {
    var file = File()
    var root = lists(&file, [0])
    for _ in 0..<80 { root = lists(&file, [root, root]) }
    file.table("class_A", [mixed], root: file.cluster(rows: 1, leaves: [root]))
    expectDamage(file)
  }

  @Test("Two rows can't share a list, but one cell can be read twice")
  func sharedRoot() throws {
    var file = File()
    let list = file.integers([1, 2, 3])
    file.table("class_A", [integers], root: file.cluster(rows: 2, leaves: [file.refs([list, list])]))
    let rows = try #require(try open(file).tables.first).rows()
    let first = try #require(try rows.next())
    for _ in 0..<3 { #expect(try first.value(at: 0) == .list([.int(1), .int(2), .int(3)])) }
    let second = try #require(try rows.next())
    #expect(throws: RealmFileError.self) { _ = try second.value(at: 0) }
  }

  @Test("A list may have two levels, and its lengths must agree")
  func levels() throws {
    for (stated, isReadable) in [(Int64(3), true), (4, false)] {
      var file = File()
      let root = file.inner([
        File.tagged(2), file.integers([1, 2]), file.integers([3]), File.tagged(stated),
      ])
      file.table("class_A", [integers], root: file.cluster(rows: 1, leaves: [file.refs([root])]))
      guard isReadable else {
        expectDamage(file)
        continue
      }
      let row = try #require(try open(file).tables.first?.row(key: 0))
      #expect(try row.value(at: 0) == .list([.int(1), .int(2), .int(3)]))
    }
  }

  @Test("A list of more than a thousand elements in one leaf is refused")
  func longLeaf() {
    var file = File()
    let zeros = file.node(flags: 0, size: 0xFF_FFFF, payload: [])
    file.table("class_A", [integers], root: file.cluster(rows: 1, leaves: [file.refs([zeros])]))
    expectDamage(file)
  }

  @Test("A list that fits no memory is refused")
  func longList() {
    var file = File()
    var parts: [Int64] = []
    for _ in 0..<20 {
      let leaves = (0..<1000).map { _ in file.node(flags: 0, size: 1000, payload: []) }
      parts.append(file.inner([File.tagged(1000)] + leaves + [File.tagged(1_000_000)]))
    }
    let root = file.inner([File.tagged(1_000_000)] + parts + [File.tagged(20_000_000)])
    file.table("class_A", [integers], root: file.cluster(rows: 1, leaves: [file.refs([root])]))
    expectDamage(file)
  }

  @Test("A cluster that claims a million million rows is refused", arguments: [257, 1 << 40, Int64.max >> 1])
  func rowCount(count: Int64) {
    var file = File()
    file.table(
      "class_A", [.init(name: "x", type: 0)],
      root: file.refs([File.tagged(count), file.node(flags: 0, size: 0xFF_FFFF, payload: [])]))
    expectDamage(file)
  }

  @Test("A tree of rows must have the rows it states, in ascending order")
  func trees() throws {
    for (offsets, stated, isReadable) in [
      ([Int64(0), 2], Int64(4), true), ([0, 1], 4, false), ([5, 2], 4, false), ([0, 2], 5, false),
      ([0, -2], 4, false), ([2, 2], 4, false),
    ] {
      var file = File()
      let clusters = (0..<2).map { index in
        let leaf = file.integers([Int64(2 * index), Int64(2 * index + 1)])
        return file.cluster(rows: 2, leaves: [leaf])
      }
      let keys = file.integers(offsets)
      let root = file.inner([keys, File.tagged(1), File.tagged(stated)] + clusters)
      file.table("class_A", [.init(name: "x", type: 0)], root: root)
      if isReadable { #expect(try open(file).readEverything() == 4) } else { expectDamage(file) }
    }
  }

  @Test("A tree of rows that contains itself is refused")
  func cyclicRows() {
    var file = File()
    let place = Int64(file.base + file.nodes.count)
    let root = file.inner([0, File.tagged(1), File.tagged(9), place, place])
    file.table("class_A", [.init(name: "x", type: 0)], root: root)
    expectDamage(file)
  }

  @Test("A cluster without a leaf array for a column is refused")
  func missingLeaf() {
    var file = File()
    let root = file.cluster(rows: 1, leaves: [file.integers([1])])
    file.table("class_A", [.init(name: "x", type: 0), .init(name: "y", type: 0)], root: root)
    expectDamage(file)
  }

  @Test("One table in two slots is refused")
  func tableTwice() {
    var file = File()
    file.table("class_A", [.init(name: "x", type: 0)], root: file.cluster(rows: 0, leaves: []))
    file.sameTableAgain()
    expectDamage(file)
  }

  @Test("A list can't hold one long text a thousand times")
  func repeatedText() throws {
    var file = File()
    let text = [UInt8](repeating: 0x61, count: 1 << 20)
    let count = 1000
    let strings = file.refs([
      file.integers([Int64(text.count + 1)]), file.blob(text + [0]), file.integers([0]),
    ])
    let composite = file.integers(Array(repeating: 3 | 3 << 5, count: count))
    let list = file.refs([composite, 0, 0, strings, 0, 0])
    file.table(
      "class_A", [.init(name: "x", type: 6, attributes: 32)],
      root: file.cluster(rows: 1, leaves: [file.refs([list])]))
    expectDamage(file)
  }

  @Test("A column of a type that no format has is refused", arguments: [Int64(3), 5, 7, 14, 18, 19, 63])
  func unknownType(code: Int64) {
    var file = File()
    file.table(
      "class_A", [.init(name: "x", type: code)], root: file.cluster(rows: 1, leaves: [file.integers([1])]))
    expectDamage(file)
  }

  @Test("A link whose table is missing is null")
  func missingTarget() throws {
    var file = File()
    let leaf = file.integers([1])
    file.table(
      "class_A", [.init(name: "x", type: 12, attributes: 16, target: 77)],
      root: file.cluster(rows: 1, leaves: [leaf]))
    let table = try #require(try open(file).tables.first)
    #expect(table.columns[0].target == nil)
    #expect(try table.row(key: 0)?.value(at: 0) == .null)
  }

  @Test("A link to a deleted object is null, and left out of a list")
  func unresolved() throws {
    var file = File()
    let single = file.integers([-2, 2])
    let list = file.integers([-3, 1, -1, 2])
    let lists = file.refs([list, 0])
    file.table(
      "class_A",
      [
        .init(name: "x", type: 12, attributes: 16, target: 0),
        .init(name: "y", type: 12, attributes: 32, target: 0),
      ],
      root: file.cluster(rows: 2, leaves: [single, lists]))
    let table = try #require(try open(file).tables.first)
    let (first, second) = (try #require(try table.row(key: 0)), try #require(try table.row(key: 1)))
    #expect(try first.value(at: 0) == .null)
    #expect(try second.value(at: 0) == .link(table: "class_A", key: 1))
    #expect(
      try first.value(at: 1) == .list([.link(table: "class_A", key: 1), .link(table: "class_A", key: 2)]))
    #expect(try second.value(at: 1) == .list([]))
  }
}
