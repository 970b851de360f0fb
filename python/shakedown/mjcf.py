"""Writes a mechanism (docs/guides/mechanisms.md) from a model of MuJoCo:

    python3 -m shakedown.mjcf model.xml -o mechanism.yaml

Bodies of the tree with the inertia of `inertial` or of their geoms, joints hinge, slide, ball and free, several of a
body where they make a universal or planar joint, `equality` of type connect and weld, gravity, defaults. Bodies
without joints are parts of their parents. What cannot matter without contact, actuation and limits is listed as
ignored; anything else is refused with its name and line. Equality constraints, which are soft in MuJoCo, are exact here. The start is the model's own pose, at rest.
"""
import argparse
import math
import sys
from typing import Any, Dict, List, NamedTuple, NoReturn, Optional, Tuple
from xml.parsers import expat

import numpy as np

Frame = Tuple[Any, Any]  # position and rotation
Values = Dict[str, str]
IGNORED = {"asset", "visual", "statistic", "size", "contact", "sensor", "keyframe", "custom", "light", "camera", "site",
           "actuator"}
POSE = {"pos", "quat", "euler", "axisangle", "xyaxes", "zaxis"}
NAMED = {"name", "class", "user", "group"}
SEEN = {"rgba", "material", "contype", "conaffinity", "condim", "friction", "solref", "solimp", "solmix", "margin", "gap",
        "priority", "limited", "range", "solreflimit", "solimplimit", "solreffriction", "solimpfriction",
        "actuatorfrcrange", "actuatorfrclimited", "actuatorgravcomp"}
KNOWN = {
    "body": POSE | NAMED | {"childclass"},
    "frame": POSE | NAMED | {"childclass"},
    "inertial": POSE | {"mass", "diaginertia", "fullinertia"},
    "geom": POSE | NAMED | SEEN | {"type", "size", "fromto", "mass", "density", "mesh", "hfield"},
    "joint": NAMED | SEEN | {"type", "pos", "axis", "stiffness", "damping", "springref", "ref", "armature", "frictionloss"},
    "freejoint": NAMED | {"align", "armature"},
    "connect": NAMED | SEEN | {"body1", "body2", "anchor", "active"},
    "weld": NAMED | SEEN | {"body1", "body2", "anchor", "active", "relpose", "torquescale"},
}


class Refused(Exception):
    """A model that cannot be read: file, line and reason."""


class Node(NamedTuple):
    tag: str
    values: Dict[str, str]
    line: int
    children: List["Node"]


def parse(path: str) -> Node:
    """The elements of a file with their lines."""
    parser = expat.ParserCreate()
    root: List[Node] = []
    open_nodes: List[Node] = []

    def start(tag: str, values: Values) -> None:
        node = Node(tag, values, parser.CurrentLineNumber, [])
        (open_nodes[-1].children if open_nodes else root).append(node)
        open_nodes.append(node)

    def entity(*_: Any) -> None:
        raise Refused("%s:%d: found an entity, which is not supported" % (path, parser.CurrentLineNumber))

    parser.StartElementHandler, parser.EndElementHandler = start, lambda tag: open_nodes.pop()
    parser.EntityDeclHandler = entity
    try:
        with open(path, "rb") as file:
            parser.ParseFile(file)
    except expat.ExpatError as fault:
        raise Refused("%s:%d: not XML: %s" % (path, fault.lineno, expat.errors.messages[fault.code])) from None
    return root[0]


# ---- vectors, rotations and quaternions (w, x, y, z) ----

def unit(x: Any) -> Any:
    return np.asarray(x) / np.linalg.norm(x)


