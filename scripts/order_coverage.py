#!/usr/bin/env python3
"""Measures how often the claimed order is within the printed half-width of the measured one.

Prints rows of a Markdown table for the claimed orders in a store's findings: how many there are, how many
are within the half-width, and the median half-width. By default, there is one row for all orders; `by order`
and `by problem` group them. `rows` prints each order instead: claimed, measured, half-width. An undetermined
order counts as outside the half-width.
"""
import argparse
import sqlite3


def orders(store):
    db = sqlite3.connect("file:" + store + "?mode=ro", uri=True)
    query = ("SELECT problem, quantity, expected, value, uncertainty FROM findings "
             "WHERE quantity LIKE 'order of %' AND expected IS NOT NULL")
    for problem, quantity, expected, value, uncertainty in db.execute(query):
        yield problem, quantity, float(expected.split()[0]), value, uncertainty


def tell(name, rows):
    within = sum(value is not None and abs(value - claimed) <= half
                 for _, _, claimed, value, half in rows)
    known = sorted(half for *_, half in rows if half is not None)
    middle = "%.0e" % known[(len(known) - 1) // 2] if known else "-"
    print("| %s | %d | %d | %.1f %% | %s |"
          % (name, len(rows), within, 100 * within / max(1, len(rows)), middle))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store")
    parser.add_argument("how", nargs="*", help="by order, by problem, or rows")
    arguments = parser.parse_args()
    how = " ".join(arguments.how)
    rows = list(orders(arguments.store))
    if how == "rows":
        for _, _, claimed, value, half in rows:
            if value is not None:
                print("%g %.17g %.3g" % (claimed, value, half))
    elif how:
        key = {"by order": lambda row: "%g" % row[2], "by problem": lambda row: "`%s`" % row[0]}[how]
        for name in sorted({key(row) for row in rows}):
            tell(name, [row for row in rows if key(row) == name])
    else:
        tell("all", rows)


main()
