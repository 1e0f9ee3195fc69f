import FerryStore

/// How the legacy rows of one entity become records: canonical field names in, records out. Which class and
/// which properties the fields are is the roadmap's.
///
///     Crossing("folder", Folder.self, fields: LegacyField("id"), LegacyField("name")) { id, name in
///       Folder(id: id, name: name)
///     }
public struct Crossing: Sendable {
  /// The entity's name in the roadmap, in kebab case.
  public let entity: String
  /// The table its records go into.
  public let table: TableDeclaration
  /// The device's table, which some of them go into instead.
  public private(set) var deviceTable: TableDeclaration?
  /// The fields that a mapping may name, in the order of `map`'s parameters.
  public let fields: [FieldDeclaration]
  /// A test may wrap what it makes.
  package var makePage: @Sendable () -> any CrossingPage

  /// For records of an account.
  public init<R: Record, each Value: LegacyFieldValue>(
    _ entity: String, _ type: R.Type, fields: repeat LegacyField<each Value>,
    latest: (@Sendable (R) -> Timestamp)? = nil,
    map: @escaping @Sendable (repeat each Value) throws -> R
  ) where R.Scope == AccountScope {
    self.init(entity, R.self, ofDevice: nil, fields: repeat each fields, latest: latest, map: map)
  }

  /// For records of an account, of which some are the device's by what they hold.
  ///
  /// Several files may have one of those. The first that is written is kept, in the order of the accounts and of the
  /// rows of each file; of the others the same are merged, and those that differ are quarantined.
  ///
  /// - Parameter ofDevice: the record of the device's table; nil: it is the account's own.
  public init<R: Record, D: Record, each Value: LegacyFieldValue>(
    _ entity: String, _ type: R.Type, fields: repeat LegacyField<each Value>,
    map: @escaping @Sendable (repeat each Value) throws -> R, ofDevice: @escaping @Sendable (R) -> D?
  ) where R.Scope == AccountScope, D.Scope == DeviceScope {
    let device = DeviceCrossing<R> { record, transaction in
      guard let record = ofDevice(record) else { return nil }
      let key = D.table.key(of: record)
      guard let found = try transaction.find(D.self, key) else { return .free }
      let text = D.table.keyText(of: record)
      return D.table.areEqual(found, record) ? .same(key: text) : .taken(key: text)
    } write: { record, transaction in
      if let record = ofDevice(record) { try transaction.insert(record) }
    }
    self.init(entity, R.self, ofDevice: device, fields: repeat each fields, latest: nil, map: map)
    deviceTable = D.table.declaration
  }

  private init<R: Record, each Value: LegacyFieldValue>(
    _ entity: String, _ type: R.Type, ofDevice device: DeviceCrossing<R>?,
    fields: repeat LegacyField<each Value>, latest: (@Sendable (R) -> Timestamp)?,
    map: @escaping @Sendable (repeat each Value) throws -> R
  ) where R.Scope == AccountScope {
    self.init(entity, R.self, ofDevice: device, latest: latest, fields: repeat each fields) {
      (_, values: repeat each Value) in
      try map(repeat each values)
    } find: { key, account, transaction in
      try transaction.in(account) { try $0.find(R.self, key) }
    } write: { records, account, transaction in
      try transaction.in(account) { try $0.upsert(records) }
    } enqueue: { key, account, transaction in
      try transaction.in(account) { try $0.enqueue(R.self, key, base: .unknown) }
    } delete: { record, account, transaction in
      try transaction.in(account) { transaction in
        try transaction.delete(R.self, R.table.key(of: record))
        try transaction.enqueueDeletion(of: record)
      }
    } revive: { key, account, transaction in
      try transaction.in(account) { try $0.confirm(R.self, key) }
    }
  }

