#!/usr/bin/env python3
"""Steps of SHAKE and RATTLE over Störmer-Verlet and symplectic Euler (Hairer, Lubich & Wanner, GNI, section
VII.1), with the argument `classical`, or of the methods of multibody codes and game engines, and of high
order, of some under forces without a potential with `forced`, and with constraints that move with `moving`;
computed with mpmath at 45 digits, independently of the program that they check; as CSV on standard output,
for tests/numbers/classical_maps.sh.

Each method is written as one system of equations in all its unknowns, as its source states it, and
solved by Newton's method with differences; nothing is taken from the C sources. The constraint force is
-G^T lambda. The oval and the slider crank have explicit starts, which `simulate` takes.
"""
import sys

import mpmath as mp

mp.mp.dps = 45


class System:
    """H = 1/2 p M^-1 p + V(q) and g(q) = 0, with V_q, G, g_qq[v,v] and forces Q(t,q,v) without a potential. With
    the rate g_t(q,t), the other functions of g take t, too, and `curvature` is g_qq[v,v] + 2 g_qt v + g_tt."""

    def __init__(self, name, mass, q, v, potential, gradient, g, G, curvature, Q=None, rate=None):
        self.spec, self.mass, self.n = name, [mp.mpf(m) for m in mass], len(mass)
        self.V, self.V_q, self.g, self.G, self.curvature = potential, gradient, g, G, curvature
        self.Q = Q or (lambda t, q, v: [mp.mpf(0)] * self.n)
        self.rate = rate or (lambda q, t=0: [mp.mpf(0)] * self.m)
        if not rate:
            self.g, self.G = lambda q, t=0: g(q), lambda q, t=0: G(q)
            self.curvature = lambda q, v, t=0: curvature(q, v)
        self.q, self.m = [mp.mpf(x) for x in q], len(g(q))
        self.v = self.tangent(self.q, [mp.mpf(x) for x in v])
        self.p = [m * u for m, u in zip(self.mass, self.v)]

    def name(self):
        def listed(x):
            x = [mp.chop(y, mp.mpf(10) ** -40) for y in x]
            return ",".join(mp.nstr(y, 40, min_fixed=-mp.inf, max_fixed=mp.inf) for y in x)

        if "(" in self.spec:  # its own start
            return self.spec
        return f"{self.spec} --q {listed(self.q)} --p {listed(self.p)}"

    def normals(self, G, multiplier):
        """G^T multiplier."""
        return [sum(row[i] * l for row, l in zip(G, multiplier)) for i in range(self.n)]

    def gram(self, G):
        return [[sum(a * b / m for a, b, m in zip(r, s, self.mass)) for s in G] for r in G]

    def hidden(self, G, v, q, t):
        return axpy(1, times(G, v), 1, self.rate(q, t))

    def tangent(self, q, v, t=0):
        """The velocity v + M^-1 G^T x that satisfies G v + g_t = 0."""
        G = self.G(q, t)
        pull = self.normals(G, solve(self.gram(G), self.hidden(G, v, q, t)))
        return [a - b / w for a, b, w in zip(v, pull, self.mass)]

    def pull(self, t, q, v):
        """V_q - Q."""
        return axpy(1, self.V_q(q), -1, self.Q(t, q, v))

    def multiplier(self, q, v, t=0):
        """The lambda that keeps the second derivative of g zero."""
        G = self.G(q, t)
        f = self.pull(t, q, v)
        right = [c - sum(a * x / m for a, x, m in zip(row, f, self.mass)) for row, c in zip(G, self.curvature(q, v, t))]
        return solve(self.gram(G), right)

    def acceleration(self, q, multiplier, v=None, t=0):
        pull = self.normals(self.G(q, t), multiplier)
        return [-(f + g) / m for f, g, m in zip(self.pull(t, q, v), pull, self.mass)]


def solve(A, b):
    return list(mp.lu_solve(mp.matrix(A), mp.matrix(b)))


