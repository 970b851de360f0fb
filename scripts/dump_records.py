#!/usr/bin/env python3
"""Dumps the contents of a store as text, for comparing two versions of the program.

usage: dump_records.py STORE >dump.txt

Prints every record in the order of its cell's text: the cell, its end, every number, and digests of its states and
series; then every finding. Values that differ between equal runs are left out: keys, provenance, dates, limits,
seconds and members, whose means are among the findings. Two versions of the program that compute the same results
print the same bytes.
"""
import hashlib
import sqlite3
import sys

OF_THE_RUN = {"id", "key", "cell", "cell_hash", "hash", "seconds", "limit_seconds", "limit_megabytes", "date",
              "provenance"}


def dump_record(db, row):
    print("cell", row["cell"])
    for column in row.keys():
        if column not in OF_THE_RUN and row[column] not in (None, ""):
            print("   ", column, repr(row[column]))
    for name, value in db.execute("SELECT name, value FROM scalars WHERE cell = ? ORDER BY position", (row["id"],)):
        if not name.endswith("-seconds") and not name.startswith("time-"):
            print("    number", name, repr(value))
    blobs = "SELECT kind, name, first, rows, columns, bits, data FROM blobs WHERE cell = ? ORDER BY id"
    for *what, data in db.execute(blobs, (row["id"],)):
        if what[0] != "members":  # seconds are among their numbers
            print("   ", *what, hashlib.sha256(data).hexdigest())


def main(store):
    db = sqlite3.connect("file:" + store + "?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    for row in db.execute("SELECT * FROM cells ORDER BY cell, key").fetchall():
        dump_record(db, row)
    for row in db.execute("SELECT * FROM findings ORDER BY study, position"):
        if "cpu-seconds" not in row["quantity"] and "CPU" not in row["quantity"] and row["quantity"] != "time":
            print("finding", dict(row))


if __name__ == "__main__":
    main(sys.argv[1])
