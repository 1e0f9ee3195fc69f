#!/usr/bin/env bash
# The house's rules that a line of text can show. `make lint` runs this, the formatter and the compiler.
#
#   Config/lint.sh               checks the tree that this script is in
#   Config/lint.sh --self-test   shows that every rule finds what it should and lets pass what it should
#
# A rule is a row:  rule NAME  WHAT  WHERE  UNLESS  PATTERN  SENTENCE
#   WHAT      code: lines of Swift and C without their comments. text: the lines of every file as they are.
#   WHERE     the paths it holds for, an extended regular expression from the path's beginning
#   UNLESS    paths or marks (see `code_lines`) that are exempt; `-` for none
#   PATTERN   what mustn't stand in a line; from its beginning where it starts with ^
# and below it what the self-test tries: `bad FOLDER CODE` must be found, `good FOLDER CODE` must pass.
set -euo pipefail
export LC_ALL=C

shipped='(Platform|Domains|Apps)/'
swift='(Platform|Domains|Apps|Tests)/'
import='^ *(@[A-Za-z_()]+ +)*([a-z]+ +)?import +([a-z]+ +)?'
house='(Ferry[A-Za-z]+|Realm(File|Source|Decryption|Export)|KintoRemote|[A-Za-z]+Domain|Composition|TestKit|CSQLite|CYAML|CCrypto|CCurl)\b'
marked() { printf '[^:]*:[0-9]+:[^:]*<%s>' "$1"; }

