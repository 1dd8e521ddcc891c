#!/usr/bin/env bash
# Tries what `cargo xtask dist` has built in clean places, and times how long each takes from nothing to a model.
#
#   tests/packages/try.sh [-d DIST] [sums|binary|wheel|deb|c|cargo ...]
#
# DIST is target/packages if it is not said. What is tried (all but cargo if nothing is said):
#   sums   SHA256SUMS
#   binary the archive is unpacked; bivalve solves, and bivalve-check verifies
#   wheel  pip installs the wheel into a new virtual environment; both of its interfaces solve, bivalve-check verifies
#   deb    dpkg installs `bivalve` into a Debian made by debootstrap, where it solves and verifies (root, debootstrap;
#          unpacked into a folder otherwise)
#   c      dpkg installs `libbivalve-dev` there; the examples are built with pkg-config and CMake, and run
#   cargo  cargo install --path crates/cli from an empty target folder
#
# Everything is in a temporary folder, which is removed. It is no part of continuous integration: it needs the package
# registries and, for `deb` and `c`, root.
set -euo pipefail

here=$(cd "$(dirname "$0")/../.." && pwd)
dist=$here/target/packages
if [ "${1:-}" = -d ]; then
  dist=$(cd "$2" && pwd)
  shift 2
fi
[ $# -gt 0 ] || set -- sums binary wheel deb c
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

say() { printf '%s\n' "$*"; }
fail() { say "FAILED: $*" >&2; exit 1; }

# Runs a command and says how long it took; its output is shown only if it fails.
timed() {
  local what=$1 from to
  shift
  from=$(date +%s%N)
  "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "$what"; }
  to=$(date +%s%N)
  printf '%9.2f s  %s\n' "$(((to - from) / 10000000))e-2" "$what"
}

# What is expected of a solver: the square root of examples/square.smt2.
expect_root() { grep -q '#b0000000001010011' "$1" || fail "no model in $(cat "$1")"; }

solve() { "$@" "$here/examples/square.smt2" >"$scratch/answer" && expect_root "$scratch/answer"; }

# A certificate by the solver $1, verified by the program $2.
verify() {
  "$1" --certificate "$scratch/odd.bvc" "$here/examples/odd.smt2" >/dev/null
  timed "a certificate verified" "$2" "$here/examples/odd.smt2" "$scratch/odd.bvc"
  grep -q '^check 0: verified$' "$scratch/log" || fail "not verified: $(cat "$scratch/log")"
}

try_binary() {
  mkdir "$scratch/archive"
  timed "tar -x of the archive" tar -xzf "$dist"/binary/bivalve-*.tar.gz -C "$scratch/archive" --strip-components 1
  timed "a first model by the archive" solve "$scratch/archive/bivalve"
  verify "$scratch/archive/bivalve" "$scratch/archive/bivalve-check"
  for file in man/bivalve.1 completions/bivalve.bash LICENSE-MIT LICENSE-APACHE; do
    [ -f "$scratch/archive/$file" ] || fail "$file is not in the archive"
  done
}

try_sums() { (cd "$dist" && timed "sha256sum -c" sha256sum --quiet -c SHA256SUMS); }

try_wheel() {
  cat >"$scratch/first.py" <<'PYTHON'
from bivalve import Context, Solver, sat
ctx = Context()
x = ctx.bv_symbol("x", 8)
solver = Solver(ctx)
solver.add(x * x == 0x51, x.ugt(100))
assert solver.check() == sat
assert solver.model()[x] ** 2 % 256 == 0x51
solver.add(x != x)
assert str(solver.check()) == "unsat"
script, certificate = solver.certificate()
open("odd.smt2", "w").write(script)
open("odd.bvc", "wb").write(certificate)
PYTHON
  cat >"$scratch/compatible.py" <<'PYTHON'
from bivalve.z3 import *
a = Array("a", BitVecSort(32), BitVecSort(8))
i = BitVec("i", 32)
s = Solver()
s.add(Store(a, i, 7)[3] == 7, a[3] != 7)
assert s.check() == sat
assert s.model()[i].as_long() == 3
PYTHON
  timed "python3 -m venv" python3 -m venv "$scratch/venv"
  timed "pip install of the wheel" "$scratch/venv/bin/pip" install --no-index "$dist"/wheel/*.whl
  # Elsewhere, so that the sources are not found.
  (cd "$scratch" && timed "a first model in Python" venv/bin/python first.py)
  (cd "$scratch" && timed "a certificate verified" venv/bin/bivalve-check odd.smt2 odd.bvc)
  grep -q '^check 0: verified$' "$scratch/log" || fail "not verified: $(cat "$scratch/log")"
  (cd "$scratch" && timed "a first model with z3's names" venv/bin/python compatible.py)
}

# A Debian with a compiler, once, in $root, with a folder `trial`; commands in it begin at its root. Fails where
# it cannot be made.
debian() {
  root=$scratch/debian
  [ ! -d "$root" ] || return 0
  [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null || return 1
  local mirror suite
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  timed "debootstrap, with a compiler" \
    debootstrap --variant=minbase --include=g++,cmake,make,pkg-config "$suite" "$root" "$mirror"
  mkdir "$root/trial"
}

try_deb() {
  if debian; then
    cp "$dist"/deb/bivalve_*.deb "$root/trial/bivalve.deb"
    timed "dpkg -i of bivalve" chroot "$root" dpkg -i trial/bivalve.deb
    cp "$here/examples/square.smt2" "$root/trial/"
    timed "bivalve --version" chroot "$root" bivalve --version
    timed "a first model by the package" chroot "$root" bivalve trial/square.smt2
    expect_root "$scratch/log"
    cp "$here/examples/odd.smt2" "$root/trial/"
    timed "a certificate verified by the package" chroot "$root" sh -ec '
      cd trial && bivalve --certificate odd.bvc odd.smt2 && bivalve-check odd.smt2 odd.bvc | grep "^check 0: verified"'
  else
    say "no Debian can be made here (root and debootstrap are needed): the package is unpacked into a folder"
    root=$scratch/unpacked
    timed "dpkg -x of bivalve" dpkg -x "$dist"/deb/bivalve_*.deb "$root"
    timed "a first model by the package" solve "$root/usr/bin/bivalve"
    verify "$root/usr/bin/bivalve" "$root/usr/bin/bivalve-check"
  fi
  # A minimal Debian is told not to unpack manuals, so the package itself is asked.
  dpkg -c "$dist"/deb/bivalve_*.deb >"$scratch/content"
  for file in usr/share/man/man1/bivalve.1.gz usr/share/bash-completion/completions/bivalve \
    usr/share/zsh/vendor-completions/_bivalve usr/share/fish/vendor_completions.d/bivalve.fish \
    usr/share/doc/bivalve/copyright; do
    grep -q " ./$file$" "$scratch/content" || fail "$file is not in the package"
  done
}

try_c() {
  if ! debian; then
    say "skipped: no Debian can be made here (root and debootstrap are needed)"
    return
  fi
  cp "$dist"/deb/libbivalve-dev_*.deb "$root/trial/libbivalve-dev.deb"
  timed "dpkg -i of libbivalve-dev" chroot "$root" dpkg -i trial/libbivalve-dev.deb
  mkdir -p "$root/trial/examples"
  cp "$here"/bindings/c/examples/* "$root/trial/examples/"
  timed "cc with pkg-config, and a first model in C" chroot "$root" sh -ec '
    cd trial/examples && cc tour.c -o ../tour $(pkg-config --cflags --libs bivalve) && ../tour'
  timed "the same, linked statically with Bivalve" chroot "$root" sh -ec '
    cd trial/examples && cc tour.c -o ../tour -Wl,-Bstatic $(pkg-config --cflags --libs bivalve) -Wl,-Bdynamic \
      -lstdc++ -lm && ../tour && ! ldd ../tour | grep bivalve'
  timed "cc with a drop-in header" chroot "$root" sh -ec '
    cd trial/examples && cc drop_in.c -o ../drop_in $(pkg-config --cflags --libs bivalve-drop-in) && ../drop_in'
  timed "CMake, all examples" chroot "$root" sh -ec '
    cmake -S trial/examples -B trial/build && cmake --build trial/build && ctest --test-dir trial/build'
  grep -q "100% tests passed" "$scratch/log" || fail "the examples: $(cat "$scratch/log")"
  timed "dpkg -r of libbivalve-dev" chroot "$root" dpkg -r libbivalve-dev
}

try_cargo() {
  timed "cargo install --path crates/cli, from nothing" env CARGO_TARGET_DIR="$scratch/target" \
    cargo install --path "$here/crates/cli" --root "$scratch/installed"
  timed "a first model by cargo" solve "$scratch/installed/bin/bivalve"
  verify "$scratch/installed/bin/bivalve" "$scratch/installed/bin/bivalve-check"
}

for part in "$@"; do
  case $part in
    sums | binary | wheel | deb | c | cargo)
      say "$part"
      "try_$part"
      ;;
    *) fail "expected sums, binary, wheel, deb, c or cargo, found '$part'" ;;
  esac
done
say "all well"