def root(equations, guess):
    """Newton's method; the Jacobian by forward differences, renewed at every iterate."""
    x = [mp.mpf(y) for y in guess]
    size = len(x)
    for _ in range(60):
        F = equations(x)
        J = mp.matrix(size, size)
        for j in range(size):
            e = mp.mpf(10) ** -22 * (1 + abs(x[j]))
            moved = equations(x[:j] + [x[j] + e] + x[j + 1 :])
            for i in range(size):
                J[i, j] = (moved[i] - F[i]) / e
        step = mp.lu_solve(J, mp.matrix(F))
        x = [a - b for a, b in zip(x, step)]
        if max(abs(y) for y in step) < mp.mpf(10) ** -38:
            return x
    raise ArithmeticError("no convergence")


def axpy(*terms):
    """Sum of factor, vector, factor, vector, ..."""
    return [sum(f * v[i] for f, v in zip(terms[::2], terms[1::2])) for i in range(len(terms[1]))]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def times(G, v):
    return [dot(row, v) for row in G]


# ---- SHAKE and RATTLE ----


def classical(s, h, steps, euler, rattle):
    kick = h if euler else h / 2
    q, v = s.q, s.v
    for _ in range(steps):
        G, f = s.G(q), s.V_q(q)

        def kicked(lam, v=v, G=G, f=f):
            return [u - kick * (a + b) / w for u, a, b, w in zip(v, f, s.normals(G, lam), s.mass)]

        lam = root(lambda l, q=q: s.g(axpy(1, q, h, kicked(l))), s.multiplier(q, v))
        v = kicked(lam)
        q = axpy(1, q, h, v)
        if not euler:
            v = [u - kick * a / w for u, a, w in zip(v, s.V_q(q), s.mass)]
        v = s.tangent(q, v) if rattle else v
        yield q, v, lam


# ---- energy-momentum ----


def discrete(f, slope, a, b):
    """Gonzalez's discrete gradient of one function."""
    d = axpy(1, b, -1, a)
    middle = slope(axpy(mp.mpf(1) / 2, a, mp.mpf(1) / 2, b))
    share = (f(b) - f(a) - dot(middle, d)) / dot(d, d)
    return axpy(1, middle, share, d)


def energy_momentum(s, h, steps):
    n, m, q, v = s.n, s.m, s.q, s.v
    half = mp.mpf(1) / 2
    for k in range(steps):
        t = k * h

        def end(q1):
            return axpy(2 / h, q1, -2 / h, q, -1, v)

        def normal(q1, j):
            there = axpy(half, q, half, q1), t + half * h
            if s.rate(*there)[j] != 0:
                return s.G(*there)[j]
            return discrete(lambda y: s.g(y, there[1])[j], lambda y: s.G(y, there[1])[j], q, q1)

        def equations(x):
            q1, lam = x[:n], x[n:]
            push = s.Q(t + half * h, axpy(half, q, half, q1), axpy(1 / h, q1, -1 / h, q))
            DV = axpy(1, discrete(s.V, s.V_q, q, q1), -1, push)
            pull = s.normals([normal(q1, j) for j in range(m)], lam)
            v1 = end(q1)
            return [w * (b - a) + h * (f + g) for w, a, b, f, g in zip(s.mass, v, v1, DV, pull)] + s.g(q1, t + h)

        x = root(equations, axpy(1, q, h, v) + s.multiplier(q, v, t))
        q, v = x[:n], end(x[:n])
        yield q, v, x[n:]


# ---- generalized-alpha ----


