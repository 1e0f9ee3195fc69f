import FerryStore

/// The way in to the settings of an account or of the device: the handle says whose.
///
/// A setting is asked for by its definition, in the type that this declares; what nobody declared, from a legacy
/// file or a server, is kept, listed, and reached by its key.
public enum SettingDAO {
  // MARK: - Looking

  /// Every setting that is set, by key.
  public static func list<H: Handle>(_ handle: H) async throws -> [H.Scope.Row] where H.Scope: SettingScope {
    try await handle.read { try list($0) }
  }

  public static func list<Reader: Reading & ~Copyable>(_ reader: borrowing Reader) throws
    -> [Reader.Scope.Row]
  where Reader.Scope: SettingScope { try reader.fetch(Reader.Scope.Row.all) }

  /// The same, now and whenever they are others.
  public static func observeList<H: Handle>(_ handle: H) -> Observation<[H.Scope.Row]>
  where H.Scope: SettingScope { handle.observe(H.Scope.Row.all) }

  /// How many settings are set.
  public static func count<H: Handle>(_ handle: H) async throws -> Int where H.Scope: SettingScope {
    try await handle.read { try count($0) }
  }

  public static func count<Reader: Reading & ~Copyable>(_ reader: borrowing Reader) throws -> Int
  where Reader.Scope: SettingScope { try reader.count(Reader.Scope.Row.all) }

  /// How many are set, now and whenever it is another number.
  public static func observeCount<H: Handle>(_ handle: H) -> Observation<Int> where H.Scope: SettingScope {
    handle.observe { try count($0) }
  }

  /// The setting under this key, as text; nil where it was never set.
  public static func find<H: Handle>(_ handle: H, _ key: SettingKey) async throws -> H.Scope.Row?
  where H.Scope: SettingScope { try await handle.read { try find($0, key) } }

  public static func find<Reader: Reading & ~Copyable>(_ reader: borrowing Reader, _ key: SettingKey) throws
    -> Reader.Scope.Row?
  where Reader.Scope: SettingScope { try reader.find(Reader.Scope.Row.self, key) }

  /// What a setting is; its default where it was never set.
  ///
  /// - Throws: `SettingError.wrongType` where the text that is stored is none of its type.
  public static func get<H: Handle, Value>(_ handle: H, _ setting: SettingDefinition<Value, H.Scope>)
    async throws -> Value
  {
    try await handle.read { try get($0, setting) }
  }

  public static func get<Reader: Reading & ~Copyable, Value>(
    _ reader: borrowing Reader, _ setting: SettingDefinition<Value, Reader.Scope>
  ) throws -> Value { try setting.value(of: find(reader, setting.key())) }

  /// The same, now and whenever it is another one.
  public static func observe<H: Handle, Value>(_ handle: H, _ setting: SettingDefinition<Value, H.Scope>)
    -> Observation<Value>
  {
    handle.observe { try get($0, setting) }
  }

  // MARK: - Writing

  /// Sets a setting. From then on it travels as its definition says, whatever it did before.
  ///
  /// - Throws: `SettingError.wrongType` for a value that has no text; nothing is written then.
  public static func set<H: Handle, Value>(
    _ handle: H, _ setting: SettingDefinition<Value, H.Scope>, to value: Value
  ) async throws {
    // Before a transaction is asked for.
    let row = try setting.row(of: value)
    try await handle.write { try $0.upsert(row) }
  }

  public static func set<Scope: SettingScope, Value>(
    _ transaction: borrowing Transaction<Scope>, _ setting: SettingDefinition<Value, Scope>, to value: Value
  ) throws {
    try transaction.upsert(setting.row(of: value))
  }

  /// Sets a declared setting from text, as a person or a script has it.
  ///
  /// - Parameter text: nil: nothing.
  /// - Throws: `SettingError.wrongType`, and `.elsewhere` for the handle of the other table; nothing is written then.
  public static func set<H: Handle>(_ handle: H, _ setting: DeclaredSetting, to text: String?) async throws
  where H.Scope: SettingScope {
    try setting.check(text)
    guard setting.isOfDevice != H.Scope.hasAccount else {
      throw SettingError.elsewhere(key: setting.name, isOfDevice: setting.isOfDevice)
    }
    guard let key = SettingKey(setting.name) else { throw SettingError.noKey(setting.name) }
    let row = H.Scope.Row(key: key, value: text, isLocalOnly: !setting.isSynced)
    try await handle.write { try $0.upsert(row) }
  }

  /// Sets what nobody declared, as text. A new setting of an account is local only where `isLocalOnly` says so; one
  /// that exists stays what it is.
  public static func set<H: Handle>(
    _ handle: H, _ key: SettingKey, to value: String?, isLocalOnly: Bool = false
  ) async throws where H.Scope: SettingScope {
    try await handle.write { try set($0, key, to: value, isLocalOnly: isLocalOnly) }
  }

  public static func set<Scope: SettingScope>(
    _ transaction: borrowing Transaction<Scope>, _ key: SettingKey, to value: String?,
    isLocalOnly: Bool = false
  ) throws {
    var row =
      try transaction.find(Scope.Row.self, key) ?? Scope.Row(key: key, value: value, isLocalOnly: isLocalOnly)
    row.value = value
    try transaction.upsert(row)
  }

  /// Takes a setting back to its default.
  ///
  /// - Returns: whether it was set.
  @discardableResult
  public static func reset<H: Handle, Value>(_ handle: H, _ setting: SettingDefinition<Value, H.Scope>)
    async throws -> Bool
  {
    try await reset(handle, setting.key())
  }

  @discardableResult
  public static func reset<Scope: SettingScope, Value>(
    _ transaction: borrowing Transaction<Scope>, _ setting: SettingDefinition<Value, Scope>
  ) throws -> Bool {
    try reset(transaction, setting.key())
  }

  /// Forgets what is set under a key.
  ///
  /// - Returns: whether anything was.
  @discardableResult
  public static func reset<H: Handle>(_ handle: H, _ key: SettingKey) async throws -> Bool
  where H.Scope: SettingScope {
    try await handle.write { try reset($0, key) }
  }

  @discardableResult
  public static func reset<Scope: SettingScope>(
    _ transaction: borrowing Transaction<Scope>, _ key: SettingKey
  )
    throws -> Bool
  {
    try transaction.delete(Scope.Row.self, key).deleted > 0
  }
}
