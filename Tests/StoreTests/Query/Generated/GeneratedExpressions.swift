import Foundation

@testable import FerryStore

/// The columns of a row of `everything`, be it the query's own or one that refers to it.
protocol EverythingColumns: RowColumns where Subject == Everything {
  func column<Value: ColumnValue>(_ path: any KeyPath<Everything, Value> & Sendable)
    -> FerryStore.QueryExpression<Root, Value>
}

extension Columns: EverythingColumns where R == Everything {
  func column<Value: ColumnValue>(_ path: any KeyPath<Everything, Value> & Sendable)
    -> FerryStore.QueryExpression<Everything, Value>
  { self[dynamicMember: path] }
}

extension RelatedColumns: EverythingColumns where Related == Everything {
  func column<Value: ColumnValue>(_ path: any KeyPath<Everything, Value> & Sendable)
    -> FerryStore.QueryExpression<R, Value>
  { self[dynamicMember: path] }
}

/// Random conditions with every operator, over columns of the row itself, of rows along references, and over
/// rows that refer.
struct Expressions {
  typealias Condition<R: Record> = FerryStore.QueryExpression<R, Bool>
  var generator: Seeded
  /// Sub-selects within sub-selects within sub-selects find hardly anything.
  private var depth = 0

  init(_ generator: Seeded) { self.generator = generator }

  mutating func onEverything(_ depth: Int) -> Condition<Everything> {
    tree(depth) { $0.everything(Columns<Everything>()) }
  }

  mutating func onFolder(_ depth: Int) -> Condition<Folder> {
    tree(depth) { $0.folder(Columns<Folder>()) }
  }

  mutating func below(_ limit: Int) -> Int { .random(in: 0..<limit, using: &generator) }

  private mutating func tree<R>(_ depth: Int, _ leaf: (inout Expressions) -> Condition<R>) -> Condition<R> {
    guard depth > 0 else { return leaf(&self) }
    let left = tree(depth - 1, leaf)
    switch below(8) {
    case 0, 1: return left && tree(depth - 1, leaf)
    case 2, 3: return left || tree(depth - 1, leaf)
    case 4: return !left
    case 5: return left == tree(depth - 1, leaf)
    case 6: return left != Bool.random(using: &generator)
    default: return [true].contains(left) != leaf(&self)
    }
  }

  private mutating func everything<C: EverythingColumns>(_ its: C) -> Condition<C.Root> {
    switch below(6) {
    case 0: texts(its)
    case 1: optionals(its)
    case 2: numbers(its)
    case 3: choices(its)
    case 4: joined(its.joined(Folder.self, by: \.folder))
    default: pairs(its)
    }
  }

  private mutating func texts<C: EverythingColumns>(_ its: C) -> Condition<C.Root> {
    let (text, other) = (Sample.texts.pick(&generator), Sample.texts.pick(&generator))
    let some = (0..<below(6)).map { _ in Sample.texts.pick(&generator) }
    let column = below(2) == 0 ? its.column(\.text) : its.column(\.note) ?? other
    switch below(15) {
    case 0: return column == text
    case 1: return column != text
    case 2: return column < text
    case 3: return column <= text
    case 4: return column > text
    case 5: return column >= text
    case 6: return column.contains(text)
    case 7: return column.starts(with: text)
    case 8: return some.contains(column)
    case 9: return column.ignoringCase == text
    case 10: return column.ignoringCase != text
    case 11: return column.ignoringCase.contains(text)
    case 12: return column.ignoringCase.starts(with: text)
    case 13: return column == its.column(\.text)
    default: return column < its.column(\.text)
    }
  }

  private mutating func optionals<C: EverythingColumns>(_ its: C) -> Condition<C.Root> {
    let text = Sample.maybe(Sample.texts, &generator)
    let some = (0..<below(4)).map { _ in Sample.maybe(Sample.texts, &generator) }
    let time = Sample.maybe(Sample.times, &generator)
    switch below(16) {
    case 0: return its.column(\.note) == text
    case 1: return its.column(\.note) != text
    case 2: return its.column(\.note) == nil
    case 3: return its.column(\.score) != nil
    case 4: return some.contains(its.column(\.note))
    case 5: return its.column(\.maybe) == true
    case 6: return its.column(\.maybe) != false
    case 7: return its.column(\.maybe) ?? its.column(\.flag)
    case 8: return its.column(\.due) == time
    case 9: return its.column(\.due) != time
    case 10: return (its.column(\.due) ?? .max) < its.column(\.time)
    case 11: return its.column(\.note) == its.column(\.text)
    case 12: return its.column(\.text) != its.column(\.note)
    case 13: return its.column(\.picture) == Data((text ?? "").utf8)
    case 14: return its.column(\.maybe) == its.column(\.flag)
    default:
      return its.column(\.folder) == Sample.maybe(Sample.folders, &generator).flatMap { Identifier($0) }
    }
  }

