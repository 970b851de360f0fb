#!/usr/bin/env python3
"""Prints the table in docs/findings/certificates.md, given the results of all certificates:

    shakedown certify --all --format csv --seed 1 >certificates.csv; scripts/certificates.py certificates.csv"""
import csv
import sys

CLAIMS = ["order of q", "order of p", "symplectic", "symmetric", "reversible", "keeps constraint",
          "keeps hidden constraint", "keeps momenta", "energy bounded"]


def entry(rows):
    stated = next((row["stated"] for row in rows), "-")
    held, falsified = (sum(row["verdict"] == word for row in rows) for word in ("held", "falsified"))
    if stated == "-":
        return "–"
    if falsified:
        return "**%s (%d of %d)**" % (stated, held, held + falsified)
    return "%s (%d)" % (stated, held) if held else stated + " ?"


with open(sys.argv[1], encoding="utf-8") as file:
    found = list(csv.DictReader(file))
print("| integrator | %s |\n%s|" % (" | ".join(CLAIMS), "| --- " * (1 + len(CLAIMS))))
for name in dict.fromkeys(row["integrator"] for row in found):
    print("| `%s` | %s |" % (name, " | ".join(
        entry([row for row in found if (row["integrator"], row["claim"]) == (name, claim)]) for claim in CLAIMS)))
