"""Processes with limits, snapshots of the user's files, and the registry of cases.

A case is a function of one argument, an `Attack`. It runs in a process of its own, in a fresh temporary folder. It fails by
raising `Failed`, which the checks of `Attack` do, and is skipped by raising `Skipped`.
"""

import hashlib
import json
import os
import resource
import selectors
import shlex
import shutil
import signal
import stat
import subprocess
import time

KIB = 1 << 10
MIB = 1 << 20
GIB = 1 << 30

# Exit codes of the command line's contract. 101 is a panic, 134 an abort.
CONTRACT = frozenset([0, 1, 2, 3, 4, 130])

# Wall time of one command. A debug build on a loaded machine is slow; a hang is for ever.
TIMEOUT_S = 30
# Longest time that one case may take, after which its process group is killed.
CASE_TIMEOUT_S = 110
# Bytes of each output stream that are kept for the checks; the rest is read and dropped.
KEPT_BYTES = 4 * MIB


class Failed(Exception):
    """A case found a fault: the command, what was expected and what was found."""

    def __init__(self, command, expected, found):
        super().__init__(f"{command}: expected {expected}, found {found}")
        self.command, self.expected, self.found = command, expected, found


class Skipped(Exception):
    """The machine cannot run the case; the text says why."""


CASES = {}
# Cases that only the long run has.
LONG = set()


def case(function):
    """Registers a function as a case named `module/function`."""
    register(f"{function.__module__}/{function.__name__}", function)
    return function


def register(name, function, *arguments, long=False):
    """Registers a case with arguments of its own; one that is `long` runs with --long alone."""
    if name in CASES:
        raise ValueError(f"two cases are named {name}")
    CASES[name] = (function, arguments)
    if long:
        LONG.add(name)


class Run:
    """One finished command."""

    def __init__(self, command, status, usage, wall_s, timed_out, stdout, stderr):
        self.command = command
        self.code = os.waitstatus_to_exitcode(status)
        self.peak_bytes = usage.ru_maxrss * KIB
        self.wall_s = wall_s
        self.timed_out = timed_out
        self.stdout = stdout
        self.stderr = stderr

    @property
    def text(self):
        """Standard output and standard error as one text."""
        return (self.stdout + b"\n" + self.stderr).decode("utf-8", "replace")

    def ended(self):
        """Short description of how the command ended."""
        if self.timed_out:
            return f"no end within {self.wall_s:.0f} s"
        how = f"exit {self.code}" if self.code >= 0 else f"signal {signal.Signals(-self.code).name}"
        last = self.stderr.decode("utf-8", "replace").strip().splitlines()
        return f"{how} ({ascii(last[-1][:200])})" if last else how


class Limits:
    """Resource limits of a child, set between fork and exec."""

    def __init__(self, address_space=None, file_size=None, files=None, stack=None, uid=None, umask=None, closed=()):
        self.address_space = address_space
        self.file_size = file_size
        self.files = files
        self.stack = stack
        self.uid = uid
        self.umask = umask
        self.closed = closed

    def apply(self):
        """Called in the child."""
        pairs = [
            (resource.RLIMIT_AS, self.address_space),
            (resource.RLIMIT_FSIZE, self.file_size),
            (resource.RLIMIT_NOFILE, self.files),
            (resource.RLIMIT_STACK, self.stack),
            (resource.RLIMIT_CORE, 0),
        ]
        for kind, value in pairs:
            if value is not None:
                resource.setrlimit(kind, (value, value))
        if self.umask is not None:
            os.umask(self.umask)
        if self.uid is not None:
            os.setgroups([])
            os.setgid(self.uid)
            os.setuid(self.uid)
        for descriptor in self.closed:
            os.close(descriptor)


def shell_line(argv, note=""):
    """The command as a person would type it, shortened."""
    words = [word if len(word) <= 120 else f"{word[:100]}...({len(word)} bytes)" for word in map(str_of, argv)]
    line = " ".join(shlex.quote(word) for word in ["taut", *words[1:]])
    return f"{line} {note}".strip()


def str_of(word):
    """Text of an argument that may be bytes."""
    return os.fsdecode(word) if isinstance(word, (bytes, os.PathLike)) else str(word)


