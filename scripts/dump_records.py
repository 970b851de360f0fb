#!/usr/bin/env python3
"""Dumps the contents of a store as text, so that two versions of the program can be compared.

usage: dump_records.py STORE >dump.txt

Prints all records, sorted by cell: the cell, how it ended, every number, and digests of the states and series.
All findings follow. Values that differ between identical runs are omitted: keys, provenance, dates, limits, times in
seconds, and members (the findings contain their means). If two versions of the program compute the same results, their
dumps are identical.
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
        if what[0] != "members":  # their numbers include seconds
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
