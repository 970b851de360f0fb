"""The functions of mechanisms against equations written apart from them, in mpmath with 60 digits: H, g and Q of
bodies in natural coordinates as docs/guides/mechanisms.md has them, and their derivatives by differences. References
against motions in other coordinates.

usage: mechanism_equations.py FILE.yaml... [MOTIONS.csv FOLDER-OF-REFERENCES]
"""

import csv
import decimal
import pathlib
import random
import re
import sys

import mpmath as mp
import numpy as np
import shakedown
import yaml

mp.mp.dps = 60
STEP = mp.mpf(10) ** -20
ROWS = {"spherical": "p1 p2 p3", "revolute": "p1 p2 p3 o31 o32", "prismatic": "o31 o32 o12 a1 a2",
        "cylindrical": "o31 o32 a1 a2", "universal": "p1 p2 p3 o31", "planar": "o31 o32 a3",
        "weld": "p1 p2 p3 o12 o23 o31", "distance": "d", "point-on-line": "a1 a2", "gear": "g"}
MOTIONS = {"revolute": "r3", "prismatic": "t3", "cylindrical": "r3 t3", "universal": "r3 r1", "planar": "t1 t2 r3",
           "weld": "", "spherical": ""}


def motions_of(joint):
    return joint.get("motions") or MOTIONS.get(joint["type"], "").split()


def rows_of(joint):
    if joint["type"] != "serial":
        return ROWS[joint["type"]].split()
    along, about = ([int(motion[1]) for motion in joint["motions"] if motion[0] == kind] for kind in "tr")
    turned = "" if about else "o12 o23 o31"
    if len(about) == 1:
        turned = " ".join("o%d%d" % (about[0], (about[0] + step) % 3 + 1) for step in (0, 1))
    if len(about) == 2:
        turned = "o%d%d" % tuple(about)
    return [("a%d" if along else "p%d") % k for k in (1, 2, 3) if k not in along] + turned.split()


SQUARES = {"box": lambda x, y, z: (x * x / 12, y * y / 12, z * z / 12), "rod": lambda x: (x * x / 12, 0, 0),
           "sphere": lambda r: (r * r / 5,) * 3, "ellipsoid": lambda *r: tuple(x * x / 5 for x in r),
           "cylinder": lambda r, h: (r * r / 4, r * r / 4, h * h / 12), "disk": lambda r: (r * r / 4, r * r / 4, 0),
           "plate": lambda x, y: (x * x / 12, y * y / 12, 0)}


def capsule(r, h):
    """By the integral of its discs."""
    def of(weight):
        def radius(z):
            return r if abs(z) < h / 2 else mp.sqrt(max(0, r * r - (abs(z) - h / 2) ** 2))
        return 2 * (mp.quad(lambda z: weight(radius(z), z), [0, h / 2])
                    + mp.quad(lambda z: weight(radius(z), z), [h / 2, h / 2 + r]))
    volume = of(lambda a, z: a ** 2)
    return (of(lambda a, z: a ** 4 / 4) / volume,) * 2 + (of(lambda a, z: a ** 2 * z ** 2) / volume,)


SQUARES["capsule"] = capsule


def number(text):
    text = str(text)
    return mp.radians(mp.mpf(text[:-3])) if text.endswith("deg") else mp.mpf(text)


def numbers(given):
    return [number(x) for x in (given if isinstance(given, list) else [given])]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]


def plus(a, b, factor=1):
    return [x + factor * y for x, y in zip(a, b)]


def unit(a):
    return [x / mp.sqrt(dot(a, a)) for x in a]


def turned(axis, angle):
    """Columns of a rotation about a unit vector: e cos + n × e sin + n (n·e) (1 - cos)."""
    units = [[mp.mpf(i == k) for i in range(3)] for k in range(3)]
    return [[e * mp.cos(angle) + s * mp.sin(angle) + n * axis[k] * (1 - mp.cos(angle))
             for e, s, n in zip(units[k], cross(axis, units[k]), axis)] for k in range(3)]


def apply(columns, x):
    return [sum(columns[k][i] * x[k] for k in range(3)) for i in range(3)]


