#!/usr/bin/env python3
"""check_rows.py PROGRAM VALUES PRECISION STATE-TOLERANCE MULTIPLIER-TOLERANCE: rows of `simulate` against
those of the file VALUES, in decimal arithmetic of 50 digits. Prints one line for each pair of
problem and integrator: `pass` or `fail`, the largest differences, the pair."""
import csv
import subprocess
import sys
from decimal import Decimal, getcontext

getcontext().prec = 50


def simulate(program, problem, integrator, step, steps, precision):
    until = format((Decimal(step) * steps).normalize(), "f")
    run = subprocess.run(
        [program, "simulate", *problem.split(), integrator, "--step", step, "--until", until]
        + ["--precision", precision],
        capture_output=True,
        text=True,
        check=True,
    )
    return list(csv.DictReader(run.stdout.splitlines()))


def main():
    program, name, precision = sys.argv[1:4]
    state_tolerance, multiplier_tolerance = map(Decimal, sys.argv[4:6])
    known = {}
    with open(name) as file:
        for row in csv.DictReader(file):
            known.setdefault((row["problem"], row["integrator"], row["step"]), []).append(row)
    for (problem, integrator, step), values in known.items():
        last = max(int(v["steps"]) for v in values)
        rows = simulate(program, problem, integrator, step, last, precision)
        worst = {True: Decimal(0), False: Decimal(0)}
        for v in values:
            is_multiplier = v["component"].startswith("lambda")
            got = Decimal(rows[int(v["steps"])][v["component"]])
            worst[is_multiplier] = max(worst[is_multiplier], abs(got - Decimal(v["value"])))
        good = (
            len(rows) == last + 1
            and worst[False] <= state_tolerance
            and worst[True] <= multiplier_tolerance
        )
        print(
            f"{'pass' if good else 'fail'} {worst[False]:.1e} {worst[True]:.1e} "
            f"{integrator} {problem.split()[0]} {precision}"
        )


if __name__ == "__main__":
    main()
