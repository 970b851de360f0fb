"""Writes a mechanism (docs/guides/mechanisms.md) from a model of MuJoCo:

    python3 -m shakedown.mjcf model.xml -o mechanism.yaml

Bodies of the tree with the inertia of `inertial` or of their geoms, joints hinge, slide, ball and free, several of a
body where they make a universal or planar joint, `equality` of type connect, weld and joint (gears of whole numbers, and
joints that are held), gravity, defaults. Bodies without joints are parts of their parents. What cannot matter without
contact, actuation and limits is listed as ignored; anything else is refused with its name and line. Equality
constraints, which are soft in MuJoCo, are exact here. The start is the model's own pose, at rest.
"""
import argparse
import math
import sys
from fractions import Fraction
from typing import Any, Dict, Iterator, List, NamedTuple, NoReturn, Optional, Tuple
from xml.parsers import expat

import numpy as np

Frame = Tuple[Any, Any]  # position and rotation
Part = Tuple[float, Any, Any]  # mass, centre, and inertia about it in space's axes
Values = Dict[str, str]
Element = Tuple["Node", Values, Frame]
IGNORED = {"asset", "visual", "statistic", "size", "contact", "sensor", "keyframe", "custom", "light", "camera", "site",
           "actuator"}
POSE = {"pos", "quat", "euler", "axisangle", "xyaxes", "zaxis"}
NAMED = {"name", "class", "user", "group"}
SEEN = {"rgba", "material", "contype", "conaffinity", "condim", "friction", "solref", "solimp", "solmix", "margin", "gap",
        "priority", "limited", "range", "solreflimit", "solimplimit", "solreffriction", "solimpfriction",
        "actuatorfrcrange", "actuatorfrclimited", "actuatorgravcomp"}
NAMES = {"name", "body1", "body2", "joint1", "joint2"}
KNOWN = {
    "body": POSE | NAMED | {"childclass"},
    "frame": POSE | NAMED | {"childclass"},
    "inertial": POSE | {"mass", "diaginertia", "fullinertia"},
    "geom": POSE | NAMED | SEEN | {"type", "size", "fromto", "mass", "density", "mesh", "hfield"},
    "joint": NAMED | SEEN | {"type", "pos", "axis", "stiffness", "damping", "springref", "ref", "armature", "frictionloss"},
    "freejoint": NAMED | {"align", "armature"},
    "equality": NAMED | SEEN | NAMES | {"anchor", "active", "relpose", "torquescale", "polycoef"},
}
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
TYPES = {"hinge": "revolute", "slide": "prismatic", "ball": "spherical", "connect": "spherical", "weld": "weld"}


class Refused(Exception):
    """A model that cannot be read: file, line and reason."""


class Node(NamedTuple):
    tag: str
    values: Values
    line: int
    children: List["Node"]


def parse(path: str) -> Node:
    """The elements of a file with their lines."""
    parser = expat.ParserCreate()
    top = Node("", {}, 0, [])
    around = [top]

    def start(tag: str, values: Values) -> None:
        around.append(Node(tag, values, parser.CurrentLineNumber, []))
        around[-2].children.append(around[-1])

    def entity(*_: Any) -> None:
        raise Refused("%s:%d: found an entity, which is not supported" % (path, parser.CurrentLineNumber))

    parser.StartElementHandler, parser.EndElementHandler = start, lambda tag: around.pop()
    parser.EntityDeclHandler = entity
    try:
        with open(path, "rb") as file:
            parser.ParseFile(file)
    except expat.ExpatError as fault:
        raise Refused("%s:%d: not XML: %s" % (path, fault.lineno, expat.errors.messages[fault.code])) from None
    return top.children[0]


# ---- vectors, rotations and quaternions (w, x, y, z) ----

def unit(x: Any) -> Any:
    return np.asarray(x) / np.linalg.norm(x)


def of_quaternion(q: Any) -> Any:
    w, *v = unit(q)
    S = np.cross(v, np.eye(3)).T  # S x = v × x
    return np.eye(3) + 2 * (w * S + S @ S)


def quaternion(R: Any) -> Any:
    """The eigenvector of the largest eigenvalue, 3, of a symmetric matrix (Bar-Itzhack 2000)."""
    turn = np.array([[R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]])
    K = np.block([[np.trace(R), turn], [turn.T, R + R.T - np.trace(R) * np.eye(3)]])
    return np.linalg.eigh(K)[1][:, 3]


