#!/usr/bin/env python3
"""Replays public captures of presents and prints a table of the agreement, with the bound that each capture allows.

Usage: captures.py TAUT CHECKOUTS [--write bench/results/captures.md]

CHECKOUTS is a folder with git repositories OWNER+NAME/repo or OWNER/NAME of the projects below. The captures belong to those
projects; they are read from git into a temporary folder and not stored.

The bound is the share of displayed presents that the capture itself shows within 0.5 ms of the end of their GPU work (frames
that tear), at the first refresh after it (flips), or at the second one (composed frames). Exit code 1 if a present was not replayed, or the agreement is more than 5
percentage points below the bound."""
import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

PRESENTMON = [f'Tests/Gold/test_case_{case}{form}.csv' for case in range(6) for form in ('', '_v1', '_v2')]
TEST_FILES = 'source/CapFrameX.Test/TestRecordFiles/'
CAPTURES = {
    'GameTechDev/PresentMon': PRESENTMON,
    'CXWorld/CapFrameX': [TEST_FILES + name for name in
                          ('PresentMonTestOutputFilename.csv', 'OCAT-MetroExodus.exe-2019-02-20T101522.csv')],
    'Pavelioso/Frameviewer': ['assets/witcher_3.csv', 'assets/witcher_3_gdrive.csv'],
}
COMPOSITOR = 'dwm.exe'
TEAR_MS, POINTS = 0.5, 5
BEGIN, END = '<!-- captures.py: begin -->', '<!-- captures.py: end -->'


def repository(checkouts, name):
    owner, project = name.split('/')
    places = [checkouts / f'{owner}+{project}' / 'repo', checkouts / owner / project]
    return next((place for place in places if place.exists()), None)


def number(row, *names):
    """First of the columns that has a number."""
    for name in names:
        try:
            return float(row[name])
        except (KeyError, TypeError, ValueError):
            pass
    return None


def presents(text):
    """Presents of programs: time in ms, end of GPU work and display from Present in ms, whether they tear and whether
    they are composed; and those of the compositor."""
    lines = [line for line in text.lstrip('\ufeff').splitlines() if line.strip() and not line.startswith(('//', '#'))]
    heading, *rows = csv.reader(io.StringIO('\n'.join(lines)))
    names = [name.strip().lower() for name in heading]
    programs, compositor = [], []
    for cells in rows:
        row = dict(zip(names, cells))
        busy = number(row, 'mscpubusy', 'cpubusy') or 0
        seconds, ticks, start = number(row, 'timeinseconds'), number(row, 'timeinqpc', 'qpctime'), number(row, 'cpustartqpc')
        at = seconds * 1e3 if seconds is not None else ticks / 1e4 if ticks is not None else (start or 0) / 1e4 + busy
        end = number(row, 'msrenderpresentlatency', 'msuntilrendercomplete')
        if end is None:
            parts = [number(row, 'gpulatency'), number(row, 'gputime')]
            end = sum(parts) - busy if None not in parts else None
        shown = number(row, 'msuntildisplayed')
        if shown is None and number(row, 'displaylatency') is not None:
            shown = number(row, 'displaylatency') - busy
        if row.get('dropped') == '1' or not shown or shown <= 0:
            shown = None
        tears = (row.get('allowstearing') == '1' or int(number(row, 'presentflags') or 0) & 512) and 'Composed: ' not in row.get('presentmode', '')
        if row.get('frametype', 'Application') not in ('Application', 'NotSet', ''):
            continue
        (compositor if row.get('application', '').lower() == COMPOSITOR else programs).append((at, end, shown, bool(tears), 'Composed: ' in row.get('presentmode', '')))
    return programs, compositor


def period(programs, compositor):
    """Most frequent difference of display times, in ms: of the compositor, or else of frames that do not tear."""
    frames = compositor if len(compositor) > 8 else [frame for frame in programs if not frame[3]] or programs
    times = sorted(at + shown for at, _, shown, *_ in frames if shown is not None)
    bins = {}
    for one, other in zip(times, times[1:]):
        if 1 < other - one < 250:
            bins.setdefault(round(other - one, 1), []).append(other - one)
    return max(bins.values(), key=len)[0] if bins else 1000 / 60


def bound(text):
    programs, compositor = presents(text)
    refresh, shown = period(programs, compositor), [frame for frame in programs if frame[2] is not None and frame[1] is not None]
    within = sum(abs(display - end) <= TEAR_MS if tears else -TEAR_MS <= display - end < refresh * (2 if composed else 1)
                 for _, end, display, tears, composed in shown)
    return (within / len(shown) if shown else None), len(programs)


def replayed(taut, file, folder):
    command = [taut, 'record', str(file), '-o', str(folder / 'out.taut'), '--force', '--json']
    run = subprocess.run(command, capture_output=True, text=True)
    try:
        return run.returncode, json.loads(run.stdout)['presents']
    except (ValueError, KeyError):
        return run.returncode, {'error': (run.stderr.strip().splitlines() or ['no output'])[-1]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('taut')
    parser.add_argument('checkouts', type=pathlib.Path)
    parser.add_argument('--write', type=pathlib.Path)
    given = parser.parse_args()
    rows, failed = ['| capture | presents | as captured | not replayed | bound |', '|---|---|---|---|---|'], False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for project, files in CAPTURES.items():
            checkout = repository(given.checkouts, project)
            if checkout is None:
                print(f'skipped: no checkout of {project}', file=sys.stderr)
                continue
            for file in files:
                data = subprocess.run(['git', '-C', str(checkout), 'show', f'HEAD:{file}'], capture_output=True, check=True).stdout
                path = folder / pathlib.Path(file).name
                path.write_bytes(data)
                code, result = replayed(given.taut, path, folder)
                label = f'{project}, {path.name}'
                if 'error' in result:
                    print(f'{label}: exit {code}, {result["error"]}', file=sys.stderr)
                    rows.append(f'| {label} | – | – | – | – |')
                    failed = True
                    continue
                share = result['as_logged'] / max(result['presents'], 1)
                limit, count = bound(data.decode('utf-8-sig', 'replace'))
                text = '–' if limit is None else f'{100 * limit:.0f} %'
                rows.append(f'| {label} | {result["presents"]:,} | {100 * share:.0f} % | {result["not_played"]:,} | {text} |')
                is_below = limit is not None and 100 * share < 100 * limit - POINTS
                if is_below or result['not_played'] or count != result['presents']:
                    print(f'{label}: {100 * share:.1f} % as captured, bound {text}, {count} presents in the file', file=sys.stderr)
                    failed = True
    table = '\n'.join(rows)
    print(table)
    if given.write:
        before, rest = given.write.read_text().split(BEGIN)
        given.write.write_text(before + BEGIN + '\n' + table + '\n' + END + rest.split(END)[1])
    sys.exit(1 if failed else 0)


main()
