"""Codes that move rigid bodies with joints, as classes."""

from __future__ import annotations

from typing import Any, ClassVar, List, NamedTuple, Sequence, Tuple, Type

import numpy as np

from . import _library as lib
from .engine import taken
from .integrator import Integrator, Stepped
from .problem import Array, Problem

#: Of n bodies: the centres of mass in space, (n, 3), and the rotations from the bodies' axes to those of
#: space, (n, 3, 3).
Poses = Tuple[Array, Array]
#: The velocities of the centres of mass and the angular velocities, both in space, (n, 3) each.
Velocities = Tuple[Array, Array]


_SIGNS = np.cross(np.eye(3)[:, None], np.eye(3))


def _cross(a: Array, b: Array) -> Array:
    """np.cross, in a tenth of its time for few vectors."""
    found: Array = np.einsum("...i,...j,ijk->...k", a, b, _SIGNS)
    return found


class Joint(NamedTuple):
    """A joint between two bodies, by a frame in each: about its centre of mass and in its axes, or in
    space where the body is the ground, -1. The axes of a frame are columns. Of a joint with one coordinate
    there may be a spring, a damper and a constant load along it, which are among `Mechanism.forces`."""

    type: str  #: as in docs/guides/mechanisms.md
    bodies: Tuple[int, int]
    places: Array  #: (2, 3)
    axes: Array  #: (2, 3, 3)
    rows: slice  #: of `Mechanism.constraints`
    length: float  #: of a distance
    stiffness: float
    rest: float
    damping: float
    load: float


class Link(NamedTuple):
    """A spring with a damper between points of two bodies, which are given as in a joint."""

    bodies: Tuple[int, int]
    places: Array  #: (2, 3)
    stiffness: float
    rest: float
    damping: float


class Mechanism:
    """What a `BodyEngine` moves, in the units of the problem.

    masses (n,); inertias (n, 3, 3), about the centre of mass in the body's axes; gravity (3,), an
    acceleration; joints and links. Numbers are of the engine's precision.
    """

    def __init__(self, problem: Problem, dtype: Any = np.float64):
        self._problem, self.dtype = problem, dtype
        self.joints: List[Joint] = []
        self.links: List[Link] = []
        self._centres: List[Array] = []
        masses: List[float] = []
        inertias: List[Array] = []
        axes: List[Array] = []
        words, count = iter(problem.description().split()), 0

        def numbers(*shape: int) -> Array:
            return np.array([float(next(words)) for _ in range(int(np.prod(shape)))]).reshape(shape)

        for word in words:
            if word == "gravity":
                self.gravity = numbers(3).astype(dtype)
            elif word == "body":
                masses.append(float(next(words)))
                second, _, place, turned = numbers(3), numbers(3), numbers(3), numbers(3, 3)
                if np.any(second <= 0):
                    raise lib.Refused("it has a thin body, which lacks axes; give it a thickness")
                inertias.append(turned @ np.diag(np.sum(second) - second) @ turned.T)
                self._centres.append(place)
                axes.append(turned)
            elif word == "joint":
                kind, codes = next(words), next(words)
                rows = slice(count, count + sum(code.isalpha() for code in codes))
                count = rows.stop
                ends = [(int(next(words)), numbers(3), numbers(3, 3)) for _ in range(2)]
                self.joints.append(Joint(kind, *self._ends(ends), np.stack([ends[0][2], ends[1][2]]), rows,
                                         *numbers(5).tolist()))
            elif word == "link":
                self.links.append(Link(*self._ends([(int(next(words)), numbers(3)) for _ in range(2)]),
                                       *numbers(3).tolist()))
            else:
                raise lib.Refused("its bodies have a fixed point as a pivot, and no place among their "
                                  "coordinates; state a spherical joint in place of `pivot`"
                                  if word == "pivoted" else "its description has the word " + word)
        self.masses, self.inertias = np.array(masses, dtype), np.array(inertias, dtype)
        self._axes, self._own_rows = np.array(axes), problem.m - count

    def _ends(self, ends: Sequence[Any]) -> Tuple[Tuple[int, int], Array]:
        """Bodies and places of two ends, each about the centre of mass."""
        return (ends[0][0], ends[1][0]), np.stack(
            [place - (self._centres[body] if body >= 0 else 0) for body, place, *_ in ends])

    # ---- motions and the coordinates of the problem: place and principal axes of every body ----

    def coordinates(self, poses: Poses) -> Array:
        """Poses as coordinates of the problem, (12 n,)."""
        x, R = (np.asarray(one, float) for one in poses)
        q: Array = np.concatenate([x[:, None], (R @ self._axes).transpose(0, 2, 1)], axis=1).ravel()
        return q

    def rates(self, poses: Poses, velocities: Velocities) -> Array:
        """Velocities as rates of these coordinates, (12 n,)."""
        v, w = (np.asarray(one, float) for one in velocities)
        rates: Array = np.concatenate([v[:, None], _cross(w[:, None], self._directors(poses))], axis=1).ravel()
        return rates

    def motion(self, q: Array, rates: Array) -> Tuple[Poses, Velocities]:
        """Poses and velocities of coordinates and their rates."""
        places, speeds = q.reshape(-1, 4, 3), rates.reshape(-1, 4, 3)
        R = places[:, 1:].transpose(0, 2, 1) @ self._axes.transpose(0, 2, 1)
        w = np.sum(_cross(places[:, 1:], speeds[:, 1:]), axis=1) / 2
        x, R, v, w = (one.astype(self.dtype) for one in (places[:, 0], R, speeds[:, 0], w))
        return (x, R), (v, w)

    def _directors(self, poses: Poses) -> Array:
        return self.coordinates(poses).reshape(-1, 4, 3)[:, 1:]

    def _wrenches(self, poses: Poses, gradient: Array) -> Array:
        """Derivatives in the coordinates, (…, 12 n), as those in displacements and small rotations in space,
        (…, n, 6)."""
        parts = gradient.reshape(gradient.shape[:-1] + (-1, 4, 3))
        turning = np.sum(_cross(self._directors(poses), parts[..., 1:, :]), axis=-2)
        wrenches: Array = np.concatenate([parts[..., 0, :], turning], axis=-1).astype(self.dtype)
        return wrenches

    # ---- forces and constraints ----

    def forces(self, poses: Poses, velocities: Velocities) -> Tuple[Array, Array]:
        """Forces and torques about the centres of mass, in space, (n, 3) each: gravity, springs, dampers and
        loads, without the reactions of joints."""
        q, p = self.coordinates(poses), self._problem.mass * self.rates(poses, velocities)
        wrenches = self._wrenches(poses, -self._problem.H_q(q, p))
        return wrenches[:, :3], wrenches[:, 3:]

    def energy(self, poses: Poses, velocities: Velocities) -> float:
        """Of potential and motion."""
        q, p = self.coordinates(poses), self._problem.mass * self.rates(poses, velocities)
        return self._problem.H(q, p)

    def constraints(self, poses: Poses) -> Array:
        """Residuals of the joints, (k,), 0 where they are closed."""
        return self._problem.g(self.coordinates(poses))[self._own_rows:].astype(self.dtype)

    def jacobian(self, poses: Poses) -> Array:
        """J, (k, n, 6): the residuals change at the rates J [v, w], and the reactions of the joints are
        the wrenches -J^T multipliers, force before torque."""
        return self._wrenches(poses, self._problem.G(self.coordinates(poses))[self._own_rows:])

    def multipliers(self, q: Array, p: Array, joints: Array) -> Array:
        """All multipliers of the problem, (m,), from those of the joints, (k,), at a state: the bodies stay
        rigid."""
        f, w = self._problem, 1 / self._problem.mass
        own, others = np.split(f.G(q), [self._own_rows])
        pulled = w * (-f.H_q(q, p) - others.T @ joints)
        rigid = np.linalg.solve(own * w @ own.T, own @ pulled + f.curvature(q, w * p)[:self._own_rows])
        return np.concatenate([rigid, joints])