def generalized_alpha(s, h, steps, ggl, alpha_m, alpha_f):
    gamma = mp.mpf(1) / 2 + alpha_f - alpha_m
    beta = (mp.mpf(1) / 2 + gamma) ** 2 / 4
    shift = alpha_m - alpha_f
    n, m, q, v = s.n, s.m, s.q, s.v
    lam = s.multiplier(q, v)
    now = s.acceleration(q, lam, v)

    def later(t):
        there, speed = axpy(1, q, t, v, t * t / 2, now), axpy(1, v, t, now)
        return s.acceleration(there, s.multiplier(there, speed, t), speed, t)

    a, more = later(shift * h), [mp.mpf(0)] * n
    if not ggl:
        jerk = axpy(1 / h, later(h), -1 / h, now)
        G = s.G(q)
        pull = s.normals(G, solve(s.gram(G), times(G, jerk)))
        more = [(mp.mpf(1) / 6 - beta - shift / 2) * h * h * x / w for x, w in zip(pull, s.mass)]
    for k in range(steps):
        v = axpy(1, v, 1, more)

        def parts(x):
            q1, end, l1, eta = x[:n], x[n : 2 * n], x[2 * n : 2 * n + m], x[2 * n + m :]
            there = s.acceleration(q1, l1, end, (k + 1) * h)
            a1 = axpy((1 - alpha_f) / (1 - alpha_m), there, alpha_f / (1 - alpha_m), now, -alpha_m / (1 - alpha_m), a)
            v1 = axpy(1, v, h * (1 - gamma), a, h * gamma, a1)
            moved = axpy(1, q, h, v, h * h * (mp.mpf(1) / 2 - beta), a, h * h * beta, a1)
            if ggl:
                moved = [y - h * x / w for y, x, w in zip(moved, s.normals(s.G(q, k * h), eta), s.mass)]
            return q1, l1, there, a1, v1, moved

        def equations(x):
            q1, _, _, _, v1, moved = parts(x)
            t1 = (k + 1) * h
            out = axpy(1, q1, -1, moved) + axpy(1, x[n : 2 * n], -1, v1) + s.g(q1, t1)
            return out + (s.hidden(s.G(q1, t1), v1, q1, t1) if ggl else [])

        x = root(equations, axpy(1, q, h, v) + v + lam + [0] * (m if ggl else 0))
        before = lam
        q, lam, now, a, v, _ = parts(x)
        more = [mp.mpf(0)] * n
        yield q, v, before


def alpha(ggl, rho):
    rho = mp.mpf(rho)
    return lambda s, h, k: generalized_alpha(s, h, k, ggl, (2 * rho - 1) / (rho + 1), rho / (rho + 1))


# ---- steps of game engines ----


def velocity_impulse(s, h, steps, erp, cfm):
    q, v = s.q, s.v
    for k in range(steps):
        t = k * h
        J, f, g = s.G(q, t), s.pull(t, q, v), s.g(q, t)

        def end(lam, q=q, v=v, J=J, f=f):
            return [u - h * (a + b) / w for u, a, b, w in zip(v, f, s.normals(J, lam), s.mass)]

        def equations(lam, end=end, J=J, g=g, q=q, t=t):
            return [a - cfm * b + erp * c / h for a, b, c in zip(s.hidden(J, end(lam), q, t), lam, g)]

        lam = root(equations, s.multiplier(q, v, t))
        v = end(lam)
        q = axpy(1, q, h, v)
        yield q, v, lam


def xpbd(s, step, steps, substeps, iterations, compliance):
    """With the multipliers of the source, of the opposite sign and with h^2 in them."""
    q, v, h = s.q, s.v, step / substeps
    for k in range(steps * substeps):
        x = axpy(1, q, h, v, -h * h, [f / w for f, w in zip(s.pull(k * h, q, v), s.mass)])
        lam, alpha, t1 = [mp.mpf(0)] * s.m, compliance / h**2, (k + 1) * h
        for _ in range(iterations):
            for j in range(s.m):
                row = s.G(x, t1)[j]
                change = (-s.g(x, t1)[j] - alpha * lam[j]) / (sum(a * a / w for a, w in zip(row, s.mass)) + alpha)
                lam[j] += change
                x = [y + change * a / w for y, a, w in zip(x, row, s.mass)]
        q, v = x, axpy(1 / h, x, -1 / h, q)
        if (k + 1) % substeps == 0:
            yield q, v, [-y / h**2 for y in lam]


# ---- Gauss-Lobatto SPARK ----


def integrated(nodes, j, x):
    """The integral from 0 to x of the j-th Lagrange polynomial."""
    poly = [mp.mpf(1)]
    for i, y in enumerate(nodes):
        if i != j:
            scale = 1 / (nodes[j] - y)
            poly = [scale * (a - y * b) for a, b in zip([0] + poly, poly + [0])]
    return sum(a * x ** (k + 1) / (k + 1) for k, a in enumerate(poly))


