#!/usr/bin/env bash
# Builds `taut` for Windows and runs its tests under Wine.
#
#   tools/windows.sh [--tables] [--all] [FILTER]      tests of cli/tests/windows; --tables: with `taut-tables`; --all: also
#                                                     the tests of locks, replaced files and priorities in the libraries
#   tools/windows.sh run PROGRAM.exe [ARGUMENT ...]   runs a program under Wine, with the exit code of the program
#
# TAUT_KILLS: number of recordings that are killed (default 6). TAUT_HOST: a `taut` of this system, with which traces are
# exchanged. CARGO_TARGET_DIR: folder of the builds. Needs mingw (g++-mingw-w64-x86-64), Wine (wine64) and the
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

echo "== a console: width, colours, Ctrl-Break"
# Wine makes the terminal of its standard input a console.
if command -v script >/dev/null; then
    command="stty columns 100 rows 40; cargo test --target $target -p taut-cli --test windows -- --nocapture console"
    code=0
    script --quiet --return --command "$command > '$out/windows/console.log' 2>&1" /dev/null >/dev/null || code=$?
    grep -E "^test |^skipped|panicked" "$out/windows/console.log" || true
    [ "$code" = 0 ] || { tail -40 "$out/windows/console.log" >&2; exit 1; }
else
    echo "skipped: a terminal for the console needs the program script"
fi

taut="$out/$target/debug/taut.exe"
if [ -n "${TAUT_HOST:-}" ]; then
    echo "== traces of both systems: each replays on the other one, with the same reports"
    exchange="$out/windows/exchange"
    rm -rf "$exchange"
    mkdir "$exchange"
    cp traces/corpus/v1-*.taut "$exchange/"
    (
        cd "$exchange"
        for options in "" "--mode ring --max-size 2MiB" "--mode circular --max-size 2MiB"; do
            name=${options:+-$(echo "$options" | cut -d' ' -f2)}
            # shellcheck disable=SC2086
            "$wine" "$taut" record streaming-world --threads 2 --set frames=300 $options -o "windows$name.taut" --quiet
            # shellcheck disable=SC2086
            "$TAUT_HOST" record streaming-world --threads 2 --set frames=300 $options -o "host$name.taut" --quiet
        done
        for trace in *.taut; do
            codes=()
            for side in "$TAUT_HOST" "$wine $taut"; do
                kind=$([ "$side" = "$TAUT_HOST" ] && echo host || echo windows)
                code=0
                # shellcheck disable=SC2086
                TAUT_CACHE= $side replay "$trace" --json > "$kind.replay" 2>/dev/null || code=$?
                # shellcheck disable=SC2086
                TAUT_CACHE= $side analyze "$trace" --json > "$kind.report" 2>/dev/null || code+=" $?"
                codes+=("$code")
            done
            if [ "${codes[0]}" != "${codes[1]}" ] || ! cmp host.report windows.report || ! cmp host.replay windows.replay; then
                echo "$trace: exit codes on this system ${codes[0]}, on Windows ${codes[1]}; results differ" >&2
                exit 1
            fi
            case "$trace" in *-damaged-* | *-killed* | *-lost*) ;; *) grep -q '"identical": true' windows.replay ;; esac
        done
        echo "$(ls ./*.taut | wc -l) traces: same results of replay and of all reports"
    )
    rm -rf "$exchange"
else
    echo "skipped: traces of both systems (TAUT_HOST names a taut of this system)"
fi

echo "== Ctrl-C ends a recording with a complete trace and exit code 130"
rm -f "$out/windows/interrupted.taut"
trace="$out/windows/interrupted.taut"
"$wine" "$taut" record streaming-world --set frames=1000000 -o "$trace" --force &
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
"$wine" "$taut" info "$trace" --verify
"$wine" "$taut" replay "$trace"
rm "$trace"

if [ -n "$all" ]; then
    cargo test --target "$target" -p taut-traces --lib -- live::replace_file live::file_lock live::side_file
    cargo test --target "$target" -p taut-capture --lib -- machine::
    cargo test --target "$target" -p taut-console --lib -- console_events::
fi
