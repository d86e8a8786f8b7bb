# Shared by run-in-vm and targets: Debian's packages of any suite and architecture, without touching this machine's own.
# Sourced, not run.

cache=${XDG_CACHE_HOME:-$HOME/.cache}/scoreboard-bridge-vm
mkdir -p "$cache"
name=$(basename "$0")
say() { echo "$name: $*" >&2; }
fail() { say "$*"; exit 125; }

# need COMMAND=PACKAGE...: what the harness itself runs on this machine.
need() {
  local missing=() pair
  for pair in "$@"; do command -v "${pair%%=*}" >/dev/null || missing+=("${pair#*=}"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || fail "install these packages first: ${missing[*]}"
  say "installing ${missing[*]}"
  apt-get -qq -o DPkg::Lock::Timeout=300 update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
    -o DPkg::Lock::Timeout=300 install --no-install-recommends "${missing[@]}"
} >>"$cache/log" 2>>"$cache/log"

mirror() { apt-get indextargets --format '$(REPO_URI)' | grep -v security | head -1; }

# private_apt SUITE ARCHITECTURE: an apt that knows one suite and believes that nothing is installed.
private_apt() {
  local place=$cache/apt-$1-$2
  mkdir -p "$place/lists/partial" "$place/archives/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) $1 main" >"$place/sources"
  touch "$place/status"
  apt=(-qq -o APT::Architecture="$2" -o APT::Architectures="$2" -o APT::Sandbox::User=root
    -o Dir::Etc::SourceList="$place/sources" -o Dir::Etc::SourceParts=- -o Dir::Etc::Preferences=-
    -o Dir::Etc::PreferencesParts=- -o Dir::State::Lists="$place/lists" -o Dir::State::Status="$place/status"
    -o Dir::Cache::Archives="$place/archives" -o APT::Get::List-Cleanup=false)
  apt-get "${apt[@]}" update
}

# fetch FOLDER PACKAGE...: those packages' files, alone.
fetch() {
  mkdir -p "$1"
  (cd "$1" && shift && apt-get "${apt[@]}" download "$@")
}

# unpack ROOT FOLDER: every package of the folder into the root, where links to folders stay links. None of their scripts runs.
unpack() {
  local package
  mkdir -p "$1"
  for package in "$2"/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$1" -f - || return
  done
}
