# Shared by deploy/run and deploy/test: Debian packages and the build. Sourced, not run.

say() { printf 'scoreboard-bridge: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export LC_ALL=C.UTF-8

# What the package links against, and what Swift itself needs to compile and link on a bare Debian.
build_packages=(
  pkg-config libcurl4-openssl-dev libssl-dev libgpiod-dev libmosquitto-dev libsqlite3-dev
  libmicrohttpd-dev libyaml-dev libjansson-dev libpcre2-dev
  binutils libc6-dev libgcc-12-dev libstdc++-12-dev zlib1g-dev libxml2 libncurses6 git ca-certificates tzdata
)
# What the tests add.
test_packages=(libnghttp2-dev mosquitto mosquitto-clients openssl curl strace kotlin gcc systemd)

# install PACKAGE...: installs those that are missing; asks nothing, says what it does.
install() {
  local missing=() package
  . /etc/os-release
  for package in "$@"; do
    # Debian 13 has a newer compiler's libraries under another number.
    [ "${VERSION_ID:-12}" -ge 13 ] && package=${package/-12-dev/-14-dev}
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "these Debian packages are missing, and neither root nor sudo is at hand: ${missing[*]}"
    root=(sudo)
  fi
  say "installing Debian packages: ${missing[*]}"
  "${root[@]}" apt-get -qq -o DPkg::Lock::Timeout=300 update ||
    say "the package lists could not be refreshed; going on with the ones at hand"
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 \
    install --no-install-recommends "${missing[@]}" >/dev/null ||
    die "apt-get could not install: ${missing[*]}"
}

# need_swift: Swift on PATH; on Debian 13 its own package.
need_swift() {
  command -v swift >/dev/null && return
  . /etc/os-release
  if [ "${VERSION_ID:-12}" -ge 13 ]; then
    install swiftlang
    command -v swift >/dev/null && return
  fi
  die "no 'swift' on PATH: put Swift 6.0 or newer there (Debian 13 has it as the package swiftlang)"
}

# How the binary is shipped: the standard library inside, made small, and without Swift's pattern engine (a use of it
# does not compile; patterns are PCRE2's here).
release_flags=(-c release --static-swift-stdlib -Xswiftc -Osize
  -Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import
  -Xlinker -s -Xlinker --no-export-dynamic)

# build_release: the binary as it is shipped; prints its path.
build_release() {
  say "building (the first time takes some minutes)"
  local log
  log=$(mktemp)
  if ! swift build --package-path "$here" "${release_flags[@]}" --product scoreboard-bridge >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    die "the build failed; its output stands above"
  fi
  rm -f "$log"
  echo "$(swift build --package-path "$here" -c release --show-bin-path)/scoreboard-bridge"
}
