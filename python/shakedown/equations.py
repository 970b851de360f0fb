"""The equations of the problems that are built in, in sympy: a function for each, by its name.

    def pendulum(s, q, p, t): return H, g

q and p are lists of n symbols, t is the time, and s has the problem's parameters: numbers and angles
as symbols, what counts or chooses as its default. A third answer are generalized forces Q. They are
written from the literature, apart from the functions in C that integrators call; tests hold each
against the other in quadruple precision.
"""

from __future__ import annotations

import importlib
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
    return (kinetic(p, s.mass1, s.mass2) + s.gravity * (s.mass1 * a[1] + s.mass2 * b[1]),
            [sphere(a, s.length1), rod(a, b, s.length2)])


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


# ---- linkages, molecules, bodies ----

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

#: Parameters whose default, 0, stands for what a start has.
LEVELS: Dict[Tuple[str, str], Callable[[Any, Any], Any]] = {
    ("harmonic-sphere", "radius2"): lambda q, p: square(q) + square(p)}


class System(NamedTuple):
    """H, g and Q in the symbols q[0], …, p[0], …, t and those of the parameters."""

    q: List[Any]
    p: List[Any]
    t: Any
    parameters: List[Any]
    H: Any
    g: List[Any]
    Q: List[Any]

    @property
    def momenta(self) -> bool:
        """Whether momenta enter the constraints."""
        return any(one.has(*self.p) for one in self.g)


class _Parameters:
    pass


def known(name: str) -> bool:
    """Whether the equations of a problem are here."""
    return callable(globals().get(name.replace("-", "_"))) and name in NAMES


def system(name: str, n: int, parameters: Dict[str, Optional[str]]) -> System:
    """The equations of a problem of n coordinates; parameters that choose have their default, those
    that are symbols None."""
    s = _Parameters()
    for parameter, value in parameters.items():
        word = parameter.replace("-", "_")
        chosen = value if value is None or not value.isdigit() else int(value)
        setattr(s, word, sy.Symbol(word) if chosen is None else chosen)
    q, p = ([sy.Symbol("%s[%d]" % (letter, i)) for i in range(n)] for letter in "qp")
    t = sy.Symbol("t")
    H, g, *Q = globals()[name.replace("-", "_")](s, q, p, t)
    used = sy.Tuple(H, *g, *sum(Q, [])).free_symbols - {*q, *p, t}
    return System(q, p, t, sorted(used, key=str), H, list(g), sum(Q, []))


NAMES = [
    "arevalo", "beads-on-line", "car-axis", "chain", "charged-pendulum", "coupled-spheres", "dimer",
    "double-pendulum", "driven-pendulum", "ellipsoid-geodesic", "four-particle", "free-rigid-body",
    "harmonic-sphere", "index-one", "lagrange-top", "lifted-rotation",
    "manufactured", "near-parallel", "neumann", "pendulum", "ring", "rotating-hoop",
    "spherical-pendulum", "sprung-pendulum", "sundials-slider-crank", "two-body-sphere"]