  private mutating func numbers<C: EverythingColumns>(_ its: C) -> Condition<C.Root> {
    let (whole, number) = (Sample.wholes.pick(&generator), Sample.numbers.pick(&generator))
    let (low, high) = (Swift.min(whole, 1), Swift.max(whole, 1))
    switch below(16) {
    case 0: return its.column(\.whole) == whole
    case 1: return its.column(\.whole) != whole
    case 2: return its.column(\.whole) < whole
    case 3: return its.column(\.whole) <= whole
    case 4: return its.column(\.whole) > whole
    case 5: return its.column(\.whole) >= whole
    case 6: return (low...high).contains(its.column(\.whole))
    case 7: return (low..<high).contains(its.column(\.whole))
    case 8: return Set([whole, 0]).contains(its.column(\.whole))
    case 9: return its.column(\.real) == number
    case 10: return its.column(\.real) < number
    case 11: return its.column(\.real) >= number
    case 12: return its.column(\.score) == number
    case 13: return its.column(\.score) != number
    case 14: return (its.column(\.score) ?? number) > 0
    default: return [number, nil].contains(its.column(\.score))
    }
  }

  private mutating func choices<C: EverythingColumns>(_ its: C) -> Condition<C.Root> {
    let kind = Sample.kind(&generator)
    switch below(9) {
    case 0: return its.column(\.kind) == kind
    case 1: return its.column(\.kind) != kind
    case 2: return [kind, nil].contains(its.column(\.kind))
    case 3: return [kind].contains(its.column(\.kind) ?? .primary)
    case 4: return [Level.low, .unknown(3)].contains(its.column(\.level))
    case 5: return its.column(\.level) != .low
    case 6: return its.column(\.flag)
    case 7: return !its.column(\.flag)
    default: return its.column(\.flag) == its.column(\.text).starts(with: "a")
    }
  }

  /// Rows beside this one: those that are in the same folder.
  private mutating func pairs<C: EverythingColumns>(_ its: C) -> Condition<C.Root> {
    let folder = its.joined(Folder.self, by: \.folder)
    guard depth < 2 else { return folder.id != nil }
    depth += 1
    defer { depth -= 1 }
    switch below(4) {
    case 0: return folder.has(Everything.self, by: \.folder) { $0.text == its.column(\.text) && $0.flag }
    case 1: return folder.has(Everything.self, by: \.folder) { everything($0) }
    case 2: return folder.has(Folder.self, by: \.parent) { self.folder($0) }
    default: return folder.joined(Folder.self, by: \.parent).has(Folder.self, by: \.parent)
    }
  }

  private mutating func joined<R>(_ its: JoinedColumns<R, Folder>) -> Condition<R> {
    let (text, kind) = (Sample.texts.pick(&generator), Sample.kind(&generator))
    switch below(11) {
    case 0: return its.id == nil
    case 1: return its.name == text
    case 2: return its.name != text
    case 3: return (its.name ?? text) < "a"
    case 4: return its.kind == kind
    case 5: return its.kind != kind
    case 6: return [kind, nil].contains(its.kind)
    case 7: return [text].contains(its.name)
    case 8: return its.parent == its.id
    case 9: return its.joined(Folder.self, by: \.parent).name == its.name
    default: return its.joined(Folder.self, by: \.parent).kind != kind
    }
  }

  private mutating func folder<C: RowColumns>(_ its: C) -> Condition<C.Root> where C: FolderColumns {
    let (text, kind) = (Sample.texts.pick(&generator), Sample.kind(&generator))
    guard depth < 2, below(2) == 0 else {
      switch below(5) {
      case 0: return its.column(\.name) == text
      case 1: return its.column(\.kind) != kind
      case 2: return its.column(\.parent) == nil
      case 3: return its.column(\.name).ignoringCase.contains(text)
      default: return joined(its.joined(Folder.self, by: \.parent))
      }
    }
    depth += 1
    defer { depth -= 1 }
    switch below(5) {
    case 0: return its.has(Everything.self, by: \.folder)
    case 1: return its.has(Everything.self, by: \.folder) { everything($0) }
    case 2: return its.has(Everything.self, by: \.folder) { everything($0) && everything($0) }
    case 3: return its.has(Folder.self, by: \.parent) { $0.name == its.column(\.name) || folder($0) }
    default: return its.has(Folder.self, by: \.parent) { folder($0) }
    }
  }
}

/// The columns of a folder, be it the query's own or one that refers to it.
protocol FolderColumns: RowColumns where Subject == Folder {
  func column<Value: ColumnValue>(_ path: any KeyPath<Folder, Value> & Sendable)
    -> FerryStore.QueryExpression<Root, Value>
}

extension Columns: FolderColumns where R == Folder {
  func column<Value: ColumnValue>(_ path: any KeyPath<Folder, Value> & Sendable)
    -> FerryStore.QueryExpression<Folder, Value>
  { self[dynamicMember: path] }
}

extension RelatedColumns: FolderColumns where Related == Folder {
  func column<Value: ColumnValue>(_ path: any KeyPath<Folder, Value> & Sendable)
    -> FerryStore.QueryExpression<R, Value>
  { self[dynamicMember: path] }
}
