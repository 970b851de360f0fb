#!/usr/bin/env python3
"""SHAKE and RATTLE over Störmer-Verlet and over symplectic Euler, computed at 60 digits in decimal
arithmetic, independently of the program that they check; as CSV on standard output, for
tests/integrators/classical_maps.sh.

The maps, for H = 1/2 p M^-1 p + V(q) and 0 = g(q) with G = g_q (Hairer, Lubich & Wanner, GNI,
section VII.1); the constraint force is -G^T lambda:

    Verlet   P  = p0 - h/2 (V_q(q0) + G(q0)^T lambda)    q1 = q0 + h M^-1 P    g(q1) = 0
             p1 = P  - h/2 (V_q(q1) + G(q1)^T mu)        G(q1) M^-1 p1 = 0     SHAKE: mu = 0
    Euler    P  = p0 - h (V_q(q0) + G(q0)^T lambda)      q1 = q0 + h M^-1 P    g(q1) = 0
             p1 = P  - h G(q1)^T mu                      G(q1) M^-1 p1 = 0     SHAKE: mu = 0

All constraints are distances, 1/2 (|r_i - r_j|^2 - d^2). Everything below is written for that case
and for plain Gaussian elimination; nothing is taken from the C sources.
"""
from decimal import Decimal as D, getcontext

getcontext().prec = 60
PI = D("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803")
STEP = D("0.0125")
ROWS = (1, 2, 10, 40, 100)  # steps after which the state is written


def sine(x):
    term = total = x
    k = 1
    while abs(term) > D(10) ** -65:
        term = -term * x * x / ((k + 1) * (k + 2))
        k += 2
        total += term
    return total


def cosine(x):
    term = total = D(1)
    k = 0
    while abs(term) > D(10) ** -65:
        term = -term * x * x / ((k + 1) * (k + 2))
        k += 2
        total += term
    return total


class Beads:
    """Point masses in the plane under gravity 1, joined by rods to each other or to the origin (-1),
    and springs (bead, anchor, stiffness, rest length)."""

    def __init__(self, masses, rods, angles, rates, springs=()):
        self.mass = [m for m in masses for _ in range(2)]
        self.rods = rods
        self.springs = springs
        self.q, self.v = [], []
        for (i, j, d), angle, rate in zip(rods, angles, rates):
            base = [D(0), D(0)] if j < 0 else self.q[2 * j : 2 * j + 2]
            base_v = [D(0), D(0)] if j < 0 else self.v[2 * j : 2 * j + 2]
            self.q += [base[0] + d * sine(angle), base[1] - d * cosine(angle)]
            self.v += [base_v[0] + d * rate * cosine(angle), base_v[1] + d * rate * sine(angle)]
        self.p = [m * v for m, v in zip(self.mass, self.v)]

    def force(self, q):
        """V_q."""
        out = [D(0)] * len(q)
        for i in range(0, len(q), 2):
            out[i + 1] = self.mass[i]
        for bead, (ax, ay), k, rest in self.springs:
            dx, dy = q[2 * bead] - ax, q[2 * bead + 1] - ay
            length = (dx * dx + dy * dy).sqrt()
            pull = k * (length - rest) / length
            out[2 * bead] += pull * dx
            out[2 * bead + 1] += pull * dy
        return out

    def g(self, q):
        out = []
        for i, j, d in self.rods:
            dx, dy = q[2 * i], q[2 * i + 1]
            if j >= 0:
                dx, dy = dx - q[2 * j], dy - q[2 * j + 1]
            out.append((dx * dx + dy * dy - d * d) / 2)
        return out

    def G(self, q):
        rows = []
        for i, j, _ in self.rods:
            row = [D(0)] * len(q)
            for axis in range(2):
                d = q[2 * i + axis] - (q[2 * j + axis] if j >= 0 else 0)
                row[2 * i + axis] = d
                if j >= 0:
                    row[2 * j + axis] = -d
            rows.append(row)
        return rows


