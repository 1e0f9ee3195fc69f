import Composition
import FerryConsole
import FerryKernel
import FerryStore
import SettingDomain

/// `app-cli setting`: what can be done with settings, besides looking at their rows.
enum SettingCommands {
  static let all = [
    Command(
      "get", "Print what a setting is.",
      discussion: "One that is declared and was never set is its default.",
      options: [StoreWork.account, device], arguments: [key]
    ) { call in try await get(call) },
    Command(
      "set", "Set a setting.",
      discussion: """
        One that is declared takes only values of its type, and is where it is declared to be. Whatever else is \
        set is text, and travels to the account's server unless it is said to be local only.
        """,
      options: [
        StoreWork.account, device, .flag("local-only", "A new one stays on this device."),
        .flag("nothing", "Set it to nothing, which isn't the same as empty."),
      ],
      arguments: [key, .optional("VALUE", "What it is from now on.")]
    ) { call in try await set(call) },
    Command(
      "reset", "Take a setting back to its default.", options: [StoreWork.account, device], arguments: [key]
    ) { call in try await reset(call) },
    Command("known", "List the settings that are declared, and what they are.", options: [StoreWork.account])
    {
      call in try await known(call)
    },
  ]

  private static let key = CommandArgument.required("KEY", "The setting's key.")
  private static let device = CommandOption.flag(
    "device", "A setting of the device, whoever uses it.", short: "d")

  /// A setting that is meant, and where it is.
  private struct Subject {
    let key: SettingKey
    let declaration: DeclaredSetting?
    /// nil: the device.
    let account: AccountStore?
    let work: StoreWork

    init(_ work: StoreWork) throws {
      let call = work.call
      guard let key = SettingKey(call.argument("KEY")) else { throw SettingError.noKey(call.argument("KEY")) }
      let declaration = DeclaredSettings.declaration(of: key)
      let isOfDevice = declaration?.isOfDevice ?? call.flag("device")
      if call.flag("device"), !isOfDevice {
        throw UsageError("\"\(key)\" is a setting of an account.", suggestion: "Leave '--device' out.")
      }
      if isOfDevice, call.value("account") != nil {
        throw UsageError("\"\(key)\" is a setting of the device.", suggestion: "Leave '--account' out.")
      }
      (self.key, self.declaration, self.work) = (key, declaration, work)
      account = isOfDevice ? nil : try work.account()
    }

    /// Whose it is, for a person.
    var owner: String { account.map { "\($0.id)" } ?? "this device" }

    /// What is set; nil where nothing ever was.
    func stored() async throws -> String?? {
      if let account { return try await SettingDAO.find(account, key).map(\.value) }
      return try await SettingDAO.find(work.store.device, key).map(\.value)
    }

    func answer(_ sentence: String?, _ value: String?, isSet: Bool) throws -> ExitCode {
      guard work.call.wantsJSON else {
        try work.call.print(visible(sentence ?? value ?? "–"))
        return .ok
      }
      try work.call.document([
        "account": account.map { .string($0.id.description) } ?? .null, "key": .string(key.rawValue),
        "value": value.map { .string($0) } ?? .null, "set": .bool(isSet),
        "declared": .bool(declaration != nil),
      ])
      return .ok
    }

    func notSet() -> Failure {
      Failure(
        "\(owner) has no setting \"\(key)\".", code: "notFound",
        remedy: "`app-cli \(account == nil ? "device-setting" : "setting") list` lists those that are set, "
          + "`app-cli setting known` those that are declared.")
    }
  }

  private static func get(_ call: Invocation) async throws -> ExitCode {
    try await StoreWork.looking(call, at: .setting) { work in
      let subject = try Subject(work)
      guard let stored = try await subject.stored() else {
        guard let declaration = subject.declaration else { throw subject.notSet() }
        return try subject.answer(nil, declaration.defaultText, isSet: false)
      }
      if let text = stored { try subject.declaration?.check(text) }
      return try subject.answer(nil, stored, isSet: true)
    }
  }

