#!/usr/bin/env python3
"""SHAKE's sweep in Python, as a constraint solver for Shakedown. It needs only the standard library.

Each rod in turn is corrected along its old direction,

    s = (|r|^2 - d^2) / 2 (1/m_a + 1/m_b) r . r_before,    r_a += s/m_a r_before,   r_b -= s/m_b r_before,

using the positions as moved by the previous corrections, until all rods are satisfied. Source: Ryckaert,
Ciccotti & Berendsen, J. Comput. Phys. 23 (1977) 327. It works in the requested precision.

    shakedown certify 'rattle(solver=program(command="python3 sweep.py"))' --allow-external
"""

import decimal
import sys

GREETING = (
    "shakedown-solver 1 name=sweep-py version=1.0 precision=any newtons-multipliers=yes"
    " order-solve=1 keeps-constraint=yes keeps-momenta=yes symmetric=yes symplectic=yes"
)


def hear():
    """The words of Shakedown's next line; none when the session ends."""
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return line.split()


def say(*words):
    print(*words, flush=True)


def vector(points, rod):
    a, b, _ = rod
    return [y - x for x, y in zip(points[a], points[b])]


def dot(x, y):
    return sum(a * b for a, b in zip(x, y))


def move(points, mass, rod, along, s):
    """Moves the ends of a rod apart. Fixed points have inverse mass 0, so they do not move."""
    for end, sign in zip(rod[:2], (1, -1)):
        points[end] = [x + sign * s * mass[end] * y for x, y in zip(points[end], along)]


def solve(old, new, rods, inverse, tolerance, iterations):
    """Moves the points `new`. Returns the number of sweeps and the impulses, or None."""
    impulse = [tolerance * 0 for _ in rods]
    for sweep in range(iterations + 1):
        worst = 0
        for i, rod in enumerate(rods):
            now = vector(new, rod)
            g = (dot(now, now) - rod[2]) / 2
            worst = max(worst, abs(g))
            if sweep < iterations and not worst <= tolerance:
                along = vector(old, rod)
                s = g / (dot(now, along) * (inverse[rod[0]] + inverse[rod[1]]))
                impulse[i] += s
                move(new, inverse, rod, along, s)
        if worst <= tolerance:
            return sweep, impulse
    return (iterations, impulse) if tolerance == 0 else None


def main():
    digits = int(hear()[3])  # hello 1 PRECISION DIGITS
    decimal.getcontext().prec = digits + 3
    number = float if digits <= 17 else decimal.Decimal
    say(GREETING)
    words = hear()  # rods DIMENSION POINTS RODS FIXED …
    dimension, points, count, fixed = map(int, words[1:5])
    words = iter(words[5:])
    inverse = {i: 1 / number(next(words)) for i in range(points)}
    rods = [(int(next(words)), int(next(words)), number(next(words))) for _ in range(count)]
    held = {-1 - i: [number(next(words)) for _ in range(dimension)] for i in range(fixed)}
    inverse.update({i: number(0) for i in held})
    say("ready")
    while True:
        words = hear()  # solve TOLERANCE ITERATIONS BEFORE AFTER
        values = [number(word) for word in words[3:]]
        rows = [values[i:i + dimension] for i in range(0, len(values), dimension)]
        old = dict(enumerate(rows[:points]))
        new = dict(enumerate(rows[points:]))
        old.update(held)
        new.update(held)
        done = solve(old, new, rods, inverse, number(words[1]), int(words[2]))
        if done is None:
            say("fail not-converged the sweeps have not reached the tolerance")
        else:
            say("done", done[0], *(x for i in range(points) for x in new[i]), *done[1])


if __name__ == "__main__":
    main()