def about(axis: Any, angle: float) -> Any:
    return of_quaternion([math.cos(angle / 2), *(math.sin(angle / 2) * unit(axis))])


def along(z: Any) -> Any:
    """The least rotation that turns e_z to z."""
    z = unit(z)
    return of_quaternion([1 + z[2], -z[1], z[0], 0] if z[2] > -1 + 1e-15 else [0, 1, 0, 0])


# ---- inertia ----

def solid(kind: str, size: Any) -> Tuple[float, Any]:
    """The volume of a geom, and the mean squares of x, y and z in it."""
    if kind == "box":
        return 8 * np.prod(size), size ** 2 / 3
    if kind in ("sphere", "ellipsoid"):
        size = size * np.ones(3)
        return 4 / 3 * math.pi * np.prod(size), size ** 2 / 5
    r, l = size[0], 2 * size[1]
    tube, ends = math.pi * r * r * l, 4 / 3 * math.pi * r ** 3 * (kind == "capsule")
    in_tube = np.array([r * r / 4, r * r / 4, l * l / 12])
    in_ends = np.array([r * r / 5, r * r / 5, r * r / 5 + l * l / 4 + 3 * l * r / 8])
    return tube + ends, (tube * in_tube + ends * in_ends) / (tube + ends)


def together(parts: List[Part]) -> Part:
    mass = sum(part[0] for part in parts)
    centre = sum(m * c for m, c, _ in parts) / mass
    return mass, centre, sum(I + m * ((c - centre) @ (c - centre) * np.eye(3) - np.outer(c - centre, c - centre))
                             for m, c, I in parts)


# ---- the model ----

