import Composition
import FerryKernel
import TestKit
import Testing

/// The laws of TestKit over every registered domain, whichever those are.
@Suite struct `Every registered domain` {
  struct Named: Sendable, CustomTestStringConvertible {
    let domain: Domain
    var testDescription: String { domain.name }
    /// Those above it in the list, which has what it stands on.
    var others: [Domain] {
      Array(RegisteredDomains.all.prefix { $0.name != domain.name })
    }
  }

  static let all = RegisteredDomains.all.map { Named(domain: $0) }

  @Test(arguments: all)
  func `gives back what was written to it and what a server sent, and tells of each write once`(named: Named)
    async throws
  {
    let law = CheckDomain(named.domain, with: named.others, seed: TestSeed.value(0xd0))
    #expect(try await law.violations() == [])
  }

  @Test(arguments: all)
  func `keeps two accounts with equal ids apart`(named: Named) async throws {
    let law = CheckAccountIsolation(named.domain, with: named.others, seed: TestSeed.value(0xd1))
    #expect(try await law.violations() == [])
  }

  @Test(arguments: all)
  func `gives each legacy row one outcome, and crossing twice changes nothing`(named: Named) async throws {
    #expect(try await CheckCrossing(named.domain, seed: TestSeed.value(0xd2)).violations() == [])
  }

  @Test func `has no table that the laws can't make rows of, but those that only this device writes`() throws
  {
    let closed = try Self.all.flatMap { try CheckDomain($0.domain, with: $0.others).closedTables() }
    #expect(closed == ["attachment_file"])
  }
}