def rotation(given):
    if given is None:
        return turned([0, 0, 1], mp.mpf(0))
    if isinstance(given, dict):
        return turned(unit(numbers(given["axis"])), number(given["angle"]))
    if isinstance(given[0], dict):
        columns = rotation(None)
        for one in given:
            columns = [apply(columns, x) for x in rotation(one)]
        return columns
    w, *v = unit(numbers(given))
    return turned(unit(v) if any(v) else [0, 0, 1], 2 * mp.acos(w))


class Frame:
    """A place and axes; `inside` another frame, or a pose of one."""

    def __init__(self, place, axes):
        self.place, self.axes = place, axes

    def inside(self, other):
        return Frame(plus(other.place, apply(other.axes, self.place)), [apply(other.axes, x) for x in self.axes])

    def seen_from(self, other):
        def back(x):
            return [dot(x, axis) for axis in other.axes]
        return Frame(back(plus(self.place, other.place, -1)), [back(x) for x in self.axes])


def frame(given, place="position"):
    axes = rotation(given.get("orientation"))
    if "axis" in given or "across" in given:
        third = unit(numbers(given.get("axis", [0, 0, 1])))
        least = min(range(3), key=lambda j: abs(third[j]))
        first = numbers(given.get("across", [int(j == least) for j in range(3)]))
        first = unit(plus(first, third, -dot(first, third)))
        axes = [first, cross(third, first), third]
    return Frame(numbers(given.get(place, [0, 0, 0])), axes)


