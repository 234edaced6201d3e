#!/usr/bin/env bash
# Builds the Windows program on Linux and tests it under wine.
#
# usage: engine-tests/windows.sh [--install] [--games]
#
# Without an option: the integration tests that talk to the program, those of windows.rs, and the
# compliance test of fastchess where that is installed. With --games also 100 games with fastchess
# against the program of Linux.
#
# Needs the target x86_64-pc-windows-gnu (`rustup target add x86_64-pc-windows-gnu`), MinGW-w64 and
# wine. With --install, root on Debian needs nothing: its packages are installed, with a compiler that
# builds Windows' standard library from its sources. QUEVEDO_CROSS is where all of that is kept, by
# default ~/.cache/quevedo/cross. QUEVEDO_WINDOWS_EXE names a program to test instead of building it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cross=${QUEVEDO_CROSS:-${XDG_CACHE_HOME:-$HOME/.cache}/quevedo/cross}
target=x86_64-pc-windows-gnu
games=no install=no
for option; do
    case $option in
        --games) games=yes;;
        --install) install=yes;;
        *) echo "windows.sh: unknown option $option" >&2; exit 2;;
    esac
done

say() { printf '\n-- %s\n' "$*"; }
# 77 says that the tests could not be run.
left_out() { printf 'left out: %s\n' "$*" >&2; exit 77; }

has_target() { [ -d "$(rustc --print target-libdir --target $target 2>/dev/null)" ]; }

may_install() { [ $install = yes ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; }

# Makes a compiler for Windows of Debian's packages.
install_compiler() {
    may_install || left_out "no Rust for $target"
    say "installing Rust for $target"
    local packages=(rustc-web cargo-web rust-web-src libstd-rust-web-dev gcc-mingw-w64-x86-64-posix)
    apt-get update -qq || left_out "no packages"
    apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null || left_out "no Rust for $target"
    local rustlib=$cross/sysroot/lib/rustlib start
    mkdir -p "$rustlib/src/rust" "$rustlib/$target/lib"
    ln -sfn /usr/lib/rustlib/x86_64-unknown-linux-gnu "$rustlib/x86_64-unknown-linux-gnu"
    ln -sfn /usr/lib/rustlib/etc "$rustlib/etc"
    cp -r /usr/src/rustc-*/library "$rustlib/src/rust/"
    printf '#!/bin/sh\nexec /usr/bin/rustc --sysroot %s "$@"\n' "$cross/sysroot" >"$cross/rustc.new"
    chmod +x "$cross/rustc.new"
    for start in rsbegin rsend; do
        RUSTC_BOOTSTRAP=1 "$cross/rustc.new" --target $target --crate-type lib --emit obj \
            -o "$rustlib/$target/lib/$start.o" "$rustlib/src/rust/library/rtstartup/$start.rs"
    done
    mv "$cross/rustc.new" "$cross/rustc"
}

# Wine before 9 lacks a library that Rust's standard library imports.
install_wine() {
    if ! command -v wine >/dev/null; then
        may_install || left_out 'no wine'
        say 'installing wine'
        apt-get update -qq || left_out "no packages"
        apt-get install -y -qq --no-install-recommends wine wine64 >/dev/null || left_out 'no wine'
    fi
    [ -e "$cross/bcryptprimitives.dll" ] && return
    command -v x86_64-w64-mingw32-gcc >/dev/null || left_out 'no MinGW-w64'
    cat >"$cross/prng.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    return SystemFunction036(data, (ULONG)length);
}
C
    x86_64-w64-mingw32-gcc -shared -o "$cross/bcryptprimitives.dll" "$cross/prng.c" -ladvapi32
}

# A cheap profile: the tests are about what the program does, not about its speed.
build() {
    export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
    export CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_DEBUG=false
    export CARGO_TARGET_DIR=$cross/target-windows-tests
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
    if has_target; then
        cargo build --release --bin quevedo --target $target
    else
        RUSTC_BOOTSTRAP=1 RUSTC=$cross/rustc /usr/bin/cargo build --release --bin quevedo --target $target \
            -Z build-std=std,panic_unwind -Z build-std-features=panic-unwind
    fi
}

mkdir -p "$cross"
exe=${QUEVEDO_WINDOWS_EXE:-$cross/target-windows-tests/$target/release/quevedo.exe}
if [ -z "${QUEVEDO_WINDOWS_EXE:-}" ]; then
    has_target || [ -x "$cross/rustc" ] || install_compiler
    command -v x86_64-w64-mingw32-gcc >/dev/null || left_out 'no MinGW-w64'
    say 'build for Windows'
    (build)
fi
install_wine
cp "$cross/bcryptprimitives.dll" "$(dirname "$exe")/"

export WINEPREFIX=${WINEPREFIX:-$cross/wine} WINEDEBUG=${WINEDEBUG:--all} WINEDLLOVERRIDES='mscoree,mshtml='
wineboot --init >/dev/null 2>&1 || true

# The tests that talk to the program do so with Windows' as well. Left out are a terminal, named
# pipes and signals, which wine does not have as Windows does.
say 'tests under wine'
QUEVEDO_WINDOWS_EXE=$exe cargo test --test engine-tests -- --include-ignored --test-threads 4 \
    with_wine protocol:: protocol_input:: process:: options:: saved_hash:: book:: eval_file:: \
    --skip a_terminal_is_greeted --skip a_named_pipe_is_no_file --skip with_test_data \
    --skip whatever_their_encoding

if ! command -v fastchess >/dev/null; then
    echo 'compliance: left out, there is no fastchess'
    [ $games = no ] && exit
    exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '#!/bin/sh\nexec wine %q "$@"\n' "$exe" >"$scratch/quevedo-windows"
chmod +x "$scratch/quevedo-windows"

say 'compliance'
fastchess --compliance "$scratch/quevedo-windows" >"$scratch/compliance" || true
tail -n 1 "$scratch/compliance"
grep -q 'passed all compliance checks' "$scratch/compliance"
[ $games = yes ] || exit 0

say '100 games against the program of Linux'
cargo build --bin quevedo
cargo run --quiet --bin quevedo -- genfens 50 seed 25 book None | sed -n 's/^info string genfens //p' >"$scratch/openings.epd"
(cd "$scratch" && fastchess -concurrency 2 -rounds 50 -games 2 -repeat \
    -engine name=windows cmd="$scratch/quevedo-windows" \
    -engine name=linux cmd="$OLDPWD/target/debug/quevedo" \
    -each tc=inf nodes=2000 proto=uci -openings file=openings.epd format=epd order=sequential \
    -pgnout file=games.pgn -ratinginterval 50) | tail -n 12
finished=$(grep -c '^\[Result "\(1-0\|0-1\|1/2-1/2\)"\]' "$scratch/games.pgn")
faults=$(grep -cE 'Termination "(abandoned|time forfeit|illegal move|unterminated|rules infraction)"' "$scratch/games.pgn" || true)
echo "$finished games, $faults forfeits"
[ "$finished" -eq 100 ] && [ "$faults" -eq 0 ]
