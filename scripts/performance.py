#!/usr/bin/env python3
"""Measures and prints the tables in docs/findings/performance.md: scripts/performance.py [BUILD]

Runs the benchmarks of a build folder (`build` in the source tree by default), followed by the study
`performance`. This takes several minutes. The machine must be idle otherwise."""
import csv
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else TOP / "build").resolve()
ERRORS = ["1e-4", "1e-6", "1e-8"]


def lines(*words):
    """Returns the output lines of a program. Status 3 is accepted, because cells of a study can fail to finish."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 3):
        sys.exit("%s ended with %d:\n%s" % (words[0], done.returncode, done.stdout))
    return done.stdout.splitlines()


def table(head, rows):
    for row in [head, ["---"] * len(head), *rows]:
        print("| %s |" % " | ".join(row))
    print()


def steps():
    """Yields one row per case and N: results in double precision, and the ratio in quad precision."""
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
    """Returns the ms to reach each error, by problem and method. Values with a reason are upper bounds, because even
    the coarsest run is more accurate."""
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
