"""Converts a MuJoCo model, in MJCF or URDF, to a mechanism (docs/guides/mechanisms.md):

    python3 -m shakedown.mjcf model.xml -o mechanism.yaml --without actuators,contacts --verify

MuJoCo compiles the model, which resolves includes, defaults, meshes and frames, and the compiled model is converted.
Bodies without joints become parts of their parents. Equality constraints, which are soft in MuJoCo, are exact here.
Some elements change the motion but have no counterpart in a mechanism. All of these are reported by name in one run,
and the model is refused unless `--without` leaves them out. The start is the model's own pose at rest, moved as
little as possible onto the equality constraints.
"""
import argparse
import importlib
import math
import os
import sys
import tempfile
from fractions import Fraction
from typing import Any, Callable, Dict, List, NamedTuple, NoReturn, Optional, Set, Tuple

import numpy as np

from .molecules import drawn

mujoco: Any
try:
    mujoco = importlib.import_module("mujoco")
except ImportError:
    mujoco = None

INSTALL = "python3 -m venv env && env/bin/pip install numpy mujoco==4.0.0"
WITHOUT = {"actuators": "actuators", "tendons": "springs, dampers, limits and inertia of tendons",
           "armature": "inertia of rotors", "friction": "dry friction of joints", "limits": "limits of joints",
           "contacts": "collisions of geoms", "fluid": "forces of the medium", "gravcomp": "compensation of gravity",
           "springs": "springs that mechanisms do not support", "dampers": "dampers that mechanisms do not support"}
FREE, BALL, SLIDE, HINGE = range(4)  # mjtJoint
CONNECT, WELD, JOINT = range(3)  # mjtEq
ASSETS = "Error opening file"
SAME = 1e-9  # tolerance for directions and positions of joints that must agree


class Refused(Exception):
    """A model that cannot be converted, with the reasons."""


class Found(NamedTuple):
    """Elements that change the motion and have no counterpart."""
    option: str  # choice of --without; empty if they cannot be left out
    what: str
    names: List[str]


# ---- the compiled model ----

def strip(spec: Any) -> None:
    """Replaces data that is read from other files, if no mass depends on it."""
    given = spec.compiler.inertiafromgeom
    for geom in spec.geoms:
        if geom.meshname or geom.hfieldname:
            body = around = geom.parent
            while around.name != "world" and not around.joints:
                around = around.parent  # a body at rest needs no mass
            if around.name != "world" and (given == 1 or given == 2 and not body.explicitinertial):
                raise Refused("the mesh \"%s\" or another file is missing, and the body \"%s\" has no inertial element "
                              "that gives its mass" % (geom.meshname or geom.hfieldname, body.name))
            geom.type, geom.meshname, geom.hfieldname = mujoco.mjtGeom.mjGEOM_SPHERE, "", ""
            geom.size, geom.mass = [0.01] * 3, 0
    for texture in spec.textures:
        texture.file, texture.builtin = "", mujoco.mjtBuiltin.mjBUILTIN_FLAT
        texture.width = texture.height = 1
        texture.cubefiles = [""] * 6
    for old in list(spec.meshes) + list(spec.hfields) + list(spec.skins):
        spec.delete(old)


def compiled(path: str, notes: List[str]) -> Any:
    try:
        spec = mujoco.MjSpec.from_file(path)
        try:
            return spec.compile()
        except ValueError as fault:
            if ASSETS not in str(fault):
                raise
            notes.append("%s: meshes, textures and skins are left out, because inertial elements give the masses" %
                         " ".join(str(fault).split()))
        spec = mujoco.MjSpec.from_file(path)
        strip(spec)
        return spec.compile()
    except ValueError as fault:
        raise Refused(" ".join(str(fault).split())) from None


def name_of(m: Any, kind: str, at: int) -> str:
    return mujoco.mj_id2name(m, getattr(mujoco.mjtObj, "mjOBJ_" + kind.upper()), at) or "%s %d" % (kind, at)


def colliding(m: Any, welds: List[int]) -> List[str]:
    """Returns the geoms that can touch another geom to which they are not fixed, by `welds` or otherwise."""
    weld, held = m.body_weldid[m.geom_bodyid], m.body_weldid.copy()
    for e in welds:
        ends = [at[e] if m.eq_objtype[e] == mujoco.mjtObj.mjOBJ_BODY else m.site_bodyid[at[e]]
                for at in (m.eq_obj1id, m.eq_obj2id)]
        held[held == held[ends[1]]] = held[ends[0]]
    held = held[m.geom_bodyid]
    above = m.body_weldid[m.body_parentid[weld]]
    touch = (m.geom_contype[:, None] & m.geom_conaffinity) != 0
    touch = (touch | touch.T) & (held[:, None] != held)
    if not m.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_FILTERPARENT:
        near = (above[:, None] == weld) & (weld != 0)
        touch &= ~(near | near.T)
    for one in m.exclude_signature:
        first, second = (m.geom_bodyid == one >> 16), (m.geom_bodyid == one & 0xffff)
        touch &= ~(first[:, None] & second | second[:, None] & first)
    found = set(np.flatnonzero(touch.any(axis=1))) | set(m.pair_geom1) | set(m.pair_geom2)
    return [name_of(m, "geom", at) for at in sorted(found)]