def roots(coefficients):
    return [] if len(coefficients) < 2 else sorted(mp.polyroots(coefficients, maxsteps=200, extraprec=200))


def spark(s, h, steps, stages):
    legendre = {1: [2, -1], 2: [6, -6, 1], 3: [20, -30, 12, -1], 4: [70, -140, 90, -20, 1]}[stages]
    c = roots(legendre)  # of the shifted polynomial; Lobatto: 0, 1 and the zeros of its derivative
    e = [mp.mpf(0)] + roots([k * a for k, a in zip(range(stages, 0, -1), legendre)] ) + [mp.mpf(1)]
    S, E = range(stages), range(stages + 1)
    a = [[integrated(c, j, c[i]) for j in S] for i in S]
    b = [integrated(c, j, 1) for j in S]
    end = [[integrated(c, j, e[k]) for j in S] for k in E]
    be = [integrated(e, k, 1) for k in E]
    force = [[be[k] * (1 - end[k][i] / b[i]) for k in E] for i in S]
    n, m, q, p = s.n, s.m, s.q, s.p
    lam = s.multiplier(q, s.v)
    for _ in range(steps):

        def parts(x):
            P = [x[i * n : (i + 1) * n] for i in S]
            L = [x[stages * n + k * m : stages * n + (k + 1) * m] for k in E]
            V = [[y / w for y, w in zip(P[j], s.mass)] for j in S]
            Q = [axpy(1, q, *[z for j in S for z in (h * a[i][j], V[j])]) for i in S]
            Y = [axpy(1, q, *[z for j in S for z in (h * end[k][j], V[j])]) for k in E]
            F = [s.V_q(y) for y in Q]
            R = [s.normals(s.G(y), l) for y, l in zip(Y, L)]

            def kicked(row, more):
                return axpy(1, p, *[z for j in S for z in (-h * row[j], F[j])], *[z for k in E for z in (-h * more[k], R[k])])

            return P, L, Y, kicked

        def equations(x):
            P, _, Y, kicked = parts(x)
            out = [y for i in S for y in axpy(1, P[i], -1, kicked(a[i], force[i]))]
            out += [y for k in E[1:] for y in s.g(Y[k])]
            return out + times(s.G(Y[-1]), [y / w for y, w in zip(kicked(b, be), s.mass)])

        x = root(equations, list(p) * stages + list(lam) * (stages + 1))
        P, L, Y, kicked = parts(x)
        q, p, lam = Y[-1], kicked(b, be), L[0]
        yield q, [y / w for y, w in zip(p, s.mass)], lam


# ---- GGL-variational ----


def ggl_variational(s, h, steps, nodes):
    """The unknowns are q1, the momentum of the middle, p1, lambda and gamma."""
    n, m, q, p = s.n, s.m, s.q, s.p
    half = mp.mpf(1) / 2
    for _ in range(steps):

        def bend(q, v, gamma):
            """sum gamma_j (g_j)_qq v, by polarization."""
            out = []
            for k in range(n):
                e = [mp.mpf(i == k) for i in range(n)]
                out.append(dot(gamma, axpy(half, s.curvature(q, axpy(1, v, 1, e)),
                                           -half, s.curvature(q, v), -half, s.curvature(q, e))))  # fmt: skip
            return out

        def equations(x):
            q1, at, p1, lam, gamma = x[:n], x[n : 2 * n], x[2 * n : 3 * n], x[3 * n : 3 * n + m], x[3 * n + m :]
            middle, v = axpy(half, q, half, q1), [y / w for y, w in zip(at, s.mass)]
            G = s.G(middle)
            first, last = (s.G(q), s.G(q1)) if nodes else (G, G)
            push = axpy(1, s.V_q(middle), 1, bend(middle, v, gamma))
            along = [a + b / w for a, b, w in zip(v, s.normals(G, gamma), s.mass)]
            out = axpy(1 / h, q1, -1 / h, q, -1, along)
            out += axpy(2 / h, at, -2 / h, p, 1, push, 1, s.normals(first, lam))
            out += axpy(2 / h, p1, -2 / h, at, 1, push, 1, s.normals(last, lam))
            return out + s.g(q1 if nodes else middle) + times(G, v)

        v = [a / w for a, w in zip(p, s.mass)]
        x = root(equations, axpy(1, q, h, v) + list(p) * 2 + s.multiplier(q, v) + [mp.mpf(0)] * m)
        q, p, lam = x[:n], x[2 * n : 3 * n], x[3 * n : 3 * n + m]
        yield q, [a / w for a, w in zip(p, s.mass)], lam