def solve(a, b):
    """Gaussian elimination with partial pivoting."""
    n = len(b)
    a = [row[:] + [x] for row, x in zip(a, b)]
    for k in range(n):
        best = max(range(k, n), key=lambda r: abs(a[r][k]))
        a[k], a[best] = a[best], a[k]
        for r in range(k + 1, n):
            factor = a[r][k] / a[k][k]
            for c in range(k, n + 1):
                a[r][c] -= factor * a[k][c]
    x = [D(0)] * n
    for k in reversed(range(n)):
        x[k] = (a[k][n] - sum(a[k][c] * x[c] for c in range(k + 1, n))) / a[k][k]
    return x


def gram(a, b, mass):
    return [[sum(x * y / m for x, y, m in zip(r, s, mass)) for s in b] for r in a]


def add(p, factor, rows, multiplier):
    out = p[:]
    for row, value in zip(rows, multiplier):
        for i, x in enumerate(row):
            out[i] += factor * x * value
    return out


def step(s, q, p, h, euler, rattle):
    kick = h if euler else h / 2
    G0, free = s.G(q), [x - kick * f for x, f in zip(p, s.force(q))]
    multiplier = [D(0)] * len(G0)
    for _ in range(40):
        P = add(free, -kick, G0, multiplier)
        q1 = [x + h * y / m for x, y, m in zip(q, P, s.mass)]
        residual = s.g(q1)
        if max(abs(x) for x in residual) < D(10) ** -55:
            break
        slope = gram(s.G(q1), G0, s.mass)
        correction = solve([[h * kick * x for x in row] for row in slope], residual)
        multiplier = [x + y for x, y in zip(multiplier, correction)]
    else:
        raise ArithmeticError("no convergence")
    p1 = P if euler else [x - kick * f for x, f in zip(P, s.force(q1))]
    if rattle:
        G1 = s.G(q1)
        hidden = [sum(x * y / m for x, y, m in zip(row, p1, s.mass)) for row in G1]
        p1 = add(p1, D(-1), G1, solve(gram(G1, G1, s.mass), hidden))
    return q1, p1, multiplier


PROBLEMS = {
    "pendulum(angle=0.7,rate=1.1)": lambda: Beads([D(1)], [(0, -1, D(1))], [D("0.7")], [D("1.1")]),
    "sprung-pendulum(mass=1.5)": lambda: Beads(
        [D("1.5")],
        [(0, -1, D(1))],
        [D("0.7")],
        [D("1.1")],
        [(0, (D("1.2"), D("0.7")), D(2), D("0.5"))],
    ),
    "double-pendulum(mass1=2,length2=0.7,rate1=0.3)": lambda: Beads(
        [D(2), D(1)],
        [(0, -1, D(1)), (1, 0, D("0.7"))],
        [120 * PI / 180, -10 * PI / 180],
        [D("0.3"), D(0)],
    ),
    "chain(links=3,start=zigzag)": lambda: Beads(
        [D(1)] * 3,
        [(0, -1, D(1)), (1, 0, D(1)), (2, 1, D(1))],
        [D("0.4") * (-1) ** i + D("0.05") * i for i in (1, 2, 3)],
        [D("0.1") * i for i in (1, 2, 3)],
    ),
}
METHODS = {
    "shake": (False, False),
    "rattle": (False, True),
    "symplectic-euler-shake": (True, False),
    "symplectic-euler-rattle": (True, True),
}


def main():
    print("problem,integrator,step,steps,component,value")
    for problem, make in PROBLEMS.items():
        for method, (euler, rattle) in METHODS.items():
            s = make()
            q, p = s.q, s.p
            for k in range(1, max(ROWS) + 1):
                q, p, multiplier = step(s, q, p, STEP, euler, rattle)
                if k in ROWS:
                    for name, block in (("q", q), ("p", p), ("lambda", multiplier)):
                        for i, x in enumerate(block):
                            value = f"{x:.42e}"
                            print(f'"{problem}",{method},{STEP},{k},{name}{i + 1},{value}')


if __name__ == "__main__":
    main()