def acts(m: Any, at: int) -> bool:
    """True if an actuator exerts forces or has inertia even when its control is zero."""
    low, high = m.actuator_ctrlrange[at]
    return bool(m.actuator_biastype[at] != 0 or m.actuator_dyntype[at] == mujoco.mjtDyn.mjDYN_USER or
                m.actuator_plugin[at] >= 0 or m.actuator_gaintype[at] == mujoco.mjtGain.mjGAIN_USER or
                m.actuator_ctrllimited[at] and not low <= 0 <= high or m.actuator_armature[at] or
                np.any(m.actuator_damping[at]) or np.any(m.actuator_dampingpoly[at]))


def any_of(*arrays: Any) -> Any:
    """Returns for each element whether any of these arrays is nonzero there."""
    return np.any([(a.reshape(len(a), a.size // max(len(a), 1)) != 0).any(axis=1) for a in arrays], axis=0)


class Model:
    """A compiled model at its start, without the elements that `without` names."""

    def __init__(self, path: str, without: Set[str], key: Optional[str] = None):
        self.path, self.without = path, without
        self.notes: List[str] = []
        self.found: List[Found] = []
        self.m = m = compiled(path, self.notes)
        self.d = mujoco.MjData(m)
        self.owner = m.body_weldid.copy()
        self.owner[m.body_jntnum[self.owner] == 0] = 0  # of mocap bodies, which do not move
        self.moving = [b for b in range(1, m.nbody) if self.owner[b] == b]
        if key is not None:
            at = mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_KEY, key)
            if at < 0:
                raise Refused("found no keyframe \"%s\"; there are: %s" % (
                    key, ", ".join(name_of(m, "key", i) for i in range(m.nkey)) or "none"))
            mujoco.mj_resetDataKeyframe(m, self.d, at)
        off = m.opt.disableflags
        self.active = [e for e in range(m.neq) if m.eq_active0[e] and
                       not off & (mujoco.mjtDisableBit.mjDSBL_EQUALITY | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)]
        self.names: Dict[str, Set[str]] = {"body": {"ground"}, "joint": set()}
        if not self.moving:
            raise Refused("nothing moves: found no body with a joint, expected at least one")
        self.called = {b: self.unique("body", name_of(m, "body", b)) for b in self.moving}
        self.called[0] = "ground"
        self.joints: List[Dict[str, Any]] = []
        self.frames: Dict[int, List[Dict[str, Any]]] = {b: [] for b in self.called}
        self.single: Dict[int, Dict[str, Any]] = {}  # joints with one coordinate
        self.update()
        self.leave_out(off)
        before = self.d.qpos.copy(), self.d.qvel.copy()
        mujoco.mj_setConst(m, self.d)  # MuJoCo stores the mass matrix of simple bodies, including armatures
        self.d.qpos[:], self.d.qvel[:] = before
        self.close()
        for body in self.moving:
            self.join(body)
        for e in self.active:
            self.equality(e)
        self.coupled: Set[str] = set()
        for e in self.active:
            if m.eq_type[e] == JOINT:
                self.couple(e)
        lost = [each for each in self.found if each.option not in self.without]
        if lost:
            raise Refused("the following elements change the motion, and a mechanism has no counterpart for "
                          "them%s" % "".join(
                "\n  %s: %s%s" % (each.what, ", ".join(each.names), " (--without %s leaves this out)" % each.option
                                  if each.option else " (this cannot be left out)") for each in lost))

    def unique(self, kind: str, name: str) -> str:
        """Returns the name without the characters that the format forbids, with a number appended if it is taken."""
        clean = "".join("-" if c in ".\"\\" or c < " " else c for c in name)
        found, number = clean, 1
        while found in self.names[kind]:
            number += 1
            found = "%s-%d" % (clean, number)
        self.names[kind].add(found)
        return found

    # -- elements without a counterpart --

    def report(self, option: str, what: str, kind: str, found: Any, *remove: Any) -> None:
        """Reports the elements that an array of truth values selects, and sets the arrays `remove` to zero there."""
        names = [name_of(self.m, kind, int(at)) for at in np.flatnonzero(found)]
        if names:
            self.found.append(Found(option, what, names))
            for array in remove:
                array[found] = 0

    def rotors(self) -> Any:
        """Returns the joints whose armature can become a part of their body. Each is the only joint between a body
        and the ground: a hinge, whose body then carries a ring, or a slide that gravity does not drive, whose body
        then carries a mass."""
        m = self.m
        level = np.array([abs(self.d.xaxis[j] @ self.gravity()) < SAME for j in range(m.njnt)], dtype=bool)
        alone = (m.body_jntnum[m.jnt_bodyid] == 1) & (self.owner[m.body_parentid[m.jnt_bodyid]] == 0)
        return alone & ((m.jnt_type == HINGE) | (m.jnt_type == SLIDE) & level)

    def gravity(self) -> Any:
        off = self.m.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY
        return np.zeros(3) if off else self.m.opt.gravity

    def leave_out(self, off: int) -> None:
        m, bit = self.m, mujoco.mjtDisableBit
        forced = not off & bit.mjDSBL_CONSTRAINT
        if not off & bit.mjDSBL_ACTUATION:
            found = np.array([acts(m, at) for at in range(m.nu)], dtype=bool)
            self.report("actuators", "actuators", "actuator", found, m.actuator_armature, m.actuator_damping,
                        m.actuator_dampingpoly)
            idle = [name_of(m, "actuator", int(at)) for at in np.flatnonzero(~found)]
            if idle:
                self.notes.append("actuators that exert no force without control: " + ", ".join(idle))
        elif m.nu:
            self.report("actuators", "inertia and damping of actuators", "actuator",
                        any_of(m.actuator_armature, m.actuator_damping, m.actuator_dampingpoly),
                        m.actuator_armature, m.actuator_damping, m.actuator_dampingpoly)
        m.opt.disableflags |= bit.mjDSBL_ACTUATION
        if m.ntendon:
            parts = [m.tendon_stiffness, m.tendon_stiffnesspoly, m.tendon_damping, m.tendon_dampingpoly, m.tendon_armature,
                     m.tendon_frictionloss, m.tendon_limited]
            self.report("tendons", "tendons", "tendon", any_of(*parts), *parts)
        of = m.dof_jntid
        by_joint = np.zeros(m.njnt, dtype=bool)
        for option, what, array, kept in (("armature", "armature of joints", m.dof_armature, self.rotors()),
                                          ("friction", "dry friction of joints", m.dof_frictionloss, by_joint)):
            found = by_joint.copy()
            found[of[array != 0]] = True
            self.report(option, what, "joint", found & ~kept)
            array[~kept[of]] = 0
        if forced and not off & bit.mjDSBL_LIMIT:
            self.report("limits", "limits of joints", "joint", m.jnt_limited != 0)
        m.opt.disableflags |= bit.mjDSBL_LIMIT
        if forced and not off & bit.mjDSBL_CONTACT:
            names = colliding(m, [e for e in self.active if m.eq_type[e] == WELD])
            if names:
                self.found.append(Found("contacts", "geoms that can collide", names))
        m.opt.disableflags |= bit.mjDSBL_CONTACT
        if m.opt.density or m.opt.viscosity:
            self.found.append(Found("fluid", "forces of the medium", ["density %g" % m.opt.density,
                                                                      "viscosity %g" % m.opt.viscosity]))
            m.opt.density = m.opt.viscosity = 0
        if not off & bit.mjDSBL_GRAVITY:
            self.report("gravcomp", "compensation of gravity of bodies", "body", m.body_gravcomp != 0, m.body_gravcomp)
        self.report("", "plug-ins of bodies", "body", m.body_plugin >= 0)
        self.report("", "deformable bodies", "flex", np.ones(m.nflex, dtype=bool))
        if off & bit.mjDSBL_SPRING:
            m.jnt_stiffness[:] = m.jnt_stiffnesspoly[:] = 0
        if off & bit.mjDSBL_DAMPER:
            m.dof_damping[:] = m.dof_dampingpoly[:] = 0
        several = np.isin(m.jnt_type, (FREE, BALL))
        near = np.ones(m.njnt, dtype=bool)  # true if the angle is within half a turn of the rest angle
        for j in np.flatnonzero(m.jnt_type == HINGE):
            at = m.jnt_qposadr[j]
            near[j] = abs(self.d.qpos[at] - m.qpos_spring[at]) < math.pi
        self.report("springs", "springs of free and ball joints, nonlinear springs, and springs wound by half a turn",
                    "joint", any_of(m.jnt_stiffness) & (several | ~near) | any_of(m.jnt_stiffnesspoly, m.jnt_springyield),
                    m.jnt_stiffness, m.jnt_stiffnesspoly, m.jnt_springyield)
        found = by_joint.copy()
        found[of[any_of(m.dof_damping)]] = True
        found &= several
        found[of[any_of(m.dof_dampingpoly)]] = True
        self.report("dampers", "dampers of free and ball joints, and nonlinear dampers", "joint", found)
        m.dof_damping[found[of]] = m.dof_dampingpoly[found[of]] = 0

    # -- equality constraints: residual, Jacobian, and J'v --

    def place(self, e: int, side: int) -> Tuple[int, Any, Any]:
        """Returns the body at one end of a connect or weld, its point, and the rotation that must be the same at
        both ends."""
        m, d = self.m, self.d
        at = (m.eq_obj1id, m.eq_obj2id)[side][e]
        if m.eq_objtype[e] == mujoco.mjtObj.mjOBJ_SITE:
            return m.site_bodyid[at], d.site_xpos[at].copy(), d.site_xmat[at].reshape(3, 3)
        R, data = d.xmat[at].reshape(3, 3), m.eq_data[e]
        if m.eq_type[e] == CONNECT:
            return at, d.xpos[at] + R @ data[3 * side:3 * side + 3], R
        turned = np.zeros(9)
        mujoco.mju_quat2Mat(turned, data[6:10])
        return at, d.xpos[at] + R @ data[3 - 3 * side:6 - 3 * side], R @ turned.reshape(3, 3) if side == 0 else R

    def jacobians(self, body: int, point: Any, rate: bool = False) -> Tuple[Any, Any]:
        """Returns the Jacobians of the point and of the rotation or, with `rate`, their time derivatives times v."""
        p, r = np.zeros((2, 3, self.m.nv))
        (mujoco.mj_jacDot if rate else mujoco.mj_jac)(self.m, self.d, p, r, point, body)
        return (p @ self.d.qvel, r @ self.d.qvel) if rate else (p, r)

    def update(self) -> None:
        mujoco.mj_fwdPosition(self.m, self.d)
        mujoco.mj_fwdVelocity(self.m, self.d)

    def loops(self) -> Tuple[Any, Any, Any]:
        m, d = self.m, self.d
        r: List[Any] = [np.zeros(0)]
        J: List[Any] = [np.zeros((0, m.nv))]
        rate: List[Any] = [np.zeros(0)]
        poly: Any
        for e in self.active:
            if m.eq_type[e] == JOINT:
                row, value, bend = np.zeros((1, m.nv)), 0.0, 0.0
                for j, sign in ((m.eq_obj1id[e], 1), (m.eq_obj2id[e], -1)):
                    x = d.qpos[m.jnt_qposadr[j]] - m.qpos0[m.jnt_qposadr[j]] if j >= 0 else 0
                    poly = np.polynomial.Polynomial(m.eq_data[e][:5] if sign < 0 else [0, 1])
                    value += sign * poly(x)
                    if j >= 0:
                        row[0, m.jnt_dofadr[j]] = sign * poly.deriv()(x)
                        bend += sign * poly.deriv(2)(x) * d.qvel[m.jnt_dofadr[j]] ** 2
                r, J, rate = r + [[value]], J + [row], rate + [[bend]]
            elif m.eq_type[e] in (CONNECT, WELD):
                ends = [self.place(e, side) for side in (0, 1)]
                parts = [[self.jacobians(body, point, how) for body, point, _ in ends] for how in (False, True)]
                r.append(ends[0][1] - ends[1][1])
                J.append(parts[0][0][0] - parts[0][1][0])
                rate.append(parts[1][0][0] - parts[1][1][0])
                if m.eq_type[e] == WELD:
                    Q, turn = ends[0][2] @ ends[1][2].T, np.zeros(4)
                    mujoco.mju_mat2Quat(turn, Q.ravel())
                    off = np.zeros(3)
                    mujoco.mju_quat2Vel(off, turn, 1)
                    r.append(off)
                    J.append(parts[0][0][1] - parts[0][1][1])
                    rate.append(parts[1][0][1] - parts[1][1][1])
        return np.concatenate(r), np.concatenate(J), np.concatenate(rate)

    def project(self) -> float:
        """Moves the pose onto the equality constraints by Newton's method. Returns the remaining residual."""
        best = math.inf
        for _ in range(60):
            self.update()
            r, J, _ = self.loops()
            left = np.abs(r).max(initial=0.0)
            if left == 0 or left < 1e-13 * (1 + self.m.stat.extent) or left < 1e-9 and left >= best / 2:
                return float(left)
            best = min(left, best)
            step = np.linalg.lstsq(J, -r, rcond=1e-10)[0]
            mujoco.mj_integratePos(self.m, self.d.qpos, step / max(1, np.abs(step).max()), 1)
        return float(left)

    def close(self) -> None:
        left = self.project()
        if left > 1e-8 * (1 + self.m.stat.extent):
            raise Refused("the equality constraints cannot be met: after Newton's method from the start, a residual "
                          "of %.3g remains" % left)

    def project_velocity(self) -> None:
        """Replaces the velocity with the nearest one, in the metric of the masses, that satisfies the constraints."""
        self.update()
        _, J, _ = self.loops()
        self.d.qvel -= solve(mass_matrix(self.m, self.d), np.zeros(self.m.nv), J, J @ self.d.qvel)

    def kick(self, seed: int) -> None:
        """Sets a random velocity of about one radian per second that satisfies the constraints."""
        m = self.m
        draw = drawn(seed)
        self.d.qvel[:] = [next(draw) for _ in range(m.nv)]
        for j in range(m.njnt):
            if m.jnt_type[j] in (SLIDE, FREE):
                self.d.qvel[m.jnt_dofadr[j]:][:3 if m.jnt_type[j] == FREE else 1] *= m.stat.meansize * 10
        self.project_velocity()

    # -- joints --

    def law(self, j: int, sign: float, origin: float) -> Dict[str, float]:
        m = self.m
        at = m.jnt_qposadr[j]
        return {"stiffness": m.jnt_stiffness[j],
                "damping": m.dof_damping[m.jnt_dofadr[j]],
                "rest": sign * (m.qpos_spring[at] - origin)}

    def join(self, body: int) -> None:
        m, d = self.m, self.d
        joints = list(range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body]))
        kinds = [m.jnt_type[j] for j in joints]
        if kinds == [FREE]:
            return
        parent, first = self.owner[m.body_parentid[body]], joints[0]
        name = self.unique("joint", mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_JOINT, first) or
                           "joint-of-" + self.called[body])
        joint: Dict[str, Any] = {"name": name, "type": "spherical", "between": [self.called[parent], self.called[body]]}
        self.joints.append(joint)
        if len(joints) > 1:
            return self.several(body, parent, joints, joint)
        joint["at"] = d.xanchor[first].copy()
        if kinds != [BALL]:
            joint.update(type="revolute" if kinds == [HINGE] else "prismatic", axis=d.xaxis[first].copy(),
                         **self.law(first, 1, d.qpos[m.jnt_qposadr[first]]))
            self.single[first] = joint

    def several(self, body: int, parent: int, joints: List[int], joint: Dict[str, Any]) -> None:
        """Converts joints that are displacements along, and then rotations about, different axes of one frame."""
        m = self.m
        slides = [j for j in joints if m.jnt_type[j] == SLIDE]
        hinges = [j for j in joints if m.jnt_type[j] == HINGE]
        axes = [m.jnt_axis[j] for j in hinges]
        axes += [m.jnt_axis[j] for j in slides if axes == [] or abs(m.jnt_axis[j] @ axes[0]) < SAME]
        E = np.zeros((3, 3))
        E[:, 2] = axes[0] if hinges else unit(np.cross(axes[0], axes[1])) if len(axes) > 1 else axes[0]
        others = axes[1:] if hinges else axes
        E[:, 0] = others[0] if others else across(E[:, 2])
        E[:, 1] = np.cross(E[:, 2], E[:, 0])
        at = [int(np.argmax(np.abs(E.T @ m.jnt_axis[j]))) for j in slides + hinges]
        signs = [float(np.sign(E[:, k] @ m.jnt_axis[j])) for k, j in zip(at, slides + hinges)]
        exact = np.abs(E.T @ E - np.eye(3)).max() < SAME and all(np.abs(sign * E[:, k] - m.jnt_axis[j]).max() < SAME
                    for sign, k, j in zip(signs, at, slides + hinges))
        place, apart = meeting([m.jnt_pos[j] for j in hinges], axes[:len(hinges)])
        if slides + hinges != joints or not exact or len(set(at[:len(slides)])) < len(slides) or \
                len(set(at[len(slides):])) < len(hinges) or \
                apart > SAME * (1 + m.stat.extent):
            self.found.append(Found("", "joints of one body that are not displacements along, and then rotations "
                                    "about, orthogonal axes through one point", [name_of(m, "joint", j) for j in joints]))
            return
        motions = ["%s%d" % ("t" if j in slides else "r", k + 1) for j, k in zip(joints, at)]
        joint["type"] = {"r3r1": "universal", "t1t2r3": "planar"}.get("".join(motions), "serial")
        if joint["type"] == "serial":
            joint["motions"] = motions
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, m.body_quat[body])
        R = R.reshape(3, 3)
        joint["between"] = [self.frame(parent, joint["name"], m.body_parentid[body],
                                       m.body_pos[body] + R @ place, R @ E),
                            self.frame(body, joint["name"], body, place, E)]
        laws = [self.law(j, sign, m.qpos0[m.jnt_qposadr[j]]) for j, sign in zip(joints, signs)]
        joint.update({key: [law[key] for law in laws] for key in laws[0]})

    def frame(self, owner: int, name: str, body: int, place: Any, E: Any) -> str:
        """Adds a frame to a body. The frame is given relative to a body that is welded to it."""
        d = self.d
        R = d.xmat[owner].reshape(3, 3).T
        turn = R @ d.xmat[body].reshape(3, 3)
        offset = R @ (d.xpos[body] - d.xpos[owner])
        self.frames[owner].append({"name": name, "position": offset + turn @ place, "orientation": quaternion(turn @ E)})
        return "%s.%s" % (self.called[owner], name)

    # -- equality --

    def equality(self, e: int) -> None:
        m = self.m
        kind = m.eq_type[e]
        if kind == JOINT:
            return
        if kind not in (CONNECT, WELD):
            self.report("", "equality constraints other than connect, weld and joint", "equality",
                        np.arange(m.neq) == e)
            return
        ends = [self.place(e, side) for side in (0, 1)]
        owners = [self.owner[body] for body, _, _ in ends]
        name = self.unique("joint", mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_EQUALITY, e) or
                           "%s-%d" % ("connect" if kind == CONNECT else "weld", e))
        if owners[0] == owners[1]:
            self.notes.append("the constraint \"%s\" joins a body to itself" % name)
            return
        self.joints.append({"name": name, "type": "spherical" if kind == CONNECT else "weld",
                            "between": [self.called[owner] for owner in owners], "at": ends[0][1]})

    def couple(self, e: int) -> None:
        """Converts q1 = a0 + a1 q2 to a gear, and q1 = a0 to a weld. Coordinates are 0 at the start, which satisfies
        both."""
        m = self.m

        def refuse(reason: str) -> None:
            self.found.append(Found("", "couplings of joints " + reason, [name_of(m, "equality", e)]))
        slope, *higher = m.eq_data[e][1:5]
        ids = [m.eq_obj1id[e]] + [m.eq_obj2id[e]] * int(slope != 0 and m.eq_obj2id[e] >= 0)
        pair = [self.single.get(at) for at in ids]
        if any(higher) and len(ids) > 1:
            return refuse("that are not linear")
        if None in pair:
            return refuse("of bodies with several joints")
        if any(joint["name"] in self.coupled or joint["type"] == "weld" for joint in pair if joint):
            return refuse("that are in another coupling already, which would be reversed or held")
        first, second = pair[0], pair[-1]
        assert first and second
        if len(ids) == 1:
            for key in ("stiffness", "damping", "rest"):
                del first[key]
            first["type"] = "weld"
            return None
        ratio = Fraction(abs(slope)).limit_denominator(9)
        if abs(ratio - abs(slope)) > 1e-9 or not 0 < ratio.numerator < 10:
            return refuse("with the ratio %g, expected a ratio of whole numbers from 1 to 9" % slope)
        carriers = [body for body in first["between"] if body in second["between"]]
        if len(carriers) != 1 or first["type"] != second["type"]:
            return refuse("that are not two hinges or two slides on the same carrier")
        for joint in (first, second):
            if joint["between"][0] != carriers[0]:  # reversing both the ends and the axis keeps the angle
                joint.update(between=joint["between"][::-1], axis=-joint["axis"])
        if slope < 0:
            second.update(axis=-second["axis"], rest=-second["rest"])
        self.coupled |= {first["name"], second["name"]}
        self.joints.append({"name": self.unique("joint", mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_EQUALITY, e) or
                                                "gear-%d" % e), "type": "gear",
                            "between": [first["name"], second["name"]], "ratio": [ratio.denominator, ratio.numerator]})
        return None

    # -- bodies --

    def inertia(self, body: int) -> Tuple[float, Any, Any, Any]:
        """Returns mass, centre, principal moments and axes of a body and those welded to it, in the body's frame."""
        m, d = self.m, self.d
        parts = [b for b in range(m.nbody) if self.owner[b] == body]
        mass = sum(m.body_mass[b] for b in parts)
        centre = sum(m.body_mass[b] * d.xipos[b] for b in parts) / mass
        total = np.zeros((3, 3))
        for b in parts:
            R, off = d.ximat[b].reshape(3, 3), d.xipos[b] - centre
            total += (R * m.body_inertia[b]) @ R.T + m.body_mass[b] * (off @ off * np.eye(3) - np.outer(off, off))
        joint, dof = m.body_jntadr[body], m.body_dofadr[body]
        if m.jnt_type[joint] == HINGE:  # a ring about the axis
            total += m.dof_armature[dof] / 2 * (np.eye(3) + np.outer(d.xaxis[joint], d.xaxis[joint]))
        elif m.jnt_type[joint] == SLIDE:
            mass += m.dof_armature[dof]
        frame = d.xmat[body].reshape(3, 3)
        moments, axes = np.linalg.eigh(frame.T @ total @ frame)
        if moments[2] > moments[0] + moments[1]:  # only by round-off, because MuJoCo checks the moments
            moments[2] = moments[0] + moments[1]
        return mass, frame.T @ (centre - d.xpos[body]), moments, axes * [1, 1, np.sign(np.linalg.det(axes))]

    def written(self) -> str:
        m, d = self.m, self.d
        self.update()
        lines = ["# From %s by python3 -m shakedown.mjcf%s" % (
            os.path.basename(self.path), " --without " + ",".join(sorted(self.without)) if self.without else ""),
            "gravity: " + text(self.gravity())]
        if self.frames[0]:
            lines.append("frames: " + text(self.frames[0]))
        lines.append("bodies:")
        for body in self.moving:
            mass, centre, moments, axes = self.inertia(body)
            point, turn = self.jacobians(body, d.xpos[body])
            keys = {"name": self.called[body], "mass": mass, "moments": moments, "centre": centre,
                    "axes": quaternion(axes), "position": d.xpos[body], "orientation": d.xquat[body],
                    "velocity": point @ d.qvel, "rate": turn @ d.qvel, "frames": self.frames[body]}
            lines.append("  - " + text({key: value for key, value in keys.items() if key == "name" or np.any(value)}))
        for joint in self.joints:
            for key, needs in (("rest", "stiffness"), ("stiffness", "stiffness"), ("damping", "damping")):
                if key in joint and not np.any(joint[needs]):
                    del joint[key]
        lines += ["joints:"] * (len(self.joints) > 0) + ["  - " + text(joint) for joint in self.joints]
        return "\n".join(lines) + "\n"