class Model:
    def __init__(self, path: str):
        self.path = path
        self.ignored: Dict[str, int] = {}
        self.angle, self.sequence, self.from_geoms = math.pi / 180, "xyz", "auto"
        self.gravity: Any = [0, 0, -9.81]
        self.soft = True  # equality constraints are enabled
        self.defaults: Dict[str, Dict[str, Values]] = {"main": {}}
        self.bodies: Dict[str, Tuple[Node, List[Part]]] = {}
        self.joints: List[Dict[str, Any]] = []
        self.poses: Dict[str, Frame] = {"world": (np.zeros(3), np.eye(3))}
        self.owner: Dict[str, str] = {}  # bodies that move, by names of the model
        root = parse(path)
        if root.tag != "mujoco":
            self.refuse(root, "found <%s>, expected a model of MuJoCo, <mujoco>" % root.tag)
        for node in root.children:
            self.settings(node, node.values)
        for node in root.children:
            if node.tag == "default":
                self.classes(node, "main")
        for node in root.children:
            if node.tag == "worldbody":
                self.body(node, self.poses["world"], "world", "ground", "main")
        for node in root.children:
            for child in node.children if node.tag == "equality" and self.soft else []:
                self.equality(child, self.values(child, "equality"))

    def refuse(self, node: Node, reason: str) -> NoReturn:
        raise Refused("%s:%d: %s" % (self.path, node.line, reason))

    def ignore(self, node: Node, what: str) -> None:
        self.ignored.setdefault(what, node.line)

    def numbers(self, node: Node, text: str, count: Optional[int] = None) -> Any:
        try:
            found = np.array([float(word) for word in text.split()])
        except ValueError:
            found = np.array([math.nan])
        if not np.all(np.isfinite(found)) or (count and len(found) != count):
            self.refuse(node, "found \"%s\" in <%s>, expected %s numbers" % (text[:40], node.tag, count or "finite"))
        return found

    def zero(self, node: Node, values: Values, *names: str) -> None:
        for name in names:
            if any(self.numbers(node, values.get(name, "0"))):
                self.refuse(node, "%s of <%s> is not supported" % (name, node.tag))

    # -- compiler, option, default --

    def settings(self, node: Node, values: Values) -> None:
        if node.tag == "compiler":
            self.angle = 1.0 if values.get("angle") == "radian" else self.angle
            self.sequence = values.get("eulerseq", self.sequence)
            self.from_geoms = values.get("inertiafromgeom", "auto")
            for name in ("coordinate", "settotalmass", "boundmass", "boundinertia", "balanceinertia", "inertiagrouprange"):
                if name in values and (name, values[name]) not in (("coordinate", "local"), ("balanceinertia", "false")):
                    self.refuse(node, "%s of <compiler> is not supported" % name)
        elif node.tag == "option":
            self.zero(node, values, "wind", "density", "viscosity")
            off = {name for child in node.children for name, value in child.values.items() if value == "disable"}
            if "passive" in off:
                self.refuse(node, "springs and dampers that <flag> disables are not supported")
            self.gravity = self.numbers(node, "0 0 0" if "gravity" in off else values.get("gravity", "0 0 -9.81"), 3)
            self.soft = not off & {"constraint", "equality"}
        elif node.tag in IGNORED:
            self.ignore(node, "<%s>" % node.tag)
            for child in node.children:
                if node.tag == "actuator" and child.tag != "motor":
                    self.refuse(child, "<%s> is not supported; a <motor> without control is none" % child.tag)
        elif node.tag not in ("worldbody", "equality", "default"):
            self.refuse(node, "<%s> is not supported" % node.tag)

    def classes(self, node: Node, outer: str) -> None:
        name = node.values.get("class", "main")
        values = self.defaults[name] = {tag: dict(of) for tag, of in self.defaults[outer].items()}
        for child in node.children:
            if child.tag == "default":
                self.classes(child, name)
            else:
                values.setdefault(child.tag, {}).update(child.values)

    def values(self, node: Node, tag: str, childclass: str = "main") -> Values:
        """The attributes of an element with the defaults of its class, and the class for those in it."""
        name = node.values.get("class", childclass)
        if name not in self.defaults:
            self.refuse(node, "the class \"%s\" has no defaults" % name)
        values = dict(self.defaults[name].get(tag, {}), **node.values)
        for key in values:
            if key not in KNOWN[tag]:
                self.refuse(node, "%s of <%s> is not supported" % (key, node.tag))
            if key in ("limited", "range"):
                self.ignore(node, "limits of joints")
            values[key] = values[key].replace(".", "-") if key in NAMES else values[key]
        return {"childclass": childclass, **values}

    # -- places and masses --

    def pose(self, node: Node, values: Values, frame: Frame) -> Frame:
        place, R = self.numbers(node, values.get("pos", "0 0 0"), 3), np.eye(3)
        if "quat" in values:
            R = of_quaternion(self.numbers(node, values["quat"], 4))
        elif "axisangle" in values:
            found = self.numbers(node, values["axisangle"], 4)
            R = about(found[:3], found[3] * self.angle)
        elif "euler" in values:
            for letter, angle in zip(self.sequence, self.numbers(node, values["euler"], 3)):
                one = about([float(letter.lower() == c) for c in "xyz"], angle * self.angle)
                R = R @ one if letter.islower() else one @ R
        elif "xyaxes" in values:
            x, y = self.numbers(node, values["xyaxes"], 6).reshape(2, 3)
            z = np.cross(x, y)
            R = np.column_stack([unit(x), unit(np.cross(z, x)), unit(z)])
        elif "zaxis" in values:
            R = along(self.numbers(node, values["zaxis"], 3))
        return frame[0] + frame[1] @ place, frame[1] @ R

    def inertial(self, node: Node, values: Values, frame: Frame) -> Part:
        centre, R = self.pose(node, values, frame)
        if "fullinertia" in values:
            xx, yy, zz, xy, xz, yz = self.numbers(node, values["fullinertia"], 6)
            inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            inertia = np.diag(self.numbers(node, values.get("diaginertia", "0 0 0"), 3))
        return self.numbers(node, values.get("mass", ""), 1)[0], centre, R @ inertia @ R.T

    def geom(self, node: Node, values: Values, frame: Frame) -> Part:
        kind, size = values.get("type", "sphere"), self.numbers(node, values.get("size", "0"))
        centre, R = self.pose(node, values, frame)
        if kind not in SIZES:
            self.refuse(node, "a geom of type %s is not supported: its body needs an <inertial>" % kind)
        if "fromto" in values:
            ends = self.numbers(node, values["fromto"], 6)
            way = ends[:3] - ends[3:]
            size = np.array([size[0]] * (SIZES[kind] - 1) + [np.linalg.norm(way) / 2])
            centre, R = frame[0] + frame[1] @ (ends[:3] + ends[3:]) / 2, frame[1] @ along(way)
        if len(size) < SIZES[kind]:
            self.refuse(node, "found %d sizes of a %s" % (len(size), kind))
        volume, squares = solid(kind, size[:SIZES[kind]])
        mass = self.numbers(node, values["mass"], 1)[0] if "mass" in values else \
            volume * self.numbers(node, values.get("density", "1000"), 1)[0]
        return mass, centre, R @ (mass * np.diag(sum(squares) - squares)) @ R.T

    # -- the tree --

    def elements(self, node: Node, frame: Frame, childclass: str) -> Iterator[Element]:
        """The elements of a body, also those in frames."""
        for child in node.children:
            if child.tag in IGNORED:
                self.ignore(child, "<%s>" % child.tag)
            elif child.tag not in KNOWN or child.tag == "equality":
                self.refuse(child, "<%s> is not supported" % child.tag)
            else:
                values = self.values(child, child.tag, childclass)
                if child.tag == "frame":
                    yield from self.elements(child, self.pose(child, values, frame), values["childclass"])
                else:
                    yield child, values, frame

    def body(self, node: Node, frame: Frame, name: str, parent: str, childclass: str) -> None:
        """Adds a body, with those that hang on it. `parent`: name of the body that it moves on."""
        found = list(self.elements(node, frame, childclass))

        def of(*tags: str) -> List[Element]:
            return [each for each in found if each[0].tag in tags]
        joints, inertial = of("joint", "freejoint"), of("inertial")
        owner = self.owner[name] = name if joints else parent
        parts = self.bodies.setdefault(owner, (node, []))[1]
        if inertial and self.from_geoms != "true":
            parts.append(self.inertial(*inertial[0]))
        elif owner != "ground":
            parts.extend(self.geom(*each) for each in of("geom"))
        if joints:
            self.join(joints, parent, name)
        for child, values, at in of("body"):
            called = values.get("name", "body%d" % len(self.poses))
            pose = self.poses[called] = self.pose(child, values, at)
            self.body(child, pose, called, owner, values["childclass"])

    def join(self, joints: List[Element], parent: str, name: str) -> None:
        kinds, axes, places = [], [], []
        for child, values, (place, R) in joints:
            kinds.append("free" if child.tag == "freejoint" else values.get("type", "hinge"))
            axes.append(unit(R @ self.numbers(child, values.get("axis", "0 0 1"), 3)))
            places.append(place + R @ self.numbers(child, values.get("pos", "0 0 0"), 3))
            self.zero(child, values, "armature", "frictionloss")
            if len(joints) > 1 or kinds[-1] in ("ball", "free"):
                self.zero(child, values, "stiffness", "damping")
        if kinds == ["free"]:
            return
        child, values, _ = joints[0]
        joint = {"name": values.get("name", "joint-of-" + name), "type": TYPES.get(kinds[0]), "between": [parent, name],
                 "at": places[-1], "axis": axes[-1]}
        square = all(abs(axes[i] @ axes[j]) < 1e-9 for i in range(len(axes)) for j in range(i))
        if kinds == ["hinge"] * 2 and square and np.allclose(places[0], places[1], atol=1e-12):
            joint.update(type="universal", axis=axes[0], across=axes[1])
        elif sorted(kinds) == ["hinge", "slide", "slide"] and square:
            joint.update(type="planar", axis=axes[kinds.index("hinge")], at=places[kinds.index("hinge")])
        elif len(kinds) > 1 or not joint["type"]:
            self.refuse(child, "a body with the joints %s of these axes is not supported" % ", ".join(kinds))
        if kinds in (["hinge"], ["slide"]):
            stiffness, damping, rest, ref = (self.numbers(child, values.get(key, "0"), 1)[0]
                                             for key in ("stiffness", "damping", "springref", "ref"))
            joint.update(stiffness=stiffness, damping=damping, rest=(rest - ref) * (self.angle if kinds == ["hinge"] else 1))
        self.joints.append(joint)

    # -- equality --

    def equality(self, node: Node, values: Values) -> None:
        if node.tag not in ("connect", "weld", "joint"):
            self.refuse(node, "<%s> of <equality> is not supported" % node.tag)
        if values.get("active") == "false":
            return
        self.ignore(node, "softness of <equality>: it is exact here")
        if node.tag == "joint":
            return self.couple(node, values)
        names = [values.get(key, "world") for key in ("body1", "body2")]
        for name in names:
            if name not in self.poses:
                self.refuse(node, "found the body \"%s\", which the model does not have" % name)
        self.zero(node, {"relpose": " ".join(values.get("relpose", "0").split()[:3])}, "relpose")
        place, R = self.poses[names[0]]
        self.joints.append({"name": values.get("name", "%s%d" % (node.tag, node.line)), "type": TYPES[node.tag],
                            "between": [self.owner[name] for name in names],
                            "at": place + R @ self.numbers(node, values.get("anchor", "0 0 0"), 3)})

    def single(self, node: Node, name: str, *types: str) -> Dict[str, Any]:
        for joint in self.joints:
            if joint["name"] == name and joint["type"] in types:
                return joint
        self.refuse(node, "found the joint \"%s\", expected a %s one alone in its body" % (name, " or ".join(types)))

    def change(self, node: Node, joint: Dict[str, Any], **values: Any) -> None:
        if any(other["type"] == "gear" and joint["name"] in other["between"] for other in self.joints):
            self.refuse(node, "the joint \"%s\" is in a gear that does not agree with this one" % joint["name"])
        joint.update(values)

    def couple(self, node: Node, values: Values) -> None:
        """Makes q1 = a1 q2 a gear, and q1 = 0 a weld. Coordinates are 0 in the model's pose."""
        given = self.numbers(node, values.get("polycoef", ""))
        offset, slope, *higher = np.append(given, [0, 1, 0, 0, 0][len(given):])
        if offset != 0 or any(higher):
            self.refuse(node, "polycoef of <joint> is supported as 0 a1: of degree one, and met by the model's own pose")
        if slope == 0 or "joint2" not in values:
            held = self.single(node, values.get("joint1", ""), "revolute", "prismatic")
            return self.change(node, held, type="weld", stiffness=0, damping=0, rest=0)
        first, second = pair = [self.single(node, values[key], "revolute", "prismatic") for key in ("joint1", "joint2")]
        ratio = Fraction(abs(slope)).limit_denominator(9)
        if abs(ratio - abs(slope)) > 1e-9 or not 0 < ratio.numerator < 10:
            self.refuse(node, "found the ratio %g of two joints, expected one of whole numbers from 1 to 9" % slope)
        carriers = [body for body in first["between"] if body in second["between"]]
        if len(carriers) != 1 or first["type"] != second["type"]:
            self.refuse(node, "the joints \"%s\" and \"%s\" are not of one type on one carrier" % (first["name"], second["name"]))
        for joint in pair:
            if joint["between"][0] != carriers[0]:  # ends and axis are turned round: the angle stays
                self.change(node, joint, between=joint["between"][::-1], axis=-joint["axis"])
        if slope < 0:
            self.change(node, second, axis=-second["axis"], rest=-second["rest"])
        self.joints.append({"name": values.get("name", "gear%d" % node.line), "type": "gear",
                            "between": [joint["name"] for joint in pair], "ratio": [ratio.denominator, ratio.numerator]})


