import FerryConsole
import Foundation
import Testing

@Suite("A completion script")
struct CompletionScriptTests {
  static let small = CommandLineTool(
    Command(
      "my-tool", "A tool.", sharedOptions: [.option("config", value: "DIR", "It's in DIR.", short: "c")],
      subcommands: [
        Command(
          "item", "Items.",
          subcommands: [
            Command(
              "list", "List items.",
              options: [.option("sort", value: "KEY", "Sort by KEY.", choices: ["name", "date"])]
            ) { _ in .ok }
          ]),
        .unavailable("log", Failure("Off.", code: "off")),
      ]), version: "1"
  ) { Failure("\($0)", code: "x") }

  @Test("for bash is generated from the tree")
  func bash() {
    #expect(
      Self.small.completionScript(for: .bash) == #"""
        _my_tool() {
          local current="${COMP_WORDS[COMP_CWORD]}" place="" option="" word words="" i
          for ((i = 1; i < COMP_CWORD; i++)); do
            word="${COMP_WORDS[i]}"
            if [[ -n $option ]]; then option=""; continue; fi
            case "$place/$word" in
              '/item'|'/item/list') place="$place/$word"; continue ;;
            esac
            case "$word" in
              '--config'|'-c'|'--sort') option="$word" ;;
            esac
          done
          if [[ -n $option ]]; then
            case "$place $option" in
              '/item/list --sort') words='name date' ;;
              *) return ;;
            esac
          else
            case "$place" in
              '') words='item --config --help --version' ;;
              '/item') words='list --config --help --version' ;;
              '/item/list') words='--sort --config --help --version' ;;
            esac
          fi
          COMPREPLY=($(compgen -W "$words" -- "$current"))
        }
        complete -o default -F _my_tool my-tool

        """#)
  }

  @Test("for zsh is that of bash, which zsh can take")
  func zsh() {
    #expect(
      Self.small.completionScript(for: .zsh)
        == "autoload -U +X bashcompinit && bashcompinit\n" + Self.small.completionScript(for: .bash))
  }

  @Test("for fish is generated from the tree")
  func fish() {
    #expect(
      Self.small.completionScript(for: .fish) == #"""
        function _my_tool_at
          set -l place ''
          set -l option ''
          for word in (commandline -opc)[2..]
            if test -n "$option"
              set option ''
              continue
            end
            switch "$place/$word"
              case '/item' '/item/list'
                set place "$place/$word"
                continue
            end
            switch "$word"
              case '--config' '-c' '--sort'
                set option "$word"
            end
          end
          test "$place" = "$argv[1]"
        end
        complete -c my-tool -f
        complete -c my-tool -n '_my_tool_at ""' -a item -d 'Items.'
        complete -c my-tool -n '_my_tool_at ""' -s c -l config -rF -d 'It\'s in DIR.'
        complete -c my-tool -n '_my_tool_at ""' -s h -l help -d 'Show this help.'
        complete -c my-tool -n '_my_tool_at ""' -l version -d 'Show the version.'
        complete -c my-tool -n '_my_tool_at "/item"' -a list -d 'List items.'
        complete -c my-tool -n '_my_tool_at "/item"' -s c -l config -rF -d 'It\'s in DIR.'
        complete -c my-tool -n '_my_tool_at "/item"' -s h -l help -d 'Show this help.'
        complete -c my-tool -n '_my_tool_at "/item"' -l version -d 'Show the version.'
        complete -c my-tool -n '_my_tool_at "/item/list"' -l sort -xa 'name date' -d 'Sort by KEY.'
        complete -c my-tool -n '_my_tool_at "/item/list"' -s c -l config -rF -d 'It\'s in DIR.'
        complete -c my-tool -n '_my_tool_at "/item/list"' -s h -l help -d 'Show this help.'
        complete -c my-tool -n '_my_tool_at "/item/list"' -l version -d 'Show the version.'

        """#)
  }

  @Test(
    "offers in a real bash what may be said there",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")),
    arguments: [
      (["my-tool", ""], "item --config --help --version"),
      (["my-tool", "it"], "item"),
      (["my-tool", "item", "l"], "list"),
      (["my-tool", "-c", "item", "i"], "item"),
      (["my-tool", "--config", ""], ""),
      (["my-tool", "item", "list", "--s"], "--sort"),
      (["my-tool", "item", "list", "--sort", ""], "name date"),
    ])
  func inBash(words: [String], offered: String) throws {
    let driver = #"COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _my_tool; echo "${COMPREPLY[*]}""#
    let bash = Process()
    bash.executableURL = URL(fileURLWithPath: "/bin/bash")
    bash.arguments = ["-c", Self.small.completionScript(for: .bash) + driver, "bash"] + words
    let output = Pipe()
    bash.standardOutput = output
    try bash.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    bash.waitUntilExit()
    #expect(text == offered + "\n")
  }
}
