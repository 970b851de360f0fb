#!/usr/bin/env python3
"""Writes the tables of docs/findings/energy-and-reactions.md from stores of the studies
`symplectic-or-dissipative` and `engine-steps`.

Each table stands between `<!-- by scripts/method_pages.py: NAME -->` and `<!-- end -->`."""
import argparse
import csv
import io
import math
import os
import re
import sqlite3
import subprocess
import sys

sys.dont_write_bytecode = True  # in the source tree
from dump_records import numbers_text

HERE = os.path.dirname(os.path.abspath(__file__))
ORDERS = ["q", "p", "lambda", "lambda-mean"]


class Store:
    """The findings of a store, and numbers of its records."""

    def __init__(self, program, path):
        out = subprocess.run([program, "show", path, "--format", "csv"], check=False, text=True, capture_output=True)
        self.findings = list(csv.DictReader(io.StringIO(out.stdout)))
        self.base = sqlite3.connect(path)

    def find(self, quantity, problem=None, integrator=None):
        """Findings of a quantity, with or without the parentheses of its group."""
        for row in self.findings:
            if (re.fullmatch(re.escape(quantity) + r"( \(.*\))?", row["quantity"]) and problem in (None, row["problem"])
                    and integrator in (None, row["integrator"])):
                yield row

    def value(self, *what):
        return next((row["value"] for row in self.find(*what)), "")

    def methods(self, quantity):
        return list(dict.fromkeys(row["integrator"] for row in self.find(quantity)))

    def radius(self, integrator):
        """The spectral radius at infinity with its floor, in units of the last digit."""
        found = dict(self.base.execute("SELECT name, value FROM scalars JOIN cells ON cells.id = scalars.cell WHERE "
                                       "integrator = ? AND name LIKE 'spectral-radius-%'", (integrator,)))
        if not found:
            return "–"
        floor = found["spectral-radius-floor"]
        return order([{"value": found["spectral-radius-defect"], "uncertainty": floor}]) if floor else "0"

    def cells(self, problem, integrator):
        """Steps and numbers of the runs in double that finished, with the last q."""
        for number, step, until in self.base.execute(
                "SELECT id, step, until FROM cells WHERE problem = ? AND integrator = ? AND precision = 'double' "
                "AND status = 'ok' AND cell LIKE 'run %' ORDER BY CAST(step AS REAL) DESC", (problem, integrator)):
            scalars = dict(self.base.execute("SELECT name, value FROM scalars WHERE cell = ?", (number,)))
            blob = self.base.execute("SELECT data, bits, columns FROM blobs WHERE cell = ? AND name = 'q'",
                                     (number,)).fetchone()
            q = [float(x) for x in numbers_text(*blob[:2]).split()][-blob[2]:] if blob else []
            yield float(step), until, scalars, q


def power(value):
    """A number of two digits."""
    if value in ("", None) or not math.isfinite(float(value)):
        return "–"
    text = "%.1e" % float(value) if float(value) != 0 and not 0.01 <= abs(float(value)) < 100 else "%.2g" % float(value)
    return re.sub(r"e([+-])0*(\d)", lambda m: "e" + m.group(1).replace("+", "") + m.group(2), text)


def order(rows):
    """The order whose half-width is largest, with it in units of the last digit; at least four decimals are not
    told apart."""
    known = [(float(row["uncertainty"]), float(row["value"])) for row in rows if row["value"]]
    if not known:
        return "–"
    width, value = max(known)
    digits = min(4, max(1, -math.floor(math.log10(width)))) if width > 0 else 4
    return "%.*f(%d)" % (digits, value, max(1, math.ceil(width * 10**digits)))


def orders(a):
    yield ["method", "q", "p", "λ", "mean of two λ", "alternation of λ", "spectral radius at ∞"]
    for method in a.methods("order of q"):
        yield ["`%s`" % method, *[order(a.find("order of " + name, None, method)) for name in ORDERS],
               a.value("class of alternation", "oval", method),
               a.radius(method)]


def long_runs(a):
    problems = ["sprung-pendulum", *[row["problem"] for row in a.find("energy class", None, "rattle")
                                     if re.match("(double|lagrange).*[0-9]", row["problem"])]]
    yield ["method", "sprung pendulum", "double pendulum", "heavy top", "evaluations a step", "order of the period",
           "its error"]
    for method in a.methods("order of period"):
        work = [s for _, until, s, _ in a.cells(problems[0], method) if until == "1000"][-1]
        evaluations = sum(work.get("work-" + name) or 0 for name in ("gradient", "jacobian")) / work["work-steps"]
        yield ["`%s`" % method,
               *["%s, %s" % (a.value("energy class", p, method), power(a.value("energy max", p, method)))
                 for p in problems], "%.1f" % evaluations,
               order(a.find("order of period", problems[0], method)), power(a.value("phase error", problems[0], method))]