rules() {
  # What iOS 17 doesn't have; Linux doesn't check availability.
  rule ios-synchronization code "$swift" - "${import}Synchronization\b" \
    'iOS 17 has no Synchronization: use a lock.'
  bad Platform/Store 'import Synchronization'
  good Platform/Store '// import Synchronization'

  rule ios-inline-array code "$swift" - '\bInlineArray\b|\[[0-9]+ of ' \
    'iOS 17 has no InlineArray: use an array.'
  bad Tests/StoreTests 'let pair: InlineArray<2, Int> = [1, 2]'
  bad Tests/StoreTests 'let pair: [2 of Int] = [1, 2]'

  rule ios-utf8-span code "$swift" - '\bUTF8Span\b|\.utf8Span\b' \
    'iOS 17 has no UTF8Span: use the utf8 view.'
  bad Domains/Item 'func read(_ text: UTF8Span) {}'

  rule ios-async-sequence code "$swift" - '\b(some|any) +AsyncSequence *<' \
    'iOS 17 has no AsyncSequence with primary types: return a type of your own.'
  bad Platform/Store 'func observe() -> any AsyncSequence<Item, any Error> {'
  good Platform/Store 'func drain(_ all: some AsyncSequence) {'

  rule ios-glibc code "$swift" "$(marked glibc)" "${import}Glibc\b" \
    'iOS has no Glibc: import it within #if canImport(Glibc).'
  bad Apps/app-cli $'#if DEBUG\n  import Glibc\n#endif'
  bad Apps/app-cli $'#if canImport(Glibc)\n#else\n  import Glibc\n#endif'
  good Apps/app-cli $'#if canImport(Darwin)\n  import Darwin\n#elseif canImport(Glibc)\n  import Glibc\n#endif'

  rule ios-networking code "$swift" "$(marked networking)" "${import}FoundationNetworking\b" \
    'iOS has no FoundationNetworking: import it within #if canImport(FoundationNetworking).'
  bad Platform/KintoRemote 'import FoundationNetworking'
  good Platform/KintoRemote $'#if canImport(FoundationNetworking)\n  import FoundationNetworking\n#endif'

  # What ends the process or loses something in silence.
  rule no-crash code "$shipped" - '\b(try|as)!|\b(fatalError|preconditionFailure)\(' \
    'Crashes on bad input: throw an error that has a remedy.'
  bad Platform/Kernel 'let steps = try! read()'
  bad Platform/Kernel 'let step = value as! Step'
  bad Domains/Log 'fatalError("never")'
  bad Apps/Composition 'preconditionFailure("never")'
  good Platform/Kernel $'let a = 1 /* try! */ // as! fatalError()\nlet url = "a//b", b = "as /* ever"'
  good Tests/KernelTests 'let steps = try! read()'

  rule no-hash-value code "$shipped" - '\.hashValue\b' 'hashValue changes with every launch: use StableHash.'
  bad Domains/Item 'let key = title.hashValue'

  rule no-silent-loss code "$shipped" - '\bINSERT OR |\bOR (REPLACE|IGNORE)\b' \
    'Loses rows in silence: insert, or ON CONFLICT … DO UPDATE.'
  bad Platform/Store 'let sql = "INSERT OR ABORT INTO t"'
  bad Platform/Store 'let sql = "UPDATE OR IGNORE t"'
  bad Platform/Store $'let sql = """\n  // INSERT\n  UPDATE OR REPLACE t\n  """'

  rule no-silent-failure code "$shipped" "$(marked why)" '\btry\?' \
    'Hides a failure: let it through, or say // why: on this line or the next.'
  bad Platform/Sync $'let page = try? read()\n\n// why: too late'
  good Platform/Sync $'let page = try? read()  // why: absent is an answer\nlet last = try? read()\n// why: absent is an answer'

  # One of the three tasks that a value owns and whose end its `close()` awaits.
  rule no-stray-task code '(Platform|Domains)/' 'Platform/Store/Observation/ForeignCommits\.swift:' \
    '\bTask(<.*>)? *(\.(detached|init|immediate) *)?(\([^{]*\))? *\{|\bTask\.detached\b' \
    'Nobody awaits it: use structured concurrency.'
  bad Platform/Sync '  Task { await sync() }'
  bad Platform/Sync '  let work = Task<Void, Never>(priority: .low) { await sync() }'
  bad Domains/Log '  Task.detached(priority: .low, operation: drain)'
  good Platform/Sync $'  while !Task.isCancelled { try await Task.sleep(for: second) }\n  await withTaskGroup { group in }'

  rule proof-of-safety code "$shipped" "$(marked proof)" '@unchecked +Sendable|nonisolated\(unsafe\)|@preconcurrency' \
    'The compiler takes it on trust: say // proof: within the 12 lines above.'
  bad Platform/Store 'final class Cache: @unchecked Sendable {}'
  bad Platform/Store $'// proof: too far above\n\n\n\n\n\n\n\n\n\n\n\n\nnonisolated(unsafe) var cache = 1'
  good Platform/Store $'/// proof: all of it is behind the lock.\nfinal class Cache: @unchecked Sendable {}'

  rule no-later text "$shipped" - '\b(TODO|FIXME|XXX)\b' \
    'Left for later: do it, or file an issue.'
  bad Platform/Store '// TODO: more'
  good Platform/Store 'let template = "ferry-XXXXXX"'

  # Arrows point down only.
  rule rooms-on-their-own code 'Platform/(RealmFile|Console|Screen)/' - "$import$house" \
    'This room is of use to others: it imports nothing of the house.'
  bad Platform/RealmFile 'import FerryStore'
  bad Platform/Console 'package import struct FerryKernel.Plan'
  bad Platform/Screen '@testable import FerryScreen'
  good Platform/Console 'import Foundation'

  rule platform-below-domains code 'Platform/' - "$import"'([A-Za-z]+Domain|Composition)\b' \
    'Nothing in Platform knows a domain.'
  bad Platform/Kernel 'public import FolderDomain'
  good Platform/Kernel 'import FerryStore'

  rule domains-on-their-own code 'Domains/(SearchHistory|Setting|Folder|Log)/' - "$import"'[A-Za-z]+Domain\b' \
    'This domain stands on no other.'
  bad Domains/Folder 'import ItemDomain'
  good Domains/Attachment 'import ItemDomain'

  rule item-below-attachment code 'Domains/Item/' - "$import"'(Attachment|Log|SearchHistory|Setting)Domain\b' \
    'Item stands on Folder only.'
  bad Domains/Item 'import AttachmentDomain'
  good Domains/Item 'import FolderDomain'

  rule sqlite-in-store code "$shipped" '(Platform/(Store|CSQLite|RealmExport/SQLite)|Apps/RawSQLite)/' '\bsqlite3_' \
    'Raw SQLite stays in Platform/Store, in the file that an export makes and in what the bench compares with.'
  bad Platform/Kernel 'sqlite3_close(handle)'
  bad Platform/RealmExport/Text 'sqlite3_close(handle)'
  good Platform/Store 'sqlite3_close(handle)'
  good Platform/RealmExport/SQLite 'sqlite3_close(handle)'

  # What is true on one machine only.
  rule no-machine-path text '' 'Config/lint\.sh:' '(^|[^A-Za-z0-9_.])/(home|Users|root|work|opt)/' \
    'A path of one machine: make it relative.'
  bad Config 'let fixtures = "/home/me/fixtures"'
  bad Tests/Journeys '// /Users/me/fixtures'
  good Config 'let fixtures = "../home/fixtures"'
}

