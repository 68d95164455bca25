"""Names that a terminal would obey, cells that a spreadsheet would compute, numbers that a column cannot hold."""

import csv
import io
import os
import pty
import re
import select
import time

import containers
import fixtures
from harness import Failed, Limits, Started, case, register

# What may follow an escape character in the command line's own output: colours, and erasing a progress line.
OWN = re.compile(rb"\x1b\[[0-9;]*m|\x1b\[2?K|\x1b\[\?25[hl]|\r")
# Control characters that change a terminal, in both forms, and marks that turn the reading direction.
DANGEROUS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]")
# Pieces of fixtures.ESCAPES that must not appear as they are.
PIECES = [b"\x1b]0;owned", b"\x1b[31mc", b"\x1b]52;c", b"\xc2\x9b2J", b"\x08", b"\x7f"]


def on_terminal(t, *arguments, lines=(), timeout_s=30, limits=None):
    """Runs a command whose three streams are a terminal; returns what the terminal gets.

    Each line is typed when nothing was shown for a second; the last is repeated, because a program may drop what is typed early.
    """
    master, slave = pty.openpty()
    started = Started([t.binary, *arguments], t.folder, env=t.environment(), limits=limits, stdin=slave, stdout=slave, stderr=slave, note="# on a terminal")
    os.close(slave)
    got, began = bytearray(), time.monotonic()
    waiting, shown = list(lines), began
    while time.monotonic() - began < timeout_s:
        if select.select([master], [], [], 0.05)[0]:
            try:
                part = os.read(master, 1 << 16)
            except OSError:
                break
            if not part:
                break
            got += part
            shown = time.monotonic()
        elif waiting and time.monotonic() - shown > 1:
            os.write(master, waiting[0].encode() + b"\r")
            waiting = waiting[1:] or waiting
            shown = time.monotonic()
    # The terminal is closed before the process ends, which may take a while on a busy machine.
    run = started.wait(30)
    os.close(master)
    run.stdout = bytes(got)
    t.check_end(run)
    return run


def check_plain(t, run, data):
    """Fails if the bytes have a control character that is not the command line's own."""
    for piece in PIECES:
        t.check(run, piece not in data, "escaped names", f"{ascii(piece.decode('utf-8', 'replace'))} as it is")
    # On a terminal a line ends in both characters.
    rest = DANGEROUS.search(OWN.sub(b"", data))
    if rest:
        around = data[max(0, data.find(rest.group()) - 30):][:80]
        raise Failed(run.command, "no control characters", ascii(around.decode("utf-8", "replace")))


SHOWS = {
    "info": ["info", "x.taut"],
    "dump": ["dump", "x.taut"],
    "dump_event": ["dump", "x.taut", "--event", "named"],
    "analyze": ["analyze", "x.taut"],
    "diff": ["diff", "x.taut", "plain.taut"],
    "query_table": ["query", "x.taut", "SELECT name FROM named"],
    "query_csv": ["query", "x.taut", "SELECT name FROM named", "--format", "csv"],
    "query_json": ["query", "x.taut", "SELECT name FROM named", "--format", "json"],
    "query_alias": ["query", "x.taut", 'SELECT 1 AS "' + "a\x1b]0;owned\x07" + '"'],
    "query_alias_csv": ["query", "x.taut", 'SELECT 1 AS "' + "a\x1b]0;owned\x07" + '"', "--format", "csv"],
    "query_text": ["query", "x.taut", "SELECT 'a\x1b]0;owned\x07'", "--format", "csv"],
    "query_wrong": ["query", "x.taut", "SELECT a\x1b]0;owned\x07"],
    "query_explain": ["query", "x.taut", "SELECT name FROM named WHERE name = 'a\x1b]0;owned\x07'", "--explain"],
    "jsonl": ["export", "x.taut", "--to", "jsonl", "-o", "-"],
    "shell": ["shell", "x.taut"],
    "verify": ["info", "x.taut", "--verify"],
    "markdown": ["analyze", "x.taut", "--format", "markdown"],
    "csv": ["analyze", "x.taut", "--format", "csv"],
    "json": ["analyze", "x.taut", "--json"],
}


def shown(t, name):
    """Nothing from a trace reaches a terminal unescaped."""
    t.fixture("escapes.taut", "x.taut")
    t.fixture("plain.taut")
    run = on_terminal(t, *SHOWS[name], lines=["SELECT name FROM named;", ".quit"] if name == "shell" else [])
    data = run.stdout
    if name == "shell":
        # An editor moves the cursor of its own line.
        data = re.sub(rb"\x1b\[[0-9;?]*[A-HJKhlr]", b"", data)
    check_plain(t, run, data)


def coloured(t, name):
    """With colours asked for, names are escaped before colours are added, on a pipe too."""
    t.fixture("escapes.taut", "x.taut")
    t.fixture("plain.taut")
    run = t.taut("--color", "always", *SHOWS[name])
    if name in ("query_csv", "query_alias_csv", "query_text", "csv", "query_json", "jsonl", "json"):
        # Data for programs: bytes as they are in a pipe.
        return
    check_plain(t, run, run.stdout + run.stderr)