# ---- symmetric multistep ----


def multistep(s, h, steps, tenths, difference):
    rho = [mp.mpf(1), mp.mpf(-2), mp.mpf(1)]
    for a in tenths:
        factor = [mp.mpf(1), mp.mpf(a) / 5, mp.mpf(1)]
        rho = [sum(rho[i] * factor[j - i] for i in range(len(rho)) if 0 <= j - i < 3) for j in range(len(rho) + 2)]
    k = len(rho) - 1
    half = k // 2
    moments = [[r * (r - 1) * mp.mpf(j - half) ** (r - 2) for j in range(1, k)] for r in range(2, k + 1)]
    beta = [0] + solve(moments, [sum(a * mp.mpf(j - half) ** r for j, a in enumerate(rho)) for r in range(2, k + 1)])
    back, on = list(spark(s, -h, half, 4)), list(spark(s, h, half, 4))
    points = [(q, v) for q, v, _ in reversed(back)] + [(s.q, s.v)] + [(q, v) for q, v, _ in on]
    x = [q for q, _ in points]
    lam = [s.multiplier(q, v) for q, v in points[:-1]]
    for i in range(steps):  # x[i + half] is the state

        def new(l, i=i):
            known = [s.acceleration(x[i + j + 1], lam[i + j + 1]) for j in range(1, k - 1)]
            f = known + [s.acceleration(x[-1], l)]
            out = axpy(*[y for j in range(k) for y in (-rho[j], x[i + j + 1])])
            return axpy(1, out, *[y for j in range(1, k) for y in (h * h * beta[j], f[j - 1])])

        lam.append(root(lambda l: s.g(new(l)), lam[-1]))
        x.append(new(lam[-1]))
        middle = i + 1 + half
        v = axpy(*[y for j, c in enumerate(difference, 1) for y in (c / h, x[middle + j], -c / h, x[middle - j])])
        yield x[middle], s.tangent(x[middle], v), lam[middle - 1]


def central(*weights):
    return [mp.mpf(w) / weights[0] for w in weights[1:]]


CLASSICAL = {
    "shake": lambda s, h, k: classical(s, h, k, False, False),
    "rattle": lambda s, h, k: classical(s, h, k, False, True),
    "symplectic-euler-shake": lambda s, h, k: classical(s, h, k, True, False),
    "symplectic-euler-rattle": lambda s, h, k: classical(s, h, k, True, True),
}
START = "start=gauss-lobatto-spark(stages=4)"
LATER = {
    f"symmetric-multistep({START})": lambda s, h, k: multistep(s, h, k, [0], central(12, 8, -1)),
    f"symmetric-multistep(order=6,{START})": lambda s, h, k: multistep(s, h, k, [-8, 7], central(60, 45, -9, 1)),
    f"symmetric-multistep(order=8,{START})": lambda s, h, k: multistep(s, h, k, [-8, -4, 7], central(840, 672, -168, 32, -3)),
    "ggl-variational": lambda s, h, k: ggl_variational(s, h, k, False),
    "ggl-variational(form=nodes)": lambda s, h, k: ggl_variational(s, h, k, True),
    "gauss-lobatto-spark(stages=1)": lambda s, h, k: spark(s, h, k, 1),
    "gauss-lobatto-spark(stages=2)": lambda s, h, k: spark(s, h, k, 2),
    "gauss-lobatto-spark(stages=3)": lambda s, h, k: spark(s, h, k, 3),
    "gauss-lobatto-spark(stages=4)": lambda s, h, k: spark(s, h, k, 4),
    "velocity-impulse": lambda s, h, k: velocity_impulse(s, h, k, mp.mpf("0.2"), 0),
    "velocity-impulse(erp=0.8,cfm=0.01)": lambda s, h, k: velocity_impulse(s, h, k, mp.mpf("0.8"), mp.mpf("0.01")),
    "xpbd": lambda s, h, k: xpbd(s, h, k, 1, 10, 0),
    "xpbd(substeps=4,iterations=1,compliance=0.001)": lambda s, h, k: xpbd(s, h, k, 4, 1, mp.mpf("0.001")),
    "energy-momentum": energy_momentum,
    "generalized-alpha": alpha(False, "0.8"),
    "generalized-alpha(rho=0.3,form=ggl)": alpha(True, "0.3"),
    "generalized-alpha(rho=0.6,scheme=hht)": lambda s, h, k: generalized_alpha(
        s, h, k, False, mp.mpf(0), (1 - mp.mpf("0.6")) / (1 + mp.mpf("0.6"))
    ),
}
FORCED = {
    name: run
    for name, run in LATER.items()
    if name.startswith(("velocity-impulse", "xpbd", "energy-momentum", "generalized-alpha"))
}

