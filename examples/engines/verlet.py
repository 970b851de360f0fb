#!/usr/bin/env python3
"""An adapter that contains its own engine: velocity Verlet with SHAKE and RATTLE for the rods, in
pure Python. docs/reference/line-protocol.md describes the protocol; other adapters would call
their engine instead of `integrate`. `verlet.py leap` is leapfrog with SHAKE, whose velocities are
half a step behind.

    v+ = v + h/2 M^-1 (F(q) - G(q)^T lambda),  q1 = q + h v+,  g(q1) = 0
    v1 = v+ + h/2 M^-1 (F(q1) - G(q1)^T mu),   G(q1) v1 = 0
"""
import signal
import sys

signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the reader may end before the last state


class System:
    """The line `system DIMENSION …`, with terms as lists of (a, b, numbers…) and ends as coordinates."""

    SIZES = {"mass": 1, "rod": 3, "spring": 4, "pair": 5}

    def __init__(self, words):
        self.dimension = int(words[0])
        self.terms = {key: [] for key in ["mass", "fixed", "gravity", "rod", "spring", "pair"]}
        at = 1
        while at < len(words):
            if words[at] not in self.terms:
                raise ValueError(f"this adapter has no {words[at]}")
            end = at + 1 + self.SIZES.get(words[at], self.dimension)
            self.terms[words[at]].append([float(word) for word in words[at + 1:end]])
            at = end
        self.inverse = [1 / m for m, in self.terms["mass"] for _ in range(self.dimension)]

    def between(self, a, b, q):
        """The vector from a to b. A fixed point k is the end -1 - k."""
        a, b, d = int(a), int(b), self.dimension
        start = q[a * d:(a + 1) * d] if a >= 0 else self.terms["fixed"][-1 - a]
        return [y - x for x, y in zip(start, q[b * d:(b + 1) * d])]

    def pull(self, out, a, b, factor, vector):
        """Adds factor times the vector to end b and subtracts it from end a, unless that end is fixed."""
        for j, x in enumerate(vector):
            out[int(b) * self.dimension + j] += factor * x
            if a >= 0:
                out[int(a) * self.dimension + j] -= factor * x

    def forces(self, q):
        """The forces and the potential."""
        force, energy = [0.0] * len(q), 0.0
        for a in self.terms["gravity"]:
            for i, w in enumerate(self.inverse):
                force[i] += a[i % self.dimension] / w
                energy -= a[i % self.dimension] / w * q[i]
        for a, b, stiffness, rest in self.terms["spring"]:
            d = self.between(a, b, q)
            length = sum(x * x for x in d) ** 0.5
            energy += stiffness * (length - rest) ** 2 / 2
            self.pull(force, a, b, -stiffness * (1 - rest / length), d)
        for a, b, charges, lj12, lj6 in self.terms["pair"]:
            d = self.between(a, b, q)
            r2 = sum(x * x for x in d)
            energy += charges / r2 ** 0.5 + lj12 / r2 ** 6 - lj6 / r2 ** 3
            self.pull(force, a, b, (charges / r2 ** 0.5 + 12 * lj12 / r2 ** 6 - 6 * lj6 / r2 ** 3) / r2, d)
        return force, energy

    def weight(self, a, b):
        return (self.inverse[int(a) * self.dimension] if a >= 0 else 0) + self.inverse[int(b) * self.dimension]

    def solve(self, change, residual, directions, tolerance):
        """Sweeps over the rods, moving `change` along M^-1 G^T until no residual is above the
        tolerance. Returns the sums of the multipliers and the number of sweeps."""
        sums = [0.0] * len(directions)
        for sweep in range(1, 10000):
            worst = 0.0
            for i, (a, b, length) in enumerate(self.terms["rod"]):
                rest, slope = residual(a, b, length, directions[i])
                worst = max(worst, abs(rest) / length ** 2)
                part = rest / (slope * self.weight(a, b))
                sums[i] += part
                moved = [0.0] * len(change)
                self.pull(moved, a, b, part, directions[i])
                for k, x in enumerate(moved):
                    change[k] -= self.inverse[k] * x
            if worst <= tolerance:
                return sums, sweep
        raise ArithmeticError("the sweeps do not converge")


def dot(x, y):
    return sum(a * b for a, b in zip(x, y))


def shake(s, q, old, tolerance):
    def residual(a, b, length, direction):
        d = s.between(a, b, q)
        return (dot(d, d) - length * length) / 2, dot(d, direction)
    return s.solve(q, residual, [s.between(a, b, old) for a, b, _ in s.terms["rod"]], tolerance)


def rattle(s, q, v, tolerance):
    def residual(a, b, length, direction):
        back = v[int(a) * s.dimension:(int(a) + 1) * s.dimension] if a >= 0 else [0.0] * s.dimension
        u = [x - y for x, y in zip(v[int(b) * s.dimension:], back)]
        return dot(u, direction), dot(direction, direction)
    return s.solve(v, residual, [s.between(a, b, q) for a, b, _ in s.terms["rod"]], tolerance)


def integrate(s, h, steps, tolerance, q, v, leap):
    """Yields q, v, the potential, and the multipliers and number of sweeps of the last step."""
    force, energy = s.forces(q)
    multipliers, count = [0.0] * len(s.terms["rod"]), 0
    kick = h if leap else h / 2
    for step in range(steps + 1):
        yield q, v, energy, multipliers, count
        if step == steps:
            return
        half = [x + kick * f * w for x, f, w in zip(v, force, s.inverse)]
        old, q = q, [x + h * y for x, y in zip(q, half)]
        free = q[:]
        sums, count = shake(s, q, old, tolerance)
        v = [x + (a - b) / h for x, a, b in zip(half, q, free)]
        multipliers = [x / (h * kick) for x in sums]
        force, energy = s.forces(q)
        if not leap:
            v = [x + kick * f * w for x, f, w in zip(v, force, s.inverse)]
            count += rattle(s, q, v, tolerance)[1]


def main():
    leap = sys.argv[1:] == ["leap"]
    sys.stdin.readline()  # hello 1 double 17
    print("shakedown-engine 1 name=verlet version=1 energy=yes multipliers=yes iterations=yes",
          "velocities=half order-q=2 order-p=2" if leap else
          "order-q=2 order-p=2 symplectic=yes symmetric=yes keeps-hidden=yes",
          "keeps-constraint=yes", flush=True)
    words = sys.stdin.readline().split()  # system DIMENSION …
    if not words:
        return
    try:
        system = System(words[1:])
    except ValueError as error:
        print("refuse", error)
        return
    print("ready", flush=True)
    for line in sys.stdin:  # run H STEPS TOLERANCE Q V
        words = line.split()
        h, steps, tolerance = float(words[1]), int(words[2]), float(words[3]) or 1e-15
        state = [float(word) for word in words[4:]]
        n = len(state) // 2
        try:
            for q, v, energy, multipliers, count in integrate(
                    system, h, steps, max(tolerance, 1e-15), state[:n], state[n:], leap):
                print("state", *q, *v, energy, *multipliers, count)
        except ArithmeticError as error:
            print("fail not-converged", error)
        sys.stdout.flush()


main()
