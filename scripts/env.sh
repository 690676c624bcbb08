# shellcheck shell=bash
# Shared by setup, serve, check and bench; sourced, never run. It finds what is there and installs nothing.

ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT" || exit 1

# `cargo install` puts programs where PATH need not look. Tools from npm are kept in the project's own target/.
CARGO_BIN=${CARGO_HOME:-$HOME/.cargo}/bin
NPM_TOOLS=$ROOT/target/tools
PATH=$NPM_TOOLS/node_modules/.bin:$CARGO_BIN:$PATH
export PATH

WASM=wasm32-unknown-unknown
DEBIAN_SYSROOT=/usr/lib/rustlib

# has_std DIR: is there a wasm32 standard library under this rustlib folder?
has_std() { compgen -G "$1/$WASM/lib/libstd-*.rlib" >/dev/null; }

# builds_for_wasm: can the Rust that is found first do it?
builds_for_wasm() { local sysroot; sysroot=$(rustc --print sysroot 2>/dev/null) && has_std "$sysroot/lib/rustlib"; }

# use_debian_rust: from here on every cargo call is Debian's compiler (see scripts/setup-debian-rust).
use_debian_rust() {
  if command -v rustup >/dev/null; then
    export RUSTUP_TOOLCHAIN=debian
  else
    PATH=/usr/bin:$PATH
  fi
}

# Which Rust: the installed one if it can build for wasm32, else Debian's if that was set up before. Decided anew each
# time from what is on the disk, so there is no state that can go stale.
if [ "${QUAYSIDE_RUST:-}" = debian ]; then
  use_debian_rust
elif ! builds_for_wasm && has_std "$DEBIAN_SYSROOT" && [ -x /usr/bin/rustc ]; then
  use_debian_rust
fi

# Chromium: a path that is set already wins, else the first name found.
first_of() { local name; for name in "$@"; do command -v "$name" && return 0; done; return 0; }
CHROMIUM=${CHROMIUM:-$(first_of chromium chromium-browser google-chrome-stable google-chrome)}
CHROMEDRIVER=${CHROMEDRIVER:-$(first_of chromedriver)}
export CHROMIUM CHROMEDRIVER

# for_release COMMAND…: runs a build that leaves this machine. What can fail in Rust names its source file, and that
# file's path would tell where this machine keeps things. The program is made so that scripts/parts.py can cut it. Cargo
# joins these flags to those of .cargo/config.toml. Only here and not for every cargo call: other flags make cargo build
# everything anew.
for_release() {
  local flags="${CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS:-} --cfg in_parts -C link-arg=--emit-relocs" folder
  for folder in "$ROOT" "$(rustc --print sysroot)/lib/rustlib/src/rust/library" "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*; do
    # Flags part at spaces; such a path stays, and scripts/budget.mjs tells.
    [[ $folder =~ [[:space:]] ]] || flags+=" --remap-path-prefix=$folder/="
  done
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$flags "$@"
}

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }
