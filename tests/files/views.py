"""The views of docs/reference/views.sql, of a store: what each has in common with what `show` prints."""
import csv
import io
import sqlite3
import subprocess
import sys

program, sql, store = sys.argv[1:]


def show(*options):
    text = subprocess.run([program, "show", store, "--format", "csv", *options],
                          stdout=subprocess.PIPE, check=False).stdout.decode()
    return list(csv.DictReader(io.StringIO(text)))


with open(sql, encoding="utf-8") as text:
    script = text.read()
database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
database.executescript(script)


def rows(query):
    return database.execute(query).fetchall()


print(len(rows("SELECT * FROM cells")) == len(show("--cells")), "cells")
print(len(rows("SELECT * FROM failures")) ==
      sum(row["status"] != "ok" for row in show("--cells")) > 0, "failures")
numbers = {(r[0], r[1], r[2]): r[3] for r in rows(
    "SELECT integrator, step, quantity, value FROM numbers WHERE step IS NOT NULL")}
shown = {(r["integrator"], float(r["step"]), r["quantity"]): float(r["value"])
         for r in show("--records") if r["step"] and r["value"]}
print(len(shown) > 0 and all(numbers[key] == shown[key] for key in shown), "numbers")
findings = show()
print(sorted((r[0], r[1] or "", r[2] or "") for r in rows("SELECT quantity, verdict, reason FROM findings")) ==
      sorted((r["quantity"], r["verdict"], r["reason"]) for r in findings), "findings")
print(rows("SELECT integrator, round(q) FROM orders") == [("rattle", 2.0)], "orders")
held = sum(r["verdict"] == "held" for r in findings)
print(rows("SELECT sum(count) FROM verdicts WHERE verdict = 'held'") == [(held,)], "verdicts")
costs = {r["quantity"][-4:]: float(r["value"]) for r in findings
         if r["quantity"].startswith("evaluations at") and r["value"]}
print(len(costs) > 0 and dict(rows(
    "SELECT error, evaluations FROM costs WHERE evaluations IS NOT NULL")) == costs, "costs")