  /// For records of the device, which are told whose file they come from.
  ///
  /// - Parameter append: writes a page; the default upserts it.
  public init<R: Record, each Value: LegacyFieldValue>(
    device entity: String, _ type: R.Type, fields: repeat LegacyField<each Value>,
    latest: (@Sendable (R) -> Timestamp)? = nil,
    map: @escaping @Sendable (AccountID, repeat each Value) throws -> R,
    append: @escaping @Sendable ([R], borrowing Transaction<DeviceScope>) throws -> WriteCounts = {
      try $1.upsert($0)
    }
  ) where R.Scope == DeviceScope {
    self.init(entity, R.self, ofDevice: nil, latest: latest, fields: repeat each fields, map: map) {
      key, _, transaction in
      try transaction.find(R.self, key)
    } write: { records, _, transaction in
      try append(records, transaction)
    } enqueue: { _, _, _ in
    } delete: { _, _, _ in
    } revive: { _, _, _ in
    }
  }

  private init<R: Record, each Value: LegacyFieldValue>(
    _ entity: String, _ type: R.Type, ofDevice device: DeviceCrossing<R>?,
    latest: (@Sendable (R) -> Timestamp)?, fields: repeat LegacyField<each Value>,
    map: @escaping @Sendable (AccountID, repeat each Value) throws -> R,
    find: @escaping RecordCrossing<R>.Find, write: @escaping RecordCrossing<R>.Write,
    enqueue: @escaping RecordCrossing<R>.Enqueue, delete: @escaping RecordCrossing<R>.Delete,
    revive: @escaping RecordCrossing<R>.Enqueue
  ) {
    self.entity = entity
    table = R.table.declaration
    var declarations: [FieldDeclaration] = []
    for field in repeat each fields { declarations.append(field.declaration) }
    self.fields = declarations
    // Not the fields themselves: their types would be looked up anew for each row.
    let names = declarations.map(\.name)
    let crossing = RecordCrossing<R>(
      map: { account, values, notes in
        var index = 0
        return try map(
          account, repeat try Crossing.next((each Value).self, names, values, &index, &notes))
      }, latest: latest, device: device, find: find, write: write, enqueue: enqueue, delete: delete,
      revive: revive)
    makePage = { RecordPage(crossing) }
  }

  /// Reads the value at `index`, named in the refusal, and moves on.
  private static func next<Value: LegacyFieldValue>(
    _: Value.Type, _ names: [String], _ values: [LegacyValue], _ index: inout Int,
    _ notes: inout RowNotes
  ) throws(RowRefusal) -> Value {
    defer { index += 1 }
    do {
      return try Value.read(values[index], &notes)
    } catch {
      throw RowRefusal("\(names[index]): \(error.reason)")
    }
  }
}

/// A crossing with its record type.
struct RecordCrossing<R: Record>: Sendable {
  typealias Find = @Sendable (R.Key, AccountStore, borrowing Transaction<DeviceScope>) throws -> R?
  typealias Write = @Sendable ([R], AccountStore, borrowing Transaction<DeviceScope>) throws -> WriteCounts
  typealias Enqueue = @Sendable (R.Key, AccountStore, borrowing Transaction<DeviceScope>) throws -> Void
  typealias Delete = @Sendable (R, AccountStore, borrowing Transaction<DeviceScope>) throws -> Void

  let map: @Sendable (AccountID, [LegacyValue], inout RowNotes) throws -> R
  let latest: (@Sendable (R) -> Timestamp)?
  let device: DeviceCrossing<R>?
  let find: Find
  let write: Write
  let enqueue: Enqueue
  /// Leaves a key without a record and with a deletion that waits to be pushed.
  let delete: Delete
  /// Takes a deletion back.
  let revive: Enqueue
}

/// Where the records go that are the device's.
struct DeviceCrossing<R: Record>: Sendable {
  /// What the device's table has under the record's key; nil where the record isn't the device's.
  let standing: @Sendable (R, borrowing Transaction<DeviceScope>) throws -> Standing?
  let write: @Sendable (R, borrowing Transaction<DeviceScope>) throws -> Void
}