# ---- vectors, and YAML ----

def unit(x: Any) -> Any:
    return np.asarray(x) / np.linalg.norm(x)


def across(x: Any) -> Any:
    return unit(np.cross(x, np.eye(3)[np.argmin(np.abs(x))]))


def meeting(places: List[Any], axes: List[Any]) -> Tuple[Any, float]:
    """Returns the point nearest to all lines, and its largest distance from any of them."""
    if len(places) < 2:
        return (places or [np.zeros(3)])[0], 0.0
    P = [np.eye(3) - np.outer(axis, axis) for axis in axes]
    point = np.linalg.lstsq(sum(P), sum(p @ x for p, x in zip(P, places)), rcond=1e-10)[0]
    return point, max(float(np.abs(p @ (point - x)).max()) for p, x in zip(P, places))


def quaternion(R: Any) -> Any:
    found = np.zeros(4)
    mujoco.mju_mat2Quat(found, np.ascontiguousarray(R).ravel())
    return found


def text(value: Any) -> str:
    if isinstance(value, str):
        return '"%s"' % value
    if isinstance(value, dict):
        return "{%s}" % ", ".join("%s: %s" % (key, text(its)) for key, its in value.items())
    if isinstance(value, list) or np.ndim(value) > 0:
        return "[%s]" % ", ".join(map(text, value))
    return repr(float(value) + 0.0)


