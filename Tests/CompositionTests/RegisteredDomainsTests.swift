import Composition
import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@Suite struct RegisteredDomainsTests {
  private static let config = Golden.repository.appendingPathComponent("Config")

  @Test func `The committed configuration fits the registered domains`() throws {
    let ferry = try Ferry(folder: Self.config.path)
    #expect(ferry.plan.unlisted.isEmpty)
    #expect(ferry.plan.off.isEmpty)
    #expect(Set(ferry.plan.steps.map(\.domain.name)) == Set(RegisteredDomains.all.map(\.name)))
    #expect(ferry.plan.steps.last?.domain.name == "log")
    #expect(Set(ferry.plan.steps.filter(\.isCore).map(\.domain.name)) == RegisteredDomains.core)
    #expect(ferry.configuration.legacyFiles.map { $0.users.map(\.name.value) } == Golden.users.map { [$0] })
    #expect(ferry.storePath == "\(Self.config.path)/store/ferry.sqlite")
  }

  @Test func `Each domain comes below those it depends on, and only the last has a queue`() {
    var above: Set<String> = []
    for domain in RegisteredDomains.all {
      #expect(above.isSuperset(of: domain.dependsOn))
      #expect(above.insert(domain.name).inserted)
      #expect(domain.isLast == (domain.name == "log"))
      #expect((domain.lastQueue != nil) == domain.isLast)
    }
  }

  @Test func `No two have a table, a feed or an entity of one name, and each is summed up`() {
    let domains = RegisteredDomains.all
    for names in [
      domains.flatMap { $0.tables.map(\.name) }, domains.flatMap { $0.feeds.map(\.name) },
      domains.flatMap { $0.crossings.map(\.entity) },
    ] {
      #expect(Set(names).count == names.count)
    }
    #expect(domains.allSatisfy { !$0.summary.isEmpty })
  }

  @Test func `What a domain crosses and pulls goes into its own tables`() {
    for domain in RegisteredDomains.all {
      let tables = domain.tables.map(\.name)
      #expect(domain.crossings.allSatisfy { tables.contains($0.table.name) })
      #expect(
        domain.feeds.allSatisfy {
          tables.contains($0.table.name) && $0.table.isTracked && $0.table.hasAccount
        })
    }
  }

  @Test func `The package lists the same domains, standing on the same ones`() throws {
    let package = try String(
      contentsOf: Golden.repository.appendingPathComponent("Package.swift"), encoding: .utf8)
    let lines = package.matches(of: /\n  \("(\w+)", \[(.*)\]\),/)
    #expect(lines.map { Self.kebab($0.1) } == RegisteredDomains.all.map(\.name))
    for (line, domain) in zip(lines, RegisteredDomains.all) {
      let on = line.2.split(separator: ",").map {
        Self.kebab($0.trimmingCharacters(in: CharacterSet(charactersIn: "\" ")))
      }
      #expect(on == domain.dependsOn)
    }
  }

  /// `SearchHistory` as `search-history`.
  private static func kebab(_ name: some StringProtocol) -> String {
    String(name).replacing(/([a-z])([A-Z])/) { "\($0.1)-\($0.2)" }.lowercased()
  }
}
