/// A command's help: what it is, how to say it, and what may be said, in 80 columns.
struct HelpText {
  private static let lineWidth = 80
  private static let indent = 2
  private static let widestLabel = 26

  private typealias Entry = (label: String, help: String)

  private let path: CommandPath

  init(_ path: CommandPath) { self.path = path }

  /// Without a line break at its end.
  var rendered: String {
    var sections = [wrapped(path.last.summary, to: Self.lineWidth).joined(separator: "\n")]
    if let discussion = path.last.discussion {
      sections.append(wrapped(discussion, to: Self.lineWidth).joined(separator: "\n"))
    }
    let usages = [usage] + (isAlsoGroup ? ["\(path.name) COMMAND"] : [])
    let usageLines = usages.flatMap { wrapped($0, to: Self.lineWidth - 7) }
    sections.append("Usage: " + usageLines.joined(separator: "\n       "))
    let parts: [(String, [Entry])] = [
      ("Commands", path.last.listedSubcommands.map { ($0.name, $0.summary) }),
      ("Arguments", path.last.arguments.map { ($0.name, $0.help) }),
      ("Options", path.ownOptions.map(entry)),
      ("Global options", path.globalOptions.map(entry)),
    ]
    let column = labelColumn(of: parts.flatMap(\.1))
    for (title, entries) in parts where !entries.isEmpty {
      sections.append("\(title):\n" + entries.map { laidOut($0, column) }.joined(separator: "\n"))
    }
    if !path.last.listedSubcommands.isEmpty {
      sections.append("See '\(path.name) help COMMAND' for more on a command.")
    }
    return sections.joined(separator: "\n\n")
  }

  /// Whether it does something and holds commands besides.
  private var isAlsoGroup: Bool { path.last.action != nil && !path.last.listedSubcommands.isEmpty }

  /// How to say it: `app-cli migrate [options] ID`.
  var usage: String {
    let tail = path.last.action == nil ? ["COMMAND"] : path.last.arguments.map(\.usage)
    return ([path.name, "[options]"] + tail).joined(separator: " ")
  }

  private func entry(_ option: CommandOption) -> Entry {
    (option.label, option.fullHelp)
  }

  private func labelColumn(of entries: [Entry]) -> Int {
    let widths = entries.map { displayWidth(of: $0.label) }.filter { $0 <= Self.widestLabel }
    return Self.indent + (widths.max() ?? 0) + 2
  }

  private func laidOut(_ entry: Entry, _ column: Int) -> String {
    let margin = String(repeating: " ", count: column)
    let help = wrapped(entry.help, to: Self.lineWidth - column)
    let label = String(repeating: " ", count: Self.indent) + entry.label
    if displayWidth(of: label) + 2 > column {
      return ([label] + help.map { margin + $0 }).joined(separator: "\n")
    }
    let first = padded(label, to: column, .left) + (help.first ?? "")
    return ([first] + help.dropFirst().map { margin + $0 }).joined(separator: "\n")
  }
}

extension CommandOption {
  /// `-c, --config DIR`, with room for the short name where there is none.
  var label: String {
    (short.map { "-\($0), " } ?? "    ") + "--\(name)" + (value.map { " " + $0.placeholder } ?? "")
  }

  /// The help with what else a person may want to know of the value.
  var fullHelp: String {
    guard let value else { return help }
    var notes: [String] = []
    if !value.choices.isEmpty { notes.append("one of: " + value.choices.joined(separator: ", ")) }
    if let environment = value.environment { notes.append("environment: \(environment)") }
    if let fallback = value.fallback { notes.append("default: \(fallback)") }
    if value.repeats { notes.append("may be repeated") }
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }
}
