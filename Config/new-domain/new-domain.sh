#!/usr/bin/env bash
# Makes a domain: `make new-domain NAME=Bookmark`.
#
# It writes Domains/Bookmark and Tests/BookmarkTests, one line into Package.swift, Apps/Composition/RegisteredDomains.swift
# (and the import there) and a step that is off into Config/roadmap.yaml, above the log. It edits nothing else, and
# where it refuses a name it has written nothing.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."

refuse() {
  echo "new-domain: $1" >&2
  exit 64
}

name=${1:-}
[[ -n $name ]] || refuse 'A domain needs a name: make new-domain NAME=Bookmark'
[[ $name =~ ^([A-Z][a-z]+)+$ && ${#name} -le 40 ]] \
  || refuse "\"$name\" can't be a domain's name. Words of letters, each with a capital: Bookmark, ReadingList."
camel="$(tr '[:upper:]' '[:lower:]' <<<"${name:0:1}")${name:1}"
kebab=$(sed -E 's/([a-z])([A-Z])/\1-\2/g' <<<"$name" | tr '[:upper:]' '[:lower:]')
snake=${kebab//-/_}
words=${kebab//-/ }

# What would be another thing in the new files, or in those that use them.
case " associatedtype as any break case catch class continue default defer deinit do else enum extension \
fallthrough false fileprivate for func guard if import in init inout internal is let nil open operator private \
protocol public repeat rethrows return self some static struct subscript super switch throw throws true try \
typealias var where while " in
  *" $camel "*) refuse "\"$name\" can't be a domain's name: $camel is a word of Swift." ;;
esac
case " Array Bool Character Data Date Dictionary Double Error Float Identifier Int Never Optional Range Result Self \
Sendable Set String Suite Substring Task Test Tests Timestamp Type Void " in
  *" $name "*) refuse "\"$name\" can't be a domain's name: Swift or a test calls something so." ;;
esac
taken=$(grep -rlE "(struct|class|enum|protocol|actor|typealias) ($name|${name}ID|${name}DAO|${name}Error)\b" \
  --include='*.swift' Platform Domains Apps Tests/TestKit | head -1 || true)
[[ -z $taken ]] || refuse "\"$name\" is taken: $taken has a type of that name, or of one that it would make."
for folder in "Domains/$name" "Tests/${name}Tests" "Platform/$name"; do
  [[ ! -e $folder ]] || refuse "\"$name\" is taken: there is $folder."
done
grep -rqE "(Table<[A-Za-z]+>\(|static let table.*|^ +)\"$snake\", key:" --include='*.swift' Platform Domains \
  && refuse "\"$name\" is taken: there is a table $snake."
grep -qE "^  - domain: $kebab( |\$)" Config/roadmap.yaml \
  && refuse "\"$name\" is taken: Config/roadmap.yaml has a step for $kebab."
grep -qE "^  - domain: log( |\$)" Config/roadmap.yaml || refuse 'Config/roadmap.yaml has no step for the log.'

# All of it beside the tree first.
new=$(mktemp -d "$PWD/.new-domain.XXXXXX")
trap 'rm -rf "$new"' EXIT
fill() {
  sed -e "s/@Name@/$name/g; s/@camel@/$camel/g; s/@kebab@/$kebab/g; s/@snake@/$snake/g; s/@words@/$words/g" \
    -e "s/@Words@/$(tr '[:lower:]' '[:upper:]' <<<"${words:0:1}")${words:1}/g" "$here/templates/$1"
}
mkdir -p "$new/domain" "$new/tests"
fill Record.swift.template >"$new/domain/$name.swift"
fill DAO.swift.template >"$new/domain/${name}DAO.swift"
fill Domain.swift.template >"$new/domain/${name}Domain.swift"
fill Tests.swift.template >"$new/tests/${name}Tests.swift"
fill step.yaml >"$new/step.yaml"
cp .swift-format "$new/"
swift format --in-place --recursive "$new/domain" "$new/tests"

# Each list with its new line: above the log, which is the last of every list.
package=Package.swift composition=Apps/Composition/RegisteredDomains.swift roadmap=Config/roadmap.yaml
awk -v line="  (\"$name\", [])," '!done && /^  \("Log", \[\]\),$/ { print line; done = 1 } { print }' \
  "$package" >"$new/package"
awk -v entry="    .$camel," -v import="import ${name}Domain" '
  /^import / && !imported && $0 > import { print import; imported = 1 }
  !/^import / && !imported && seen { print import; imported = 1 }
  /^import / { seen = 1 }
  !done && /^    \.log,$/ { print entry; done = 1 }
  { print }' "$composition" >"$new/composition"
awk -v step="$new/step.yaml" '
  !done && /^  - domain: log( |$)/ { while ((getline line < step) > 0) print line; done = 1 } { print }' \
  "$roadmap" >"$new/roadmap"
expect() {
  local added
  added=$(($(wc -l <"$2") - $(wc -l <"$1")))
  [[ $added -eq $3 ]] || refuse "$1 isn't as it is expected to be: there is no line of the log's in it."
}
expect "$package" "$new/package" 1
expect "$composition" "$new/composition" 2
expect "$roadmap" "$new/roadmap" "$(wc -l <"$new/step.yaml")"

# What is new comes first: a list never names what isn't there.
mv "$new/domain" "Domains/$name"
mv "$new/tests" "Tests/${name}Tests"
for file in package composition roadmap; do
  target=${!file}
  chmod --reference="$target" "$new/$file"
  mv "$new/$file" "$target"
done

cat <<TEXT
$name is a domain now:
  Domains/$name        the record, its DAO, its crossing and feed: make them yours
  Tests/${name}Tests   make test FILTER=${name}Tests
  Config/roadmap.yaml    its step, which is off: say which class and properties its rows come from, then delete
                         \`enabled: false\` and run \`app-cli migrate\`
TEXT