# ---- comparison with MuJoCo ----

def mass_matrix(m: Any, d: Any) -> Any:
    M = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, d, M)
    return M


def solve(M: Any, f: Any, J: Any, b: Any) -> Any:
    """Returns the x of [M Jᵀ; J 0] [x; λ] = [f; b]. The rows of J may be dependent."""
    L = np.sqrt(M)[:, None] if np.ndim(M) == 1 else np.linalg.cholesky(M)

    def back(y: Any) -> Any:
        return y / L[:, 0] if np.ndim(M) == 1 else np.linalg.solve(L.T, y)
    free, A = (f / L[:, 0], (J / L[:, 0]).T) if np.ndim(M) == 1 else (np.linalg.solve(L, f), np.linalg.solve(L, J.T))
    size = np.linalg.norm(A, axis=0)
    A, b = A / np.where(size > 0, size, 1), b / np.where(size > 0, size, 1)
    if A.shape[1] == 0:
        return back(free)
    Q, R = np.linalg.qr(A)
    if np.abs(np.diag(R)).min() > 1e-9 and A.shape[1] <= A.shape[0]:
        return back(free - Q @ (Q.T @ free) + Q @ np.linalg.solve(R.T, b))
    return back(free + np.linalg.lstsq(A.T, b - A.T @ free, rcond=1e-10)[0])