class Mechanism:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.file = yaml.safe_load(file)
        self.bodies = {"ground": {"pose": frame({}), "named": {one["name"]: frame(one) for one in self.file.get("frames", [])}}}
        self.masses, self.n, self.drives = [], 0, {}
        for given in self.file["bodies"]:
            self.body(given)
        self.joints = {one["name"]: self.joint(one) for one in self.file.get("joints", [])}

    def body(self, given):
        mass, named = given.get("mass"), {one["name"]: frame(one) for one in given.get("frames", [])}
        if "shape" in given:
            (kind, sizes), = given["shape"].items()
            sizes = numbers(sizes)
            volumes = {"cylinder": lambda r, h: mp.pi * r * r * h, "box": lambda x, y, z: x * y * z}
            mass = number(mass) if mass is not None else number(given["density"]) * volumes[kind](*sizes)
            D = [mass * x for x in SQUARES[kind](*sizes)]
        else:
            mass, moments = number(mass), numbers(given["moments"])
            D = [sum(moments) / 2 - one for one in moments]
        axes, centre = rotation(given.get("axes")), numbers(given.get("centre", [0, 0, 0]))
        origin = numbers(given.get("pivot", given.get("centre", [0, 0, 0])))
        arm = [dot(plus(centre, origin, -1), x) for x in axes]
        assert sum(abs(x) > 0 for x in arm) < 2, "the principal axes about the pivot are others"
        D = [one + mass * x * x for one, x in zip(D, arm)]
        posed = "position" in given or "orientation" in given
        pose = Frame(numbers(given.get("position", [0, 0, 0])), rotation(given.get("orientation"))) if posed else None
        body = {"pose": pose, "named": named, "axes": axes, "origin": origin, "centre": centre, "mass": mass,
                "at": [None] * 4}
        for k in range(4):
            if k == 0 and "pivot" not in given or k > 0 and D[k - 1] > 1e-12 * max(D):
                body["at"][k] = self.n
                self.masses += [mass if k == 0 else D[k - 1]] * 3
                self.n += 3
        self.bodies[given["name"]] = body

    def joint(self, given):
        joint = dict(given)
        if given["type"] == "gear":
            return joint
        names = [one.partition(".") for one in given["between"]]
        joint["bodies"] = [self.bodies[name] for name, _, _ in names]
        drive = given.get("drive")
        if "at" in given:
            space = frame(given, "at")
            joint["frames"] = [space.seen_from(body["pose"]) for body in joint["bodies"]]
        else:
            joint["frames"] = [self.bodies[name]["named"][point] if point else frame({}) for name, _, point in names]
            a, b = joint["bodies"]
            if b["pose"] is None:
                start = [self.driven(drive, 0)] if drive else numbers(given.get("start", [0, 0, 0]))
                between = frame({})
                for motion, x in zip(motions_of(given), start):
                    e = [mp.mpf(j == int(motion[1]) - 1) for j in range(3)]
                    step = Frame([0, 0, 0], turned(e, x)) if motion[0] == "r" else Frame([x * y for y in e], rotation(None))
                    between = step.inside(between)
                placed = between.inside(joint["frames"][0]).inside(a["pose"])
                back = frame({}).seen_from(joint["frames"][1])
                b["pose"] = back.inside(placed)
        return joint

    @staticmethod
    def driven(drive, t):
        f = {name: number(drive.get(name, 0)) for name in
             ("offset", "rate", "acceleration", "amplitude", "frequency", "phase")}
        return f["offset"] + f["rate"] * t + f["acceleration"] * t ** 2 / 2 \
            + f["amplitude"] * mp.sin(f["frequency"] * t + f["phase"])

    # ---- as functions of q ----

    def direction(self, q, body, x):
        if "at" not in body:
            return x
        sums = [mp.mpf(0)] * 3
        for k, axis in enumerate(body["axes"]):
            if body["at"][k + 1] is not None:
                at = body["at"][k + 1]
                sums = plus(sums, q[at:at + 3], dot(x, axis))
        return sums

    def point(self, q, body, x):
        if "at" not in body:
            return x
        at = body["at"][0]
        r = q[at:at + 3] if at is not None else plus(body["pose"].place, apply(body["pose"].axes, body["origin"]))
        return plus(r, self.direction(q, body, plus(x, body["origin"], -1)))

    def ends(self, q, joint):
        (a, b), (one, other) = joint["bodies"], joint["frames"]
        return (plus(self.point(q, b, other.place), self.point(q, a, one.place), -1),
                [self.direction(q, a, x) for x in one.axes], [self.direction(q, b, x) for x in other.axes])

    def angle(self, q, joint):
        """c + is of a revolute joint."""
        _, a, b = self.ends(q, joint)
        return mp.mpc(dot(a[0], b[0]), dot(a[1], b[0]))

    def coordinate(self, q, joint, index):
        between, a, b = self.ends(q, joint)
        motions = motions_of(joint)
        axis = int(motions[index][1]) - 1
        if motions[index][0] == "t":
            return dot(a[axis], between)
        about = [int(motion[1]) - 1 for motion in motions if motion[0] == "r"]
        i, j = (about + [(about[0] + 1) % 3])[:2]
        k = 3 - i - j
        n = cross([int(i == x) for x in range(3)], [int(j == x) for x in range(3)])[k]  # ±1
        R, which = [[dot(x, y) for y in b] for x in a], about.index(axis)
        if len(about) < 3:
            return mp.atan2(n * R[k][j], R[j][j]) if which == 0 else mp.atan2(n * R[i][k], R[i][i])
        return (mp.atan2(-n * R[j][k], R[k][k]), mp.asin(n * R[i][k]), mp.atan2(-n * R[i][j], R[i][i]))[which]

    def at_start(self, q):
        """Coordinates by which joints place a body, less those of the assembled mechanism."""
        return [self.coordinate(q, joint, i) - x for joint in self.joints.values() if isinstance(joint.get("start"), list)
                for i, x in enumerate(numbers(joint["start"]))]

    def g(self, q, t):
        rows = []
        for body in list(self.bodies.values())[1:]:
            d = [q[at:at + 3] if at is not None else None for at in body["at"][1:]]
            rows += [dot(d[i], d[j]) / (2 if i == j else 1) - (mp.mpf(1) / 2 if i == j else 0)
                     for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)) if d[i] and d[j]]
        for joint in self.joints.values():
            if joint["type"] == "gear":
                (k, l), pair = joint["ratio"], [self.joints[name] for name in joint["between"]]
                if pair[0]["type"] == "prismatic":
                    x, y = (dot(a[2], between) for between, a, _ in (self.ends(q, one) for one in pair))
                    rows.append(k * x - l * y)
                else:
                    z, w = (self.angle(q, one) for one in pair)
                    rows.append((z ** k * w.conjugate() ** l).imag)
                continue
            between, a, b = self.ends(q, joint)
            rows += [self.row(joint, code, between, a, b) for code in rows_of(joint)]
            if "drive" in joint:
                f = self.driven(joint["drive"], t)
                rows.append(dot(a[2], between) - f if joint["type"] == "prismatic" else
                            (self.angle(q, joint) * mp.expj(-f)).imag)
        return rows

    def row(self, joint, code, between, a, b):
        if code[0] == "d":
            (one, other), (x, y) = joint["frames"], joint["bodies"]
            length = plus(other.inside(y["pose"]).place, one.inside(x["pose"]).place, -1)
            return (dot(between, between) - dot(length, length)) / 2
        i, j = int(code[1]) - 1, int(code[-1]) - 1
        (one, other), (x, y) = joint["frames"], joint["bodies"]
        if code in ("o31", "o32") and joint["type"] not in ("weld", "universal", "serial") and (
                lacks(x, one.axes[2]) or lacks(y, other.axes[0]) or lacks(y, other.axes[1])):
            i, j = j, i  # parallel axes, by the directions of the other body
        return between[i] if code[0] == "p" else dot(a[i], b[j]) if code[0] == "o" else dot(a[i], between)

    def scalars(self, q):
        """f with its stiffness, rest, damping and load, of joints and springs."""
        for joint in self.joints.values():
            laws = [numbers(joint.get(name, [0] * 6)) for name in ("stiffness", "rest", "damping", "load")]
            for index, law in enumerate(zip(*laws)):
                if any(law):
                    yield (self.coordinate(q, joint, index), *law)
        for spring in self.file.get("springs", []):
            ends = []
            for one in spring["between"]:
                name, _, point = one.partition(".")
                body = self.bodies[name]
                ends.append(self.point(q, body, body["named"][point].place if point else [mp.mpf(0)] * 3))
            between = plus(*ends, -1)
            yield (mp.sqrt(dot(between, between)), number(spring["stiffness"]), number(spring["length"]),
                   number(spring.get("damping", 0)), mp.mpf(0))

    def V(self, q):
        gravity = numbers(self.file.get("gravity", [0, 0, 0]))
        return sum(k * (f - rest) ** 2 / 2 for f, k, rest, _, _ in self.scalars(q)) \
            - sum(b["mass"] * dot(gravity, self.point(q, b, b["centre"])) for b in list(self.bodies.values())[1:])

    def slope(self, q, p):
        """H_q - Q."""
        v, columns = [x / m for x, m in zip(p, self.masses)], range(self.n)
        near = [[moved(q, unit_vector(self.n, i), s * STEP) for s in (1, -1)] for i in columns]
        values = [[(self.V(x), [f for f, *_ in self.scalars(x)]) for x in pair] for pair in near]
        H_q = [(a[0] - b[0]) / (2 * STEP) for a, b in values]
        for j, (_, _, _, damping, load) in enumerate(self.scalars(q)):
            f_q = [(a[1][j] - b[1][j]) / (2 * STEP) for a, b in values]
            H_q = plus(H_q, f_q, damping * dot(f_q, v) - load)
        return H_q


