#!/usr/bin/env python3
"""Draws docs/figures/conditioning.svg from a store of studies/conditioning.yaml:

    shakedown run conditioning && scripts/conditioning.py conditioning.db docs/figures/conditioning.svg

Prints one row per position: the reciprocal of the smallest singular value σ of the run, h² times the largest
difference between the multipliers in double and quad precision, the ratio of this product to eps/σ², and the
number of iterations per step in double precision. The exit status is 1 if a ratio is outside 0.01 … 10. The
range is wide because round-off is random, but the power of σ is not."""
import argparse
import re
import sqlite3
import struct
import subprocess
import sys
from fractions import Fraction

EPS = 2.0**-52
FAMILIES = {"puckered-ring": "puckered ring near the plane", "ring": "ring of rods near a line",
            "four-bar": "four-bar near alignment"}
PICTURE = """
set terminal svg size 640,300 font 'sans,11' background 'white'
set output '%s'
set multiplot layout 1,2 margins 0.11,0.98,0.17,0.96 spacing 0.13
set logscale x
set format x '10^{%%T}'
set xlabel '1/σ_{min}'
set key left top reverse Left samplen 1.5
set logscale y
set format y '10^{%%T}'
set ylabel 'h^2 × round-off of λ'
plot %s, %g*x**2 dashtype 2 linecolor 'gray40' title 'eps/σ^2'
unset logscale y
set format y '%%g'
set yrange [0:9]
set key left top width 0
set ylabel 'iterations a step'
plot %s
"""


def exactly(data, bits):
    """Converts 32-, 64- or 128-bit floating-point numbers to fractions."""
    if bits < 128:
        return [Fraction(x) for x in struct.unpack("<%d%s" % (8 * len(data) // bits, "f" if bits == 32 else "d"), data)]
    found = []
    for i in range(0, len(data), 16):
        number = int.from_bytes(data[i:i + 16], "little")
        exponent, mantissa = number >> 112 & 0x7fff, number & (1 << 112) - 1
        mantissa += 1 << 112 if exponent else 0
        value = Fraction(mantissa) * Fraction(2)**(max(exponent, 1) - 16383 - 112)
        found.append(-value if number >> 127 else value)
    return found


def rows(path):
    """Yields one tuple per position: family, problem, 1/σ, h² times the round-off, its ratio to eps/σ², iterations."""
    base = sqlite3.connect(path)
    cells = {}
    for number, problem, precision, step in base.execute(
            "SELECT id, problem, precision, step FROM cells WHERE cell LIKE 'regularity %' ORDER BY problem"):
        cells.setdefault((problem, step), {})[precision] = number

    def blob(cell, name):
        query = "SELECT data, bits FROM blobs WHERE cell = ? AND name = ?"
        return exactly(*base.execute(query, (cell, name)).fetchone())

    for (problem, step), of in cells.items():
        values = blob(of["double"], "singular-value")
        sigma = float(min(map(abs, values)))
        pairs = zip(blob(of["double"], "lambda"), blob(of["quad"], "lambda"))
        off = float(step)**2 * float(max(abs(a - b) for a, b in pairs))
        work = dict(base.execute("SELECT name, value FROM scalars WHERE cell = ?", (of["double"],)))
        yield (re.match(r"[\w-]+", problem).group(), problem, 1 / sigma, off, off * sigma**2 / EPS,
               work["work-iterations"] / work["work-steps"])


def draw(found, path):
    """Draws two panels with one curve per family."""
    blocks = ""
    for family in FAMILIES:
        points = sorted((x, off, many) for name, _, x, off, _, many in found if name == family)
        blocks += "$%s << EOD\n%sEOD\n" % (family.replace("-", "_"), "".join("%g %g %g\n" % p for p in points))
    curves = [", ".join("$%s using 1:%d with linespoints linetype %d pointtype %d title '%s'" %
                        (name.replace("-", "_"), column, i + 1, 2 * i + 5, title if column == 3 else "")
                        for i, (name, title) in enumerate(FAMILIES.items())) for column in (2, 3)]
    text = blocks + PICTURE % (path, curves[0], EPS, curves[1])
    subprocess.run(["gnuplot"], input=text, text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store")
    parser.add_argument("picture", metavar="FIGURE.svg")
    arguments = parser.parse_args()
    found = list(rows(arguments.store))
    print("| position | 1/σ | h² × round-off of λ | in eps/σ² | iterations a step |\n" + "| --- " * 5 + "|")
    for _, problem, x, off, ratio, many in sorted(found, key=lambda row: (row[0], row[2])):
        print("| `%s` | %.2g | %.1e | %.2g | %.1f |" % (problem, x, off, ratio, many))
    draw(found, arguments.picture)
    return not all(0.01 < row[4] < 10 for row in found)


if __name__ == "__main__":
    sys.exit(main())