class Natural:
    """The coordinates of the mechanism as functions of MuJoCo's."""

    def __init__(self, model: Model):
        self.model = model
        self.bodies = []
        for body in model.moving:
            _, centre, moments, axes = model.inertia(body)
            second = sum(moments) / 2 - moments
            self.bodies.append((body, centre, axes[:, second > 1e-12 * max(second)]))

    def at(self) -> Tuple[Any, Any, Any]:
        """Returns q, its Jacobian T, and T'v."""
        model, d = self.model, self.model.d
        q, T, rate = [], [], []
        for body, centre, axes in self.bodies:
            R = d.xmat[body].reshape(3, 3)
            point = d.xpos[body] + R @ centre
            (p, r), (p_rate, r_rate) = model.jacobians(body, point), model.jacobians(body, point, True)
            omega = r @ d.qvel
            q.append(point)
            T.append(p)
            rate.append(p_rate)
            for axis in axes.T:
                director = R @ axis
                q.append(director)
                T.append(np.cross(r.T, director).T)
                rate.append(np.cross(r_rate, director) + np.cross(omega, np.cross(omega, director)))
        return np.concatenate(q), np.concatenate(T), np.concatenate(rate)


def off(found: Any, expected: Any, terms: float = 0.0) -> float:
    """Returns the largest difference relative to the largest number, or to `terms` if the numbers are sums of larger
    terms."""
    size = max(np.abs(expected).max(initial=0.0), np.abs(found).max(initial=0.0), terms)
    return float(np.abs(found - expected).max(initial=0.0) / size) if size > 0 else 0.0


