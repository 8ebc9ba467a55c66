# Sourced by every command: the project's root, how a command speaks, and what the tools need around them.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)}

say() { printf 'addnorm: %s\n' "$*"; }

fail() {
  printf 'addnorm: %s\n' "$@" >&2
  exit 1
}

# Runs the calling script anew, alone: two commands never write build/ and dist/ at the same time.
alone() {
  if [[ -n ${ADDNORM_ALONE:-} ]] || ! command -v flock >/dev/null; then return; fi
  mkdir -p build
  flock --nonblock build/.lock true || say "waiting until another run of the project has ended"
  ADDNORM_ALONE=1 exec flock --close build/.lock bash "scripts/$(basename "$0")" "$@"
}

# modules FOLDER WHAT: installs node_modules in a folder, unless it is there as the folder's package-lock.json says.
modules() {
  if (cd "$1" && node "$OLDPWD/scripts/modules-match.mjs"); then return; fi
  say "installing $2 (npm ci in $1)"
  (cd "$1" && npm ci --no-update-notifier) || fail "npm ci could not install $1/node_modules (npm's words are above)"
}

# The include folder that holds the header $1, such as hwy/highway.h; $2 is looked into first.
include_folder() {
  local folder
  for folder in ${2:+"$2"} /usr/include /usr/local/include; do
    if [[ -e $folder/$1 ]]; then echo "$folder" && return; fi
  done
  if command -v brew >/dev/null; then
    folder=$(brew --prefix)/include
    if [[ -e $folder/$1 ]]; then echo "$folder" && return; fi
  fi
  return 1
}

# Chromium or Chrome, for the tests of the page; CHROMIUM names another one.
chromium_path() {
  if [[ -n ${CHROMIUM:-} ]]; then echo "$CHROMIUM" && return; fi
  command -v chromium || command -v chromium-browser || command -v google-chrome ||
    compgen -G '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
}

# Firefox; FIREFOX names another one.
firefox_path() {
  if [[ -n ${FIREFOX:-} ]]; then echo "$FIREFOX" && return; fi
  command -v firefox-esr || command -v firefox || compgen -G '/Applications/Firefox.app/Contents/MacOS/firefox'
}

# Runs a command that calls emcc. Debian's emcc finds its JavaScript parser (acorn) only through
# NODE_PATH; an Emscripten that may not write its own cache gets one in build/.
with_emscripten() {
  local home
  home=$(dirname "$(readlink -f "$(command -v emcc)")")
  if [[ -d /usr/share/nodejs/acorn ]]; then
    local -x NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}
  fi
  if [[ -d $home/cache && ! -w $home/cache ]] && ! grep -qs '^FROZEN_CACHE *= *True' "$home/.emscripten"; then
    local -x EM_CACHE=${EM_CACHE:-$PWD/build/emscripten-cache}
  fi
  "$@"
}
