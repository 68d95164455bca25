"""Traces, sidecars and segments with right checksums, written after traces/FORMAT.md alone.

Columns are stored as one repeated byte (coding 0) or as plain bytes (coding 1), so that no compressor is needed: a block of a
few hundred bytes holds lists of millions of elements.
"""

import json
import struct


def table():
    """Table of CRC-32C."""
    entries = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        entries.append(value)
    return entries


TABLE = table()


def crc32c(data):
    """Castagnoli's checksum."""
    value = 0xFFFFFFFF
    for byte in data:
        value = TABLE[(value ^ byte) & 255] ^ value >> 8
    return value ^ 0xFFFFFFFF


def scalar(name, width, slot):
    """A scalar of a schema."""
    return {"name": name, "width_bytes": width, "role": "value", "slot": slot, "doc": ""}


def event(code, name, opcode, fields):
    """An event of a schema. `fields` are pairs of a name and a kind."""
    fields = [{"name": field, "doc": "", "kind": kind} for field, kind in fields]
    return {"code": code, "name": name, "layer": "api", "opcode": opcode, "doc": "", "fields": fields}


# Codes are four times the line's number plus the opcode: 0 a mark, 1 a start, 2 a stop.
NUMBER, NAMED, LISTS, BEGIN, END = 4, 8, 12, 17, 18

EVENTS = [
    event(NUMBER, "number", "info", [("a", {"scalar": scalar("a", 8, 2)})]),
    event(NAMED, "named", "info", [("name", "text")]),
    event(LISTS, "lists", "info", [("v", {"list": [scalar("v", 1, 3)]})]),
    event(BEGIN, "call", "start", []),
    event(END, "call", "stop", []),
]


def head(events=EVENTS, text=None, **more):
    """Head and text of a trace, and its key."""
    if text is None:
        document = {"schema": {"events": events}, "world": {}, **more}
        text = json.dumps(document).encode()
    key = crc32c(text)
    begin = b"\x89TAUT\r\n\x1a" + struct.pack("<HHII", 1, 0, len(text), key)
    return begin + struct.pack("<I", crc32c(begin)) + text, key


def same(byte, count):
    """A plane of `count` equal bytes."""
    return bytes([0, byte]) if count else bytes([1])


def bytes_column(data):
    """A byte column."""
    return same(data[0], len(data)) if data and data == data[:1] * len(data) else b"\x01" + data


def numbers_column(planes):
    """A number column without a transform: a list of planes, each with its coding as the first byte."""
    out = struct.pack("<BBQ", 0, len(planes), 0)[:2]
    out += b"".join(struct.pack("<BI", plane[0], len(plane) - 1) for plane in planes)
    return out + b"".join(plane[1:] for plane in planes)


