#!/usr/bin/env python3
"""Dumps what a store holds, as text that two versions of the program can be compared by.

usage: dump_records.py STORE >dump.txt

Every record in the order of its cell's text: what was asked, how it ended, every number, state and
series (as a digest); then every finding. Left out is what may differ between two runs that did the
same: keys, provenance, dates, limits and whatever is named `*-seconds`. Two versions of the program
that compute the same print the same bytes.
"""
import collections
import hashlib
import itertools
import json
import sqlite3
import struct
import sys
import zlib

RECORD = ["problem", "integrator", "precision", "step", "tolerance", "until", "status", "reason",
          "ending", "detail", "output", "dropped"]


def without_clock(value):
    if isinstance(value, dict):
        return {k: without_clock(v) for k, v in value.items() if not k.endswith("-seconds")}
    if isinstance(value, list):
        return [without_clock(v) for v in value]
    return value


def planes(data, count):
    """Integers of eight bytes, of which data has first all lowest bytes, then all next ones …"""
    whole = bytes(b for i in range(count) for b in data[i::count])
    return list(struct.unpack("<%dQ" % count, whole))


def column_names(rest):
    """For each number of a rest (results/pack/columns.h) the name and place that it stands at."""
    name, string, opened, place = b"", b"", None, 0
    for at, byte in enumerate(rest):
        if byte == ord('"'):
            string, opened = (rest[opened:at], None) if opened is not None else (string, at + 1)
        elif byte == ord(":"):
            name, place = string, 0
        elif byte == 1:
            yield name, place
            place += 1


def decimal(value, decimals):
    digits = str(abs(value)).rjust(decimals + 1, "0")
    whole, rest = digits[:len(digits) - decimals], digits[len(digits) - decimals:].rstrip("0")
    return ("-" if value < 0 else "") + whole + ("." + rest if rest else "")


def columns_text(data):
    (size,) = struct.unpack_from("<I", data)
    rest, data = data[4:4 + size], data[4 + size:]
    numbers, names = {}, list(column_names(rest))
    count = collections.Counter(names)
    for name in dict.fromkeys(names):
        (decimals, times, width), data = data[:3], data[3:]
        n = count[name]
        values = [int.from_bytes(data[i:n * width:n], "little") for i in range(n)]
        values = [v >> 1 ^ -(v & 1) for v in values]
        for _ in range(times):
            values = list(itertools.accumulate(values))
        values = [(v + 2**191) % 2**192 - 2**191 for v in values]
        numbers[name] = iter([decimal(v, decimals) for v in values])
        data = data[n * width:]
    texts = [part.decode() for part in rest.split(b"\1")]
    return texts[0] + "".join(next(numbers[n]) + t for n, t in zip(names, texts[1:]))


def text_of(blob):
    """The text that a store packs (results/pack/pack.h)."""
    data = zlib.decompress(blob[4:])
    if data[:1] == b"\1":
        return columns_text(data[1:])
    return data.removeprefix(b"\0").decode()


def series_of(blob):
    """Name and intervals of each series: the bytes of times, minima, means and maxima as doubles."""
    data = zlib.decompress(blob[4:])
    while data:
        name, _, data = data.partition(b"\0")
        (count,) = struct.unpack_from("<I", data)
        data, parts = data[4:], []
        for k in range(4):
            values = [n >> 1 ^ -(n & 1) for n in planes(data[1:1 + 8 * count], count)]
            for _ in range(data[0]):
                values = list(itertools.accumulate(values))
            if k > 1:
                values = [a + b for a, b in zip(values, parts[-1])]
            parts.append(values)
            data = data[1 + 8 * count:]
        bits = [n % 2**64 for part in parts for n in part]
        bits = [n if n < 2**63 else n ^ 2**63 - 1 for n in bits]
        yield name.decode(), struct.pack("<%dQ" % len(bits), *bits)


def all_series(db, row):
    """Before version 4 of the schema they have a table of their own."""
    if "series" in row.keys():
        return series_of(row["series"]) if row["series"] else []
    query = "SELECT name, intervals FROM series WHERE record = ? ORDER BY position"
    return db.execute(query, (row["id"],))


def dump_record(db, row):
    print("cell", row["cell"])
    for column in RECORD:
        if row[column] not in (None, ""):
            print(" ", column, json.dumps(row[column], ensure_ascii=False))
    for column in ("request", "outcome", "states"):
        text = row[column]
        if isinstance(text, bytes):
            text = text_of(text)
        if text:
            for key, value in sorted(rows_of(json.loads(text))):
                print("   ", column, key, json.dumps(without_clock(value), ensure_ascii=False))
    for name, intervals in all_series(db, row):
        print("    series", name, len(intervals), hashlib.sha256(intervals).hexdigest())


def rows_of(value):
    if isinstance(value, dict):
        return list(value.items())
    return [("%06d" % i, item) for i, item in enumerate(value)]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    db = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    for row in db.execute("SELECT * FROM record ORDER BY cell, key").fetchall():
        dump_record(db, row)
    for row in db.execute("SELECT * FROM finding ORDER BY study, position"):
        if not (row["quantity"].endswith("-seconds") or "CPU" in row["quantity"]):
            print("finding", json.dumps(dict(zip(row.keys(), row)), ensure_ascii=False))


if __name__ == "__main__":
    main()