def lacks(body, x):
    """True if a direction needs a director that a thin body does not have."""
    return "at" in body and any(at is None and abs(dot(x, axis)) > 1e-20
                                for at, axis in zip(body["at"][1:], body["axes"]))


def unit_vector(n, i):
    return [mp.mpf(i == j) for j in range(n)]


def moved(x, w, size):
    return plus(x, w, size)


def check(path):
    ours, theirs = Mechanism(path), shakedown.Problem('mechanism(file="%s")' % path, "quad")
    assert theirs.n == ours.n, (theirs.n, ours.n)
    draw = random.Random(5)
    q0, p0 = theirs.start()
    q, p, w = ([x + draw.uniform(-0.1, 0.1) for x in one] for one in (q0, p0, [0] * 2 * ours.n))
    t, v = 0.37, [x / float(m) for x, m in zip(p, ours.masses)]
    Q, P, W, T, V = [mp.mpf(x) for x in q], [mp.mpf(x) for x in p], [mp.mpf(x) for x in w], mp.mpf(t), [mp.mpf(x) for x in v]

    def same(what, mine, found):
        mine, found = np.array([float(x) for x in mine]), np.ravel(found)
        worst = np.abs(mine - found).max() if len(mine) == len(found) else np.inf
        assert worst < 1e-14 * max(1, np.abs(found).max()), "%s: %s differs by %.1e" % (path, what, worst)

    same("g", ours.g(Q, T), theirs.g(q, t))
    same("g at the start", ours.g([mp.mpf(x) for x in q0], mp.mpf(0)), theirs.g(q0, 0))
    placed = ours.at_start([mp.mpf(x) for x in q0])
    same("coordinates at the start", [0, *placed], np.zeros(1 + len(placed)))
    columns = [[(a - b) / (2 * STEP) for a, b in zip(*(ours.g(moved(Q, unit_vector(ours.n, i), s * STEP), T)
                                                     for s in (1, -1)))] for i in range(ours.n)]
    same("G", [x for row in zip(*columns) for x in row], theirs.G(q, t))
    along = [ours.g(moved(Q, V, s * STEP), T + s * STEP) for s in (-1, 0, 1)]
    same("curvature", [(a - 2 * b + c) / STEP ** 2 for a, b, c in zip(*along)], theirs.curvature(q, v, t))
    if "rheonomic" in theirs.features:
        same("g_t", [(a - b) / (2 * STEP) for a, b in zip(*(ours.g(Q, T + s * STEP) for s in (1, -1)))], theirs.g_t(q, t))
    kinetic = dot(P, [x / m for x, m in zip(P, ours.masses)]) / 2  # V is compared up to a constant
    same("H", [kinetic + ours.V(Q) - ours.V([mp.mpf(x) for x in q0])], [theirs.H(q, p, t) - theirs.H(q0, 0 * p0, t)])
    same("H_q - Q", ours.slope(Q, P), theirs.H_q(q, p, t))
    if "forces" in theirs.features:
        n = ours.n
        mine = [[(a - b) / (2 * mp.mpf(10) ** -12) for a, b in zip(*(
            ours.slope(moved(Q, W[:n], s * mp.mpf(10) ** -12), moved(P, W[n:], s * mp.mpf(10) ** -12)) for s in (1, -1)))]]
        same("second derivatives", mine[0], theirs.hessian(q, p, t)[:n] @ np.array(w))
    print("%s: n = %d, m = %d" % (path, ours.n, len(ours.g(Q, T))))


