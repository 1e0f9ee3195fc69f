extension CompletionTable {
  /// One function follows the words before the cursor down the tree; each `complete` line
  /// holds at one place of it.
  var fish: String {
    """
    function \(function)_at
      set -l place ''
      set -l option ''
      for word in (commandline -opc)[2..]
        if test -n "$option"
          set option ''
          continue
        end
        switch "$place/$word"
          case \(patterns(commandKeys))
            set place "$place/$word"
            continue
        end
        switch "$word"
          case \(patterns(optionsWithValue))
            set option "$word"
        end
      end
      test "$place" = "$argv[1]"
    end
    complete -c \(tool) -f
    \(places.flatMap(lines).joined(separator: "\n"))

    """
  }

  private func patterns(_ words: [String]) -> String {
    words.isEmpty ? "''" : words.map { "'\($0)'" }.joined(separator: " ")
  }

  private func lines(of place: Place) -> [String] {
    let start = "complete -c \(tool) -n '\(function)_at \"\(place.key)\"'"
    return place.commands.map { "\(start) -a \($0.name) -d \(quoted($0.summary))" }
      + place.options.map { option in
        var line = start + (option.short.map { " -s \($0)" } ?? "") + " -l \(option.name)"
        if let value = option.value {
          line += value.choices.isEmpty ? " -rF" : " -xa \(quoted(value.choices.joined(separator: " ")))"
        }
        return line + " -d \(quoted(option.help))"
      }
  }

  private func quoted(_ text: String) -> String {
    let escaped = text.map { character in
      switch character {
      case "'": "\\'"
      case "\\": "\\\\"
      case "\n": " "
      default: String(character)
      }
    }.joined()
    return "'\(escaped)'"
  }
}