  private static func set(_ call: Invocation) async throws -> ExitCode {
    let value = call.optionalArgument("VALUE")
    guard (value == nil) == call.flag("nothing") else {
      throw value == nil
        ? UsageError("Argument 'VALUE' is missing.", suggestion: "'--nothing' sets it to nothing.")
        : UsageError("'--nothing' and a value can't be said together.")
    }
    return try await StoreWork.changing(call, .setting) { work in
      let subject = try Subject(work)
      if call.flag("local-only"), subject.account == nil || subject.declaration != nil {
        throw UsageError(
          "Where \"\(subject.key)\" is kept is settled already.", suggestion: "Leave '--local-only' out.")
      }
      switch (subject.account, subject.declaration) {
      case (let account?, let declaration?): try await SettingDAO.set(account, declaration, to: value)
      case (nil, let declaration?): try await SettingDAO.set(work.store.device, declaration, to: value)
      case (let account?, nil):
        let isLocalOnly = call.flag("local-only")
        try await SettingDAO.set(account, subject.key, to: value, isLocalOnly: isLocalOnly)
      case (nil, nil): try await SettingDAO.set(work.store.device, subject.key, to: value)
      }
      let sentence =
        "\"\(subject.key)\" of \(subject.owner) is \(value.map { "\"\($0)\"" } ?? "nothing") now."
      return try subject.answer(sentence, value, isSet: true)
    }
  }

  private static func reset(_ call: Invocation) async throws -> ExitCode {
    try await StoreWork.changing(call, .setting) { work in
      let subject = try Subject(work)
      let wasSet =
        if let account = subject.account {
          try await SettingDAO.reset(account, subject.key)
        } else {
          try await SettingDAO.reset(work.store.device, subject.key)
        }
      guard wasSet || subject.declaration != nil else { throw subject.notSet() }
      let now = subject.declaration.map { "\($0.defaultText.map { "\"\($0)\"" } ?? "nothing"), its default" }
      let sentence = "\"\(subject.key)\" of \(subject.owner) is \(now ?? "set no more")."
      return try subject.answer(sentence, subject.declaration?.defaultText, isSet: false)
    }
  }

  private static func known(_ call: Invocation) async throws -> ExitCode {
    try await StoreWork.looking(call, at: .setting) { work in
      let account = try work.account()
      let own = try await SettingDAO.list(account).map { ($0.key, $0.value) }
      let device = try await SettingDAO.list(work.store.device).map { ($0.key, $0.value) }
      var rows: [(DeclaredSetting, value: String?, isSet: Bool)] = []
      for declaration in DeclaredSettings.all {
        let found = (declaration.isOfDevice ? device : own).first {
          $0.0.rawValue.utf8.elementsEqual(declaration.name.utf8)
        }
        rows.append((declaration, found.map { $0.1 } ?? declaration.defaultText, found != nil))
      }
      if call.wantsJSON {
        try call.document([
          "account": .string(account.id.description),
          "settings": .array(rows.map { .object($0.0.json(value: $0.value, isSet: $0.isSet)) }),
        ])
        return .ok
      }
      var table = TextTable(["Key", "Value", "Set", "Of", "Travels", "Kind"])
      for (declaration, value, isSet) in rows {
        table.add(
          declaration.name, value.map { truncated($0, to: 60) } ?? "–", isSet ? "yes" : "no",
          declaration.isOfDevice ? "the device" : account.id.description,
          declaration.isSynced ? "yes" : "no", declaration.kind)
      }
      try call.print(table)
      return .ok
    }
  }
}

extension DeclaredSetting {
  fileprivate func json(value: String?, isSet: Bool) -> JSONObject {
    [
      "key": .string(name), "value": value.map { .string($0) } ?? .null, "set": .bool(isSet),
      "default": defaultText.map { .string($0) } ?? .null, "device": .bool(isOfDevice),
      "synced": .bool(isSynced), "kind": .string(kind),
    ]
  }
}
