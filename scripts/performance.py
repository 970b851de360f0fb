#!/usr/bin/env python3
"""Measures the tables of docs/findings/performance.md, and prints them: scripts/performance.py [BUILD]

Runs the benchmarks of a build folder (`build` beside this script's folder unless given) and the study
`performance`, one after the other, which takes some minutes. The machine must be idle otherwise."""
import csv
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else TOP / "build").resolve()
ERRORS = ["1e-4", "1e-6", "1e-8"]


def lines(*words):
    """The lines of a program that ends well, or whose study has cells that did not finish (3)."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 3):
        sys.exit("%s ended with %d:\n%s" % (words[0], done.returncode, done.stdout))
    return done.stdout.splitlines()


def table(head, rows):
    for row in [head, ["---"] * len(head), *rows]:
        print("| %s |" % " | ".join(row))
    print()


def steps():
    """A row for each case and N: double precision, and the ratio in quad."""
    found = {}
    for case in ("pendulum", "chain", "chain-3d", "branched-alkane", "water-box"):
        for line in lines(BUILD / "benchmarks/shakedown-bench", "--seconds", "0.02", "--solver", "auto", case):
            measured = dict(pair.split("=") for pair in line.split())
            found.setdefault((measured["case"], measured["n"]), {})[measured["precision"]] = measured
    for at, of in found.items():
        double, quad = of["double"], of.get("quad", {"ratio": "–"})
        yield [*at, double["ns_per_constraint_step"], double["floor_ns_per_constraint_step"], double["ratio"],
               quad["ratio"], double["bytes_per_constraint"]]


def times():
    """By problem and method, the ms to each error. A bound, where the coarsest run is more accurate, has a reason."""
    with tempfile.TemporaryDirectory() as folder:
        store = pathlib.Path(folder, "time.db")
        lines(BUILD / "shakedown", "run", TOP / "studies/performance.yaml", "-o", store, "-j", "1", "--quiet")
        shown = lines(BUILD / "shakedown", "show", store, "--quantity", "cpu-seconds at error", "--format", "csv")
    found = {}
    for row in csv.DictReader(shown):
        of = found.setdefault(row["problem"], {}).setdefault(row["integrator"], {})
        if row["value"]:
            of[row["quantity"].split()[-1]] = (1000 * float(row["value"]), "< " if row["reason"] else "")
    return found


def text(of, error):
    ms, bound = of.get(error, (None, ""))
    return "%s%.3g" % (bound, ms) if ms else "–"


table(["case", "N", "ours", "by hand", "ratio", "ratio in quad", "bytes per constraint"], steps())
for problem, methods in times().items():
    print("**%s**\n" % problem)
    ordered = sorted(methods.items(), key=lambda one: [one[1].get(error, (1e9,))[0] for error in ("1e-6", "1e-4")])
    table(["method", *ERRORS], [["`%s`" % name, *(text(of, error) for error in ERRORS)] for name, of in ordered])