class Started:
    """A command under way, whose output is collected without threads."""

    def __init__(self, argv, folder, limits=None, stdin=b"", stdout=None, stderr=None, env=None, note=""):
        self.command = shell_line(argv, note)
        limits = limits or Limits()
        self.kept = {"stdout": bytearray(), "stderr": bytearray()}
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            argv,
            cwd=folder,
            stdin=stdin if not isinstance(stdin, bytes) else subprocess.PIPE,
            stdout=subprocess.PIPE if stdout is None else stdout,
            stderr=subprocess.PIPE if stderr is None else stderr,
            env=env,
            preexec_fn=limits.apply,
            start_new_session=True,
        )
        self.selector = selectors.DefaultSelector()
        for name in ["stdout", "stderr"]:
            stream = getattr(self.process, name)
            if stream is not None:
                os.set_blocking(stream.fileno(), False)
                self.selector.register(stream, selectors.EVENT_READ, name)
        self.input = memoryview(stdin) if isinstance(stdin, bytes) else memoryview(b"")
        if self.process.stdin is not None:
            os.set_blocking(self.process.stdin.fileno(), False)
            self.selector.register(self.process.stdin, selectors.EVENT_WRITE, "stdin")

    def send(self, number):
        """Sends a signal, if the command has not ended."""
        try:
            os.kill(self.process.pid, number)
        except ProcessLookupError:
            pass

    def pump(self, wait_s):
        """Moves what can be moved between the pipes and this process."""
        if not self.selector.get_map():
            time.sleep(wait_s)
            return
        for key, _ in self.selector.select(wait_s):
            if key.data == "stdin":
                self.feed(key.fileobj)
                continue
            try:
                part = os.read(key.fd, 1 << 16)
            except BlockingIOError:
                continue
            if not part:
                self.drop(key.fileobj)
            elif len(self.kept[key.data]) < KEPT_BYTES:
                self.kept[key.data] += part

    def feed(self, stream):
        """Writes the next part of standard input."""
        try:
            written = os.write(stream.fileno(), self.input[: 1 << 16]) if self.input else 0
            self.input = self.input[written:]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.input = memoryview(b"")
        if not self.input:
            self.drop(stream)

    def drop(self, stream):
        """Closes a pipe."""
        self.selector.unregister(stream)
        stream.close()

    def wait(self, timeout_s=TIMEOUT_S, signals=()):
        """Waits for the end. `signals` are pairs of seconds after the start and a signal to send then."""
        signals = sorted(signals)
        timed_out = False
        while True:
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            elapsed = time.monotonic() - self.began
            if pid:
                break
            if signals and elapsed >= signals[0][0]:
                self.send(signals.pop(0)[1])
            if elapsed > timeout_s and not timed_out:
                timed_out = True
                kill_group(self.process.pid)
            self.pump(0.002 if signals or elapsed < 0.05 else 0.01)
        # What the pipes still hold; a grandchild may keep them open, so this has an end of its own.
        drained = time.monotonic() + 0.5
        while time.monotonic() < drained and any(key.data != "stdin" for key in self.selector.get_map().values()):
            self.pump(0.01)
        for key in list(self.selector.get_map().values()):
            self.drop(key.fileobj)
        kill_group(self.process.pid)
        self.process.returncode = 0
        wall_s = time.monotonic() - self.began
        return Run(self.command, status, usage, wall_s, timed_out, bytes(self.kept["stdout"]), bytes(self.kept["stderr"]))


def kill_group(pid):
    """Kills a command that this process started, and its children: the group is the command's own."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def describe(path):
    """Kind, mode, inode, links, owner and content of a path, without following a link."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    kind = stat.S_IFMT(status.st_mode)
    content = ""
    if stat.S_ISLNK(status.st_mode):
        content = os.readlink(path)
    elif stat.S_ISREG(status.st_mode):
        content = digest(path, status)
    # A folder's links count the folders in it, which commands may add.
    links = 0 if stat.S_ISDIR(status.st_mode) else status.st_nlink
    return [kind, stat.S_IMODE(status.st_mode), status.st_ino, links, status.st_uid, content]


def digest(path, status):
    """Sum of a file's content; of a huge sparse one, size and allocated blocks."""
    if status.st_size > 256 * MIB:
        return f"{status.st_size} bytes in {status.st_blocks} blocks"
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def snapshot(folder):
    """Description of every path below a folder."""
    found = {}
    for parent, folders, files in os.walk(os.fsencode(folder)):
        for name in folders + files:
            path = os.path.join(parent, name)
            found[os.path.relpath(path, os.fsencode(folder))] = describe(path)
    return found