def differences(model: Model, natural: Natural, problem: Any) -> Tuple[Dict[str, float], float]:
    """Returns the differences at MuJoCo's state, and the condition number of the mass matrix."""
    m, d = model.m, model.d
    mujoco.mj_forward(m, d)
    M = mass_matrix(m, d)
    _, J, rate = model.loops()
    bias = d.qfrc_bias - d.qfrc_passive
    qacc = solve(M, -bias, J, -rate) if len(rate) else d.qacc
    q, T, T_rate = natural.at()
    mass, v = problem.mass, T @ d.qvel
    slope, G = problem.H_q(q, mass * v), problem.G(q)
    a = solve(mass, -slope, G, -problem.curvature(q, v))
    push = mass * T_rate + slope
    terms = np.abs(push).max() * np.abs(T).max()
    free = np.eye(m.nv) - np.linalg.pinv(J, 1e-10) @ J  # projects onto velocities that satisfy the loop constraints
    return {"mass matrix": off(T.T @ (mass[:, None] * T), M), "bias": off(T.T @ push, bias, terms),
            "accelerations": off(a, T @ qacc + T_rate, np.abs(push / mass).max(initial=1.0)),
            "constraints": float(max(np.abs(problem.g(q)).max(initial=0.0), np.abs(G @ T @ free).max(initial=0.0)))
            }, float(np.linalg.cond(M))