def balance(a):
    problems = list(dict.fromkeys(row["problem"] for row in a.find("energy balance")))
    yield ["method", *["`%s`" % p for p in problems]]
    for method in a.methods("energy balance"):
        yield ["`%s`" % method, *["%s, %s" % (order(a.find("order of energy balance", p, method)),
                                              power(a.value("energy balance", p, method)))
                                  if a.value("energy balance", p, method) else "–" for p in problems]]


def springs(a):
    problem = next(row["problem"] for row in a.find("energy max") if "springs" in row["problem"])
    methods = list(dict.fromkeys(row["integrator"] for row in a.find("energy max", problem)))
    steps = [step for step, _, _, _ in a.cells(problem, "gauss-lobatto-spark")]
    yield ["method", *["h = %g" % step for step in steps]]
    for method in methods:
        found = {step: s.get("energy-error-max") for step, _, s, _ in a.cells(problem, method)}
        yield ["`%s`" % method, *[power(found.get(step)) if step in found else "fails" for step in steps]]


def engine_orders(b):
    yield ["method", "q", "p", "λ(q,p)"]
    for method in b.methods("order of q"):
        yield ["`%s`" % method, *[order(b.find("order of " + name, None, method)) for name in ("q", "p", "lambda-state")]]


def drift(b):
    problem = "pendulum(angle=0.7,rate=1.1)"
    yield ["erp", "h = 0.01", "h = 0.005", "2 erp max\\|g\\|/h² at the finer, and max g_qq[v,v]", "energy after t = 20"]
    for method in dict.fromkeys(row["integrator"] for row in b.find("constraint max", problem)):
        runs = [(step, s) for step, until, s, _ in b.cells(problem, method) if until == "20"]
        erp = float((re.search(r"erp=([\d.]+)", method) or [0, "0.2"])[1])
        h, finest = runs[-1]
        kinetic = finest["energy-start"] + 1  # at the lowest point, of mass and length 1
        yield ["%g" % erp, *[power(s["constraint-max"]) for _, s in runs],
               "%.3f, %.3f" % (2 * erp * finest["constraint-max"] / h**2, 2 * kinetic),
               "%+.3f" % finest["energy-error-final"]]


def sweeps(b):
    problem = "chain(links=8,start=zigzag)"
    yield ["n", "one step, n iterations: error of q", "max\\|g\\|", "n substeps, one iteration: error of q", "max\\|g\\|",
           "evaluations of G"]
    g = {}
    for method in dict.fromkeys(row["integrator"] for row in b.find("error of q", problem)):
        for _, _, s, _ in b.cells(problem, method):
            g[method] = s
    for n in (2, 4, 8, 16):
        row = [str(n)]
        for method in ("xpbd(iterations=%d)" % n, "xpbd(substeps=%d,iterations=1)" % n):
            row += [power(b.value("error of q", problem, method)), power(g[method]["constraint-max"])]
        yield row + ["%d" % g[method]["work-jacobian"]]
    yield ["`rattle`", power(b.value("error of q", problem, "rattle")), power(g["rattle"]["constraint-max"]), "", "",
           "%d" % g["rattle"]["work-jacobian"]]


def compliance(b):
    problem = next(row["problem"] for row in b.find("energy max") if "springs" in row["problem"])
    arm = problem.replace(",links=springs(stiffness=100)", "")
    exact = next(q for _, _, _, q in b.cells(problem, "composition(scheme=kahan-li8)"))
    methods = [m for m in dict.fromkeys(row["integrator"] for row in b.find("energy max", arm)) if "compliance" in m]
    found = {m: list(b.cells(arm, m)) for m in methods}
    steps = [step for step, _, _, _ in found[methods[0]]]
    yield ["largest distance in q at t = 2", *["h = %g" % step for step in steps]]
    for m in methods:
        yield ["`%s`" % m, *[power(max(abs(x - y) for x, y in zip(q, exact))) for _, _, _, q in found[m]]]


def table(rows):
    rows = list(rows)
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "| " + " | ".join("---" for _ in rows[0]) + " |", *lines[1:]])


def main(program, long, engines):
    a, b = Store(program, long), Store(program, engines)
    tables = {f.__name__: f(store) for store, of in ((a, (orders, long_runs, balance, springs)),
                                                     (b, (engine_orders, drift, sweeps, compliance))) for f in of}
    path = os.path.join(HERE, "../docs/findings/energy-and-reactions.md")
    text = re.sub(r"(<!-- by scripts/method_pages.py: (\w+) -->\n).*?(<!-- end -->)",
                  lambda m: m[1] + "\n" + table(tables[m[2]]) + "\n\n" + m[3], open(path).read(), flags=re.S)
    open(path, "w").write(text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("long", metavar="symplectic-or-dissipative.db")
    parser.add_argument("engines", metavar="engine-steps.db")
    main(**vars(parser.parse_args()))
