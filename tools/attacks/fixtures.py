"""Inputs that the cases share, prepared once per run with the binary under test."""

import os
import shutil
import signal
import subprocess
import time

import containers
from harness import Started


def record(taut, folder, env, *arguments):
    """Runs a recording that must succeed."""
    done = subprocess.run([taut, "record", *arguments, "-q"], cwd=folder, env=env, capture_output=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(f"record {arguments}: exit {done.returncode}: {done.stderr.decode(errors='replace')}")


def killed(taut, folder, env, name, *arguments):
    """A recording whose process was killed after it had written events, with its side files."""
    for _ in range(20):
        target = os.path.join(folder, name)
        os.makedirs(target, exist_ok=True)
        started = Started([taut, "record", *arguments, "-o", "x.taut"], target, env=env)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and not grown(target):
            started.pump(0.01)
        time.sleep(0.3)
        started.wait(0.001, [(0, signal.SIGKILL)])
        if os.path.exists(os.path.join(target, "x.taut.live")):
            return
        shutil.rmtree(target)
    raise RuntimeError(f"no killed recording {name}")


def grown(folder):
    """Whether a recording has begun."""
    try:
        return os.stat(os.path.join(folder, "x.taut")).st_size > 0
    except FileNotFoundError:
        return False


def prepare(taut, folder, env):
    """Makes all shared inputs."""
    record(taut, folder, env, "small-level", "--clock", "logical", "--threads", "1", "-o", "complete.taut")
    record(taut, folder, env, "small-level", "--threads", "1", "--driver", "peer", "-o", "other.taut")
    record(taut, folder, env, "pix-single-frame", "--clock", "logical", "-o", "pix.taut")
    long = ["streaming-world", "--threads", "2", "--set", "frames=1000000000"]
    killed(taut, folder, env, "killed", *long)
    killed(taut, folder, env, "ring", *long, "--mode", "ring", "--max-size", "1MiB")
    hostile(folder)
    scene(folder)
    subprocess.run(
        [taut, "export", "complete.taut", "other.taut", "--to", "parquet", "-o", "lake", "-q"],
        cwd=folder, env=env, check=True, capture_output=True, timeout=120,
    )


def hostile(folder):
    """Traces of this folder's own writer."""
    def put(name, data):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)

    most = (1 << 24) - 4
    put("plain.taut", containers.trace([containers.number_block(5, count=100)]))
    put("unfinished.taut", containers.trace([containers.number_block(5, count=100)], finished=False))
    put("lists-1.taut", containers.trace([containers.lists_block(most)]))
    put("lists-8.taut", containers.trace([containers.lists_block(most, 1 + number) for number in range(8)]))
    put("lists-60.taut", containers.trace([containers.lists_block(most, 1 + number) for number in range(60)]))
    put("late-stamps.taut", containers.trace([containers.number_block(5), containers.number_block(5, stamp=(1 << 63) + 5)]))
    put("nested.taut", containers.trace([containers.nested_block(65536, 1 + number * 65536) for number in range(4)]))
    put("escapes.taut", containers.trace([containers.named_block(ESCAPES, 1 + number) for number in range(3)]))
    cells = ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "plain"]
    put("cells.taut", containers.trace([containers.named_block(cell, 1 + number) for number, cell in enumerate(cells)]))


# Sequences that change a terminal's title, colours, clipboard, cursor and reading direction.
ESCAPES = "a\x1b]0;owned\x07b\x1b[31mc\x1b]52;c;b3duZWQ=\x07d\u009b2Je\r\x08\x7f\u202ef\x00g"


def scene(folder):
    """A glTF scene with a buffer and an image in files of their own."""
    target = os.path.join(folder, "scene")
    os.makedirs(target)
    with open(os.path.join(target, "scene.gltf"), "w") as file:
        file.write(
            '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],'
            '"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],'
            '"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],'
            '"textures":[{"source":0}],"images":[{"uri":"image.png"}],'
            '"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}],'
            '"bufferViews":[{"buffer":0,"byteLength":36,"target":34962}],'
            '"buffers":[{"uri":"buffer.bin","byteLength":36}]}'
        )
    with open(os.path.join(target, "buffer.bin"), "wb") as file:
        file.write(bytes(36))
    with open(os.path.join(target, "image.png"), "wb") as file:
        # Signature and header of an image of 4 by 4 texels; the loader asks for no more.
        file.write(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x04\0\0\0\x04\x08\x06\0\0\0\xa9\xf1\x9e\x7e\0\0\0\0IEND\xaeB`\x82")