class Attack:
    """What a case works with: a folder of its own, prepared inputs, the binary, and checks."""

    def __init__(self, taut, fixtures, folder, options):
        self.binary = taut
        self.fixtures = fixtures
        self.folder = folder
        self.options = options
        self.home = os.path.join(os.path.dirname(folder), "home")
        os.makedirs(self.home, exist_ok=True)

    def environment(self, **changes):
        """Environment of a command: nothing of the person's own caches and settings."""
        env = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": self.home,
            "TMPDIR": self.home,
            "TAUT_CACHE": os.path.join(self.home, "cache"),
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm",
        }
        env.update({name: value for name, value in changes.items() if value is not None})
        for name in [name for name, value in changes.items() if value is None]:
            env.pop(name, None)
        return env

    def path(self, name):
        """Path in the case's folder."""
        return os.path.join(os.fsencode(self.folder), name) if isinstance(name, bytes) else os.path.join(self.folder, name)

    def write(self, name, content="notes\n"):
        """Writes a user's file."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return path

    def fixture(self, name, target=None):
        """Copies a prepared file or folder into the case's folder."""
        source = os.path.join(self.fixtures, name)
        if not os.path.exists(source):
            raise Failed(f"preparing {name}", "a prepared input", "none; see the first lines of the output")
        target = self.path(target or name)
        if os.path.isdir(source):
            shutil.copytree(source, target, symlinks=True)
        else:
            copy(source, target)
        return target

    def start(self, *arguments, **options):
        """Starts `taut` with these arguments."""
        env = options.pop("env", None) or self.environment()
        folder = options.pop("cwd", self.folder)
        return Started([self.binary, *arguments], folder, env=env, **options)

    def taut(self, *arguments, timeout_s=TIMEOUT_S, signals=(), codes=CONTRACT, **options):
        """Runs `taut` and checks what holds for every command: it ends, without a panic, with a code of the contract."""
        run = self.start(*arguments, **options).wait(timeout_s, signals)
        self.check_end(run, codes)
        return run

    def check_end(self, run, codes=CONTRACT):
        """Checks that a command ended as one of the codes says, and not in a panic."""
        if run.timed_out:
            raise Failed(run.command, "an end", run.ended())
        if b"panicked at" in run.stderr or b"panicked at" in run.stdout:
            raise Failed(run.command, "no panic", run.ended())
        if b"RUST_BACKTRACE" in run.stderr or b"has overflowed its stack" in run.stderr:
            raise Failed(run.command, "no panic and no stack overflow", run.ended())
        if run.code not in codes:
            wanted = "a code of the contract" if codes is CONTRACT else "exit " + " or ".join(map(str, sorted(codes)))
            raise Failed(run.command, wanted, run.ended())

    def check(self, run, fact, expected, found=None):
        """Fails if `fact` is false."""
        if not fact:
            raise Failed(run.command if isinstance(run, Run) else str(run), expected, found or run.ended())

    def check_names(self, run, *names):
        """Checks that the messages have each of these texts."""
        for name in names:
            self.check(run, name in run.text, f"a message with {name!r}", f"{run.ended()} {ascii(run.text[-300:])}")

    def check_memory(self, run, bound_bytes):
        """Checks the peak resident memory of a command and its children."""
        found = f"{run.peak_bytes / MIB:.0f} MiB, {run.ended()}"
        self.check(run, run.peak_bytes <= bound_bytes, f"at most {bound_bytes / MIB:.0f} MiB resident", found)

    def unchanged(self, run, before, except_for=()):
        """Checks that every path of a snapshot is as it was."""
        after = snapshot(self.folder)
        allowed = {os.fsencode(name) for name in except_for}
        for name, was in before.items():
            if name in allowed or after.get(name) == was:
                continue
            found = "it is gone" if after.get(name) is None else difference(was, after[name])
            raise Failed(run.command, f"{os.fsdecode(name)!r} as it was", f"{found}; {run.ended()}")

    def json(self, *arguments, codes=CONTRACT, **options):
        """Runs a command with --json and returns its document."""
        run = self.taut(*arguments, "--json", codes=codes, **options)
        try:
            return json.loads(run.stdout)
        except ValueError:
            raise Failed(run.command, "one JSON document", ascii(run.text[:300])) from None


def difference(was, found):
    """Which parts of two descriptions differ."""
    names = ["kind", "mode", "inode", "links", "owner", "content"]
    parts = [name for name, left, right in zip(names, was, found) if left != right]
    return "another " + ", ".join(parts)


def copy(source, target):
    """Copies a file. Holes stay holes, so that sparse inputs stay small on disk."""
    status = os.stat(source)
    if status.st_blocks * 512 < status.st_size:
        subprocess.run(["cp", "--sparse=always", source, target], check=True)
    else:
        shutil.copyfile(source, target)


def bound(*paths):
    """Memory that a command may take for inputs of this size: 256 MiB and four times what they occupy."""
    size = 0
    for path in paths:
        for parent, _, files in os.walk(path) if os.path.isdir(path) else [(os.path.dirname(path), [], [os.path.basename(path)])]:
            for name in files:
                status = os.lstat(os.path.join(parent, name))
                size += min(status.st_size, status.st_blocks * 512 + 4096)
    return 256 * MIB + 4 * size