for name in SHOWS:
    register(f"names_and_numbers/terminal_{name}", shown, name)
    if name != "shell":
        register(f"names_and_numbers/color_always_{name}", coloured, name)

FILE_NAMES = ["a\x1b]0;owned\x07.taut", "a\nb.taut", "-o", "--force", "-", "--", "a\u202eb.taut", "a\u009bb.taut", "a\rb.taut", " .taut", "a'b\"c.taut", "*.taut", "trace=1", "a,b.taut", b"\xff\xfe.taut"]


def file_name(t, number):
    """Names of files are escaped in messages and results, and never taken for options after `./`."""
    name = FILE_NAMES[number]
    text = os.fsdecode(name)
    path = b"./" + name if isinstance(name, bytes) else "./" + name
    t.fixture("escapes.taut", name)
    t.write("notes.txt")
    other = os.fsdecode(path) + ".x"
    commands = [
        ["info", path], ["dump", path, "--limit", "1"], ["analyze", path], ["diff", path, path], ["query", path, "SELECT trace FROM traces"],
        ["query", path, path, "SELECT * FROM traces"], ["replay", path], ["recover", path], ["info", other], ["query", other, "SELECT 1"],
        ["export", path, "--to", "jsonl", "-o", other], ["export", path, "--to", "parquet", "-o", other + "-lake"],
        ["record", "small-level", "-o", other + "2", "--force"], ["control", path, "--timeout", "1s", "status"], ["record", other + ".toml"],
        ["analyze", path, "--format", "html", "-o", other + "3"], ["analyze", path, "--format", "markdown", "-o", other + "4"],
    ]
    for command in commands:
        run = t.taut("--color", "always", *command)
        data = run.stderr + (run.stdout if command[0] != "dump" else b"")
        if any(mark in text for mark in "\x1b\r\u009b\u202e"):
            check_plain(t, run, data)
    t.check("the commands above", os.path.exists(t.path("notes.txt")), "notes.txt as it was")


for number in range(len(FILE_NAMES)):
    register(f"names_and_numbers/file_name_{number}", file_name, number)


def cells_of(t, *more):
    """The names of cells.taut as CSV gives them."""
    t.fixture("cells.taut", "x.taut")
    run = t.taut("query", "x.taut", "SELECT name, stamp, -stamp AS less FROM named ORDER BY stamp", "--format", "csv", *more, codes={0})
    return run, list(csv.reader(io.StringIO(run.stdout.decode(), newline="")))


@case
def csv_safe_prefixes_text_cells(t):
    """`--csv-safe` puts something before text cells that a spreadsheet computes; numbers stay."""
    run, rows = cells_of(t, "--csv-safe")
    for name, stamp, less in rows[1:]:
        # A text that is a number computes nothing, and may stay as it is.
        t.check(run, name[0] not in "=+-@\t\r" or re.fullmatch(r"[+-][0-9.]+", name), "a prefix before the cell", ascii(name))
        t.check(run, less == f"-{stamp}", f"the number -{stamp}", ascii(less))
    t.check(run, rows[-1][0] == "plain", "the cell plain as it was", rows[-1][0])


@case
def csv_has_cells_as_they_are(t):
    """Without the option cells are the trace's own."""
    run, rows = cells_of(t)
    t.check(run, [row[0] for row in rows[1:4]] == ["=1+1", "+1", "-1"], "the cells as they are", str(rows[1:4]))


@case
def csv_safe_of_reports_and_headers(t):
    """Column names and reports as well."""
    t.fixture("cells.taut", "x.taut")
    run = t.taut("query", "x.taut", 'SELECT 1 AS "=1+1"', "--format", "csv", "--csv-safe", codes={0})
    t.check(run, not run.stdout.startswith((b"=", b'"=')), "a prefix before the column's name", ascii(run.text[:40]))
    os.rename(t.path("x.taut"), t.path("=cmd.taut"))
    run = t.taut("analyze", "=cmd.taut", "--format", "csv", "--csv-safe")
    for row in csv.reader(io.StringIO(run.stdout.decode(), newline="")):
        t.check(run, not any(cell[:1] in ("=", "+", "@") for cell in row), "prefixed cells", str(row))


def late_stamp(t, command, code):
    """A stamp of 2^63 or more is an error that names the row, not NULL."""
    t.fixture("late-stamps.taut", "x.taut")
    run = t.taut(*command, codes={1, 3} if code is None else code)
    t.check(run, not re.search(rb"^(null|)$", run.stdout.strip()) or run.code != 0, "no NULL")
    if code is None:
        t.check(run, re.search(r"stamp", run.text) and re.search(r"row|record|event|9223372036854775813", run.text), "a message that names stamp and row", ascii(run.text[:300]))


