extension CompletionTable {
  /// Follows the words before the cursor down the tree, then offers what may be said there;
  /// the value of an option without choices is left to the shell's file names.
  var bash: String {
    """
    \(function)() {
      local current="${COMP_WORDS[COMP_CWORD]}" place="" option="" word words="" i
      for ((i = 1; i < COMP_CWORD; i++)); do
        word="${COMP_WORDS[i]}"
        if [[ -n $option ]]; then option=""; continue; fi
        case "$place/$word" in
          \(alternatives(commandKeys))) place="$place/$word"; continue ;;
        esac
        case "$word" in
          \(alternatives(optionsWithValue))) option="$word" ;;
        esac
      done
      if [[ -n $option ]]; then
        case "$place $option" in
    \(choiceCases)
        esac
      else
        case "$place" in
    \(placeCases)
        esac
      fi
      COMPREPLY=($(compgen -W "$words" -- "$current"))
    }
    complete -o default -F \(function) \(tool)

    """
  }

  private func alternatives(_ words: [String]) -> String {
    words.isEmpty ? "''" : words.map { "'\($0)'" }.joined(separator: "|")
  }

  private var placeCases: String {
    places.map { place in
      let words = place.commands.map(\.name) + place.options.map { "--" + $0.name }
      return "      '\(place.key)') words='\(words.joined(separator: " "))' ;;"
    }.joined(separator: "\n")
  }

  private var choiceCases: String {
    let cases = places.flatMap { place in
      place.options.compactMap { option -> String? in
        guard let choices = option.value?.choices, !choices.isEmpty else { return nil }
        let spellings = ["--" + option.name] + (option.short.map { ["-\($0)"] } ?? [])
        return
          "      \(alternatives(spellings.map { "\(place.key) \($0)" }))) words='\(choices.joined(separator: " "))' ;;"
      }
    }
    return (cases + ["      *) return ;;"]).joined(separator: "\n")
  }
}
