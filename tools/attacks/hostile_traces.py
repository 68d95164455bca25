"""Every file of a folder of hostile traces, with every command that reads a trace."""

import os
import subprocess

import hangs
from harness import GIB, Limits, bound, register

# Commands whose memory the general rule bounds.
RULED = {"info", "dump", "analyze", "replay", "recover"}


def register_folder(folder):
    """Registers a case for each trace of the folder."""
    for name in sorted(os.listdir(folder)):
        if name.endswith(".taut") or os.path.isfile(os.path.join(folder, name)) and not name.endswith((".live", ".part", ".md", ".txt")):
            register(f"hostile_traces/{name}", hostile, folder, name)


def hostile(t, folder, name):
    """One trace with its side files."""
    for command_name, command in hangs.READERS.items():
        if command_name.startswith("bench") or command_name == "record":
            continue
        for found in os.listdir(folder):
            if found == name or found.startswith((name + ".live", name + ".ring")):
                source = os.path.join(folder, found)
                target = t.path(found.replace(name, "x.taut", 1))
                subprocess.run(["rm", "-rf", target], check=True)
                subprocess.run(["cp", "-r", "--sparse=always", source, target], check=True)
        limit = bound(*(t.path(found) for found in os.listdir(t.folder) if found.startswith("x.taut")))
        sizes = sum(os.path.getsize(t.path(found)) for found in os.listdir(t.folder))
        ruled = command[0] in RULED
        limits = Limits(address_space=limit + GIB + sizes if ruled else 4 * GIB + sizes, file_size=8 * GIB)
        if command_name == "jsonl":
            command = [*command[:-1], "-"]
        null = subprocess.DEVNULL if command_name in ("jsonl", "dump") else None
        run = t.taut(*command, limits=limits, timeout_s=60, stdin=b"SELECT count(*) FROM events;\n", stdout=null)
        t.check_memory(run, limit if ruled else 3 * GIB)
        for made in ["new.taut", "out.jsonl", "out.pftrace", "lake"]:
            subprocess.run(["rm", "-rf", t.path(made)], check=True)
