#!/usr/bin/env bash
# Compares what the working tree does with what an earlier commit did: reports, info, dumps, tables, replays and recordings.
#
#   tools/same.sh [--old FOLDER] [--new FOLDER] [COMMIT]
#
# COMMIT (default: the last commit) is built in target/same; the traces are recorded with its `taut`, and both
# builds read them. FOLDER holds `taut` and `taut-tables` that were built already. Exit code 1: at least one output differs;
# both versions of it remain in target/same/old and target/same/new.
set -euo pipefail
cd "$(dirname "$0")/.."

# A redesign of several commits writes the commit before it here, so that each of its steps is compared with that one.
commit=HEAD
old=
new=
while [ $# -gt 0 ]; do
    case "$1" in
        --old) old=$(realpath "$2"); shift 2 ;;
        --new) new=$(realpath "$2"); shift 2 ;;
        *) commit=$1; shift ;;
    esac
done

same="$PWD/target/same"
mkdir -p "$same/traces"
if [ -z "$old" ]; then
    commit=$(git rev-parse --short "$commit")
    tree="$same/tree-$commit"
    [ -d "$tree" ] || git worktree add --detach --force "$tree" "$commit" >/dev/null
    (cd "$tree" && cargo build --quiet --target-dir "$same/build-$commit")
    old="$same/build-$commit/debug"
fi
if [ -z "$new" ]; then
    cargo build --quiet
    new="$PWD/target/debug"
fi

# One line per trace: name, then the arguments of `taut record`; the old build records all of them. Recordings of one thread by the
# logical clock are made by both builds and are equal in every byte.
traces="
small-level          small-level --driver reference
small-level-peer     small-level --driver peer
small-level-1619     small-level --driver peer --rules 1.619.4
streaming-world      streaming-world --threads 4 --seed 7 --set frames=60
pix-single-frame     pix-single-frame
game-session         game-session --set frames=200
mode-storm           mode-storm
skip-training        skip-training
never-converges      never-converges
deferred-contexts    deferred-contexts
context-churn        context-churn
texture-upload       texture-upload --clock logical
hybrid-laptop        hybrid-laptop --clock logical
resize-storm         resize-storm --clock logical
allocator-dump       testdata/allocator-dump.json --clock logical
call-log             testdata/d3d12ma-tight.jsonl.gz --driver peer
presents             testdata/presents/test_case_0.csv
"

export TAUT_CACHE="$same/cache"
export NO_COLOR=1 COLUMNS=100
rm -rf "$same/old" "$same/new" "$same/cache"
failed=0

compare() { # NAME, then a command whose first word `taut` stands for either build and whose OUT is a file or folder.
    local name=$1 side bin
    shift
    for side in old new; do
        [ $side = old ] && bin=$old || bin=$new
        mkdir -p "$same/$side"
        local arguments=("${@/#OUT/$same/$side/$name}")
        { "$bin/taut" "${arguments[@]}" 2>"$same/$side/$name.stderr"; echo "exit $?"; } \
            | sed "s|$same/$side/|OUT/|g" >"$same/$side/$name.stdout" || true
        sed -i "s|$same/$side/|OUT/|g" "$same/$side/$name.stderr"
    done
    if ! diff -rq "$same/old/$name.stdout" "$same/new/$name.stdout" >/dev/null \
        || { [ -e "$same/old/$name" ] && ! diff -rq "$same/old/$name" "$same/new/$name" >/dev/null; }; then
        echo "differs: $name (taut $*)"
        failed=$((failed + 1))
    fi
    checked=$((checked + 1))
}

checked=0
while read -r name arguments; do
    [ -n "$name" ] || continue
    trace="$same/traces/$name.taut"
    # shellcheck disable=SC2086 # arguments are words
    [ -e "$trace" ] || "$old/taut" record $arguments -o "$trace" --quiet >/dev/null
    compare "$name.info" info "$trace" --json
    compare "$name.dump" dump "$trace"
    compare "$name.analyze" analyze "$trace" --json
    compare "$name.report" analyze "$trace"
    compare "$name.replay" replay "$trace" --json
    compare "$name.jsonl" export "$trace" --to jsonl -o OUT
    compare "$name.perfetto" export "$trace" --to perfetto -o OUT
    compare "$name.parquet" export "$trace" --to parquet -o OUT
    if [[ $arguments == *"--clock logical" ]]; then
        for side in old new; do
            [ $side = old ] && bin=$old || bin=$new
            # shellcheck disable=SC2086 # arguments are words
            "$bin/taut" record $arguments -o "$same/$side/$name.recorded.taut" --quiet >/dev/null
        done
        checked=$((checked + 1))
        cmp -s "$same/old/$name.recorded.taut" "$same/new/$name.recorded.taut" \
            || { echo "differs: bytes of a recording of $name"; failed=$((failed + 1)); }
    fi
done <<<"$traces"
compare schema schema
compare drivers drivers --json
compare workloads workloads --json
compare machines machines --json
compare hlk hlk --json

echo "$((checked - failed)) passed, $failed failed"
[ "$failed" = 0 ]
