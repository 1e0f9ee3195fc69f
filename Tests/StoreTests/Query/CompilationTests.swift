import Testing

/// The compiler itself is asked, with the store as it is built here.
@Suite(.enabled(if: TypeChecker.modules != nil, "a test bundle isn't beside its modules here"))
struct `The compiler` {
  @Test func `refuses what has no SQL form, line by line`() async throws {
    #expect(try await refusals(in: "NotQueries.swift") >= 45)
  }

  @Test func `S5: refuses what would take a transaction out of its closure, line by line`() async throws {
    #expect(try await refusals(in: "Escapes.swift") == 4)
  }

  /// Holds what the compiler says against what each line of a file expects of it.
  ///
  /// - Returns: how many lines are refused.
  private func refusals(in file: String) async throws -> Int {
    let lines = try TypeChecker.text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
    let diagnostics = try await TypeChecker.diagnostics(of: ["Records.swift", file])
    var expected: Set<Int> = []
    for (index, line) in lines.enumerated() {
      guard let mark = line.firstRange(of: "// expect:") else { continue }
      let text = line[mark.upperBound...].trimmingPrefix(" ")
      expected.insert(index + 1)
      let found = diagnostics.filter { $0.line == index + 1 && $0.file == file }
      #expect(
        found.contains { text.isEmpty || $0.text.contains(text) },
        "line \(index + 1): \(line): \(found.map(\.text))")
    }
    let others = diagnostics.filter { $0.file != file || !expected.contains($0.line) }
    #expect(others.isEmpty, "\(others)")
    return expected.count
  }

  /// An expression of seven terms that costs this many attempts costs a few milliseconds; one that passes it
  /// will, with a term or two more, be given up on after seconds.
  private static let patience = 400

  @Test func `finds conditions of seven terms easy`() async throws {
    let diagnostics = try await TypeChecker.diagnostics(
      of: ["Records.swift", "SevenTerms.swift"], scopes: Self.patience)
    #expect(diagnostics.isEmpty, "\(diagnostics)")
  }

  @Test func `wouldn't with a few operators more`() async throws {
    let diagnostics = try await TypeChecker.diagnostics(
      of: ["Records.swift", "SevenTerms.swift", "Overloads.swift"], scopes: Self.patience)
    let hard = Set(diagnostics.filter { $0.text.contains("in reasonable time") }.map(\.line))
    #expect(hard.count >= 5, "\(diagnostics)")
  }
}