def scatter(model: Model, start: Any, rng: Any) -> None:
    """Moves to a random state near the start that satisfies the constraints."""
    m, d = model.m, model.d
    most, left = 1.0, math.inf
    wound = np.flatnonzero((m.jnt_type == HINGE) & any_of(m.jnt_stiffness))
    at = m.jnt_qposadr[wound]
    while left > 1e-9 and most > 1e-3:
        d.qpos[:] = start
        mujoco.mj_integratePos(m, d.qpos, rng.uniform(-most, most, m.nv), 1)
        left, most = model.project(), most / 2
        if np.any(np.abs(d.qpos[at] - m.qpos_spring[at]) > math.pi):
            left = math.inf  # a spring is wound by more than half a turn
    d.qvel[:] = rng.standard_normal(m.nv)
    model.project_velocity()


def bound(found: str) -> Any:
    """Returns the problem that the text of a mechanism describes."""
    from .problem import Problem
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # the file of a problem must be below the working directory
        try:
            with open("mechanism.yaml", "w", encoding="utf-8") as file:
                file.write(found)
            return Problem("mechanism(file=\"mechanism.yaml\")")
        finally:
            os.chdir(before)


def verify(model: Model, problem: Any, say: Callable[[str], None]) -> bool:
    natural, start = Natural(model), model.d.qpos.copy()
    rng, good = np.random.default_rng(1), True
    for state in range(4):
        if state > 0:
            scatter(model, start, rng)
        found, condition = differences(model, natural, problem)
        most = max(1e-9, 1e3 * sys.float_info.epsilon * condition)
        bad = [what for what, value in found.items() if not value <= most]
        good = good and not bad
        say("%s: %s; at most %.1e%s" % ("start" if state == 0 else "random state %d" % state, ", ".join(
            "%s %.1e" % each for each in found.items()), most, ": " + ", ".join(bad) + " differ" if bad else ""))
    return good


