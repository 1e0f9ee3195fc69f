import FerryKernel
import FerryStore
import TestKit
import Testing

/// A law that can't fail says nothing: each is held against a domain that breaks it.
@Suite struct `A law of domains` {
  struct Broken: Sendable, CustomTestStringConvertible {
    let domain: Domain
    let sentence: String
    let testDescription: String

    init(_ name: String, _ domain: Domain, _ sentence: String) {
      (self.testDescription, self.domain, self.sentence) = (name, domain, sentence)
    }
  }

  @Test func `finds nothing in a domain that keeps to them`() async throws {
    let seed = TestSeed.value(0x57a)
    #expect(try await CheckDomain(Stamps.sound, seed: seed).violations() == [])
    #expect(try await CheckAccountIsolation(Stamps.sound, seed: seed).violations() == [])
    #expect(try await CheckCrossing(Stamps.sound, seed: seed).violations() == [])
    #expect(try CheckDomain(Stamps.sound).closedTables() == [])
  }

  @Test func `finds nothing in the library's`() async throws {
    for domain in Library.domains() {
      #expect(try await CheckDomain(domain).violations() == [])
      #expect(try await CheckAccountIsolation(domain).violations() == [])
      #expect(try await CheckCrossing(domain).violations() == [])
    }
  }

  @Test(arguments: [
    Broken("a feed that forgets a column", Stamps.forgetful, "stamp.price"),
    Broken("a feed that takes an unknown choice for another", Stamps.presumptuous, "stamp.kind"),
    Broken("a feed that changes what it pulls", Stamps.restless, "stamp.made_at"),
    Broken("a choice that refuses what it doesn't know", Stamps.narrow, "narrow.kind refuses"),
  ])
  func `of what comes back names`(broken: Broken) async throws {
    let violations = try await CheckDomain(broken.domain).violations()
    #expect(violations.contains { $0.contains(broken.sentence) }, "\(violations)")
  }

  @Test func `of isolation names a table in which two accounts' rows are one`() async throws {
    let violations = try await CheckAccountIsolation(Stamps.communal).violations()
    #expect(violations.contains { $0.contains("communal") }, "\(violations)")
  }

  @Test func `of crossing names identities that are made anew each time`() async throws {
    let violations = try await CheckCrossing(Stamps.forgetfulOfKeys).violations()
    #expect(violations.contains { $0.contains("the same rows make another store") }, "\(violations)")
  }

  @Test func `of crossing names rows that are said to be written and aren't`() async throws {
    let violations = try await CheckCrossing(Stamps.lying).violations()
    #expect(violations.contains { $0.hasPrefix("copy: ") }, "\(violations)")
  }

  // MARK: - Writes

  @Test func `of writes takes one transaction with one event, and none where it fails`() async throws {
    struct Refusal: Error {}
    let sound = PublicWrite("put") { account in
      try await Stamps.put(account, ["a", "b", "c"])
    } failing: { account in
      try await account.write { transaction in
        guard let stamp = Stamps.stamp("a", "a") else { return }
        try transaction.insert(stamp)
        throw Refusal()
      }
    }
    #expect(try await CheckDomain(Stamps.sound).violations(of: [sound]) == [])
  }

  @Test
  func `of writes names a write that is two, one that is none, and one that is half done when it fails`()
    async throws
  {
    struct Refusal: Error {}
    let twice = PublicWrite("twice") { account in
      try await Stamps.put(account, ["a"])
      try await Stamps.put(account, ["b"])
    }
    let idle = PublicWrite("idle") { account in
      try await Stamps.put(account, ["a"])
    } run: { account in
      try await Stamps.put(account, ["a"])
    }
    let halfDone = PublicWrite("half done") { account in
      try await Stamps.put(account, ["b"])
    } failing: { account in
      try await Stamps.put(account, ["a"])
      throw Refusal()
    }
    let careless = PublicWrite("careless") { account in
      try await Stamps.put(account, ["a"])
    } failing: { _ in
    }
    #expect(
      try await CheckDomain(Stamps.sound).violations(of: [twice, idle, halfDone, careless]) == [
        "twice makes 2 events instead of 1", "idle makes 0 events instead of 1",
        "half done fails and makes 1 events all the same", "careless doesn't fail where it must",
      ])
  }

  @Test func `of writes names one that reaches into another account`() async throws {
    let crossed = PublicWrite("meddling") { account in
      try await Stamps.put(account, ["a"])
    } run: { account in
      let accounts = try await account.store.device.read { try $0.accounts() }
      for other in accounts where other.id != account.id {
        try await account.store.account(other.id).write { transaction in
          try transaction.deleteAll(Stamp.self)
        }
      }
    }
    #expect(
      try await CheckDomain(Stamps.sound).violations(of: [crossed]) == [
        "meddling changes another account's rows"
      ])
  }
}
