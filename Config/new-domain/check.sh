#!/usr/bin/env bash
# Makes a domain in a copy of the tree, as a person would, and shows that it is one: only what it must be in has
# changed, it builds without a warning, its tests hold, and once it is enabled it crosses. FOLDER gets the copy and
# a build of its own, of no more than that takes: app-cli and the new domain's tests.
set -euo pipefail
name=Bookmark
here=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:?a folder for the copy}

say() { echo "new-domain: $1"; }
fail() {
  echo "new-domain: $1" >&2
  exit 1
}

rm -rf "$folder/tree" "$folder/before"
mkdir -p "$folder/tree"
folder=$(cd "$folder" && pwd)
(cd "$here" && tar -cf - --exclude='./.build*' --exclude=./.git --exclude='./Tests/Fixtures/realm/formats' .) \
  | tar -xf - -C "$folder/tree"
cd "$folder/tree"
cp -R . ../before
make -s new-domain NAME=$name
changed=$(diff -rq ../before . | sed -E "s|^Files ../before/(.*) and .*|\1|; s|^Only in \./?||; s|: |/|" | sort || true)
expected="Apps/Composition/RegisteredDomains.swift Config/roadmap.yaml Domains/$name Package.swift Tests/${name}Tests"
[[ $(echo $changed) == "$expected" ]] || fail "it changed $(echo $changed)"
if make -s new-domain NAME=$name 2>/dev/null; then fail 'it made the same domain twice'; fi
Config/lint.sh
swift format lint --strict --recursive Package.swift Apps "Domains/$name" "Tests/${name}Tests"
say "$name is written, and nothing else is."

# From here on the copy is for building alone.
unneeded='
targets.removeAll { target in
  target.type == .test
    ? target.name != "'$name'Tests" : ["bench", "bench-sync", "crash-child"].contains(target.name)
}'
awk -v unneeded="$unneeded" '/^let package/ { print unneeded } { print }' Package.swift >../Package.swift
mv ../Package.swift Package.swift
swift test --quiet --scratch-path "$folder/build" -debug-info-format none \
  -Xswiftc -warnings-as-errors --filter "${name}Tests" \
  >"$folder/test.log" 2>&1 || { cat "$folder/test.log" >&2; fail 'its tests failed'; }
grep -qE 'Test run with [1-9][0-9]* tests? .*passed' "$folder/test.log" || fail 'it has no tests'
say "$(grep -oE 'Test run with .* passed' "$folder/test.log" | tail -1)."

# The demo has no such class, so the domain takes that of the drafts, whose key is called otherwise.
demo=$folder/demo
rm -rf "$demo" && mkdir "$demo"
cp -R Config/ferry.yaml Config/demo/*.realm Config/demo/remote "$demo"
app_cli="$folder/build/debug/app-cli"
sed -e "s/class: $name\$/class: Draft/" -e '/^  - domain: bookmark/,/^$/ { s/ id: id$/ id: uuid/ }' \
  Config/roadmap.yaml >"$demo/roadmap.yaml"
migrate() {
  "$app_cli" migrate --config "$demo" >"$folder/migrate.log" 2>&1 && return
  cat "$folder/migrate.log" >&2
  fail 'migrate failed'
}
is() { "$app_cli" status --config "$demo" --json | grep -q "$1"; }
migrate
is '"domain":"bookmark",[^}]*"state":"off"' || fail 'it is not off before it is enabled'
sed -i -e '/^  - domain: bookmark/,/^$/ { /enabled: false/d }' "$demo/roadmap.yaml"
migrate
count=$("$app_cli" bookmark count --config "$demo" --account alice)
[[ $count -gt 0 ]] || fail 'no row of it has crossed'
is '"domain":"bookmark",[^}]*"state":"done"' && is '"over":true' || fail 'the crossing is not over'
say "enabled, it crosses: $count rows of alice's."
