#!/usr/bin/env python3
"""SHAKE and RATTLE for constraints that depend on momenta, computed with mpmath at 45 digits,
independently of the program that they check; as CSV on standard output, for
tests/numbers/classical_maps.sh.

With X_g: q' = g_p, p' = -g_q, a flow phi_h of H and k = h/2 (McLachlan, Modin, Verdier & Wilkins,
Found. Comput. Math. 14 (2014) 339, definitions 1.3 and 1.4):

    SHAKE    z- = phi_h(exp(k sum lambda_i X_{g_i}) z0),  g(z-) = 0
    RATTLE   z1 = exp(k sum mu_i X_{g_i}) z-,             {g,H}(z1) = 0

    midpoint  z1 = z0 + h X_H((z0 + z1)/2)
    verlet    P = p0 - h/2 H_q(q0,P)   q1 = q0 + h/2 (H_p(q0,P) + H_p(q1,P))   p1 = P - h/2 H_q(q1,P)

All constraints here are quadratic, so their fields are linear and fibres are exponential series.
Stages are swept, unknowns found by Newton's method with differences. A problem's start is moved onto
g = 0 along the gradients and from there along the fibre onto {g,H} = 0. Nothing is taken from the C
sources.
"""
from later_maps import dot, mp, root, solve

D = mp.mpf
STEP = D("0.05")
ROWS = (1, 2, 5)  # steps after which the state is written
HALF = D("0.5")


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


