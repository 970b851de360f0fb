#!/usr/bin/env python3
"""A constraint solver that goes through the rods from the first to the last and back, so that what the
last rods move is not left to the next sweep (symmetric Gauss-Seidel). Standard library only.

Claims: those of any solve that ends at round-off, and linear convergence.
"""
import sys


def words():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return line.split()


def say(*what):
    print(*what, flush=True)


def between(points, rod):
    return [y - x for x, y in zip(points[rod[0]], points[rod[1]])]


def dot(x, y):
    return sum(a * b for a, b in zip(x, y))


def correct(rod, old, new, inverse):
    """Moves the ends of one rod; returns its impulse."""
    now, along = between(new, rod), between(old, rod)
    weight = inverse[rod[0]] + inverse[rod[1]]
    impulse = (dot(now, now) - rod[2]) / (2 * weight * dot(now, along))
    for end, sign in ((rod[0], 1), (rod[1], -1)):
        new[end] = [x + sign * impulse * inverse[end] * y for x, y in zip(new[end], along)]
    return impulse


def worst(rods, new):
    return max((abs(dot(r, r) - rod[2]) / 2 for rod in rods for r in [between(new, rod)]), default=0)


def solve(rods, old, new, inverse, tolerance, limit):
    impulses, order = [0.0] * len(rods), list(range(len(rods)))
    for sweep in range(limit):
        if tolerance and worst(rods, new) <= tolerance:
            return sweep, impulses
        for k in order + order[::-1]:
            impulses[k] += correct(rods[k], old, new, inverse)
    return (limit, impulses) if not tolerance or worst(rods, new) <= tolerance else None


words()  # hello 1 double 17
say("shakedown-solver 1 name=symmetric-sweeps version=1 precision=double newtons-multipliers=yes"
    " order-solve=1 keeps-constraint=yes keeps-momenta=yes symmetric=yes symplectic=yes")
_, dimension, points, count, fixed, *rest = words()
dimension, points, count, fixed = int(dimension), int(points), int(count), int(fixed)
numbers = iter(rest)
inverse = {i: 1 / float(next(numbers)) for i in range(points)}
rods = [(int(next(numbers)), int(next(numbers)), float(next(numbers))) for _ in range(count)]
places = {-1 - k: [float(next(numbers)) for _ in range(dimension)] for k in range(fixed)}
inverse.update(dict.fromkeys(places, 0.0))
say("ready")
while True:
    _, tolerance, limit, *rest = words()
    numbers = iter(map(float, rest))
    old, new = (
        {**places, **{i: [next(numbers) for _ in range(dimension)] for i in range(points)}}
        for _ in range(2))
    found = solve(rods, old, new, inverse, float(tolerance), int(limit))
    if found is None:
        say("fail not-converged the sweeps do not reach the tolerance")
    else:
        say("done", found[0], *(x for i in range(points) for x in new[i]), *found[1])
