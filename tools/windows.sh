#!/usr/bin/env bash
# Builds `taut` for Windows and runs its tests under Wine.
#
#   tools/windows.sh [--tables] [--all] [FILTER]      tests of cli/tests/windows; --tables: with `taut-tables`; --all: also
#                                                     the tests of locks, replaced files and priorities in the libraries
#   tools/windows.sh run PROGRAM.exe [ARGUMENT ...]   runs a program under Wine, with the exit code of the program
#
# TAUT_KILLS: number of recordings that are killed (default 6). Needs mingw (g++-mingw-w64-x86-64), Wine (wine64) and the
# target x86_64-pc-windows-gnu; exit code 77 and a message without them.
set -euo pipefail
folder=$PWD
cd "$(dirname "$0")/.."
target=x86_64-pc-windows-gnu
out="${CARGO_TARGET_DIR:-$PWD/target}"
mkdir -p "$out/windows"
out=$(realpath "$out")

wine=$(command -v wine64 || command -v /usr/lib/wine/wine64 || command -v wine || true)
compiler=$(command -v x86_64-w64-mingw32-gcc || true)
if [ -z "$wine" ] || [ -z "$compiler" ]; then
    echo "skipped: programs for Windows need wine64 and g++-mingw-w64-x86-64"
    exit 77
fi

# Own settings, in which Wine looks for neither Mono nor a browser.
export WINEPREFIX="$out/windows/prefix" WINEDEBUG="${WINEDEBUG:--all}" WINEDLLOVERRIDES="mscoree,mshtml=;bcryptprimitives=n,b"
system="$WINEPREFIX/drive_c/windows/system32"
if [ ! -e "$system/bcryptprimitives.dll" ]; then
    "$wine" wineboot --init >/dev/null 2>&1 || true
    "$compiler" -shared -O1 -o "$out/windows/bcryptprimitives.dll" tools/windows/bcryptprimitives.c -ladvapi32
    cp "$out/windows/bcryptprimitives.dll" "$system/"
fi

if [ "${1:-}" = run ]; then
    shift
    cd "$folder"
    exec "$wine" "$@"
fi

if ! rustup target add "$target" >/dev/null 2>&1; then
    echo "skipped: programs for Windows need the target $target"
    exit 77
fi

tables=
all=
while [ $# -gt 0 ]; do
    case "$1" in
        --tables) tables=1; shift ;;
        --all) all=1; shift ;;
        *) break ;;
    esac
done

export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER="$wine"
if [ -n "$tables" ]; then
    cargo build --target "$target" -p taut-tables
else
    echo "skipped: SQL, Parquet and the shell (--tables builds taut-tables.exe)"
fi
cargo test --target "$target" -p taut-cli --test windows -- --test-threads 2 --nocapture "$@"

echo "== Ctrl-C ends a recording with a complete trace and exit code 130"
rm -f "$out/windows/interrupted.taut"
trace="$out/windows/interrupted.taut"
"$wine" "$out/$target/debug/taut.exe" record streaming-world --set frames=1000000 -o "$trace" --force &
recording=$!
until [ -e "$trace" ]; do
    kill -0 "$recording"
    sleep 0.1
done
sleep 1
# Wine makes it a console event of the process.
kill -INT "$recording"
code=0
wait "$recording" || code=$?
[ "$code" = 130 ] || { echo "expected exit code 130, found $code" >&2; exit 1; }
"$wine" "$out/$target/debug/taut.exe" info "$trace" --verify
"$wine" "$out/$target/debug/taut.exe" replay "$trace"
rm "$trace"

if [ -n "$all" ]; then
    cargo test --target "$target" -p taut-traces --lib -- live::replace_file live::file_lock live::side_file
    cargo test --target "$target" -p taut-capture --lib -- machine::
fi
