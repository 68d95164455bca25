#!/usr/bin/env bash
# Makes the archives of a release in target/release-archives, unpacks each in an empty folder, and runs the demo there.
#
#   tools/release.sh [--built FOLDER] tag|linux|windows ...
#
# tag:      vVERSION, on the last commit; its message is the section of the version in CHANGELOG.md
# linux:    taut-VERSION-x86_64-linux.tar.gz    taut, taut-tables, libtaut_com.so for `taut run`
# windows:  taut-VERSION-x86_64-windows.zip     taut.exe, taut-tables.exe; run under Wine where the system is not Windows
# Both have manual pages, completions, licences of all crates, README, LICENSE files, documents and examples.
# --built: FOLDER has the programs already. A program that it lacks is named, and the archive is made without it: such an
# archive is for tests of this script alone, and has "-partial" in its name.
set -euo pipefail
cd "$(dirname "$0")/.."

# Oldest glibc that the programs run with; Debian 12, Ubuntu 22.04 and Red Hat 9 have it.
oldest_glibc=2.34

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
archives="$PWD/target/release-archives"
mkdir -p "$archives"
built=
if [ "${1:-}" = --built ]; then
    built=$(realpath "$2")
    shift 2
fi

# Copies what all archives have into folder $2, for target $1 and with the completions and pages that `taut` at "$3" prints.
common_files() {
    local target=$1 folder=$2 taut=("${@:3}")
    cp -r README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT SECURITY.md docs examples "$folder/"
    python3 tools/licences.py "$target" taut-cli taut-tables taut-com > "$folder/LICENCES-OF-CRATES.txt"
    "${taut[@]}" man -o "$folder/man" --quiet
    mkdir "$folder/completions"
    for shell in bash zsh fish powershell elvish; do
        "${taut[@]}" completions "$shell" > "$folder/completions/taut.$shell"
    done
}

# Copies programs into folder $2 from folder $1, and prints "-partial" if one is missing.
copy_programs() {
    local from=$1 to=$2 partial=
    for file in "${@:3}"; do
        if [ -e "$from/$file" ]; then
            cp "$from/$file" "$to/"
        elif [ -n "$built" ]; then
            echo "without $file: it is not in $from" >&2
            partial=-partial
        else
            echo "$from/$file: expected a program, found none" >&2
            return 1
        fi
    done
    echo "$partial"
}

# Fails if a program needs a newer glibc than the stated one.
check_glibc() {
    local needed
    for file in "$@"; do
        needed=$(objdump -T "$file" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -Vu | tail -1)
        if [ "$(printf '%s\n' "$needed" "$oldest_glibc" | sort -V | tail -1)" != "$oldest_glibc" ]; then
            echo "$file: expected glibc $oldest_glibc or older, found symbols of glibc $needed" >&2
            return 1
        fi
        echo "$(basename "$file"): glibc $needed"
    done
}

# Runs the demo with `taut` ("$@") in the current folder, and checks what it left.
check_demo() {
    "$@" --version
    "$@" demo
    "$@" record examples/level.gltf --clock logical -o level.taut --quiet
    "$@" replay level.taut
    "$@" analyze level.taut --report alignment -q
    test -s man/taut.1 && test -s completions/taut.bash && grep -q '^serde ' LICENCES-OF-CRATES.txt
    if [ -e taut-tables ] || [ -e taut-tables.exe ]; then
        "$@" query level.taut "SELECT count(*) AS resources FROM resources"
    fi
}

# Creates the tag. `release.yml` takes the notes of the release from it.
tag() {
    local notes
    notes=$(awk -v heading="## $version - " 'index($0, "## ") == 1 { found = index($0, heading) == 1; next } found' CHANGELOG.md)
    if [ -z "${notes//[[:space:]]/}" ]; then
        echo "CHANGELOG.md: expected a section \"## $version - DATE\" with changes, found none" >&2
        return 1
    fi
    if [ -n "$(git status --porcelain)" ]; then
        echo "expected a folder without changes since the last commit, found:" >&2
        git status --short >&2
        return 1
    fi
    # Headings begin with "#", which git takes for comments otherwise.
    git tag --annotate "v$version" --cleanup verbatim --message "Tautline $version" --message "$notes"
    echo "v$version"
}

linux() {
    local from=${built:-target/release} name folder partial
    [ -n "$built" ] || cargo build --release --locked
    folder=$(mktemp -d)
    name="taut-$version-x86_64-linux"
    mkdir "$folder/$name"
    partial=$(copy_programs "$from" "$folder/$name" taut taut-tables libtaut_com.so)
    (cd "$folder/$name" && check_glibc taut $(ls taut-tables libtaut_com.so 2>/dev/null))
    common_files x86_64-unknown-linux-gnu "$folder/$name" "$folder/$name/taut"
    tar --create --gzip --file "$archives/$name$partial.tar.gz" --owner 0 --group 0 --directory "$folder" "$name"
    rm -rf "${folder:?}"/*
    tar --extract --gzip --file "$archives/$name$partial.tar.gz" --directory "$folder"
    (cd "$folder/$name" && PATH=/usr/bin:/bin TAUT_CACHE= check_demo ./taut)
    rm -rf "$folder"
    echo "$archives/$name$partial.tar.gz"
}

windows() {
    local target=x86_64-pc-windows-gnu from name folder partial runner=()
    from=${built:-target/$target/release}
    [ -n "$built" ] || cargo build --release --locked --target "$target" -p taut-cli -p taut-tables
    [ "${OS:-}" = Windows_NT ] || runner=("$PWD/tools/windows.sh" run)
    folder=$(mktemp -d)
    name="taut-$version-x86_64-windows"
    mkdir "$folder/$name"
    partial=$(copy_programs "$from" "$folder/$name" taut.exe taut-tables.exe)
    common_files "$target" "$folder/$name" "${runner[@]}" "$folder/$name/taut.exe"
    rm -f "$archives/$name$partial.zip"
    (cd "$folder" && python3 -m zipfile --create "$archives/$name$partial.zip" "$name")
    rm -rf "${folder:?}"/*
    (cd "$folder" && python3 -m zipfile --extract "$archives/$name$partial.zip" .)
    (cd "$folder/$name" && TAUT_CACHE= check_demo "${runner[@]}" ./taut.exe)
    rm -rf "$folder"
    echo "$archives/$name$partial.zip"
}

for system in "$@"; do
    "$system"
done
