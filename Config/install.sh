#!/usr/bin/env bash
# Installs what Ferry needs beyond the Swift toolchain: only what is missing, and it says what and why.
#
#   Config/install.sh          what building takes
#   Config/install.sh server   what running a Kinto server takes, and a terminal, for `make serve` and tests
set -euo pipefail

packages=(libsqlite3-dev libyaml-dev libssl-dev libcurl4-openssl-dev pkg-config)
[[ ${1:-} != server ]] || packages=(python3-venv postgresql tmux)
why() {
  case $1 in
    libsqlite3-dev) echo 'SQLite, the store' ;;
    libyaml-dev) echo 'reads roadmap.yaml and ferry.yaml' ;;
    libssl-dev) echo 'libcrypto, for SHA-256' ;;
    libcurl4-openssl-dev) echo 'libcurl, to speak to a Kinto server' ;;
    python3-venv) echo 'the environment that Kinto runs in' ;;
    postgresql) echo 'the database of a Kinto server' ;;
    tmux) echo 'the terminal in which tests drive app-cli browse' ;;
    pkg-config) echo 'tells SwiftPM where these libraries are' ;;
  esac
}

if [[ ${1:-} != server ]] && ! command -v swift >/dev/null; then
  echo 'install: there is no swift on the PATH. Install Swift 6.2 or later: https://www.swift.org/install' >&2
  exit 1
fi

if ! command -v apt-get >/dev/null; then
  if [[ ${1:-} == server ]]; then
    echo 'install: this system has no apt. A Kinto server needs Python 3.11 with venv, and PostgreSQL.'
    exit 0
  fi
  echo 'install: this system has no apt. Ferry needs SQLite, libyaml, libcrypto, libcurl and pkg-config with'
  echo '         their headers; on macOS: brew install sqlite3 libyaml openssl curl pkg-config'
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $state == installed ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  echo 'install: nothing is missing.'
  exit 0
fi

echo 'install: apt must bring'
for package in "${missing[@]}"; do printf '  %-20s %s\n' "$package" "$(why "$package")"; done

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "install: that takes root and there is no sudo. As root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
apt_get() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@" >/dev/null
}

# The lists of a bare system are missing, those of an old one name packages that are gone. A list that can't
# be had needn't be one that matters: the installation says so.
apt_get update || echo 'install: not every list of packages could be had; trying with those there are.' >&2
apt_get install --yes --no-install-recommends "${missing[@]}"
echo 'install: done.'