class CoupledSpheres:
    name = "coupled-spheres"
    integrators = ("rattle(flow=midpoint)", "shake", "rattle")
    n, m = 4, 2
    coupling, gravity, quartic = D("0.1"), D("0.05"), D("0.1")

    def start(self):
        """q = a (cos, sin), p = +-b (-sin, cos) of the angles 0.3 and 1."""
        a, b = mp.sqrt(D("0.8")), mp.sqrt(D("0.2"))
        q, p = [], []
        for angle, sign in ((D("0.3"), 1), (D(1), -1)):
            c, s = mp.cos(angle), mp.sin(angle)
            q += [a * c, a * s]
            p += [-sign * b * s, sign * b * c]
        return q + p

    def slopes(self, z):
        n = self.n
        q, p = z[:n], z[n:]
        H_q = [self.coupling * q[i] * p[i - 1] ** 2 + self.quartic * q[i] ** 3 for i in range(n)]
        H_q[1] += self.gravity
        return H_q, [(1 + self.coupling * q[(i + 1) % n] ** 2) * p[i] for i in range(n)]

    def gradients(self, z):
        return [[x if i % 4 // 2 == k else D(0) for i, x in enumerate(z)] for k in range(2)]

    def g(self, z):
        return [dot(row, row) / 2 - HALF for row in self.gradients(z)]


class LiftedRotation:
    name = "lifted-rotation"
    integrators = ("rattle(flow=midpoint)", "rattle", "shake(flow=midpoint)")
    n, m = 3, 1
    asymmetry, kinetic = D("0.5"), D("0.3")

    def start(self):
        return [D(x) for x in "-1.1 -0.3 0.4 0.2 0.06 -0.3".split()]

    def slopes(self, z):
        x, y, w, a, b, c = z
        ring, e = x * x + y * y - 1, self.asymmetry
        H_q = [
            ring * x + e * (1 + 2 * x * y),
            ring * y + e * (w + x * x),
            w + self.kinetic * w * a * a + e * y,
        ]
        return H_q, [a + self.kinetic * w * w * a, b, c]

    def gradients(self, z):
        x, y, _, a, b, _ = z
        return [[b, -a, D(0), -y, x, D(0)]]

    def g(self, z):
        return [z[0] * z[4] - z[1] * z[3]]


class ZeroAngularMomentum:
    name = "zero-angular-momentum"
    integrators = ("rattle(flow=midpoint)", "shake")
    n, m = 6, 3
    kinetic, mass = D("0.2"), (D(1), D("1.5"))

    def start(self):
        text = "-0.7 -0.5 0.1 0.8 -0.2 -0.2 0.2 0.15 -0.1 -0.1 0.2 0.15"
        return [D(x) for x in text.split()]

    def slopes(self, z):
        H_q, H_p = [], []
        d = [b - a for a, b in zip(z[0:3], z[3:6])]
        for i in range(2):
            x, y = z[3 * i : 3 * i + 3], z[6 + 3 * i : 9 + 3 * i]
            pull = (dot(d, d) - 2) * (1 if i else -1)
            H_q += [
                x[0] + D("0.6") * x[0] * x[2] + pull * d[0],
                2 * x[1] + D("0.8") + pull * d[1],
                D("3.5") * x[2] + self.kinetic * x[2] * y[0] ** 2 + D("0.3") * x[0] ** 2 + pull * d[2],
            ]
            v = [c / self.mass[i] for c in y]
            H_p += [v[0] + self.kinetic * x[2] ** 2 * y[0], v[1], v[2]]
        return H_q, H_p

    def gradients(self, z):
        rows = []
        for axis in ([D(1), D(0), D(0)], [D(0), D(1), D(0)], [D(0), D(0), D(1)]):
            points = [z[3 * i : 3 * i + 3] for i in range(4)]
            rows.append(
                cross(points[2], axis)
                + cross(points[3], axis)
                + cross(axis, points[0])
                + cross(axis, points[1])
            )
        return rows

    def g(self, z):
        return [a + b for a, b in zip(cross(z[0:3], z[6:9]), cross(z[3:6], z[9:12]))]


def fibre(problem, z, s):
    """exp(sum s_i X_{g_i}) z, the series of a linear field."""
    n, total, term, k = problem.n, z[:], z[:], 0
    while max(map(abs, term)) > D(10) ** -48:
        k += 1
        field = [D(0)] * (2 * n)
        for factor, row in zip(s, problem.gradients(term)):
            for i in range(n):
                field[i] += factor * row[n + i]
                field[n + i] -= factor * row[i]
        term = [x / k for x in field]
        total = [a + b for a, b in zip(total, term)]
    return total


def sweep(step, x):
    """The fixed point of x <- step(x)."""
    while True:
        fresh = step(x)
        change = max(abs(a - b) for a, b in zip(fresh, x))
        x = fresh
        if change < D(10) ** -41:
            return x


def flow(problem, kind, z, h):
    n = problem.n
    q, p = z[:n], z[n:]
    if kind == "midpoint":

        def middle(y):
            H_q, H_p = problem.slopes([(a + b) / 2 for a, b in zip(z, y)])
            return [a + h * b for a, b in zip(q, H_p)] + [a - h * b for a, b in zip(p, H_q)]

        return sweep(middle, z)
    P = sweep(lambda P: [a - h / 2 * b for a, b in zip(p, problem.slopes(q + P)[0])], p)
    v = problem.slopes(q + P)[1]
    q1 = sweep(
        lambda x: [a + h / 2 * (b + c) for a, b, c in zip(q, v, problem.slopes(x + P)[1])], q
    )
    return q1 + [a - h / 2 * b for a, b in zip(P, problem.slopes(q1 + P)[0])]


def hidden(problem, z):
    n = problem.n
    H_q, H_p = problem.slopes(z)
    return [dot(row[:n], H_p) - dot(row[n:], H_q) for row in problem.gradients(z)]


def consistent(problem, z):
    """Onto g = 0 along the gradients, then onto {g,H} = 0 along the fibre."""
    while max(map(abs, problem.g(z))) > D(10) ** -41:
        rows = problem.gradients(z)
        part = solve([[dot(a, b) for b in rows] for a in rows], problem.g(z))
        for x, row in zip(part, rows):
            z = [a - x * b for a, b in zip(z, row)]
    s = root(lambda s: hidden(problem, fibre(problem, z, s)), [D(0)] * problem.m)
    return fibre(problem, z, s)


def main():
    print("problem,integrator,step,steps,component,value")
    for problem in (CoupledSpheres(), LiftedRotation(), ZeroAngularMomentum()):
        start = consistent(problem, problem.start())
        for integrator in problem.integrators:
            kind = "midpoint" if "midpoint" in integrator else "verlet"
            z, guess = start, [D(0)] * problem.m
            for step in range(1, max(ROWS) + 1):
                guess = root(
                    lambda s: problem.g(flow(problem, kind, fibre(problem, z, s), STEP)), guess
                )
                z = flow(problem, kind, fibre(problem, z, guess), STEP)
                if integrator.startswith("rattle"):
                    mu = root(lambda s: hidden(problem, fibre(problem, z, s)), [D(0)] * problem.m)
                    z = fibre(problem, z, mu)
                if step not in ROWS:
                    continue
                for i, x in enumerate(z):
                    part, at = ("q", i + 1) if i < problem.n else ("p", i + 1 - problem.n)
                    print(f'{problem.name},{integrator},{mp.nstr(STEP, 5)},{step},{part}{at},{mp.nstr(x, 38)}')


if __name__ == "__main__":
    main()