# ---- command line ----

def words(given: str) -> Set[str]:
    found = set(given.split(","))
    for word in found - set(WITHOUT):
        raise argparse.ArgumentTypeError("found \"%s\", expected some of %s" % (word, ",".join(WITHOUT)))
    return found


def fail(reason: str) -> NoReturn:
    sys.exit("python3 -m shakedown.mjcf: " + reason)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m shakedown.mjcf", description=__doc__.split("\n", 1)[0],
                                     epilog="--without: " + "; ".join("%s: %s" % each for each in WITHOUT.items()))
    parser.add_argument("model", help="MJCF or URDF")
    parser.add_argument("-o", "--output", default="-")
    parser.add_argument("--without", type=words, default=set(),
                        help="leave out elements that mechanisms do not support")
    parser.add_argument("--key", help="start at this keyframe")
    parser.add_argument("--kick", type=int, metavar="SEED", help="start with a random velocity")
    parser.add_argument("--verify", action="store_true", help="compare the result with MuJoCo")
    given = parser.parse_args()
    if mujoco is None:
        fail("the Python package mujoco, which reads the models, is missing: %s" % INSTALL)
    try:
        model = Model(given.model, given.without, given.key)
        if given.kick is not None:
            model.kick(given.kick)
        found = model.written()
        with (sys.stdout if given.output == "-" else open(given.output, "w", encoding="utf-8")) as file:
            file.write(found)
    except (Refused, OSError) as fault:
        fail("%s: %s" % (given.model, fault))
    for note in model.notes:
        print("%s: %s" % (given.model, note), file=sys.stderr)
    for each in model.found:
        print("%s: left out: %s: %s" % (given.model, each.what, ", ".join(each.names)), file=sys.stderr)
    if given.verify:
        from . import Failure
        try:
            if not verify(model, bound(found), lambda line: print(line, file=sys.stderr)):
                fail("%s: the mechanism differs from the MuJoCo model" % given.model)
        except Failure as fault:
            fail("%s: %s" % (given.model, fault))


if __name__ == "__main__":
    main()
