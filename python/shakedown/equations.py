"""The equations of the problems that are built in, in sympy: a function for each, by its name.

    def pendulum(s, q, p, t): return H, g

q and p are lists of n symbols, t is the time, and s has the problem's parameters: numbers and angles
as symbols, what counts or chooses as its default. A third answer are generalized forces Q. Where
the masses depend on q, H and Q are written in the velocities s.v = M(q)⁻¹p, and M follows from H.
s.constants has a problem's own numbers, and s.let(expression) is a symbol for it, which keeps long
equations and their derivatives short. All is written from the literature, apart from the functions
in C that integrators call; tests hold each against the other.
"""

from __future__ import annotations

import importlib
import math
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

sy: Any = importlib.import_module("sympy")  # it is untyped
half = sy.Rational(1, 2)


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return sum((x * y for x, y in zip(a, b)), sy.Integer(0))


def less(a: Sequence[Any], b: Sequence[Any]) -> List[Any]:
    return [x - y for x, y in zip(a, b)]


def square(a: Sequence[Any]) -> Any:
    return dot(a, a)


def points(q: Sequence[Any], dimension: int = 3) -> List[List[Any]]:
    """r_1, r_2, …"""
    return [list(q[i:i + dimension]) for i in range(0, len(q), dimension)]


def kinetic(p: Sequence[Any], *masses: Any) -> Any:
    """Of bodies of these masses, each with an equal share of p."""
    each = len(p) // len(masses)
    return sum(x * x / (2 * masses[i // each]) for i, x in enumerate(p))


def rod(a: Sequence[Any], b: Sequence[Any], length: Any) -> Any:
    return (square(less(b, a)) - length**2) / 2


def sphere(q: Sequence[Any], radius: Any) -> Any:
    return (square(q) - radius**2) / 2


def weight(s: Any, q: Sequence[Any]) -> Any:
    """The last coordinate is the height."""
    return s.mass * s.gravity * q[-1]


def cross(a: Sequence[Any], b: Sequence[Any]) -> List[Any]:
    return [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]


def spring(a: Sequence[Any], b: Sequence[Any], stiffness: Any, rest: Any) -> Any:
    return stiffness * (sy.sqrt(square(less(b, a))) - rest)**2 / 2


# ---- pendulums ----

def pendulum(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    return kinetic(p, s.mass) + weight(s, q), [sphere(q, s.length)]


spherical_pendulum = pendulum


def sprung_pendulum(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    H, g = pendulum(s, q, p, t)
    return H + spring([s.anchor_x, s.anchor_y], q, s.stiffness, s.rest), g


def double_pendulum(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    a, b = points(q, 2)
    H = kinetic(p, s.mass1, s.mass2) + s.gravity * (s.mass1 * a[1] + s.mass2 * b[1])
    g = [sphere(a, s.length1), rod(a, b, s.length2)]
    # The springs have their default stiffness, 10⁴.
    return (H + 5000 * sum(one**2 for one in g), []) if s.links == "springs" else (H, g)


def chain(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    beads = [[sy.Integer(0)] * s.dimension, *points(q, s.dimension)]
    springs = sum(spring(a, b, s.spring, 3 * s.length / 2) for a, b in zip(beads, beads[2:]))
    return (kinetic(p, s.mass) + sum(weight(s, bead) for bead in beads) + springs,
            [rod(a, b, s.length) for a, b in zip(beads, beads[1:])])


def charged_pendulum(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    x, y, z = q
    strength = (s.field + s.slope * z) / 2
    A = [-strength * y, strength * x, 0]
    H = square([a - s.charge * b for a, b in zip(p, A)]) / (2 * s.mass) + weight(s, q)
    return H, [sphere(q, s.length)]


def driven_pendulum(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    size = s.amplitude * sy.sin(s.frequency * t)
    pivot = [size * sy.sin(s.direction), size * sy.cos(s.direction)]
    return kinetic(p, s.mass) + weight(s, q), [rod(pivot, q, s.length)]


def driven_spherical_pendulum(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    turn, across = s.frequency * t, s.amplitude * sy.sin(s.frequency * t)
    pivot = [s.amplitude * sy.cos(turn), across * sy.cos(s.tilt), across * sy.sin(s.tilt)]
    return (kinetic(p, s.mass) + weight(s, q) + spring([s.length, 0, 0], q, s.stiffness, 0),
            [rod(pivot, q, s.length)])


def rotating_hoop(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    turn = s.rotation * t
    return (kinetic(p, s.mass) + weight(s, q),
            [sphere(q, s.radius), q[1] * sy.cos(turn) - q[0] * sy.sin(turn)])


# ---- manifolds ----

def arevalo(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    return kinetic(p, 1), [sphere(q, 1)], [2 * q[1], -2 * q[0]]


def ellipsoid_geodesic(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    axes = [s.axis1, s.axis2, s.axis3]
    return kinetic(p, 1), [(sum(x**2 / a**2 for x, a in zip(q, axes)) - 1) / 2]


def neumann(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    return kinetic(p, 1) + dot([s.a1, s.a2, s.a3], [x**2 for x in q]) / 2, [sphere(q, 1)]


def oval(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    quartic = dot([1, 2, 3], [x**4 for x in q]) / 4
    return (kinetic(p, 1) + q[2] + q[0]**2 / 2 + q[1]**3 / 3,
            [dot(q, q) / 2 + quartic - 1])


def index_one(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    x, y, beta = q[0], p[0], p[1]
    return (y**2 / 2 + x**4 / 4 + beta * x * y / 2 + beta**2 / 2 + beta**4 / 4 + beta * sy.sin(x),
            [q[1]])


def two_body_sphere(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    a, b = points(q)
    cosine = dot(a, b) / s.radius**2
    return (kinetic(p, s.mass1, s.mass2) - s.strength * cosine / sy.sqrt(1 - cosine**2),
            [sphere(a, s.radius), sphere(b, s.radius)])


def manufactured(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    def decimal(text: str) -> Any:
        return sy.Rational(text)
    a = decimal("1.1") + decimal("0.4") * sy.sin(decimal("1.3") * t)
    b = decimal("0.4") + decimal("0.7") * t + decimal("0.3") * sy.cos(decimal("0.9") * t)
    known = [s.length * x for x in (sy.sin(a) * sy.cos(b), sy.sin(a) * sy.sin(b), -sy.cos(a))]
    tension = s.scale * (2 + sy.cos(decimal("1.7") * t))
    V = weight(s, q) + s.quartic * sum(x**4 for x in q) / 4
    Q = [s.mass * sy.diff(x, t, 2) + tension * x - s.damping * (y - s.mass * sy.diff(x, t))
         + sy.diff(V, z).subs(z, x) for x, y, z in zip(known, p, q)]
    return kinetic(p, s.mass) + V, [sphere(q, s.length)], Q


def harmonic_sphere(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    return (kinetic(p, 1) + s.gravity * q[1] + s.quartic * sum(x**4 for x in q) / 4,
            [(square(q) + square(p) - s.radius2) / 2])


def lifted_rotation(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    x, y, z = q
    H = ((1 + s.kinetic * z**2) * p[0]**2 + p[1]**2 + p[2]**2) / 2 \
        + (x**2 + y**2 - 1)**2 / 4 + z**2 / 2 + s.asymmetry * (x + y * z + x**2 * y)
    return H, [x * p[1] - y * p[0]]


def coupled_spheres(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    following = q[1:] + q[:1]
    H = sum((1 + s.coupling * y**2) * x**2 for x, y in zip(p, following)) / 2 \
        + s.gravity * q[1] + s.quartic * sum(x**4 for x in q) / 4
    return H, [(square(a) + square(b) - s.radius2) / 2 + s.oval * (a[0]**2 * a[1] - a[1]**3 / 3)
               for a, b in zip(points(q, s.dimension), points(p, s.dimension))]


def zero_angular_momentum(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    bodies = points(q)
    H = kinetic(p, *(sy.Rational(i + 2, 2) for i in range(len(bodies))))
    for i, (x, y) in enumerate(zip(bodies, points(p))):
        field = x[1]**2 / 2 + 5 * x[2]**2 / 4 + 4 * x[1] / 5 + 3 * x[0]**2 * x[2] / 10
        H += s.kinetic * x[2]**2 * y[0]**2 / 2 + square(x) / 2 + s.field * field \
            + s.spring * sum((square(less(x, z)) - 2)**2 for z in bodies[:i]) / 4
    turns = [cross(x, y) for x, y in zip(bodies, points(p))]
    return H, [sum(one) for one in zip(*turns)]


def vertical_plane(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    azimuth = s.azimuth + s.rotation * t
    return (kinetic(p, s.mass) + weight(s, q) + spring([0, 0, 0], q, s.stiffness, s.length),
            [q[0] * sy.sin(azimuth) - q[1] * sy.cos(azimuth)])


def stiff_valley(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    def frequency(x: Any) -> Any:
        return 1 + x**2 / 2
    return kinetic(p, 1) + s.normal**2 * frequency(q[0]) / frequency(s.position) / 2, [q[1]]


def fekete(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    particles = points(q)
    halves = [s.let(rod(a, b, 0)) for i, b in enumerate(particles) for a in particles[:i]]  # of |b - a|²
    return (kinetic(p, 1) - sum(sy.log(2 * one) for one in halves) / 2,
            [sphere(one, 1) for one in particles], [-s.damping * one for one in p])


# ---- linkages, molecules, bodies ----

def andrews(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    beta, theta, gamma, phi, delta, omega, epsilon = q
    crank, link, arm, rod4, rod5, rod6, rod7 = s.v
    s.constants(
        m1="0.04325", m2="0.00365", m3="0.02373", m4="0.00706", m5="0.0705", m6="0.00706", m7="0.05498",
        I1="2.194e-6", I2="4.41e-7", I3="5.255e-6", I4="5.667e-7", I5="1.169e-5", I6="5.667e-7",
        I7="1.912e-5", xa="-0.06934", ya="-0.00227", xb="-0.03635", yb="0.03273", xc="0.014", yc="0.072",
        d="0.028", da="0.0115", e="0.02", ea="0.01421", rr="0.007", ra="0.00092", l0="0.07785",
        ss="0.035", sa="0.01874", sb="0.01043", sc="0.018", sd="0.02", ta="0.02308", tb="0.00916",
        u="0.04", ua="0.01228", ub="0.00449", zf="0.02", zt="0.04", fa="0.01421")

    def on_arm(length: Any, rate: Any, distance: Any, bend: Any, turn: Any) -> Any:
        """The square of the velocity of a point at some distance from the end of an arm."""
        return length**2 * rate**2 + distance**2 * turn**2 + 2 * length * distance * bend * rate * turn

    T = (s.m1 * s.ra**2 + s.I1) * crank**2 \
        + s.m2 * on_arm(s.rr, crank, -s.da, sy.cos(theta), crank + link) + s.I2 * (crank + link)**2 \
        + (s.m3 * (s.sa**2 + s.sb**2) + s.I3) * arm**2 \
        + s.m4 * on_arm(s.zt, rod5, s.e - s.ea, sy.sin(phi), rod4 + rod5) + s.I4 * (rod4 + rod5)**2 \
        + (s.m5 * (s.ta**2 + s.tb**2) + s.I5) * rod5**2 \
        + s.m6 * on_arm(s.u, rod7, s.fa - s.zf, sy.sin(omega), rod6 + rod7) + s.I6 * (rod6 + rod7)**2 \
        + (s.m7 * (s.ua**2 + s.ub**2) + s.I7) * rod7**2

    def to(angle: Any, along: Any, ahead: Any = 0) -> List[Any]:
        return [along * sy.cos(angle) - ahead * sy.sin(angle), along * sy.sin(angle) + ahead * sy.cos(angle)]

    def closed(x: Any, y: Any, *arms: List[Any]) -> List[Any]:
        return [sum(one) for one in zip([-x, -y], to(beta, s.rr), to(beta + theta, -s.d), *arms)]
    x, y = to(gamma, s.sd, -s.sc)
    return (T / 2 + spring([s.xb + x, s.yb + y], [s.xc, s.yc], s.stiffness, s.l0) - s.torque * beta,
            closed(s.xb, s.yb, to(gamma, 0, s.ss))
            + closed(s.xa, s.ya, to(phi + delta, 0, s.e), to(delta, -s.zt))
            + closed(s.xa, s.ya, to(omega + epsilon, -s.zf), to(epsilon, 0, s.u)))


def slider_crank(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    """Of Simeon's elastic rod: volume, and its mass matrix and others as forms of e and of its rates."""
    s.constants(M2="0.151104", M3="0.075552", L1="0.15", L2="0.3", J1="0.002727", J2="0.0045339259",
                density="7870", young="0.2e12", width="0.008", height="0.008", printed_pi="3.1415927",
                rate="150")
    turn, tilt, x = q[:3]
    crank, rod, block = s.v[:3]
    rigid = [sy.Integer(0)] * 4
    e1, e2, e3, e4 = e = q[3:] or rigid
    w1, w2, w3, w4 = w = s.v[3:] or rigid
    pi, volume, mass = s.printed_pi, s.width * s.height * s.L2, s.density * s.width * s.height * s.L2

    def inertia(a: Sequence[Any], b: Sequence[Any]) -> Any:
        return mass * ((a[0] * b[0] + a[1] * b[1]) / 2 + 8 * a[2] * b[2] + a[2] * b[3] + a[3] * b[2]
                       + 2 * a[3] * b[3])

    def along(a: Sequence[Any]) -> Any:
        return 2 * a[2] / 3 + a[3] / 6
    sine, cosine = sy.sin(turn - tilt), sy.cos(turn - tilt)
    swept = (w1 - w2 / 2) * s.L2 / pi - 16 * (e1 * w3 - e3 * w1) / pi**3 \
        + (8 / pi**3 - 1 / pi) * (e1 * w4 - e4 * w1) + (e2 * w4 - e4 * w2) / (2 * pi)
    T = (s.J1 + s.M2 * s.L1**2) * crank**2 + s.M3 * block**2 + inertia(w, w) \
        + (s.J2 + inertia(e, e) + 2 * mass * s.L2 * (e3 / 3 + e4 / 6)) * rod**2 \
        + 2 * crank * rod * (s.L1 * s.L2 * s.M2 * cosine / 2
                             + mass * s.L1 * (sine * 2 * e1 / pi + cosine * along(e))) \
        + 2 * crank * mass * s.L1 * (cosine * 2 * w1 / pi - sine * along(w)) + 2 * mass * rod * swept
    bending = pi**4 * s.height**2 / s.L2**2 * (e1**2 / 24 + 2 * e2**2 / 3)
    stretching = (16 * e3**2 - 16 * e3 * e4 + 7 * e4**2) / 3
    return (T / 2 + s.young * s.width * s.height / s.L2 * (bending + stretching) / 2,
            [s.L1 * sy.sin(turn) + (s.L2 + e4) * sy.sin(tilt),
             x - s.L1 * sy.cos(turn) - (s.L2 + e4) * sy.cos(tilt), turn - s.rate * t])


def row_of_cranks(s: Any, q: List[Any], p: List[Any], base: Any) -> Any:
    """Of uniform rods: a third of a crank is at its tip; a sixth of a coupler at either end, and the
    rest in the middle, which are coordinates, too."""
    tips, middles = points(q, 2)[::2], points(q, 2)[1::2]
    couplers = [(0 < k) + (k < len(middles)) for k in range(len(tips))]
    shares, weights = [sy.Rational(2, 3)] * len(points(q, 2)), [sy.Rational(2, 3)] * len(points(q, 2))
    shares[::2] = [sy.Rational(1, 3) + sy.Rational(n, 6) for n in couplers]
    weights[::2] = [half + sy.Rational(n, 6) for n in couplers]
    g: List[Any] = []
    for k, tip in enumerate(tips):
        g.append(rod([k * base, 0], tip, s.length))
        if k < len(middles):
            g += [rod(tip, tips[k + 1], base),
                  *(z - (x + y) / 2 for x, y, z in zip(tip, tips[k + 1], middles[k]))]
    return kinetic(p, *(s.mass * one for one in shares)) + s.mass * s.gravity * dot(weights, q[1::2]), g


def four_bar(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    return row_of_cranks(s, q, p, s.length)


def parallelogram(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    return row_of_cranks(s, q, p, s.base)


def bricard(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    sites = points(q)
    hinges = [[0, 0, 0], *sites[:4], [0, 0, s.length]]
    axes = [[0, 1, 0], *sites[4:8], [1, 0, 0]]
    bend, g = s.mass * s.section**2 / 12, []
    for k, (a, b, u, w) in enumerate(zip(hinges, hinges[1:], axes, axes[1:])):
        g += [rod(a, b, s.length), *([sphere(w, 1)] if k < 4 else []),
              dot(less(b, a), u), dot(less(b, a), w), dot(u, w)]
        if 0 < k < 4:
            g += [z - (x + y) / 2 for x, y, z in zip(a, b, sites[7 + k])]
    # A sixth of a rod is at either end; of those that turn about the ground, a third at the other.
    ends = [sy.Rational(n, 6) for n in (3, 2, 2, 3)]
    T = kinetic(p, *(s.mass * one for one in ends), *[2 * bend] * 4, *[2 * s.mass / 3] * 3)
    ends = [sy.Rational(n, 6) for n in (4, 2, 2, 4)]
    return T + s.mass * s.gravity * (dot(ends, q[1:12:3]) + 2 * sum(q[25::3]) / 3), g


def lemniscate(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    return (kinetic(p, s.mass) + weight(s, q),
            [square(q)**2 - s.size**2 * (q[0]**2 - q[1]**2)])


def alkane(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    """Rigid angles with the cosine -1/3: second neighbours at √(8/3) of a bond."""
    s.constants(mass="14.5", bond="0.153", kelvin="0.00831446261815324", sigma="0.3923")
    atoms = points(q)
    bonds = [list(map(s.let, less(b, a))) for a, b in zip(atoms, atoms[1:])]
    planes = [list(map(s.let, cross(a, b))) for a, b in zip(bonds, bonds[1:])]
    H = kinetic(p, s.mass)
    for a, b in zip(planes, planes[1:]):
        cosine, V = s.let(-dot(a, b) / sy.sqrt(square(a) * square(b))), sy.Integer(0)
        for factor in (-3788, 3156, -368, -1578, 1462, 1116):
            V = V * cosine + factor
        H += s.kelvin * V
    for i, b in enumerate(atoms):
        for a in atoms[:max(0, i - 3)]:
            ratio = s.sigma**2 / s.let(square(less(b, a)))
            H += 4 * 72 * s.kelvin * (ratio**6 - ratio**3)
    return H, [rod(a, b, s.bond) for a, b in zip(atoms, atoms[1:])] \
        + [rod(a, b, sy.sqrt(sy.Rational(8, 3)) * s.bond) for a, b in zip(atoms, atoms[2:])]


def water(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    """SPC/E; the field in V/nm; what hydrogens have more than their mass the oxygen gives."""
    s.constants(oxygen="15.9994", proton="1.008", bond="0.1", charge="0.4238",
                electronvolt="96.4853321233100184")
    o, a, b = points(q)
    pull = s.field * s.electronvolt * s.charge
    rest = s.oxygen - 2 * (s.hydrogen - s.proton)
    return (kinetic(p, rest, s.hydrogen, s.hydrogen) - pull * (a[2] + b[2] - 2 * o[2]),
            [rod(o, a, s.bond), rod(o, b, s.bond), rod(a, b, 2 * s.bond * sy.sin(s.angle / 2))])


def car_axis(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    left, right = points(q, 2)
    mass = s.mass * s.epsilon**2 / 2
    bump = s.amplitude * sy.sin(s.frequency * t)
    wheel = [sy.sqrt(s.length**2 - bump**2), bump]
    H = kinetic(p, mass) + spring(left, [0, 0], 1, s.rest) + spring(right, wheel, 1, s.rest) \
        + mass * s.gravity * (left[1] + right[1])
    return H, [dot(left, wheel), rod(left, right, s.length)]


def sundials_slider_crank(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    crank, x, turn = q
    a = s.crank
    length = sy.sqrt((x - sy.cos(turn) / 2 - a * sy.cos(crank) / 2)**2
                     + (sy.sin(turn) + a * sy.sin(crank))**2 / 4)
    speed = dot([sy.diff(length, one) for one in q], [p[0], p[1], p[2] / 2])
    return (kinetic(p, 1, 1, 2) + s.stiffness * (length - 1)**2 / 2
            - s.force * (x + sy.cos(turn)),
            [x - sy.cos(turn) - a * sy.cos(crank), -sy.sin(turn) - a * sy.sin(crank)],
            [-s.damping * speed * sy.diff(length, one) for one in q])


def dimer(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    a, b = points(q)
    return (kinetic(p, s.mass1, s.mass2) + s.gravity * (s.mass1 * a[2] + s.mass2 * b[2]),
            [rod(a, b, s.length)])


def four_particle(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    one, two, three, four = points(q)
    H = kinetic(p, s.mass1, s.mass2, s.mass3, s.mass4) \
        + s.stiffness13 * (square(less(three, one)) - 1)**2 / 2 \
        + s.stiffness24 * (square(less(four, two)) - 1)**2 / 2
    return H, [rod(one, two, 1), rod(three, four, 1)]


def ring(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    beads = points(q, 2)
    return kinetic(p, s.mass), [rod(a, b, s.length) for a, b in zip(beads, beads[1:] + beads[:1])]


def puckered_ring(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    n, beads = s.beads, points(q)
    lift = [sy.cos(4 * sy.pi * i / 5) if n == 5 else (-1)**i for i in range(n)]
    radius = s.length / (2 * sy.sin(sy.pi / n))
    start = [[radius * sy.cos(2 * sy.pi * i / n), radius * sy.sin(2 * sy.pi * i / n),
              s.pucker * s.length * lift[i]] for i in range(n)]
    pairs = [(i, (i + 1) % n) for i in range(n)]
    if s.angles == "yes":
        pairs += [(i, (i + 2) % n) for i in range(2 if n == 4 else n)]
    return (kinetic(p, s.mass) - s.force * sum(w * r[2] for w, r in zip(lift, beads)),
            [rod(beads[i], beads[j], sy.sqrt(square(less(start[i], start[j])))) for i, j in pairs])


def beads_on_line(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    g = [q[1] - q[0] - s.spacing1, q[2] - q[1] - s.spacing2]
    if s.redundant == "yes":
        g.append(q[2] - q[0] - s.spacing1 - s.spacing2)
    return (kinetic(p, s.mass1, s.mass2, s.mass3)
            + s.strength * sum(1 - sy.cos(x) for x in q), g)


def near_parallel(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    H = kinetic(p, s.mass) + s.mass * s.gravity * (q[1] * sy.cos(s.tilt) + q[2] * sy.sin(s.tilt))
    ball = sphere(q, s.length)
    return H, [ball, ball + s.epsilon * s.length * q[2]]


def rotation(q: List[Any], p: List[Any], moments: Sequence[Any]) -> Any:
    """½ tr(P D⁻¹ Pᵀ) and RᵀR = 1."""
    D = [sum(moments) / 2 - one for one in moments]
    columns = [q[i::3] for i in range(3)]
    return (sum(square(p[i::3]) / (2 * D[i]) for i in range(3)),
            [sphere(one, 1) for one in columns]
            + [dot(columns[i], columns[j]) for i, j in ((0, 1), (0, 2), (1, 2))])


def free_rigid_body(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    return rotation(q, p, [s.moment1, s.moment2, s.moment3])


def lagrange_top(s: Any, q: List[Any], p: List[Any], t: Any) -> Any:
    across = s.moment1 + s.mass * s.distance**2
    T, g = rotation(q, p, [across, across, s.moment3])
    return T + s.mass * s.gravity * s.distance * q[8], g


# ---- the table ----

#: Parameters whose default, 0, stands for what a start or the model has.
LEVELS: Dict[Tuple[str, str], Callable[[Any, Any], Any]] = {
    ("harmonic-sphere", "radius2"): lambda q, p: square(q) + square(p),
    ("water", "angle"): lambda q, p: math.acos(-1 / 3)}


class System(NamedTuple):
    """H, g and Q in the symbols q[0], …, p[0], …, t, those of the parameters and those that stand for
    an expression; where there is an M, H is ½ vᵀM v + V(q), and Q may have v[0], …, too."""

    q: List[Any]
    p: List[Any]
    v: List[Any]
    t: Any
    parameters: List[Any]
    constants: Dict[str, str]
    lets: Dict[Any, Any]
    H: Any
    g: List[Any]
    Q: List[Any]
    M: List[List[Any]]

    @property
    def V(self) -> Any:
        return self.H.xreplace(dict.fromkeys(self.v, sy.Integer(0)))

    @property
    def momenta(self) -> bool:
        """Whether momenta enter the constraints."""
        return any(one.has(*self.p) for one in self.g)


class _Parameters:
    """Symbols of parameters, of velocities, of a problem's own numbers and of its expressions."""

    def __init__(self, v: List[Any]):
        self.v = v
        self.numbers: Dict[str, str] = {}
        self.lets: Dict[Any, Any] = {}

    def constants(self, **numbers: str) -> None:
        self.numbers = numbers
        for name in numbers:
            setattr(self, name, sy.Symbol(name))

    def let(self, expression: Any) -> Any:
        symbol = sy.Symbol("w_%d" % (len(self.lets) + 1))
        self.lets[symbol] = expression
        return symbol


def known(name: str) -> bool:
    """Whether the equations of a problem are here."""
    return callable(globals().get(name.replace("-", "_"))) and name in NAMES


def system(name: str, n: int, parameters: Dict[str, Optional[str]]) -> System:
    """The equations of a problem of n coordinates; parameters that choose have their default, those
    that are symbols None."""
    q, p, v = ([sy.Symbol("%s[%d]" % (letter, i)) for i in range(n)] for letter in "qpv")
    s = _Parameters(v)
    for parameter, value in parameters.items():
        word = parameter.replace("-", "_")
        chosen = value if value is None or not value.isdigit() else int(value)
        setattr(s, word, sy.Symbol(word) if chosen is None else chosen)
    t = sy.Symbol("t")
    H, g, *Q = globals()[name.replace("-", "_")](s, q, p, t)
    used = sy.Tuple(H, *g, *sum(Q, []), *s.lets.values()).free_symbols - {*q, *p, *v, t, *s.lets}
    M = sy.hessian(H, v).applyfunc(sy.factor_terms).tolist() if H.has(*v) else []
    return System(q, p, v, t, sorted(used, key=str), s.numbers, s.lets, H, list(g), sum(Q, []), M)


NAMES = [
    "alkane", "andrews", "arevalo", "beads-on-line", "bricard", "car-axis", "chain", "charged-pendulum",
    "coupled-spheres", "dimer", "double-pendulum", "driven-pendulum", "driven-spherical-pendulum",
    "ellipsoid-geodesic", "fekete", "four-bar", "four-particle", "free-rigid-body", "harmonic-sphere",
    "index-one", "lagrange-top", "lemniscate", "lifted-rotation", "manufactured", "near-parallel",
    "neumann", "oval", "parallelogram", "pendulum", "puckered-ring", "ring", "rotating-hoop", "slider-crank",
    "spherical-pendulum", "sprung-pendulum", "stiff-valley", "sundials-slider-crank", "two-body-sphere",
    "vertical-plane", "water", "zero-angular-momentum"]