# ---- YAML ----

def text(value: Any) -> str:
    if isinstance(value, str):
        return '"%s"' % value
    if isinstance(value, dict):
        return "{%s}" % ", ".join("%s: %s" % (key, text(its)) for key, its in value.items())
    if np.ndim(value) > 0:
        return "[%s]" % ", ".join(map(text, value))
    return repr(float(value) + 0.0)


def written(model: Model) -> str:
    lines = ["# From %s by python3 -m shakedown.mjcf" % model.path.rsplit("/", 1)[-1],
             "gravity: " + text(model.gravity), "bodies:"]
    for name, (node, parts) in list(model.bodies.items())[1:]:  # without the ground
        if sum(part[0] for part in parts) <= 0:
            model.refuse(node, "the body \"%s\" moves and has no mass" % name)
        mass, centre, inertia = together(parts)
        moments, axes = np.linalg.eigh(inertia)
        axes = axes * [1, 1, np.sign(np.linalg.det(axes))]
        lines.append("  - " + text({"name": name, "mass": mass, "moments": moments, "position": centre,
                                    "orientation": quaternion(axes)}))
    lines += ["joints:"] * (len(model.joints) > 0) + ["  - " + text(joint) for joint in model.joints]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m shakedown.mjcf", description=__doc__.split("\n", 1)[0])
    parser.add_argument("model")
    parser.add_argument("-o", "--output", default="-")
    given = parser.parse_args()
    try:
        model = Model(given.model)
        found = written(model)
        with (sys.stdout if given.output == "-" else open(given.output, "w", encoding="utf-8")) as file:
            file.write(found)
    except (Refused, OSError) as fault:
        sys.exit("%s: %s" % (parser.prog, fault))
    for what, line in model.ignored.items():
        print("%s:%d: ignored: %s" % (given.model, line, what), file=sys.stderr)


if __name__ == "__main__":
    main()
