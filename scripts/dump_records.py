#!/usr/bin/env python3
"""Dumps what a store holds, as text that two versions of the program can be compared by.

usage: dump_records.py STORE >dump.txt

Every record in the order of its cell's text: what was asked, how it ended, every number, state and
series (as a digest); then every finding. Left out is what may differ between two runs that did the
same: keys, provenance, dates, limits and whatever is named `*-seconds`. Two versions of the program
that compute the same print the same bytes.
"""
import hashlib
import json
import sqlite3
import sys

RECORD = ["problem", "integrator", "precision", "step", "tolerance", "until", "status", "reason",
          "ending", "detail", "output", "dropped"]


def without_clock(value):
    if isinstance(value, dict):
        return {k: without_clock(v) for k, v in value.items() if not k.endswith("-seconds")}
    if isinstance(value, list):
        return [without_clock(v) for v in value]
    return value


def dump_record(db, row):
    print("cell", row["cell"])
    for column in RECORD:
        if row[column] not in (None, ""):
            print(" ", column, json.dumps(row[column], ensure_ascii=False))
    for column in ("request", "outcome", "states"):
        if row[column]:
            for key, value in sorted(rows_of(json.loads(row[column]))):
                print("   ", column, key, json.dumps(without_clock(value), ensure_ascii=False))
    query = "SELECT name, intervals FROM series WHERE record = ? ORDER BY position"
    for name, intervals in db.execute(query, (row["id"],)):
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


main()