for name, command, code in [
    ("events", ["query", "x.taut", "SELECT stamp FROM events"], None),
    ("max", ["query", "x.taut", "SELECT max(stamp) FROM events"], None),
    ("count", ["query", "x.taut", "SELECT count(*) FROM events WHERE stamp > 5"], None),
    ("number", ["query", "x.taut", "SELECT stamp FROM number"], None),
    ("csv", ["query", "x.taut", "SELECT * FROM events", "--format", "csv"], None),
    ("parquet", ["export", "x.taut", "--to", "parquet", "-o", "lake"], None),
    ("info", ["info", "x.taut"], {0}),
    ("dump", ["dump", "x.taut"], {0}),
    ("jsonl", ["export", "x.taut", "--to", "jsonl", "-o", "-"], {0}),
]:
    register(f"names_and_numbers/late_stamp_{name}", late_stamp, command, code)


@case
def late_stamps_are_shown_as_they_are(t):
    """Outside SQL a stamp has 64 bits."""
    t.fixture("late-stamps.taut", "x.taut")
    for command in [["dump", "x.taut"], ["export", "x.taut", "--to", "jsonl", "-o", "-"], ["info", "x.taut"]]:
        run = t.taut(*command, codes={0})
        digits = run.text.replace(",", "")
        t.check(run, "9223372036854775813" in digits, "the stamp 9223372036854775813", ascii(run.text[-300:]))


OUTPUTS = {
    "record": ["record", "small-level", "-o", "wanted.taut"],
    "replay": ["replay", "complete.taut", "-o", "wanted.taut"],
    "recover": ["recover", "unfinished.taut", "-o", "wanted.taut"],
    "jsonl": ["export", "complete.taut", "--to", "jsonl", "-o", "wanted.jsonl"],
    "perfetto": ["export", "complete.taut", "--to", "perfetto", "-o", "wanted.pftrace"],
    "page": ["analyze", "complete.taut", "--format", "html", "-o", "wanted.html"],
    "csv": ["query", "complete.taut", "SELECT * FROM events", "--format", "csv", "-o", "wanted.csv"],
    "parquet": ["query", "complete.taut", "SELECT * FROM events", "--format", "parquet", "-o", "wanted.parquet"],
    "lake": ["export", "complete.taut", "--to", "parquet", "-o", "wanted"],
    "demo": ["demo", "-o", "wanted"],
    "changes": ["replay", "complete.taut", "--driver", "peer", "--changes", "wanted.jsonl"],
    "man": ["man", "-o", "wanted"],
}


def failed_output(t, name, limit):
    """A message about an output that cannot be written names the file that the user named."""
    t.fixture("complete.taut")
    t.fixture("unfinished.taut")
    run = t.taut(*OUTPUTS[name], limits=Limits(file_size=limit), note=f"# ulimit -f, {limit} bytes")
    t.check(run, run.code in (0, 4), "exit 4")
    t.check(run, ".taut-" not in run.text and ".part" not in run.text, "the name that was asked for", ascii(run.text[-200:]))
    if run.code == 4:
        # A replay under another driver writes a temporary trace before its output, and names the folder of that.
        t.check_names(run, "temporary trace" if name == "changes" and "temporary trace" in run.text else "wanted")
    left = [file for file in os.listdir(t.folder) if file.startswith(".") or file.endswith(".part")]
    t.check(run, not left, "no unfinished file", str(left))


for name in OUTPUTS:
    for limit in [0, 1000]:
        register(f"names_and_numbers/failed_output_{name}_{limit}", failed_output, name, limit)


def folder_that_refuses(t, name):
    """The same of a folder that does not exist, and of one that takes no file."""
    t.fixture("complete.taut")
    t.fixture("unfinished.taut")
    for place in ["missing/deep/", "/proc/"]:
        command = [place + word if word.startswith("wanted") else word for word in OUTPUTS[name]]
        run = t.taut(*command, codes={0, 2, 4})
        t.check(run, ".taut-" not in run.text and ".part" not in run.text, "the name that was asked for", ascii(run.text[-200:]))
        if run.code:
            t.check_names(run, "wanted")


for name in OUTPUTS:
    register(f"names_and_numbers/folder_that_refuses_{name}", folder_that_refuses, name)


@case
def escapes_fixture_is_hostile(t):
    """The prepared trace has what these cases look for."""
    data = fixtures.ESCAPES.encode()
    if not all(piece in data for piece in PIECES):
        raise Failed("fixtures.ESCAPES", "all pieces", "fewer")


@case
def segments_with_the_largest_numbers(t):
    """Counts and stamps of a segment's head that no addition may exceed."""
    path = t.fixture("unfinished.taut", "x.taut")
    with open(path, "rb") as file:
        key = containers.key_of(file.read(24))
    most = (1 << 64) - 1
    for number, records, greatest in [(5, 0, most), (5, most, 0), (5, most, most), (most, 0, 0), (most, most, most), (1 << 63, 1 << 63, 1 << 63)]:
        t.write(f"x.taut.ring/{number}", containers.segment_head(key, number, records, greatest))
        for command in [["info", "x.taut"], ["dump", "x.taut"], ["analyze", "x.taut"], ["recover", "x.taut", "-o", "new.taut", "--force"], ["query", "x.taut", "SELECT count(*) FROM events"]]:
            t.taut(*command)
        os.remove(t.path(f"x.taut.ring/{number}"))