def agree(motions, folder):
    """All of q and p to 30 digits of the largest."""
    with open(motions, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    # The motion of Sarrus' linkage is for tests in double.
    for name, letter in sorted({(row["mechanism"], row["component"][0]) for row in rows if row["mechanism"] != "sarrus"}):
        text = (pathlib.Path(folder) / ("mechanism-%s.yaml" % name)).read_text(encoding="utf-8")
        theirs = {(t, one): decimal.Decimal(x) for t, one, x in
                  re.findall(r"{t: (\S+), component: (%s\d+), value: (\S+)," % letter, text)}
        mine = {(row["t"], row["component"]): decimal.Decimal(row["value"]) for row in rows
                if row["mechanism"] == name and row["component"][0] == letter}
        assert mine.keys() == theirs.keys(), name
        worst = max(abs(mine[one] - theirs[one]) for one in mine) / max(map(abs, mine.values()))
        assert worst < 1e-30, "%s: %s differs by %.1e" % (name, letter, worst)
        print("%s: %d of %s agree to %.1e" % (name, len(mine), letter, worst))


if __name__ == "__main__":
    *files, last = sys.argv[1:]
    if last.endswith(".yaml"):
        files.append(last)
    else:
        agree(files.pop(), last)
    for path in files:
        check(path)