def of_quaternion(q: Any) -> Any:
    w, x, y, z = unit(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def quaternion(R: Any) -> Any:
    """The one with its largest component positive (Shepperd 1978)."""
    squares = [1 + np.trace(R)] + [1 + 2 * R[i, i] - np.trace(R) for i in range(3)]
    k = squares.index(max(squares))
    if k == 0:
        return unit([squares[0], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    i, j, l = k - 1, k % 3, (k + 1) % 3
    q = [R[l, j] - R[j, l], 0, 0, 0]
    q[i + 1], q[j + 1], q[l + 1] = squares[k], R[i, j] + R[j, i], R[i, l] + R[l, i]
    return unit(q)


def about(axis: Any, angle: float) -> Any:
    s = math.sin(angle / 2)
    return of_quaternion([math.cos(angle / 2)] + [s * x for x in unit(axis)])


def along(z: Any) -> Any:
    """The least rotation that turns e_z to z."""
    z = unit(z)
    if z[2] < -1 + 1e-15:
        return about([1, 0, 0], math.pi)
    return of_quaternion([1 + z[2], -z[1], z[0], 0])


# ---- the model ----

class Part:
    """Mass, centre and inertia about it, in space."""

    def __init__(self, mass: float = 0.0, centre: Any = np.zeros(3), R: Any = np.eye(3), inertia: Any = np.zeros((3, 3))):
        self.mass, self.centre, self.inertia = mass, centre, R @ inertia @ R.T

    def add(self, other: "Part") -> None:
        mass = self.mass + other.mass
        if mass == 0:
            return
        centre = (self.mass * self.centre + other.mass * other.centre) / mass
        for part in (self, other):
            s = part.centre - centre
            part.inertia = part.inertia + part.mass * (s @ s * np.eye(3) - np.outer(s, s))
        self.inertia = self.inertia + other.inertia
        self.mass, self.centre = mass, centre


class Model:
    def __init__(self, path: str):
        self.path = path
        self.ignored: Dict[str, int] = {}
        self.angle, self.sequence, self.from_geoms = math.pi / 180, "xyz", "auto"
        self.gravity: Any = [0, 0, -9.81]
        self.soft = True  # equality constraints are enabled
        self.defaults: Dict[str, Dict[str, Values]] = {"main": {}}
        self.bodies: List[Tuple[str, Node, Part]] = []
        self.joints: List[Dict[str, Any]] = []
        self.poses: Dict[str, Frame] = {}
        self.owner = {"world": "ground"}
        root = parse(path)
        if root.tag != "mujoco":
            self.refuse(root, "found <%s>, expected a model of MuJoCo, <mujoco>" % root.tag)
        self.poses["world"] = (np.zeros(3), np.eye(3))
        steps: List[Any] = [self.settings, self.classes, self.tree, self.equalities]
        for step in steps:
            for node in root.children:
                step(node)

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

    def settings(self, node: Node) -> None:
        values = node.values
        if node.tag == "compiler":
            self.angle = 1.0 if values.get("angle") == "radian" else self.angle
            self.sequence = values.get("eulerseq", self.sequence)
            self.from_geoms = values.get("inertiafromgeom", "auto")
            for name in ("coordinate", "settotalmass", "boundmass", "boundinertia", "balanceinertia", "inertiagrouprange"):
                if name in values and (name, values[name]) not in (("coordinate", "local"), ("balanceinertia", "false")):
                    self.refuse(node, "%s of <compiler> is not supported" % name)
        elif node.tag == "option":
            self.gravity = self.numbers(node, values.get("gravity", "0 0 -9.81"), 3)
            self.zero(node, values, "wind", "density", "viscosity")
            off = {name for child in node.children for name, value in child.values.items() if value == "disable"}
            if "passive" in off:
                self.refuse(node, "springs and dampers that <flag> disables are not supported")
            self.gravity = np.zeros(3) if "gravity" in off else self.gravity
            self.soft = not off & {"constraint", "equality"}
        elif node.tag in IGNORED:
            self.ignore(node, "<%s>" % node.tag)
            for child in node.children:
                if node.tag == "actuator" and child.tag != "motor":
                    self.refuse(child, "<%s> is not supported; a <motor> without control is none" % child.tag)
        elif node.tag not in ("worldbody", "equality", "default"):
            self.refuse(node, "<%s> is not supported" % node.tag)

    def classes(self, node: Node, outer: Optional[str] = None) -> None:
        if node.tag != "default":
            return
        name = node.values.get("class", "main")
        values = self.defaults[name] = {tag: dict(of) for tag, of in self.defaults[outer or "main"].items()}
        for child in node.children:
            if child.tag == "default":
                self.classes(child, name)
            else:
                values.setdefault(child.tag, {}).update(child.values)

    def values(self, node: Node, childclass: Optional[str]) -> Values:
        """The attributes of an element with the defaults of its class."""
        name = node.values.get("class", childclass or "main")
        if name not in self.defaults:
            self.refuse(node, "the class \"%s\" has no defaults" % name)
        values = dict(self.defaults[name].get(node.tag, {}), **node.values)
        for key in values:
            if key not in KNOWN[node.tag]:
                self.refuse(node, "%s of <%s> is not supported" % (key, node.tag))
            if key in ("limited", "range"):
                self.ignore(node, "limits of joints")
        return values

    # -- poses --

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
            found = self.numbers(node, values["xyaxes"], 6)
            x = unit(found[:3])
            y = unit(found[3:] - x @ found[3:] * x)
            R = np.column_stack([x, y, np.cross(x, y)])
        elif "zaxis" in values:
            R = along(self.numbers(node, values["zaxis"], 3))
        return frame[0] + frame[1] @ place, frame[1] @ R

    # -- inertia --

    def inertial(self, node: Node, frame: Frame) -> Part:
        values = node.values
        centre, R = self.pose(node, values, frame)
        if "fullinertia" in values:
            xx, yy, zz, xy, xz, yz = self.numbers(node, values["fullinertia"], 6)
            inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            inertia = np.diag(self.numbers(node, values.get("diaginertia", "0 0 0"), 3))
        return Part(self.numbers(node, values.get("mass", ""), 1)[0], centre, R, inertia)

    def geom(self, node: Node, values: Values, frame: Frame) -> Part:
        kind, size = values.get("type", "sphere"), self.numbers(node, values.get("size", "0"))
        centre, R = self.pose(node, values, frame)
        if kind not in ("sphere", "capsule", "cylinder", "box", "ellipsoid"):
            self.refuse(node, "a geom of type %s is not supported: its body needs an <inertial>" % kind)
        if "fromto" in values:
            ends = self.numbers(node, values["fromto"], 6)
            way = ends[:3] - ends[3:]
            half = np.linalg.norm(way) / 2
            size = [size[0], half] if kind in ("capsule", "cylinder") else [size[0], size[min(1, len(size) - 1)], half]
            centre, R = frame[0] + frame[1] @ (ends[:3] + ends[3:]) / 2, frame[1] @ along(way)
        if len(size) < {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3):
            self.refuse(node, "found %d sizes of a %s" % (len(size), kind))
        r, l = size[0], 2 * size[min(1, len(size) - 1)]
        if kind == "capsule":
            tube, ends = math.pi * r * r * l, 4 / 3 * math.pi * r ** 3
            volume = tube + ends
            across = (tube * r * r / 4 + ends * r * r / 5) / volume
            second = [across, across, (tube * l * l / 12 + ends * (r * r / 5 + l * l / 4 + 3 * l * r / 8)) / volume]
        elif kind == "cylinder":
            volume, second = math.pi * r * r * l, [r * r / 4, r * r / 4, l * l / 12]
        elif kind == "box":
            volume, second = 8 * size[0] * size[1] * size[2], [x * x / 3 for x in size[:3]]
        else:
            size = [r, r, r] if kind == "sphere" else size
            volume, second = 4 / 3 * math.pi * size[0] * size[1] * size[2], [x * x / 5 for x in size[:3]]
        mass = self.numbers(node, values["mass"], 1)[0] if "mass" in values else \
            volume * self.numbers(node, values.get("density", "1000"), 1)[0]
        return Part(mass, centre, R, mass * np.diag(sum(second) - np.array(second)))

    # -- the tree --

    def tree(self, node: Node) -> None:
        if node.tag == "worldbody":
            self.body(node, self.poses["world"], "ground", "", "main")

    def body(self, node: Node, frame: Frame, name: str, parent: str, childclass: str) -> None:
        """Adds a body, with those that hang on it. `parent`: name of the body that it moves on."""
        joints: List[Any] = []
        geoms: List[Any] = []
        inertial: List[Any] = []
        nested: List[Any] = []
        self.sort(node, frame, childclass, joints, geoms, inertial, nested)
        explicit = inertial and self.from_geoms != "true"
        parts = [self.inertial(*inertial[0])] if explicit else []
        if not explicit and name != "ground":
            parts = [self.geom(*each) for each in geoms]
        if joints or name == "ground":
            whole = Part()
            self.bodies.append((name, node, whole))
            self.join(joints, frame, parent, name)
        else:  # a part of its parent
            whole = next(body[2] for body in self.bodies if body[0] == parent)
            self.owner[name], name = parent, parent
        for part in parts:
            whole.add(part)
        for child, at, inner in nested:
            its = self.values(child, None if "class" in child.values else inner)
            called = its.get("name", "body%d" % (len(self.poses))).replace(".", "-")
            pose = self.poses[called] = self.pose(child, its, at)
            self.owner[called] = called
            self.body(child, pose, called, name, its.get("childclass", inner))

    def sort(self, node: Node, frame: Frame, childclass: str, joints: List[Any], geoms: List[Any], inertial: List[Any],
             nested: List[Any]) -> None:
        for child in node.children:
            if child.tag == "frame":
                its = self.values(child, None)
                self.sort(child, self.pose(child, its, frame), its.get("childclass", childclass), joints, geoms, inertial,
                          nested)
            elif child.tag == "body":
                nested.append((child, frame, childclass))
            elif child.tag == "inertial":
                inertial.append((child, frame))
            elif child.tag == "geom":
                geoms.append((child, self.values(child, childclass), frame))
            elif child.tag in ("joint", "freejoint"):
                joints.append((child, self.values(child, childclass)))
            elif child.tag in IGNORED:
                self.ignore(child, "<%s>" % child.tag)
            else:
                self.refuse(child, "<%s> is not supported" % child.tag)

    def join(self, joints: List[Any], frame: Frame, parent: str, name: str) -> None:
        kinds, axes, places = [], [], []
        for child, values in joints:
            self.zero(child, values, "armature", "frictionloss")
            kinds.append("free" if child.tag == "freejoint" else values.get("type", "hinge"))
            axes.append(unit(frame[1] @ self.numbers(child, values.get("axis", "0 0 1"), 3)))
            places.append(frame[0] + frame[1] @ self.numbers(child, values.get("pos", "0 0 0"), 3))
        if not joints or kinds == ["free"]:
            return
        child, values = joints[0]
        called = values.get("name", "joint-of-" + name).replace(".", "-")
        joint = {"name": called, "type": None, "between": [parent, name], "at": places[-1], "axis": axes[-1]}
        square = all(abs(axes[i] @ axes[j]) < 1e-9 for i in range(len(axes)) for j in range(i))
        same = all(np.allclose(place, places[0], atol=1e-12) for place in places)
        single = {"hinge": "revolute", "slide": "prismatic", "ball": "spherical"}
        if len(kinds) == 1 and kinds[0] in single:
            joint["type"] = single[kinds[0]]
        elif kinds == ["hinge"] * 2 and square and same:
            joint.update(type="universal", axis=axes[0], across=axes[1])
        elif sorted(kinds) == ["hinge", "slide", "slide"] and square:
            joint.update(type="planar", axis=axes[kinds.index("hinge")], at=places[kinds.index("hinge")])
        else:
            self.refuse(child, "a body with the joints %s of these axes is not supported" % ", ".join(kinds))
        if joint["type"] == "spherical":
            del joint["axis"]
        self.forces(joint, joints, kinds)
        self.joints.append(joint)

    def forces(self, joint: Dict[str, Any], joints: List[Any], kinds: List[str]) -> None:
        for (child, values), kind in zip(joints, kinds):
            if len(kinds) > 1 or kind == "ball":
                self.zero(child, values, "stiffness", "damping")
                continue
            stiffness, joint["damping"], rest, ref = (
                float(self.numbers(child, values.get(key, "0"), 1)[0]) for key in ("stiffness", "damping", "springref", "ref"))
            joint.update(stiffness=stiffness, rest=(rest - ref) * (self.angle if kind == "hinge" else 1.0))

    def equalities(self, node: Node) -> None:
        for child in node.children if node.tag == "equality" and self.soft else []:
            if child.tag not in ("connect", "weld"):
                self.refuse(child, "<%s> of <equality> is not supported" % child.tag)
            values = self.values(child, None)
            if values.get("active") == "false":
                continue
            names = [values.get(key, "world").replace(".", "-") for key in ("body1", "body2")]
            for name in names:
                if name not in self.poses:
                    self.refuse(child, "found the body \"%s\", which the model does not have" % name)
            if "relpose" in values:
                self.zero(child, {"relpose": " ".join(values["relpose"].split()[:3])}, "relpose")
            pose = self.poses[names[0]]
            at = pose[0] + pose[1] @ self.numbers(child, values.get("anchor", "0 0 0"), 3)
            self.joints.append({"name": values.get("name", "%s%d" % (child.tag, child.line)).replace(".", "-"),
                                "type": "spherical" if child.tag == "connect" else "weld",
                                "between": [self.owner[name] for name in names], "at": at})
            self.ignore(child, "softness of <equality>: it is exact here")


# ---- YAML ----

def number(x: float) -> str:
    return repr(float(x) + 0.0)


def listed(x: Any) -> str:
    return "[%s]" % ", ".join(map(number, x))


def written(model: Model) -> str:
    lines = ["# From %s by python3 -m shakedown.mjcf" % model.path.rsplit("/", 1)[-1],
             "gravity: " + listed(model.gravity), "bodies:"]
    for name, node, part in model.bodies:
        if name == "ground":
            continue
        if part.mass <= 0:
            model.refuse(node, "the body \"%s\" moves and has no mass" % name)
        moments, axes = np.linalg.eigh(part.inertia)
        axes = axes * [1, 1, np.sign(np.linalg.det(axes))]
        lines.append("  - {name: \"%s\", mass: %s, moments: %s, position: %s, orientation: %s}" % (
            name, number(part.mass), listed(moments), listed(part.centre), listed(quaternion(axes))))
    if model.joints:
        lines.append("joints:")
    for joint in model.joints:
        texts = ["%s: %s" % (key, value if key == "type" else '"%s"' % value if isinstance(value, str) else
                             number(value) if isinstance(value, float) else
                             "[%s]" % ", ".join(map(number, value)) if key != "between" else
                             "[%s]" % ", ".join('"%s"' % end for end in value)) for key, value in joint.items()]
        lines.append("  - {%s}" % ", ".join(texts))
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m shakedown.mjcf", description=__doc__.split("\n", 1)[0])
    parser.add_argument("model")
    parser.add_argument("-o", "--output", default="-")
    given = parser.parse_args()
    try:
        model = Model(given.model)
        text = written(model)
        with (sys.stdout if given.output == "-" else open(given.output, "w", encoding="utf-8")) as file:
            file.write(text)
    except (Refused, OSError) as fault:
        sys.exit("%s: %s" % (parser.prog, fault))
    for what, line in model.ignored.items():
        print("%s:%d: ignored: %s" % (given.model, line, what), file=sys.stderr)


if __name__ == "__main__":
    main()