# ---- problems ----


def beads(spec, masses, lengths, angles, rates, spring=None):
    """Rods from the origin on, in the plane under gravity 1; spring: anchor, stiffness and rest length of one
    at the first bead."""
    masses, lengths = [mp.mpf(m) for m in masses], [mp.mpf(d) for d in lengths]
    q, v = [], []
    for d, angle, rate in zip(lengths, angles, rates):
        a, r = mp.mpf(angle), mp.mpf(rate)
        q += [(q[-2] if q else 0) + d * mp.sin(a), (q[-1] if len(q) > 0 else 0) - d * mp.cos(a)]
        v += [(v[-2] if v else 0) + d * r * mp.cos(a), (v[-1] if len(v) > 0 else 0) + d * r * mp.sin(a)]

    def between(x, i):
        return [x[2 * i + k] - (x[2 * i - 2 + k] if i else 0) for k in range(2)]

    def g(x):
        return [(dot(between(x, i), between(x, i)) - d * d) / 2 for i, d in enumerate(lengths)]

    def G(x):
        rows = []
        for i in range(len(lengths)):
            row = [mp.mpf(0)] * len(x)
            for k, y in enumerate(between(x, i)):
                row[2 * i + k] = y
                if i:
                    row[2 * i - 2 + k] = -y
            rows.append(row)
        return rows

    def slope(x):
        out = [y for m in masses for y in (mp.mpf(0), m)]
        if spring:
            d = [x[0] - mp.mpf(spring[0]), x[1] - mp.mpf(spring[1])]
            length = mp.sqrt(dot(d, d))
            pull = mp.mpf(spring[2]) * (length - mp.mpf(spring[3])) / length
            out[:2] = [out[0] + pull * d[0], out[1] + pull * d[1]]
        return out

    return System(
        spec, [m for m in masses for _ in range(2)], q, v,
        lambda x: sum(m * x[2 * i + 1] for i, m in enumerate(masses)), slope, g, G,
        lambda x, u: [dot(between(u, i), between(u, i)) for i in range(len(lengths))],
    )  # fmt: skip


def oval():
    c = (1, 2, 3)

    def g(x):
        return [sum(y * y / 2 + k * y**4 / 4 for y, k in zip(x, c)) - 1]

    x, y = mp.mpf("0.5"), mp.mpf("-0.4")
    z = -mp.findroot(lambda t: g([x, y, t])[0], 0.8)
    return System(
        "oval", [1, 1, 1], [x, y, z], [1, mp.mpf("0.3"), mp.mpf("0.2")],
        lambda q: q[2] + q[0] ** 2 / 2 + q[1] ** 3 / 3,
        lambda q: [q[0], q[1] ** 2, mp.mpf(1)], g,
        lambda q: [[y + k * y**3 for y, k in zip(q, c)]],
        lambda q, u: [sum((1 + 3 * k * y * y) * w * w for y, k, w in zip(q, c, u))],
    )  # fmt: skip


