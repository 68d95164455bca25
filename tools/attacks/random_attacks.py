"""Random combinations of a command, an attack and a file. A failing round's name has its seed: `--seed N --rounds 1` repeats it."""

import os
import random
import signal

import side_files
from descriptors import COMMANDS, STDIN, STDIN_OF
from harness import GIB, MIB, Limits, register, snapshot

# Names that commands read or write in their folder, next to the files that they name.
PLACES = [
    "new.taut", "new.taut.live", "new.taut.ring", "new.taut.ring/0", "new.taut.ring/1", "new.taut.part", "x.taut.live", "x.taut.ring", "x.taut.ring/0",
    "u.taut.live", "u.taut.ring", "u.taut.ring/0", "u.taut.part", "new.1.taut", "new.2.taut", "page.html", "out.jsonl", "out.pftrace", "lake", "lake/traces",
    "d", "d/page.html", "d/small-level.taut", "d/tight.taut", "cache", "x.jsonl", "x.taut-journal",
]


def register_rounds(seed, rounds):
    """Registers so many rounds, each with a seed of its own."""
    for number in range(rounds):
        register(f"random_attacks/seed_{seed + number}", attack, seed + number)


def attack(t, seed):
    """One round: some files planted, a limit, a signal, a command; nothing of the user's is changed."""
    chance = random.Random(seed)
    t.fixture("complete.taut", "x.taut")
    t.fixture("other.taut", "y.taut")
    t.fixture("unfinished.taut", "u.taut")
    t.write("notes.txt")
    planted = plant(t, chance)
    if chance.random() < 0.3:
        damage(t, chance)
    for _ in range(4):
        name = chance.choice(list(COMMANDS))
        limits, what = limit(chance)
        signals = [(chance.uniform(0, 0.2), chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL]))] if chance.random() < 0.3 else []
        streams, full = {}, open("/dev/full", "wb")
        for stream in ["stdout", "stderr"]:
            if chance.random() < 0.1:
                streams[stream] = full
        env = t.environment(TAUT_CACHE=t.path("cache"))
        before = snapshot(t.folder)
        note = f"# seed {seed}: {', '.join(planted)}; {what}; {[(round(at, 3), number.name) for at, number in signals]}; {sorted(streams)} full"
        stdin = STDIN_OF.get(name, STDIN)
        run = t.start(*COMMANDS[name][0], limits=limits, env=env, stdin=stdin, note=note, **streams).wait(60, signals)
        full.close()
        by_signal = {-number for _, number in signals}
        t.check_end(run, {0, 1, 2, 3, 4, 130} | by_signal)
        # A command may replace what one before it wrote, and what it replaces is then of its own kind.
        t.unchanged(run, {path: was for path, was in before.items() if is_users(path, planted)})


def is_users(path, planted):
    """Whether a path was there before the first command."""
    text = os.fsdecode(path)
    own = text in ("x.taut", "y.taut", "u.taut", "notes.txt", "precious.txt") or text.startswith("photos")
    return own or any(text == place or text.startswith(place + "/diary") for place in planted)


def plant(t, chance):
    """Puts up to three things where files of the commands belong."""
    planted = []
    for place in chance.sample(PLACES, chance.randint(0, 3)):
        kind = chance.choice([kind for kind in side_files.PLANTS if kind is not side_files.foreign_empty_file and kind is not side_files.empty_folder])
        parent = os.path.dirname(t.path(place))
        try:
            os.makedirs(parent, exist_ok=True)
            if os.path.lexists(t.path(place)):
                continue
            kind(t, place)
        except (FileExistsError, NotADirectoryError, OSError):
            continue
        planted.append(place)
    return planted


def damage(t, chance):
    """Changes, cuts or lengthens a trace."""
    path = t.path(chance.choice(["x.taut", "y.taut", "u.taut"]))
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        for _ in range(chance.randint(1, 20)):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        if chance.random() < 0.5:
            data = data[: chance.randrange(len(data))]
        file.seek(0)
        file.write(data)
        file.truncate(len(data))


def limit(chance):
    """A limit and its name."""
    choices = [
        (Limits(address_space=8 * GIB), "no limit"),
        (Limits(address_space=8 * GIB), "no limit"),
        (Limits(file_size=chance.choice([0, 1, 100, 4096, 65536, MIB])), "file size"),
        (Limits(files=chance.randint(4, 40)), "descriptors"),
        (Limits(umask=chance.choice([0, 0o077, 0o777])), "umask"),
    ]
    return chance.choice(choices)
