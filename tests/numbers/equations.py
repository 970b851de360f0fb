"""The functions of the problems in C against equations that are written here from the literature, apart from
them, in mpmath with 60 digits; derivatives are differences of these.

usage: equations.py

A function for each problem, by its name, has H, g and possibly generalized forces Q at lists q and p of n numbers and
the time t. s has the problem's parameters and constants. Where the masses depend on q, H is written in the velocities
s.v = M(q)^-1 p, and M follows from H.
"""

import json
import os
import re
import subprocess

import mpmath as mp
import numpy as np
import shakedown

mp.mp.dps = 60
STEP = mp.mpf(10) ** -20


def shifted(x, i, by):
    return [one + by if k == i else one for k, one in enumerate(x)]


def slopes(function, x):
    """The derivatives of a number or of an array of numbers by each of x."""
    return [(function(shifted(x, i, STEP)) - function(shifted(x, i, -STEP))) / (2 * STEP) for i in range(len(x))]


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), mp.mpf(0))


def less(a, b):
    return [x - y for x, y in zip(a, b)]


def square(a):
    return dot(a, a)


def points(q, dimension=3):
    """r_1, r_2, …"""
    return [list(q[i:i + dimension]) for i in range(0, len(q), dimension)]


def kinetic(p, *masses):
    """Of bodies of these masses, each with an equal share of p."""
    each = len(p) // len(masses)
    return sum(x * x / (2 * masses[i // each]) for i, x in enumerate(p))


def rod(a, b, length):
    return (square(less(b, a)) - length**2) / 2


def sphere(q, radius):
    return (square(q) - radius**2) / 2


def weight(s, q):
    """The last coordinate is the height."""
    return s.mass * s.gravity * q[-1]


def cross(a, b):
    return [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]


def spring(a, b, stiffness, rest):
    return stiffness * (mp.sqrt(square(less(b, a))) - rest)**2 / 2


# ---- pendulums ----

def pendulum(s, q, p, t):
    return kinetic(p, s.mass) + weight(s, q), [sphere(q, s.length)]


spherical_pendulum = pendulum


def sprung_pendulum(s, q, p, t):
    H, g = pendulum(s, q, p, t)
    return H + spring([s.anchor_x, s.anchor_y], q, s.stiffness, s.rest), g


def double_pendulum(s, q, p, t):
    a, b = points(q, 2)
    H = kinetic(p, s.mass1, s.mass2) + s.gravity * (s.mass1 * a[1] + s.mass2 * b[1])
    g = [sphere(a, s.length1), rod(a, b, s.length2)]
    # The springs have their default stiffness, 10⁴.
    return (H + 5000 * sum(one**2 for one in g), []) if s.links == "springs" else (H, g)


def chain(s, q, p, t):
    beads = [[mp.mpf(0)] * s.dimension, *points(q, s.dimension)]
    springs = sum(spring(a, b, s.spring, 3 * s.length / 2) for a, b in zip(beads, beads[2:]))
    return (kinetic(p, s.mass) + sum(weight(s, bead) for bead in beads) + springs,
            [rod(a, b, s.length) for a, b in zip(beads, beads[1:])])


def charged_pendulum(s, q, p, t):
    x, y, z = q
    strength = (s.field + s.slope * z) / 2
    A = [-strength * y, strength * x, 0]
    H = square([a - s.charge * b for a, b in zip(p, A)]) / (2 * s.mass) + weight(s, q)
    return H, [sphere(q, s.length)]


def driven_pendulum(s, q, p, t):
    size = s.amplitude * mp.sin(s.frequency * t)
    pivot = [size * mp.sin(s.direction), size * mp.cos(s.direction)]
    return kinetic(p, s.mass) + weight(s, q), [rod(pivot, q, s.length)]


def driven_spherical_pendulum(s, q, p, t):
    turn, across = s.frequency * t, s.amplitude * mp.sin(s.frequency * t)
    pivot = [s.amplitude * mp.cos(turn), across * mp.cos(s.tilt), across * mp.sin(s.tilt)]
    return (kinetic(p, s.mass) + weight(s, q) + spring([s.length, 0, 0], q, s.stiffness, 0),
            [rod(pivot, q, s.length)])


def rotating_hoop(s, q, p, t):
    turn = s.rotation * t
    return (kinetic(p, s.mass) + weight(s, q),
            [sphere(q, s.radius), q[1] * mp.cos(turn) - q[0] * mp.sin(turn)])


# ---- manifolds ----

def arevalo(s, q, p, t):
    return kinetic(p, 1), [sphere(q, 1)], [2 * q[1], -2 * q[0]]


def ellipsoid_geodesic(s, q, p, t):
    axes = [s.axis1, s.axis2, s.axis3]
    return kinetic(p, 1), [(sum(x**2 / a**2 for x, a in zip(q, axes)) - 1) / 2]


def neumann(s, q, p, t):
    return kinetic(p, 1) + dot([s.a1, s.a2, s.a3], [x**2 for x in q]) / 2, [sphere(q, 1)]


def oval(s, q, p, t):
    quartic = dot([1, 2, 3], [x**4 for x in q]) / 4
    return (kinetic(p, 1) + q[2] + q[0]**2 / 2 + q[1]**3 / 3,
            [dot(q, q) / 2 + quartic - 1])


def index_one(s, q, p, t):
    x, y, beta = q[0], p[0], p[1]
    return (y**2 / 2 + x**4 / 4 + beta * x * y / 2 + beta**2 / 2 + beta**4 / 4 + beta * mp.sin(x),
            [q[1]])


def two_body_sphere(s, q, p, t):
    a, b = points(q)
    cosine = dot(a, b) / s.radius**2
    return (kinetic(p, s.mass1, s.mass2) - s.strength * cosine / mp.sqrt(1 - cosine**2),
            [sphere(a, s.radius), sphere(b, s.radius)])


def manufactured(s, q, p, t):
    def known(t):
        a = mp.mpf("1.1") + mp.mpf("0.4") * mp.sin(mp.mpf("1.3") * t)
        b = mp.mpf("0.4") + mp.mpf("0.7") * t + mp.mpf("0.3") * mp.cos(mp.mpf("0.9") * t)
        return s.length * np.array([mp.sin(a) * mp.cos(b), mp.sin(a) * mp.sin(b), -mp.cos(a)])

    def V(x):
        return weight(s, x) + s.quartic * sum(one**4 for one in x) / 4
    before, x, after = known(t - STEP), known(t), known(t + STEP)
    v, w = (after - before) / (2 * STEP), (after - 2 * x + before) / STEP**2
    tension = s.scale * (2 + mp.cos(mp.mpf("1.7") * t))
    Q = s.mass * w + tension * x - s.damping * (p - s.mass * v) + slopes(V, x)
    return kinetic(p, s.mass) + V(q), [sphere(q, s.length)], Q


def harmonic_sphere(s, q, p, t):
    return (kinetic(p, 1) + s.gravity * q[1] + s.quartic * sum(x**4 for x in q) / 4,
            [(square(q) + square(p) - s.radius2) / 2])


def lifted_rotation(s, q, p, t):
    x, y, z = q
    H = ((1 + s.kinetic * z**2) * p[0]**2 + p[1]**2 + p[2]**2) / 2 \
        + (x**2 + y**2 - 1)**2 / 4 + z**2 / 2 + s.asymmetry * (x + y * z + x**2 * y)
    return H, [x * p[1] - y * p[0]]


def coupled_spheres(s, q, p, t):
    following = q[1:] + q[:1]
    H = sum((1 + s.coupling * y**2) * x**2 for x, y in zip(p, following)) / 2 \
        + s.gravity * q[1] + s.quartic * sum(x**4 for x in q) / 4
    return H, [(square(a) + square(b) - s.radius2) / 2 + s.oval * (a[0]**2 * a[1] - a[1]**3 / 3)
               for a, b in zip(points(q, s.dimension), points(p, s.dimension))]


def zero_angular_momentum(s, q, p, t):
    bodies = points(q)
    H = kinetic(p, *(mp.mpf(i + 2) / 2 for i in range(len(bodies))))
    for i, (x, y) in enumerate(zip(bodies, points(p))):
        field = x[1]**2 / 2 + 5 * x[2]**2 / 4 + 4 * x[1] / 5 + 3 * x[0]**2 * x[2] / 10
        H += s.kinetic * x[2]**2 * y[0]**2 / 2 + square(x) / 2 + s.field * field \
            + s.spring * sum((square(less(x, z)) - 2)**2 for z in bodies[:i]) / 4
    turns = [cross(x, y) for x, y in zip(bodies, points(p))]
    return H, [sum(one) for one in zip(*turns)]


def vertical_plane(s, q, p, t):
    azimuth = s.azimuth + s.rotation * t
    return (kinetic(p, s.mass) + weight(s, q) + spring([0, 0, 0], q, s.stiffness, s.length),
            [q[0] * mp.sin(azimuth) - q[1] * mp.cos(azimuth)])


def stiff_valley(s, q, p, t):
    def frequency(x):
        return 1 + x**2 / 2
    return kinetic(p, 1) + s.normal**2 * frequency(q[0]) / frequency(s.position) / 2, [q[1]]


def fekete(s, q, p, t):
    particles = points(q)
    halves = [rod(a, b, 0) for i, b in enumerate(particles) for a in particles[:i]]  # of |b - a|^2
    return (kinetic(p, 1) - sum(mp.log(2 * one) for one in halves) / 2,
            [sphere(one, 1) for one in particles], [-s.damping * one for one in p])


# ---- linkages, molecules, bodies ----

def andrews(s, q, p, t):
    beta, theta, gamma, phi, delta, omega, epsilon = q
    crank, link, arm, rod4, rod5, rod6, rod7 = s.v
    s.constants(
        m1="0.04325", m2="0.00365", m3="0.02373", m4="0.00706", m5="0.0705", m6="0.00706", m7="0.05498",
        I1="2.194e-6", I2="4.41e-7", I3="5.255e-6", I4="5.667e-7", I5="1.169e-5", I6="5.667e-7",
        I7="1.912e-5", xa="-0.06934", ya="-0.00227", xb="-0.03635", yb="0.03273", xc="0.014", yc="0.072",
        d="0.028", da="0.0115", e="0.02", ea="0.01421", rr="0.007", ra="0.00092", l0="0.07785",
        ss="0.035", sa="0.01874", sb="0.01043", sc="0.018", sd="0.02", ta="0.02308", tb="0.00916",
        u="0.04", ua="0.01228", ub="0.00449", zf="0.02", zt="0.04", fa="0.01421")

    def on_arm(length, rate, distance, bend, turn):
        """The square of the velocity of a point at some distance from the end of an arm."""
        return length**2 * rate**2 + distance**2 * turn**2 + 2 * length * distance * bend * rate * turn

    T = (s.m1 * s.ra**2 + s.I1) * crank**2 \
        + s.m2 * on_arm(s.rr, crank, -s.da, mp.cos(theta), crank + link) + s.I2 * (crank + link)**2 \
        + (s.m3 * (s.sa**2 + s.sb**2) + s.I3) * arm**2 \
        + s.m4 * on_arm(s.zt, rod5, s.e - s.ea, mp.sin(phi), rod4 + rod5) + s.I4 * (rod4 + rod5)**2 \
        + (s.m5 * (s.ta**2 + s.tb**2) + s.I5) * rod5**2 \
        + s.m6 * on_arm(s.u, rod7, s.fa - s.zf, mp.sin(omega), rod6 + rod7) + s.I6 * (rod6 + rod7)**2 \
        + (s.m7 * (s.ua**2 + s.ub**2) + s.I7) * rod7**2

    def to(angle, along, ahead = 0):
        return [along * mp.cos(angle) - ahead * mp.sin(angle), along * mp.sin(angle) + ahead * mp.cos(angle)]

    def closed(x, y, *arms):
        return [sum(one) for one in zip([-x, -y], to(beta, s.rr), to(beta + theta, -s.d), *arms)]
    x, y = to(gamma, s.sd, -s.sc)
    return (T / 2 + spring([s.xb + x, s.yb + y], [s.xc, s.yc], s.stiffness, s.l0) - s.torque * beta,
            closed(s.xb, s.yb, to(gamma, 0, s.ss))
            + closed(s.xa, s.ya, to(phi + delta, 0, s.e), to(delta, -s.zt))
            + closed(s.xa, s.ya, to(omega + epsilon, -s.zf), to(epsilon, 0, s.u)))


def slider_crank(s, q, p, t):
    """Of Simeon's elastic rod: volume, and its mass matrix and others as forms of e and of its rates."""
    s.constants(M2="0.151104", M3="0.075552", L1="0.15", L2="0.3", J1="0.002727", J2="0.0045339259",
                density="7870", young="0.2e12", width="0.008", height="0.008", printed_pi="3.1415927",
                rate="150")
    turn, tilt, x = q[:3]
    crank, rod, block = s.v[:3]
    rigid = [mp.mpf(0)] * 4
    e1, e2, e3, e4 = e = q[3:] or rigid
    w1, w2, w3, w4 = w = s.v[3:] or rigid
    pi, volume, mass = s.printed_pi, s.width * s.height * s.L2, s.density * s.width * s.height * s.L2

    def inertia(a, b):
        return mass * ((a[0] * b[0] + a[1] * b[1]) / 2 + 8 * a[2] * b[2] + a[2] * b[3] + a[3] * b[2]
                       + 2 * a[3] * b[3])

    def along(a):
        return 2 * a[2] / 3 + a[3] / 6
    sine, cosine = mp.sin(turn - tilt), mp.cos(turn - tilt)
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
            [s.L1 * mp.sin(turn) + (s.L2 + e4) * mp.sin(tilt),
             x - s.L1 * mp.cos(turn) - (s.L2 + e4) * mp.cos(tilt), turn - s.rate * t])


def row_of_cranks(s, q, p, base):
    """Of uniform rods: a third of a crank is at its tip; a sixth of a coupler at either end, and the
    rest in the middle, which are coordinates, too."""
    tips, middles = points(q, 2)[::2], points(q, 2)[1::2]
    couplers = [(0 < k) + (k < len(middles)) for k in range(len(tips))]
    shares, weights = [mp.mpf(2) / 3] * len(points(q, 2)), [mp.mpf(2) / 3] * len(points(q, 2))
    shares[::2] = [mp.mpf(1) / 3 + mp.mpf(n) / 6 for n in couplers]
    weights[::2] = [mp.mpf(n + 3) / 6 for n in couplers]
    g = []
    for k, tip in enumerate(tips):
        g.append(rod([k * base, 0], tip, s.length))
        if k < len(middles):
            g += [rod(tip, tips[k + 1], base),
                  *(z - (x + y) / 2 for x, y, z in zip(tip, tips[k + 1], middles[k]))]
    return kinetic(p, *(s.mass * one for one in shares)) + s.mass * s.gravity * dot(weights, q[1::2]), g


def four_bar(s, q, p, t):
    return row_of_cranks(s, q, p, s.length)


def parallelogram(s, q, p, t):
    return row_of_cranks(s, q, p, s.base)


def bricard(s, q, p, t):
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
    ends = [mp.mpf(n) / 6 for n in (3, 2, 2, 3)]
    T = kinetic(p, *(s.mass * one for one in ends), *[2 * bend] * 4, *[2 * s.mass / 3] * 3)
    ends = [mp.mpf(n) / 6 for n in (4, 2, 2, 4)]
    return T + s.mass * s.gravity * (dot(ends, q[1:12:3]) + 2 * sum(q[25::3]) / 3), g


def lemniscate(s, q, p, t):
    return (kinetic(p, s.mass) + weight(s, q),
            [square(q)**2 - s.size**2 * (q[0]**2 - q[1]**2)])


def alkane(s, q, p, t):
    """Rigid angles with the cosine -1/3: second neighbours at √(8/3) of a bond."""
    s.constants(mass="14.5", bond="0.153", kelvin="0.00831446261815324", sigma="0.3923")
    atoms = points(q)
    bonds = [less(b, a) for a, b in zip(atoms, atoms[1:])]
    planes = [cross(a, b) for a, b in zip(bonds, bonds[1:])]
    H = kinetic(p, s.mass)
    for a, b in zip(planes, planes[1:]):
        cosine, V = -dot(a, b) / mp.sqrt(square(a) * square(b)), mp.mpf(0)
        for factor in (-3788, 3156, -368, -1578, 1462, 1116):
            V = V * cosine + factor
        H += s.kelvin * V
    for i, b in enumerate(atoms):
        for a in atoms[:max(0, i - 3)]:
            ratio = s.sigma**2 / square(less(b, a))
            H += 4 * 72 * s.kelvin * (ratio**6 - ratio**3)
    return H, [rod(a, b, s.bond) for a, b in zip(atoms, atoms[1:])] \
        + [rod(a, b, mp.sqrt(mp.mpf(8) / 3) * s.bond) for a, b in zip(atoms, atoms[2:])]


def water(s, q, p, t):
    """SPC/E; the field in V/nm; what hydrogens have more than their mass the oxygen gives."""
    s.constants(oxygen="15.9994", proton="1.008", bond="0.1", charge="0.4238",
                electronvolt="96.4853321233100184")
    o, a, b = points(q)
    pull = s.field * s.electronvolt * s.charge
    rest = s.oxygen - 2 * (s.hydrogen - s.proton)
    return (kinetic(p, rest, s.hydrogen, s.hydrogen) - pull * (a[2] + b[2] - 2 * o[2]),
            [rod(o, a, s.bond), rod(o, b, s.bond), rod(a, b, 2 * s.bond * mp.sin(s.angle / 2))])


def car_axis(s, q, p, t):
    left, right = points(q, 2)
    mass = s.mass * s.epsilon**2 / 2
    bump = s.amplitude * mp.sin(s.frequency * t)
    wheel = [mp.sqrt(s.length**2 - bump**2), bump]
    H = kinetic(p, mass) + spring(left, [0, 0], 1, s.rest) + spring(right, wheel, 1, s.rest) \
        + mass * s.gravity * (left[1] + right[1])
    return H, [dot(left, wheel), rod(left, right, s.length)]


def sundials_slider_crank(s, q, p, t):
    def length(q):
        crank, x, turn = q
        return mp.sqrt((x - mp.cos(turn) / 2 - s.crank * mp.cos(crank) / 2)**2
                       + (mp.sin(turn) + s.crank * mp.sin(crank))**2 / 4)
    crank, x, turn = q
    along = slopes(length, q)
    speed = dot(along, [p[0], p[1], p[2] / 2])
    return (kinetic(p, 1, 1, 2) + s.stiffness * (length(q) - 1)**2 / 2 - s.force * (x + mp.cos(turn)),
            [x - mp.cos(turn) - s.crank * mp.cos(crank), -mp.sin(turn) - s.crank * mp.sin(crank)],
            [-s.damping * speed * one for one in along])


def dimer(s, q, p, t):
    a, b = points(q)
    return (kinetic(p, s.mass1, s.mass2) + s.gravity * (s.mass1 * a[2] + s.mass2 * b[2]),
            [rod(a, b, s.length)])


def four_particle(s, q, p, t):
    one, two, three, four = points(q)
    H = kinetic(p, s.mass1, s.mass2, s.mass3, s.mass4) \
        + s.stiffness13 * (square(less(three, one)) - 1)**2 / 2 \
        + s.stiffness24 * (square(less(four, two)) - 1)**2 / 2
    return H, [rod(one, two, 1), rod(three, four, 1)]


def ring(s, q, p, t):
    beads = points(q, 2)
    return kinetic(p, s.mass), [rod(a, b, s.length) for a, b in zip(beads, beads[1:] + beads[:1])]


def puckered_ring(s, q, p, t):
    n, beads = s.beads, points(q)
    lift = [mp.cos(4 * mp.pi * i / 5) if n == 5 else (-1)**i for i in range(n)]
    radius = s.length / (2 * mp.sin(mp.pi / n))
    start = [[radius * mp.cos(2 * mp.pi * i / n), radius * mp.sin(2 * mp.pi * i / n),
              s.pucker * s.length * lift[i]] for i in range(n)]
    pairs = [(i, (i + 1) % n) for i in range(n)]
    if s.angles == "yes":
        pairs += [(i, (i + 2) % n) for i in range(2 if n == 4 else n)]
    return (kinetic(p, s.mass) - s.force * sum(w * r[2] for w, r in zip(lift, beads)),
            [rod(beads[i], beads[j], mp.sqrt(square(less(start[i], start[j])))) for i, j in pairs])


def beads_on_line(s, q, p, t):
    g = [q[1] - q[0] - s.spacing1, q[2] - q[1] - s.spacing2]
    if s.redundant == "yes":
        g.append(q[2] - q[0] - s.spacing1 - s.spacing2)
    return (kinetic(p, s.mass1, s.mass2, s.mass3)
            + s.strength * sum(1 - mp.cos(x) for x in q), g)


def near_parallel(s, q, p, t):
    H = kinetic(p, s.mass) + s.mass * s.gravity * (q[1] * mp.cos(s.tilt) + q[2] * mp.sin(s.tilt))
    ball = sphere(q, s.length)
    return H, [ball, ball + s.epsilon * s.length * q[2]]


def rotation(q, p, moments):
    """½ tr(P D⁻¹ Pᵀ) and RᵀR = 1."""
    D = [sum(moments) / 2 - one for one in moments]
    columns = [q[i::3] for i in range(3)]
    return (sum(square(p[i::3]) / (2 * D[i]) for i in range(3)),
            [sphere(one, 1) for one in columns]
            + [dot(columns[i], columns[j]) for i, j in ((0, 1), (0, 2), (1, 2))])


def free_rigid_body(s, q, p, t):
    return rotation(q, p, [s.moment1, s.moment2, s.moment3])


def lagrange_top(s, q, p, t):
    across = s.moment1 + s.mass * s.distance**2
    T, g = rotation(q, p, [across, across, s.moment3])
    return T + s.mass * s.gravity * s.distance * q[8], g


# ---- both compared ----

#: Parameters whose default, 0, stands for what a start or the model has.
LEVELS = {("harmonic-sphere", "radius2"): lambda q, p: square(q) + square(p),
          ("water", "angle"): lambda q, p: mp.acos(-mp.mpf(1) / 3)}
MASSES = ("andrews", "slider-crank")  # which depend on q


class Parameters:
    """What an equation reads of a problem, by name."""

    def __init__(self, values):
        self.values, self.used = values, set()

    def __getattr__(self, name):
        self.used.add(name)
        return self.values[name]

    def constants(self, **numbers):
        self.values.update({name: mp.mpf(number) for name, number in numbers.items()})


def parameters(specification):
    """The options of a problem: numbers and angles as texts, whole numbers and choices as they are."""
    said = subprocess.run([os.environ["SHAKEDOWN"], "describe", specification, "--format", "json"],
                          capture_output=True, text=True, check=True).stdout
    given = dict(re.findall(r"([\w-]+)=([^,()]+)", specification))
    for row in json.loads(said):
        if row["section"] == "options" and not re.search("[=(]", row["name"]):
            kind, default = re.match("([^,]*), default ([^,\n]*)", row["value"]).groups()
            yield row["name"], kind, given.get(row["name"], default)


def number(text):
    return mp.mpf(text[:-3]) * mp.pi / 180 if text.endswith("deg") else mp.mpf(text)


class Equations:
    """The functions of a problem at its parameters."""

    def __init__(self, specification, start):
        self.name = specification.partition("(")[0]
        self.function = globals()[self.name.replace("-", "_")]
        values = {}
        for name, kind, value in parameters(specification):
            if kind in ("number", "angle"):
                level = LEVELS.get((self.name, name))
                values[name.replace("-", "_")] = level(*start) if level and not float(number(value)) else number(value)
            else:
                values[name.replace("-", "_")] = int(value) if value.isdigit() else value
        self.s = Parameters(values)

    def at(self, q, p, t):
        if self.name in MASSES:
            self.s.values["v"] = self.velocity(q, p, t)
        H, g, *Q = self.function(self.s, q, p, t)
        return H, np.array(list(g)), np.array(Q[0] if Q else [mp.mpf(0)] * len(q))

    def M(self, q, t):
        """From T = v M v / 2, which is a part of H."""
        n = len(q)

        def T(*which):
            self.s.values["v"] = [mp.mpf(which.count(i)) for i in range(n)]
            return self.function(self.s, q, self.s.v, t)[0]
        none, one = T(), [T(i) for i in range(n)]
        return mp.matrix([[T(i, j) - one[i] - one[j] + none for j in range(n)] for i in range(n)])

    def velocity(self, q, p, t):
        return list(mp.lu_solve(self.M(q, t), mp.matrix(p)))


def compare(specification, q, p, t):
    """To 1e-15 of the largest number of an answer, or of one; what states far from any motion lose to rounding
    is less."""
    theirs = shakedown.Problem(specification, "quad")
    mine = Equations(specification, theirs.start())

    def same(what, a, b):
        a = np.array(a, dtype=float)
        assert a.shape == np.shape(b), "%s: %s has another shape" % (specification, what)
        worst = np.abs(a - b).max() / max(1, np.abs(b).max())
        assert worst <= 1e-15, "%s: %s differs by %.1e" % (specification, what, worst)
    Q, P, T = [mp.mpf(x) for x in q], [mp.mpf(x) for x in p], mp.mpf(t)
    H, g, forces = mine.at(Q, P, T)
    v = slopes(lambda x: mine.at(Q, x, T)[0], P)
    same("H", H, theirs.H(q, p, t))
    same("H_q", slopes(lambda x: mine.at(x, P, T)[0], Q) - forces, theirs.H_q(q, p, t))
    same("H_p", v, theirs.H_p(q, p, t))
    if mine.name in MASSES:
        same("M", mine.M(Q, T).tolist(), theirs.M(q))
    if "forces" in theirs.features:
        same("Q", forces, theirs.Q(q, p, t))
    if theirs.m == 0:
        return mine
    G = np.transpose(slopes(lambda x: mine.at(x, P, T)[1], Q))
    if "momentum-constraint" in theirs.features:
        same("g", g, theirs.g_qp(q, p, t))
        g_q, g_p = theirs.gradients(q, p, t)
        same("g_q", G, g_q)
        same("g_p", np.transpose(slopes(lambda x: mine.at(Q, x, T)[1], P)), g_p)
        return mine
    same("g", g, theirs.g(q, t))
    same("G", G, theirs.G(q, t))
    before, after = (mine.at([x + k * STEP * y for x, y in zip(Q, v)], P, T + k * STEP)[1] for k in (-1, 1))
    same("curvature", (after - 2 * g + before) / STEP**2, theirs.curvature(q, theirs.H_p(q, p, t), t))
    if "rheonomic" in theirs.features:
        same("g_t", slopes(lambda x: mine.at(Q, P, x[0])[1], [T])[0], theirs.g_t(q, t))
    return mine


def check(specification, random):
    """Near the start, at times of order one, at these and at other parameters."""
    def near(specification):
        problem = shakedown.Problem(specification, "quad")
        q, p = problem.start()
        q += random.uniform(-0.2, 0.2, problem.n)
        p += random.uniform(-0.5, 0.5, problem.n)
        return compare(specification, q, p, problem.initial_time + random.uniform(0, 2))
    used, given = near(specification).s, []
    for name, kind, value in parameters(specification):
        if kind in ("number", "angle") and name.replace("-", "_") in used.used:
            value = float(used.values[name.replace("-", "_")])
            value = value * random.uniform(0.9, 1.1) or random.uniform(0.2, 0.6)
            given.append("%s=%s" % (name, round(value, 4)))
        elif specification.find(name + "=") > 0:
            given.append("%s=%s" % (name, value))
    other = "%s(%s)" % (specification.partition("(")[0], ",".join(given))
    for _ in range(2):
        near(other)
    print(specification)


if __name__ == "__main__":
    random = np.random.default_rng(7)
    for name in shakedown.problems():
        if name.replace("-", "_") in globals():
            check(name, random)
    check("double-pendulum(links=springs)", random)
    check("slider-crank(flexible=yes)", random)