def manufactured():
    """Q of a chosen motion and multiplier on a sphere, of t and v."""

    def place(t):
        a = mp.mpf("1.1") + mp.mpf("0.4") * mp.sin(mp.mpf("1.3") * t)
        b = mp.mpf("0.4") + mp.mpf("0.7") * t + mp.mpf("0.3") * mp.cos(mp.mpf("0.9") * t)
        return [mp.sin(a) * mp.cos(b), mp.sin(a) * mp.sin(b), -mp.cos(a)]

    def moved(t, order):
        return [mp.diff(lambda u, i=i: place(u)[i], t, order) for i in range(3)]

    def slope(q):
        return [y**3 / 2 + z for y, z in zip(q, (0, 0, 1))]

    def push(t, q, v):
        tension = 2 + mp.cos(mp.mpf("1.7") * t)
        off = axpy(1, v, -1, moved(t, 1))
        return axpy(1, moved(t, 2), 1, slope(place(t)), tension, place(t), -mp.mpf(1) / 2, off)

    return System(
        "manufactured(scale=1)", [1, 1, 1], place(mp.mpf(0)), moved(mp.mpf(0), 1),
        lambda q: q[2] + sum(y**4 for y in q) / 8, slope, lambda q: [(dot(q, q) - 1) / 2], lambda q: [list(q)],
        lambda q, u: [dot(u, u)], push,
    )  # fmt: skip


def damped_slider_crank():
    """Q of q and v: the damper of SUNDIALS' slider crank, with the angle of the crank, the slider and the
    angle of the rod."""
    a, c, k, F = mp.mpf(1) / 2, 1, 1, 1

    def length(q):
        x = q[1] - (mp.cos(q[2]) + a * mp.cos(q[0])) / 2
        y = (mp.sin(q[2]) + a * mp.sin(q[0])) / 2
        size = mp.sqrt(x * x + y * y)
        turned = [a * (x * mp.sin(q[0]) + y * mp.cos(q[0])) / 2, x, (x * mp.sin(q[2]) + y * mp.cos(q[2])) / 2]
        return size, [w / size for w in turned]

    def slope(q):
        size, along = length(q)
        return [k * (size - 1) * w - f for w, f in zip(along, (0, F, -F * mp.sin(q[2])))]

    def push(t, q, v):
        along = length(q)[1]
        return [-c * dot(along, v) * w for w in along]

    rod = mp.asin(-a)
    return System(
        "sundials-slider-crank", [1, 1, 2], [mp.pi / 2, mp.cos(rod), rod], [mp.mpf("0.6"), 0, 0],
        lambda q: k * (length(q)[0] - 1) ** 2 / 2 - F * (q[1] + mp.cos(q[2])), slope,
        lambda q: [q[1] - mp.cos(q[2]) - a * mp.cos(q[0]), -mp.sin(q[2]) - a * mp.sin(q[0])],
        lambda q: [[a * mp.sin(q[0]), mp.mpf(1), mp.sin(q[2])], [-a * mp.cos(q[0]), mp.mpf(0), -mp.cos(q[2])]],
        lambda q, u: [a * u[0] ** 2 * mp.cos(q[0]) + u[2] ** 2 * mp.cos(q[2]),
                      a * u[0] ** 2 * mp.sin(q[0]) + u[2] ** 2 * mp.sin(q[2])], push,
    )  # fmt: skip


def swung():
    """The spherical pendulum whose pivot goes round."""
    A, w, tilt, k = mp.mpf("0.3"), mp.mpf("1.9"), mp.mpf("0.5"), mp.mpf("0.8")

    def pivot(t):
        return [A * mp.cos(w * t), A * mp.sin(w * t) * mp.cos(tilt), A * mp.sin(w * t) * mp.sin(tilt)]

    def going(t):
        return [-A * w * mp.sin(w * t), A * w * mp.cos(w * t) * mp.cos(tilt), A * w * mp.cos(w * t) * mp.sin(tilt)]

    def rod(q, t):
        return axpy(1, q, -1, pivot(t))

    def bend(q, v, t):
        off = axpy(1, v, -1, going(t))
        return [dot(off, off) + w * w * dot(rod(q, t), pivot(t))]

    return System(
        "driven-spherical-pendulum", [1, 1, 1], axpy(1, pivot(0), mp.mpf(1) / 7, [mp.mpf(3), mp.mpf(2), mp.mpf(-6)]),
        [mp.mpf("0.4"), mp.mpf("-0.7"), mp.mpf("0.5")],
        lambda q: q[2] + k / 2 * ((q[0] - 1) ** 2 + q[1] ** 2 + q[2] ** 2),
        lambda q: [k * (q[0] - 1), k * q[1], k * q[2] + 1], lambda q, t=0: [(dot(rod(q, t), rod(q, t)) - 1) / 2],
        lambda q, t=0: [rod(q, t)], lambda q, v, t=0: bend(q, v, t), rate=lambda q, t=0: [-dot(rod(q, t), going(t))],
    )  # fmt: skip


