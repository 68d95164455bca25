#!/usr/bin/env python3
"""Prints the licences of all crates that the programs of a target contain, and the texts that those crates come with.

    tools/licences.py TARGET PACKAGE ...

The list is that of `cargo metadata`: normal dependencies, without those of builds and tests. A text that several crates
share is printed once. Exit code 1 if a crate states no licence.
"""

import json
import pathlib
import subprocess
import sys

NAMES = ("license", "licence", "copying", "notice", "unlicense", "copyright")
MAX_BYTES = 1 << 18


def dependencies(target, roots):
    """Packages that `roots` are linked with, by name and version."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    waiting = [name for name, package in packages.items() if package["source"] is None and package["name"] in roots]
    seen = set(waiting)
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            is_linked = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_linked and dependency["pkg"] not in seen:
                seen.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    linked = [packages[name] for name in seen if packages[name]["source"] is not None]
    return sorted(linked, key=lambda package: (package["name"], package["version"]))


def texts(package):
    """Licence texts in the folder of a package."""
    folder = pathlib.Path(package["manifest_path"]).parent
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name.lower().startswith(NAMES) and path.stat().st_size <= MAX_BYTES:
            yield path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip()


def main():
    target, *roots = sys.argv[1:]
    linked = dependencies(target, set(roots))
    print(f"Licences of the {len(linked)} crates in the programs for {target}\n")
    missing, users = [], {}
    for package in linked:
        licence = package["license"] or package["license_file"]
        if not licence:
            missing.append(package["name"])
        name = f"{package['name']} {package['version']}"
        print(f"{name:40} {licence or 'none stated'}")
        for text in texts(package):
            users.setdefault(text, []).append(name)
    for text, names in users.items():
        print("\n" + "=" * 80 + "\n" + ", ".join(names) + "\n" + "-" * 80 + "\n" + text)
    if missing:
        sys.exit(f"no licence stated: {', '.join(missing)}")


if __name__ == "__main__":
    main()