class BodyEngine(Integrator):
    """A code that moves rigid bodies with joints: a subclass with `step`, and its claims as attributes.

        class Mine(shakedown.BodyEngine):
            order_q = order_p = 2

            def step(self, poses, velocities, h, system):
                return mine.advance(poses, velocities, h, system.masses, system.inertias, system.joints)

    Problems that are not mechanisms in space are refused, and so are drives, gears, thin bodies and pivots.
    `prepare` is called with the `Mechanism` before the first step; it may raise `Refused`. An engine that has
    no dampers and loads sets `supports = ()`.
    """

    supports: ClassVar[Sequence[str]] = ("forces",)
    steps: ClassVar[int] = 1  #: steps of length h that a call makes
    refuses: ClassVar[Tuple[Type[BaseException], ...]] = ()  #: raised where a step does not converge

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.system = Mechanism(problem, np.float32 if self.precision == "single" else np.float64)
        self.prepare(self.system)

    def prepare(self, system: Mechanism) -> None:
        """Before the first step."""

    def step(self, poses: Poses, velocities: Velocities, h: float,  # type: ignore[override]
             system: Mechanism) -> Any:
        """`steps` steps of signed length h from these poses and velocities, whose arrays are its to keep.
        Returns both, and if it has them the multipliers of the joints' rows, (k,). None: it does not
        converge."""
        raise NotImplementedError(self.name + " has no step")

    def advance(self, q: Array, p: Array, t: float, h: float) -> Stepped:
        system, mass = self.system, self.problem.mass
        stepped = taken(self, (*system.motion(q, p / mass), h / self.steps, system))
        n, k = len(system.masses), self.problem.m - system._own_rows
        shapes = [(n, 3), (n, 3, 3), (n, 3), (n, 3)]
        if not (2 <= len(stepped) <= 3 and len(stepped[0]) == len(stepped[1]) == 2):
            raise ValueError("a step returns poses and velocities, two arrays each, and the multipliers of "
                             "the joints if it has them")
        found = [np.shape(one) for pair in stepped[:2] for one in pair]
        if found != shapes or any(np.shape(one) != (k,) for one in stepped[2:]):
            raise ValueError("a step returned arrays of shapes %s, expected %s, and (%d,) for the multipliers"
                             % (found + [np.shape(one) for one in stepped[2:]], shapes, k))
        poses, velocities, *joints = stepped
        return [system.coordinates(poses), mass * system.rates(poses, velocities),
                *(system.multipliers(q, p, np.asarray(one, float)) for one in joints)]