def hoop():
    """The bead on a rotating hoop, of which one row moves."""
    W, zero = mp.mpf("1.7"), mp.mpf(0)

    def across(q, t):
        return q[1] * mp.cos(W * t) - q[0] * mp.sin(W * t)

    def along(q, t):
        return q[0] * mp.cos(W * t) + q[1] * mp.sin(W * t)

    return System(
        "rotating-hoop", [1, 1, 1], [mp.mpf("0.6"), zero, mp.mpf("-0.8")], [mp.mpf("0.4"), zero, mp.mpf("0.3")],
        lambda q: q[2], lambda q: [zero, zero, mp.mpf(1)], lambda q, t=0: [(dot(q, q) - 1) / 2, across(q, t)],
        lambda q, t=0: [list(q), [-mp.sin(W * t), mp.cos(W * t), zero]],
        lambda q, v, t=0: [dot(v, v), -2 * W * along(v, t) - W * W * across(q, t)],
        rate=lambda q, t=0: [zero, -W * along(q, t)],
    )  # fmt: skip


def later_problems():
    name = "double-pendulum(mass1=2,length2=0.7,angle1=1.1,angle2=-0.2,rate1=0.3,rate2=0.5)"
    return beads(name, [2, 1], ["1", "0.7"], ["1.1", "-0.2"], ["0.3", "0.5"]), oval()


def classical_problems():
    tenth = mp.mpf(1) / 10
    return (
        beads("pendulum(angle=0.7,rate=1.1)", [1], [1], ["0.7"], ["1.1"]),
        beads("sprung-pendulum(mass=1.5)", ["1.5"], [1], ["0.7"], ["1.1"], ("1.2", "0.7", "2", "0.5")),
        beads("double-pendulum(mass1=2,length2=0.7,rate1=0.3)", [2, 1], [1, "0.7"],
              [2 * mp.pi / 3, -mp.pi / 18], ["0.3", 0]),
        beads("chain(links=3,start=zigzag)", [1] * 3, [1] * 3,
              [4 * tenth * (-1) ** i + tenth / 2 * i for i in (1, 2, 3)], [tenth * i for i in (1, 2, 3)]),
    )  # fmt: skip


def main():
    if sys.argv[1:] == ["classical"]:
        problems, methods, h, rows = classical_problems(), CLASSICAL, mp.mpf("0.0125"), (1, 2, 10, 40, 100)
    elif sys.argv[1:] == ["forced"]:
        problems, methods, h, rows = (manufactured(), damped_slider_crank()), FORCED, mp.mpf("0.05"), (1, 2, 5)
    elif sys.argv[1:] == ["moving"]:
        problems, methods, h, rows = (swung(), hoop()), FORCED, mp.mpf("0.05"), (1, 2, 5)
    else:
        problems, methods, h, rows = later_problems(), LATER, mp.mpf("0.05"), (1, 2, 5)
    print("problem,integrator,step,steps,component,value")
    for problem in problems:
        for method, run in methods.items():
            for k, (q, v, multiplier) in enumerate(run(problem, h, rows[-1]), 1):
                if k not in rows:
                    continue
                p = [m * u for m, u in zip(problem.mass, v)]
                for name, vector in (("q", q), ("p", p), ("lambda", multiplier)):
                    for i, x in enumerate(vector, 1):
                        print(f'"{problem.name()}","{method}",{mp.nstr(h, 5)},{k},{name}{i},{mp.nstr(x, 38)}')


if __name__ == "__main__":
    main()
