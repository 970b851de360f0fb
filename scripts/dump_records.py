#!/usr/bin/env python3
"""Dumps the contents of a store as text, for comparing two versions of the program.

usage: dump_records.py STORE >dump.txt

Prints every record in the order of its cell's text: the cell, its end, every number, state and series
(as a digest); then every finding. Values that differ between equal runs are left out: keys, provenance,
dates, limits and names with `*-seconds`. Two versions of the program that compute the same results
print the same bytes.
"""
import argparse
import hashlib
import json
import sqlite3
import struct
import sys
from decimal import Context, Decimal
from fractions import Fraction

DIGITS = Context(prec=36)
RECORD = ["problem", "integrator", "precision", "step", "tolerance", "until", "status", "reason",
          "ending", "detail", "output", "dropped"]
CODES = ["ok", "refused", "bad-input", "inconsistent", "not-converged", "singular", "try-smaller",
         "stopped", "not-finite", "no-memory", "solver-failed"]


def real_text(value):
    """A double as seventeen digits."""
    if value is None or value != value:
        return "nan"
    return "%.17g" % value


def quad_text(data):
    """A binary128 as thirty-six digits, rounded to even."""
    bits = int.from_bytes(data, "little")
    exponent, mantissa = bits >> 112 & 0x7fff, bits & (1 << 112) - 1
    sign = "-" if bits >> 127 else ""
    if exponent == 0x7fff:
        return "nan" if mantissa else sign + "inf"
    value = Fraction(mantissa + (1 << 112 if exponent else 0)) * Fraction(2)**(max(exponent, 1) - 16383 - 112)
    return sign + str(DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize(DIGITS))


def numbers_text(data, bits):
    """Numbers of `bits` bits, separated by blanks."""
    if bits == 128:
        return " ".join(quad_text(data[i:i + 16]) for i in range(0, len(data), 16))
    form, pattern = ("f", "%.9g") if bits == 32 else ("d", "%.17g")
    values = struct.unpack("<%d%s" % (len(data) * 8 // bits, form), data)
    return " ".join("nan" if v != v else pattern % v for v in values)


class Bytes:
    """The fields of results/record/record_bytes.c, one after the other."""

    def __init__(self, data, fields):
        self.data, self.at, self.fields = data, 0, fields

    def take(self, count):
        self.at += count
        return self.data[self.at - count:self.at]

    def integer(self):
        return struct.unpack("<q", self.take(8))[0]

    def real(self):
        return struct.unpack("<d", self.take(8))[0]

    def text(self):
        size = self.integer()
        return self.take(size)[:-1].decode() if size else None

    def blobs(self):
        """As rows of the table blobs, up to the kind that is no text."""
        found = []
        while (kind := self.text()) is not None:
            blob = {"kind": kind, "name": self.text()}
            blob.update((name, self.integer()) for name in ("first", "rows", "columns", "bits"))
            found.append(dict(blob, data=self.take(self.integer())))
        return found

    def member(self):
        """One member of an ensemble, as outcome_of and states_of show a record."""
        code, reason = CODES[self.integer()], self.text()
        shown = {"code": code, "reason": reason} if reason else {"code": code}
        for name, is_real in self.fields:
            shown[name] = real_text(self.real()) if is_real else self.integer()
        names = [(self.text(), real_text(self.real())) for _ in range(self.integer())]
        shown["scalars"] = {name: value for name, value in names if not name.endswith("-seconds")}
        row, blobs = {"times": self.text()}, self.blobs()
        for blob in blobs:
            if blob["kind"] == "history":
                shown["history"] = [real_text(v) for v in
                                    struct.unpack("<%dd" % blob["columns"], blob["data"])]
        shown["samples"] = states_of(row, blobs)
        shown["series"] = [
            {"name": blob["name"], "intervals": "".join(
                "%016x" % v for v in struct.unpack("<%dQ" % (len(blob["data"]) // 8), blob["data"]))}
            for blob in blobs if blob["kind"] == "series"]
        return shown


def outcome_fields(db):
    """Fields of foundation/specifications/outcome.def, and whether they are reals."""
    columns = [(row["name"], row["type"] == "ANY") for row in db.execute("PRAGMA table_info(cells)")]
    names = [name for name, _ in columns]
    return columns[names.index("detail") + 1:names.index("times")]


def outcome_of(db, row, blobs):
    shown = {"code": row["status"] if row["ending"] == 0 else "stopped"}
    for name, is_real in outcome_fields(db):
        shown[name] = real_text(row[name]) if is_real else row[name]
    if row["reason"]:
        shown["reason"] = row["reason"]
    scalars = db.execute("SELECT name, value FROM scalars WHERE cell = ? ORDER BY position",
                         (row["id"],))
    shown["scalars"] = {name: real_text(value) for name, value in scalars
                        if not name.endswith("-seconds")}
    for blob in blobs:
        if blob["kind"] == "history":
            values = struct.unpack("<%dd" % blob["columns"], blob["data"])
            shown["history"] = [real_text(v) for v in values]
        elif blob["kind"] == "members":
            data = Bytes(blob["data"], outcome_fields(db))
            shown["lanes"] = [data.member() for _ in range(data.integer())]
    return shown


def states_of(row, blobs):
    states = [{"time": time, "blocks": {}} for time in row["times"].split(",") if time]
    for blob in blobs:
        if blob["kind"] == "state":
            width = blob["columns"] * blob["bits"] // 8
            for i in range(blob["rows"]):
                states[blob["first"] + i]["blocks"][blob["name"]] = numbers_text(
                    blob["data"][i * width:(i + 1) * width], blob["bits"])
    return states


def dump_record(db, row):
    blobs = db.execute("SELECT * FROM blobs WHERE cell = ? ORDER BY id", (row["id"],)).fetchall()
    print("cell", row["cell"])
    for column in RECORD:
        if row[column] not in (None, ""):
            print(" ", column, json.dumps(row[column], ensure_ascii=False))
    for column, value in (("outcome", outcome_of(db, row, blobs)), ("states", states_of(row, blobs))):
        for key, item in sorted(rows_of(value)):
            print("   ", column, key, json.dumps(item, ensure_ascii=False))
    for blob in blobs:
        if blob["kind"] == "series":
            print("    series", blob["name"], len(blob["data"]),
                  hashlib.sha256(blob["data"]).hexdigest())


def rows_of(value):
    if isinstance(value, dict):
        return list(value.items())
    return [("%06d" % i, item) for i, item in enumerate(value)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store")
    db = sqlite3.connect("file:" + parser.parse_args().store + "?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    for row in db.execute("SELECT * FROM cells ORDER BY cell, key").fetchall():
        dump_record(db, row)
    for row in db.execute("SELECT * FROM findings ORDER BY study, position"):
        if not (row["quantity"].endswith("-seconds") or "CPU" in row["quantity"]):
            print("finding", json.dumps(dict(zip(row.keys(), row)), ensure_ascii=False))


if __name__ == "__main__":
    main()