def repeated(value, count):
    """A number column of `count` equal numbers."""
    size = max(1, (value.bit_length() + 7) // 8)
    return numbers_column([same(byte, count) for byte in value.to_bytes(size, "little")])


def rising(first, step, count):
    """A number column of differences: `count` numbers from `first` on."""
    size = max(1, (step.bit_length() + 7) // 8)
    planes = [same(byte, count) for byte in step.to_bytes(size, "little")]
    out = struct.pack("<BBQ", 1, len(planes), (first - step) % (1 << 64))
    out += b"".join(struct.pack("<BI", plane[0], len(plane) - 1) for plane in planes)
    return out + b"".join(plane[1:] for plane in planes)


class Block:
    """A block of records of one thread."""

    def __init__(self, kinds, stamps, row_bytes, open_calls=()):
        """`kinds` are pairs of a code and its number of records, in order; `stamps` are first and step."""
        self.kinds = kinds
        self.records = sum(count for _, count in kinds)
        self.first, self.step = stamps
        self.row_bytes = row_bytes
        self.open_calls = open_calls
        order = b"".join(bytes([place]) * count for place, (_, count) in enumerate(kinds))
        self.columns = [
            (0xFFFF, self.records, bytes_column(order)),
            (0xFFFE, self.records, rising(self.first, self.step, self.records)),
        ]

    def column(self, slot, count, payload):
        """Adds a column; slots must rise."""
        self.columns.append((slot, count, payload))
        return self

    def encode(self, key, thread=0, number=0, before=0, depth=0):
        """The block's bytes."""
        last = self.first + self.step * (self.records - 1)
        columns = sorted(self.columns, key=lambda column: (column[0] < 0xFFFE, -column[0] if column[0] >= 0xFFFE else column[0]))
        head_bytes = 84 + 2 * len(self.open_calls) + 6 * len(self.kinds) + 10 * len(columns) + 4
        payload = b"".join(column[2] for column in columns)
        total = head_bytes + len(payload) + 4
        out = b"\xb1TB1" + struct.pack("<IIIHHIQ", head_bytes, total, key, 1, 0, thread, number)
        out += struct.pack("<IIQQQQ", self.records, self.row_bytes, before, 0, self.first, last)
        out += struct.pack("<IHHHH", depth, len(self.open_calls), len(self.kinds), len(columns), 0)
        out += b"".join(struct.pack("<H", code) for code in self.open_calls)
        out += b"".join(struct.pack("<HI", code, count) for code, count in self.kinds)
        out += b"".join(struct.pack("<HII", slot, count, len(data)) for slot, count, data in columns)
        out += struct.pack("<I", crc32c(out))
        out += payload
        return out + struct.pack("<I", crc32c(out))

    def entry(self, offset, length, thread, number, before):
        """The block's entry in a footer."""
        last = self.first + self.step * (self.records - 1)
        out = struct.pack("<QIHHIQIQQQQH", offset, length, 1, 0, thread, number, self.records, before, 0, self.first, last, len(self.kinds))
        return out + b"".join(struct.pack("<HI", code, count) for code, count in self.kinds)


def trace(blocks, finished=True, **options):
    """A trace of one thread."""
    start, key = head(**options)
    out, entries, records, depth = bytearray(start), [], 0, 0
    for number, block in enumerate(blocks):
        # A block lists the innermost 1,024 calls that are open where it begins.
        block.open_calls = [BEGIN] * min(depth, 1024)
        data = block.encode(key, 0, number, records, depth)
        entries.append(block.entry(len(out), len(data), 0, number, records))
        out += data
        records += block.records
        depth += sum({BEGIN: count, END: -count}.get(code, 0) for code, count in block.kinds)
    if not finished:
        return bytes(out)
    footer = b"\xb1TF1" + struct.pack("<IQQII", key, records, 0, len(blocks), 0) + b"".join(entries)
    footer += struct.pack("<I", crc32c(footer))
    trailer = struct.pack("<QQ", len(out), len(footer))
    return bytes(out) + footer + trailer + struct.pack("<I", crc32c(trailer)) + b"\xb1TAUTEND"


def lists_block(elements, stamp=1):
    """One record whose list has so many elements of a byte each."""
    block = Block([(LISTS, 1)], (stamp, 1), 4 + elements)
    return block.column(1, 1, repeated(elements, 1)).column(3, elements, repeated(7, elements))


def named_block(name, stamp=1, step=1, count=1):
    """Records with one text."""
    data = name.encode() if isinstance(name, str) else name
    block = Block([(NAMED, count)], (stamp, step), count * (4 + len(data)))
    return block.column(0, count * len(data), bytes_column(data * count)).column(1, count, repeated(len(data), count))


def number_block(value, stamp=1, step=1, count=1):
    """Records with one number."""
    return Block([(NUMBER, count)], (stamp, step), 8 * count).column(2, count, repeated(value, count))


def nested_block(depth, stamp=1):
    """Calls that begin and do not end."""
    return Block([(BEGIN, depth)], (stamp, 1), 0)


def word(value, place):
    """A word of a sidecar's line with its proof."""
    value &= (1 << 48) - 1
    mixed = ((value + 1) * 0x9E3779B97F4A7C15 ^ (place + 1) * 0xD6E8FEB86659FD93) & (1 << 64) - 1
    return value | (mixed >> 47 & 0xFFFF | 1) << 48


def end_word(end, place):
    """A word of places 3 and 4: how far a slot is filled."""
    return end & 0xFFFFFFFF | (0xFFFFFFFF - place - end & 0xFFFFFFFF) << 32


def page(key, slot_bytes, slots, process=1, definitions=(0, 0, 0)):
    """The first page of a sidecar."""
    out = b"\x89TAUTLV\n" + struct.pack("<IIIIQQ", 3, key, process, slot_bytes, 1, 0)
    out += struct.pack("<III", *definitions)
    out += struct.pack("<I", crc32c(out))
    out = out.ljust(64, b"\0") + struct.pack("<Q", word(slots, 20))
    return out.ljust(4096, b"\0")


def line(stream, turn, ordinal, reserved, committed):
    """A line that claims so many bytes of records."""
    values = [word(stream, 0), word(turn, 1), word(ordinal, 10), end_word(reserved, 3), end_word(committed, 4)]
    return struct.pack("<8Q", *values, word(0, 5), word(0, 6), word(0, 7))


def segment_head(key, number, records=0, greatest=0):
    """The first bytes of a segment."""
    out = b"\xb1TR1" + struct.pack("<IQQQ", key, number, records, greatest)
    return out + struct.pack("<I", crc32c(out))


def key_of(head_bytes):
    """The key of a trace."""
    return struct.unpack_from("<I", head_bytes, 16)[0]


def sparse_sidecar(path, key, slot_bytes, slots, claimed=None, every=1):
    """A sidecar of holes: only the page and, with `claimed`, the first bytes of some slots occupy space."""
    with open(path, "wb") as file:
        file.write(page(key, slot_bytes, slots))
        if claimed is not None:
            for slot in range(0, slots, every):
                file.seek(4096 + slot * slot_bytes)
                file.write(line(0, slot + 1, slot, claimed, claimed))
        file.truncate(4096 + slots * slot_bytes)