# All files but what .gitignore leaves out.
files() {
  find . \( -name .git -o -name '.build*' -o -name .swiftpm -o -name DerivedData -o -name '*.xcodeproj' \) -prune \
    -o -type f "$@" -print0
}

# Each line as `path:line::text`.
text_lines() {
  files | xargs -0 grep -HnI '' | sed -E 's|^\./([^:]*:[0-9]+:)|\1:|'
}

# Each line of code as `path:line:marks:code`. The marks say what a line alone doesn't show: <glibc> and
# <networking>: within that #if canImport; <proof>: such a comment up to 12 lines above; <why>: on the line
# or the next.
code_lines() {
  # shellcheck disable=SC2016
  files \( -name '*.swift' -o -name '*.[ch]' \) | xargs -0 -r awk '
    function divide(line,   i, two, quoted) {     # into `code` and `comment`
      code = comment = ""
      if (!within && line !~ /\/[\/*]/) { code = line; return }
      for (i = 1; i <= length(line); i++) {
        two = substr(line, i, 2)
        if (within) { if (two == "*/") { within = 0; i++ } else comment = comment substr(two, 1, 1); continue }
        if (!quoted && two == "//") { comment = comment substr(line, i); return }
        if (!quoted && two == "/*") { within = 1; i++; continue }
        if (quoted && two ~ /^\\/) { code = code two; i++; continue }
        if (two ~ /^"/) quoted = !quoted
        code = code substr(two, 1, 1)
      }
    }
    function release(why) { if (held != "") print place marks why ":" held; held = "" }
    FNR == 1 { release(""); depth = within = 0; proof = -99 }
    {
      divide($0)
      why = comment ~ /why:/ ? "<why>" : ""
      release(why)
      if (comment ~ /proof:/) proof = FNR
      if (code ~ /^ *#if/) guard[++depth] = code
      else if (code ~ /^ *#else/) guard[depth] = code
      else if (code ~ /^ *#endif/) depth--
      place = substr(FILENAME, 3) ":" FNR ":"
      marks = why (FNR - proof <= 12 ? "<proof>" : "")
      for (i = 1; i <= depth; i++) {
        if (guard[i] ~ /[^!]canImport\(Glibc\)/) marks = marks "<glibc>"
        if (guard[i] ~ /[^!]canImport\(FoundationNetworking\)/) marks = marks "<networking>"
      }
      held = code
    }
    END { release("") }'
}

# Prints `path:line: sentence (name)` for each finding of the rules in the current folder.
findings() {
  local lines
  lines=$(mktemp -d)
  code_lines >"$lines/code"
  text_lines >"$lines/text"
  rule() {
    local name=$1 what=$2 where=$3 unless=$4 pattern=$5 sentence=$6
    case $pattern in ^*) pattern=${pattern#^} ;; *) pattern=".*($pattern)" ;; esac
    { grep -E "^${where}[^:]*:[0-9]+:[^:]*:$pattern" "$lines/$what" || true; } \
      | { grep -vE "^($unless)" || true; } \
      | awk -F : -v rest=": $sentence ($name)" '{ print $1 ":" $2 rest }'
  }
  bad() { :; }
  good() { :; }
  rules
  rm -rf "$lines"
}

# Writes every `bad` and `good` into a file of its own and compares what is found with what should be.
self_test() {
  local tree count=0 current='' has_bad=yes
  tree=$(mktemp -d)
  sample() {
    count=$((count + 1))
    mkdir -p "$tree/$2"
    printf '%s\n' "$3" >"$tree/$2/$1-$count.swift"
  }
  rule() {
    [[ $has_bad == yes ]] || { echo "lint: rule $current has no bad sample" >&2; return 1; }
    current=$1 has_bad=no
  }
  bad() {
    has_bad=yes
    sample bad "$1" "$2"
    echo "$1/bad-$count.swift $current" >>"$tree.expected"
  }
  good() { sample good "$1" "$2"; }
  rules
  rule end
  sed -E 's/^([^:]*):.*\((.*)\)$/\1 \2/' <(cd "$tree" && findings) | sort -u >"$tree.found"
  sort -o "$tree.expected" "$tree.expected"
  if ! diff "$tree.expected" "$tree.found"; then
    echo 'lint: the rules are wrong: < should be found and is not, > is found and should not be.' >&2
    return 1
  fi
  rm -rf "$tree" "$tree.expected" "$tree.found"
  echo "lint: $count samples show that the rules work."
}

cd "$(dirname "$0")/.."
if [[ ${1:-} == --self-test ]]; then
  self_test
  exit
fi
found=$(findings)
[[ -z $found ]] || { echo "$found" >&2; exit 1; }
