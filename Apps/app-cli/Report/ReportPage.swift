import FerryConsole
import FerryKernel
import FerryStore
import Foundation

/// A crossing as one page that needs nothing else: what a reviewer opens from a pull request.
struct ReportPage {
  private let review: Review
  private var report: CrossingReport { review.report }

  init(_ review: Review) { self.review = review }

  /// Writes it whole or not at all.
  func write(to path: String) throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw Failure(
        "\(path) can't be written: it is a folder.", code: "report.file", remedy: "Name a file in it.",
        exitCode: .inputOutput)
    }
    do {
      try Data(html.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw Failure(
        "\(path) can't be written: \(error.localizedDescription.withoutFullStop).", code: "report.file",
        remedy: "Name a file in a folder that you may write to.", exitCode: .inputOutput)
    }
  }

  var html: HTML {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Ferry: the crossing</title>
    <style>\(ReportStyle.css)</style></head><body><main>
    <header><h1>The crossing</h1><p>\(subtitle)</p></header>
    \(figures)
    <section><h2>Roadmap</h2>\(RoadmapPicture(report.states).html)\(stops)</section>
    <section><h2>Rows</h2>\(rows)</section>
    <section><h2>Time</h2>\(times)</section>
    <section><h2>Quarantine</h2>\(quarantine)</section>
    <section><h2>Checks</h2><ul class="checks">\(review.checks.map(check))</ul></section>
    </main></body></html>

    """
  }

  private var subtitle: String {
    "\(report.isOver ? "Over" : "Not over"), as of \(review.at). \(review.accounts) accounts."
  }

  private var figures: HTML {
    let total = report.tallies.total
    let done = report.states.filter { $0.state == .done }.count
    let figures = [
      ("\(done) of \(report.states.count)", "domains done"),
      (grouped(Int(total?.read ?? 0)), "legacy rows read"),
      (grouped(Int(total?.written ?? 0)), "written"),
      (grouped(Int(total?.quarantined ?? 0)), "quarantined"),
    ]
    return
      "<div class=\"figures\">\(figures.map { "<div><b>\($0.0)</b><span>\($0.1)</span></div>" as HTML })</div>"
  }

  /// Why a domain isn't done.
  private var stops: HTML {
    let open = report.states.filter { $0.state != .done }
    guard !open.isEmpty else { return "" }
    return """
      <ul class="stops">\(open.map { "<li><b>\($0.step.domain.name)</b> is \($0.state.sentence)</li>" as HTML })</ul>
      """
  }

  // MARK: - Rows

  private static let outcomes: [(name: String, label: String, of: @Sendable (Tally) -> Int64)] = [
    ("written", "written", { $0.written }), ("merged", "merged", { $0.merged }),
    ("quarantined", "quarantined", { $0.quarantined }), ("left", "left to the server", { $0.left }),
    ("discarded", "discarded", { $0.discarded }),
  ]

  private var rows: HTML {
    guard !report.tallies.isEmpty else { return "<p>No row has been read yet.</p>" }
    let domains = report.states.compactMap { step, _ in
      report.tallies.filter { $0.domain == step.domain.name }.total
    }
    let widest = max(1, domains.map(\.read).max() ?? 1)
    let legend = Self.outcomes.map { "<span><i class=\"\($0.name)\"></i>\($0.label)</span>" as HTML }
    return """
      <p class="legend">\(legend)</p>
      <div class="bars">\(domains.map { bar($0, widest) })</div>
      \(tallyTable)
      """
  }

  private func bar(_ tally: Tally, _ widest: Int64) -> HTML {
    let parts = Self.outcomes.compactMap { name, label, of -> HTML? in
      let count = of(tally)
      guard count > 0 else { return nil }
      return """
        <i class="\(name)" style="width:\(percent(count, of: widest))" title="\(grouped(Int(count))) \(label)"></i>
        """
    }
    return "<b>\(tally.domain)</b><div class=\"bar\">\(parts)</div><span>\(grouped(Int(tally.read)))</span>"
  }

  private var tallyTable: HTML {
    let head = ["read"] + Self.outcomes.map(\.label) + ["resynced"]
    let lines = report.tallies.map { tally -> HTML in
      let numbers = [tally.read] + Self.outcomes.map { $0.of(tally) } + [tally.resynced]
      return """
        <tr><td>\(tally.domain)<td>\(tally.entity)<td>\(tally.account)\
        \(numbers.map { "<td class=\"n\">\(grouped(Int($0)))" as HTML })</tr>

        """
    }
    return """
      <details open><summary>By class and account</summary><div class="wide"><table>
      <tr><th>domain<th>rows of<th>account\(head.map { "<th class=\"n\">\($0)" as HTML })</tr>
      \(lines)</table></div></details>
      """
  }

  // MARK: - Time

  private var times: HTML {
    guard !report.times.isEmpty else { return "<p>No domain has begun yet.</p>" }
    let names = report.states.map(\.step.domain.name)
    let sums = names.map { name in
      report.times.filter { $0.domain == name }.reduce(0) { $0 + $1.nanoseconds }
    }
    let longest = max(1, sums.max() ?? 1)
    let bars = zip(names, sums).compactMap { name, sum -> HTML? in
      let parts = report.times.filter { $0.domain == name }
      guard !parts.isEmpty else { return nil }
      let pieces = parts.map { time -> HTML in
        """
        <i class="\(time.phase.rawValue)" style="width:\(percent(time.nanoseconds, of: longest))" \
        title="\(time.phase.rawValue): \(seconds(time.nanoseconds))"></i>
        """
      }
      return "<b>\(name)</b><div class=\"bar\">\(pieces)</div><span>\(seconds(sum))</span>"
    }
    let phases = Phase.allCases.filter { phase in report.times.contains { $0.phase == phase } }
    let legend = phases.map { "<span><i class=\"\($0.rawValue)\"></i>\($0.rawValue)</span>" as HTML }
    return """
      <p class="legend">\(legend)</p><div class="bars">\(bars)</div>
      <p class="note">Each phase's time in the run that ended it.</p>
      """
  }

  private func percent(_ part: Int64, of whole: Int64) -> String {
    String(format: "%.3f%%", 100 * Double(part) / Double(whole))
  }

  private func seconds(_ nanoseconds: Int64) -> String { String(format: "%.2f s", Double(nanoseconds) / 1e9) }

  // MARK: - Quarantine and checks

  private var quarantine: HTML {
    guard !review.quarantine.isEmpty else { return "<p>No row was set aside.</p>" }
    let rows = review.quarantine.map { row -> HTML in
      """
      <tr><td>\(row.domain)<td>\(row.entity)<td>\(row.account)<td>\(row.reason)\
      <td><details><summary>content</summary><code>\(row.content)</code></details></tr>

      """
    }
    let rest = review.leftovers.quarantined - review.quarantine.count
    let more: HTML =
      rest > 0 ? "<p>And \(grouped(rest)) more: <code>app-cli quarantine list</code> shows them all.</p>" : ""
    return """
      <div class="wide"><table><tr><th>domain<th>rows of<th>account<th>why<th>row</tr>
      \(rows)</table></div>\(more)
      """
  }

  private func check(_ check: Review.Check) -> HTML {
    let mark =
      switch check.verdict {
      case .holds: "✓"
      case .broken: "✗"
      case .open: "•"
      }
    return "<li class=\"\(check.verdict.rawValue)\"><b>\(mark)</b> \(check.sentence)</li>\n"
  }
}
