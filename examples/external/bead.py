#!/usr/bin/env python3
"""A bead on the curve y = x^4, held by a spring, as a problem for Shakedown. It needs only the
standard library.

    H = (px^2 + py^2)/2 + y + stiffness x^2/2,     g = y - x^4 = 0

This is the same problem as examples/plugins/bead.c and examples/python/bead.py. It works in the requested
precision: Python's float is a double, and decimal.Decimal has any number of digits.

    shakedown diagnose 'program(command="python3 bead.py")' --allow-external
"""

import decimal
import sys

GREETING = (
    "shakedown-problem 1 name=bead version=1.0 n=2 m=1 time-scale=1 horizon=5.3"
    " undecidable=one-degree-of-freedom"
)


def answer(number, word, x):
    """The values of a function whose arguments are in x: the time, q, and p or a velocity."""
    stiffness, rate = number("2"), number("0.3")
    if word == "mass":
        return [1, 1]
    if word == "start":
        return [1, 1, rate, 4 * rate]
    if word == "H":
        return [(x[3] * x[3] + x[4] * x[4] + stiffness * x[1] * x[1]) / 2 + x[2]]
    if word == "H_q":
        return [stiffness * x[1], 1]
    if word == "g":
        return [x[2] - x[1] ** 4]
    if word == "G":
        return [-4 * x[1] ** 3, 1]
    if word == "curvature":
        return [-12 * x[1] * x[1] * x[3] * x[3]]
    raise ValueError("bead.py has no " + word)


def main():
    digits = int(sys.stdin.readline().split()[3])  # hello 1 PRECISION DIGITS
    decimal.getcontext().prec = digits + 3
    number = float if digits <= 17 else decimal.Decimal
    print(GREETING, flush=True)
    for line in sys.stdin:
        word, *arguments = line.split()
        try:
            print("values", *answer(number, word, [number(one) for one in arguments]), flush=True)
        except (ValueError, ArithmeticError) as fault:
            print("fail stopped", fault, flush=True)


if __name__ == "__main__":
    main()
