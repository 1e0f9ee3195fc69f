import FerryKernel
import TestKit
import Testing

@Suite(.waitsOnThreads) struct `app-cli setting` {
  @Test func `gets, sets and resets what is declared, in its type`() throws {
    let demo = try Demo.migrated()
    // Crossed from the legacy file, as local only.
    #expect(try demo.cli("setting", "get", "theme").output == "👩‍👩‍👧‍👦 메모\n")
    #expect(try demo.cli("setting", "set", "theme", "dark").status == 0)
    let theme = try demo.cli("setting", "get", "theme", "--json").json
    #expect(theme["value"]?.stringValue == "dark" && theme["set"]?.boolValue == true)
    #expect(theme["account"]?.stringValue == "alice@home" && theme["declared"]?.boolValue == true)
    #expect(try demo.cli("setting", "get", "theme", "-a", "bob").output == "장보기 a\n")
    let reset = try demo.cli("setting", "reset", "theme")
    #expect(reset.status == 0 && reset.output.contains("system"))
    #expect(try demo.cli("setting", "get", "theme").output == "system\n")
    #expect(try demo.cli("setting", "get", "theme", "--json").json["set"]?.boolValue == false)
    // Local only: nothing of it waits for the server.
    #expect(
      try demo.cli("status", "--json").json.list("accounts").map { try $0.integer("unsent") } == [14, 14])
  }

  @Test func `keeps the device's apart from the accounts'`() throws {
    let demo = try Demo.migrated()
    #expect(try demo.cli("setting", "get", "log-lines").output == "100000\n")
    #expect(try demo.cli("setting", "set", "log-lines", "500").status == 0)
    #expect(try demo.cli("device-setting", "count").output == "1\n")
    let row = try demo.cli("device-setting", "show", "log-lines", "--json").json["row"]
    #expect(row?["value"]?.stringValue == "500")
    #expect(try demo.cli("setting", "get", "log-lines", "--json").json["account"]?.isNull == true)
    #expect(try demo.cli("setting", "set", "log-lines", "500", "--account", "bob").status == 64)
    #expect(try demo.cli("setting", "set", "theme", "dark", "--device").status == 64)
    #expect(try demo.cli("setting", "reset", "log-lines").status == 0)
    #expect(try demo.cli("device-setting", "count").output == "0\n")
  }

  @Test func `keeps what nobody declared, and sends it unless it is said to be local`() throws {
    let demo = try Demo.migrated()
    #expect(try demo.cli("setting", "get", "언어").output == "groceries re: invoice\n")
    #expect(try demo.cli("setting", "set", "x-mine", "1", "--local-only").status == 0)
    #expect(try demo.cli("setting", "set", "x-ours", "-1").status == 0)
    #expect(try demo.cli("setting", "set", "x-none", "--nothing").status == 0)
    #expect(try demo.cli("setting", "get", "x-none", "--json").json["value"]?.isNull == true)
    #expect(try demo.cli("setting", "get", "x-none", "--json").json["set"]?.boolValue == true)
    #expect(
      try demo.cli("status", "--json").json.list("accounts").map { try $0.integer("unsent") } == [16, 14])
    #expect(try demo.cli("setting", "set", "x-here", "1", "--device").status == 0)
    #expect(try demo.cli("setting", "get", "x-here", "--device").output == "1\n")
    #expect(try demo.cli("setting", "get", "x-here").status == 1)
    #expect(try demo.cli("setting", "reset", "x-ours").status == 0)
    #expect(try demo.cli("setting", "reset", "x-ours").status == 1)
    let keys = try demo.cli("setting", "list", "--json").json.list("rows").map { try $0.text("key") }
    #expect(keys.contains("x-mine") && keys.contains("언어"))
  }

  @Test func `lists what is declared, for a person and for a script`() throws {
    let demo = try Demo.migrated()
    try demo.cli("setting", "set", "log-days", "30")
    let known = try demo.cli("setting", "known", "--json").json.list("settings")
    #expect(try known.map { try $0.text("key") } == ["theme", "log-lines", "log-days"])
    #expect(known[1]["value"]?.stringValue == "100000" && known[1]["set"]?.boolValue == false)
    #expect(known[2]["value"]?.stringValue == "30" && known[2]["default"]?.isNull == true)
    let table = try demo.cli("setting", "known").output
    for word in ["theme", "the device", "a whole number of 0 or more, or nothing"] {
      #expect(table.contains(word))
    }
  }

  @Test func `refuses a value of the wrong type with key, value and type`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    for (arguments, words) in [
      (["log-lines", "many"], ["log-lines", "many", "a whole number"]),
      (["log-days", "1.5"], ["log-days", "1.5", "or nothing"]),
      (["log-lines", "-5"], ["log-lines", "-5", "0 or more"]),
    ] {
      let outcome = try demo.run(Tool.cli, ["setting", "set"] + arguments + ["--json"], [:])
      #expect(outcome.status == 1)
      #expect(try outcome.error.text("code") == "setting.wrongType")
      for word in words { #expect(try outcome.error.text("message").contains(word)) }
    }
    for arguments in [
      ["set", "theme"], ["set", "theme", "x", "--nothing"], ["set", "theme", "dark", "--local-only"], ["get"],
    ] {
      #expect(try demo.run(Tool.cli, ["setting"] + arguments, [:]).status == 64)
    }
    #expect(try demo.cli("setting", "get", "").status == 1)
    #expect(try demo.cli("setting", "get", "no-such").errors.contains("setting list"))
    #expect(try demo.content() == before)
    // One that is of the wrong type already says so when it is asked for.
    try demo.cli("setting", "set", "log-lines", "7")
    #expect(try demo.cli("setting", "get", "log-lines").output == "7\n")
  }

  @Test func `is pulled from the server, and unknown keys with it`() throws {
    let demo = try Demo.migrated()
    try demo.append(
      #"{"id":"from-elsewhere","revision":1,"record":{"value":"한글"}}"#, to: "remote/alice/settings.ndjson")
    let outcome = try demo.worker("--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.json.integer("written") == 1)
    #expect(try demo.cli("setting", "get", "from-elsewhere").output == "한글\n")
    #expect(try demo.cli("setting", "get", "from-elsewhere", "-a", "bob").status == 1)
  }
}
