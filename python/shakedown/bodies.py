"""Codes that move rigid bodies with joints, as classes."""

from __future__ import annotations

from typing import Any, ClassVar, List, NamedTuple, Sequence, Tuple, Type

import numpy as np

from . import _library as lib
from .engine import taken
from .integrator import Integrator, Stepped
from .problem import Array, Problem

#: The centres of mass of n bodies in space, (n, 3), and the rotations from body axes to space axes, (n, 3, 3).
Poses = Tuple[Array, Array]
#: The velocities of the centres of mass and the angular velocities, both in space, (n, 3) each.
Velocities = Tuple[Array, Array]


_SIGNS = np.cross(np.eye(3)[:, None], np.eye(3))


def _cross(a: Array, b: Array) -> Array:
    """Compute np.cross, ten times as fast for few vectors."""
    found: Array = np.einsum("...i,...j,ijk->...k", a, b, _SIGNS)
    return found


class Joint(NamedTuple):
    """A joint between two bodies, given by a frame in each body. A frame is relative to the body's centre of mass
    and axes or, if the body is the ground, -1, to space. The axes of a frame are columns. A joint with one coordinate
    can have a spring, a damper and a constant load along it, which `Mechanism.forces` includes."""

    type: str  #: as in docs/guides/mechanisms.md
    bodies: Tuple[int, int]
    places: Array  #: (2, 3)
    axes: Array  #: (2, 3, 3)
    rows: slice  #: in `Mechanism.constraints`
    length: float  #: of a distance joint
    stiffness: float
    rest: float
    damping: float
    load: float


class Link(NamedTuple):
    """A spring with a damper between points on two bodies, which are given as in a joint."""

    bodies: Tuple[int, int]
    places: Array  #: (2, 3)
    stiffness: float
    rest: float
    damping: float


class Mechanism:
    """The n rigid bodies, joints and springs that a `BodyEngine` moves, in the units of the problem.

    Shakedown creates the mechanism from a problem and passes it to `BodyEngine.prepare` and `BodyEngine.step`. You can
    also create one yourself. Arrays have the engine's precision; angles are in radians. Poses are two arrays: the
    centres of mass in space, (n, 3), and the rotations from body axes to space axes, (n, 3, 3). Velocities are also
    two arrays: those of the centres of mass, and the angular velocities, both in space and of shape (n, 3).

    Parameters
    ----------
    problem : Problem
        A mechanism in space without drives, gears, thin bodies or pivots.
    dtype : type, optional
        `numpy.float64` or `numpy.float32`.

    Attributes
    ----------
    masses : ndarray, shape (n,)
    inertias : ndarray, shape (n, 3, 3)
        Inertia tensors about the centres of mass, in body axes.
    gravity : ndarray, shape (3,)
        The acceleration of gravity.
    joints : list of shakedown.bodies.Joint
        Joints, each with its type, its two bodies (-1 is the ground) and a frame in each.
    links : list of shakedown.bodies.Link
        Springs with dampers between points on two bodies.
    dtype : type

    Raises
    ------
    Refused
        If the problem is not such a mechanism.

    See Also
    --------
    Problem.description : The text that defines the mechanism.

    Examples
    --------
    >>> problem = shakedown.Problem("random-mechanism(shape=four-bar,seed=3)")
    >>> system = shakedown.Mechanism(problem)
    >>> print(system.masses)
    [2.71 2.2  1.76]
    >>> [(one.type, one.bodies) for one in system.joints]
    [('revolute', (-1, 0)), ('spherical', (0, 1)), ('spherical', (1, 2)), ('revolute', (-1, 2))]

    At the start the joints are closed, and they move so that they remain closed:

    >>> q, p = problem.start()
    >>> poses, velocities = system.motion(q, p / problem.mass)
    >>> bool(abs(system.constraints(poses)).max() < 1e-14)
    True
    >>> rates = np.einsum("kni,ni->k", system.jacobian(poses), np.hstack(velocities))
    >>> bool(abs(rates).max() < 1e-14)
    True
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
                    raise lib.Refused("it has a thin body, which lacks axes; give the body a thickness")
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
                raise lib.Refused("its bodies have a fixed point as a pivot, so their coordinates contain no "
                                  "position; use a spherical joint instead of `pivot`"
                                  if word == "pivoted" else "its description has the word " + word)
        self.masses, self.inertias = np.array(masses, dtype), np.array(inertias, dtype)
        self._axes, self._own_rows = np.array(axes), problem.m - count

    def _ends(self, ends: Sequence[Any]) -> Tuple[Tuple[int, int], Array]:
        """Return the bodies and the positions of two ends. Positions are relative to the centres of mass."""
        return (ends[0][0], ends[1][0]), np.stack(
            [place - (self._centres[body] if body >= 0 else 0) for body, place, *_ in ends])

    # ---- motions, and the problem's coordinates: position and principal axes of every body ----

    def coordinates(self, poses: Poses) -> Array:
        """Return poses as coordinates of the problem.

        Parameters
        ----------
        poses : tuple of ndarray, shapes (n, 3) and (n, 3, 3)
            Centres of mass, and rotations from body axes to space axes.

        Returns
        -------
        ndarray, shape (12 n,)
            For each body, the centre of mass and the three principal axes in space.
        """
        x, R = (np.asarray(one, float) for one in poses)
        q: Array = np.concatenate([x[:, None], (R @ self._axes).transpose(0, 2, 1)], axis=1).ravel()
        return q

    def rates(self, poses: Poses, velocities: Velocities) -> Array:
        """Return velocities as rates of the coordinates of the problem.

        Parameters
        ----------
        poses : tuple of ndarray, shapes (n, 3) and (n, 3, 3)
            Centres of mass, and rotations from body axes to space axes.
        velocities : tuple of ndarray, shapes (n, 3) and (n, 3)
            Velocities of the centres of mass, and angular velocities, both in space.

        Returns
        -------
        ndarray, shape (12 n,)
            The time derivatives of `coordinates`. Multiplied by the problem's masses, they are the momenta.
        """
        v, w = (np.asarray(one, float) for one in velocities)
        rates: Array = np.concatenate([v[:, None], _cross(w[:, None], self._directors(poses))], axis=1).ravel()
        return rates

    def motion(self, q: Array, rates: Array) -> Tuple[Poses, Velocities]:
        """Return the poses and velocities for coordinates of the problem and their rates.

        This is the inverse of `coordinates` and `rates`.

        Parameters
        ----------
        q : ndarray, shape (12 n,)
            Coordinates.
        rates : ndarray, shape (12 n,)
            Their time derivatives, which are the momenta divided by the problem's masses.

        Returns
        -------
        poses : tuple of ndarray, shapes (n, 3) and (n, 3, 3)
            Centres of mass, and rotations from body axes to space axes.
        velocities : tuple of ndarray, shapes (n, 3) and (n, 3)
            Velocities of the centres of mass, and angular velocities, both in space.
        """
        places, speeds = q.reshape(-1, 4, 3), rates.reshape(-1, 4, 3)
        R = places[:, 1:].transpose(0, 2, 1) @ self._axes.transpose(0, 2, 1)
        w = np.sum(_cross(places[:, 1:], speeds[:, 1:]), axis=1) / 2
        x, R, v, w = (one.astype(self.dtype) for one in (places[:, 0], R, speeds[:, 0], w))
        return (x, R), (v, w)

    def _directors(self, poses: Poses) -> Array:
        return self.coordinates(poses).reshape(-1, 4, 3)[:, 1:]

    def _wrenches(self, poses: Poses, gradient: Array) -> Array:
        """Convert derivatives with respect to the coordinates, (…, 12 n), to derivatives with respect to
        displacements and small rotations in space, (…, n, 6)."""
        parts = gradient.reshape(gradient.shape[:-1] + (-1, 4, 3))
        turning = np.sum(_cross(self._directors(poses), parts[..., 1:, :]), axis=-2)
        wrenches: Array = np.concatenate([parts[..., 0, :], turning], axis=-1).astype(self.dtype)
        return wrenches

    # ---- forces and constraints ----

    def forces(self, poses: Poses, velocities: Velocities) -> Tuple[Array, Array]:
        """Return the forces and torques of gravity, springs, dampers and loads.

        The reactions of the joints are not included.

        Parameters
        ----------
        poses : tuple of ndarray, shapes (n, 3) and (n, 3, 3)
            Centres of mass, and rotations from body axes to space axes.
        velocities : tuple of ndarray, shapes (n, 3) and (n, 3)
            Velocities of the centres of mass, and angular velocities, both in space.

        Returns
        -------
        force, torque : ndarray, shape (n, 3)
            Forces and torques in space; torques are about the centres of mass.
        """
        q, p = self.coordinates(poses), self._problem.mass * self.rates(poses, velocities)
        wrenches = self._wrenches(poses, -self._problem.H_q(q, p))
        return wrenches[:, :3], wrenches[:, 3:]

    def energy(self, poses: Poses, velocities: Velocities) -> float:
        """Return the total energy, kinetic and potential.

        Parameters
        ----------
        poses : tuple of ndarray, shapes (n, 3) and (n, 3, 3)
            Centres of mass, and rotations from body axes to space axes.
        velocities : tuple of ndarray, shapes (n, 3) and (n, 3)
            Velocities of the centres of mass, and angular velocities, both in space.

        Returns
        -------
        float
        """
        q, p = self.coordinates(poses), self._problem.mass * self.rates(poses, velocities)
        return self._problem.H(q, p)

    def constraints(self, poses: Poses) -> Array:
        """Return the residuals of the joints, which are zero if the joints are closed.

        Parameters
        ----------
        poses : tuple of ndarray, shapes (n, 3) and (n, 3, 3)
            Centres of mass, and rotations from body axes to space axes.

        Returns
        -------
        ndarray, shape (k,)
            The rows of a joint are `Joint.rows`.
        """
        return self._problem.g(self.coordinates(poses))[self._own_rows:].astype(self.dtype)

    def jacobian(self, poses: Poses) -> Array:
        """Return the Jacobian J of the joints' residuals with respect to motions of the bodies.

        With velocities v and angular velocities w, the residuals change at the rates J [v, w]. The reactions of the
        joints are -J^T multipliers, with the force before the torque for each body.

        Parameters
        ----------
        poses : tuple of ndarray, shapes (n, 3) and (n, 3, 3)
            Centres of mass, and rotations from body axes to space axes.

        Returns
        -------
        ndarray, shape (k, n, 6)
        """
        return self._wrenches(poses, self._problem.G(self.coordinates(poses))[self._own_rows:])

    def multipliers(self, q: Array, p: Array, joints: Array) -> Array:
        """Return all multipliers of the problem, given those of the joints.

        The others, which keep the bodies rigid, follow from the state.

        Parameters
        ----------
        q, p : ndarray, shape (12 n,)
            Coordinates and momenta of the problem.
        joints : ndarray, shape (k,)
            Multipliers of the joints, in the order of `constraints`.

        Returns
        -------
        ndarray, shape (m,)

        Raises
        ------
        numpy.linalg.LinAlgError
            If the matrix that determines them is singular.
        """
        f, w = self._problem, 1 / self._problem.mass
        own, others = np.split(f.G(q), [self._own_rows])
        pulled = w * (-f.H_q(q, p) - others.T @ joints)
        rigid = np.linalg.solve(own * w @ own.T, own @ pulled + f.curvature(q, w * p)[:self._own_rows])
        return np.concatenate([rigid, joints])


class BodyEngine(Integrator):
    """A method that moves rigid bodies with joints: derive a class and write `step`.

    Claims are attributes, as for `Integrator`. Problems that are not mechanisms in space are refused, and so are
    drives, gears, thin bodies and pivots.

    Parameters
    ----------
    problem : Problem
        The problem to integrate; Shakedown passes it.

    Attributes
    ----------
    supports : sequence of str
        Features of problems that the method accepts. The default is "forces", for dampers and loads; () refuses them.
    precision : str
        "double" or "single": the precision of the arrays, and the round-off by which the method is judged.
    steps : int
        Number of steps that `step` makes in a call.
    refuses : tuple of exception classes
        Exceptions that mean that the step did not converge.
    system : Mechanism
        The bodies and joints.

    Raises
    ------
    Refused
        If the problem is not such a mechanism.

    See Also
    --------
    Engine : A method for points and bonds.
    Integrator : A method for any constrained system, in coordinates and momenta.

    Examples
    --------
    Bodies that fall without turning. The class claims to keep the joints but ignores them:

    >>> class Falling(shakedown.BodyEngine):
    ...     order_q = order_p = 1
    ...     keeps_constraint = True
    ...     def step(self, poses, velocities, h, system):
    ...         (x, R), (v, w) = poses, velocities
    ...         force, torque = system.forces(poses, velocities)
    ...         v = v + h * force / system.masses[:, None]
    ...         return (x + h * v, R), (v, w)
    >>> run = shakedown.Run("random-mechanism(shape=pendulum,seed=3)", Falling, "0.01")
    >>> state = run.advance(50)
    >>> bool(abs(run.problem.g(state.q)).max() > 0.1)
    True
    """

    supports: ClassVar[Sequence[str]] = ("forces",)
    steps: ClassVar[int] = 1  #: the number of steps of length h that a call takes
    refuses: ClassVar[Tuple[Type[BaseException], ...]] = ()  #: exceptions that mean that a step did not converge

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.system = Mechanism(problem, np.float32 if self.precision == "single" else np.float64)
        self.prepare(self.system)

    def prepare(self, system: Mechanism) -> None:
        """Prepare for a mechanism. This is called once before the first step. The default does nothing.

        Parameters
        ----------
        system : Mechanism
            The bodies and joints.

        Raises
        ------
        Refused
            Raise it if the method does not apply to the mechanism.
        """

    def step(self, poses: Poses, velocities: Velocities, h: float,  # type: ignore[override]
             system: Mechanism) -> Any:
        """Make `steps` steps of length h, or return None if they do not converge.

        Parameters
        ----------
        poses : tuple of ndarray, shapes (n, 3) and (n, 3, 3)
            Centres of mass, and rotations from body axes to space axes.
        velocities : tuple of ndarray, shapes (n, 3) and (n, 3)
            Velocities of the centres of mass, and angular velocities, both in space. The arrays are copies that the
            method may change.
        h : float
            Length of one step; it may be negative.
        system : Mechanism
            Masses, inertias, joints and forces.

        Returns
        -------
        poses, velocities : tuple of array_like
            Poses and velocities at the end, with the same shapes as at the start.
        multipliers : array_like, shape (k,), optional
            Multipliers of the joints, in the order of `Mechanism.constraints`.
        """
        raise NotImplementedError(self.name + " has no step")

    def advance(self, q: Array, p: Array, t: float, h: float) -> Stepped:
        """Make the step in coordinates and momenta. Shakedown calls this function.

        Parameters
        ----------
        q, p : ndarray, shape (12 n,)
            Coordinates and momenta.
        t : float
            Time at the start.
        h : float
            Length of the whole step.

        Returns
        -------
        sequence of ndarray
            q and p, and the multipliers, shape (m,), if `step` returned those of the joints.

        Raises
        ------
        NotConverged
            If `step` returned None or raised one of `refuses`.
        ValueError
            If `step` returned arrays of other shapes.
        """
        system, mass = self.system, self.problem.mass
        stepped = taken(self, (*system.motion(q, p / mass), h / self.steps, system))
        n, k = len(system.masses), self.problem.m - system._own_rows
        shapes = [(n, 3), (n, 3, 3), (n, 3), (n, 3)]
        if not (2 <= len(stepped) <= 3 and len(stepped[0]) == len(stepped[1]) == 2):
            raise ValueError("a step returns poses and velocities, two arrays each, and optionally the multipliers "
                             "of the joints")
        found = [np.shape(one) for pair in stepped[:2] for one in pair]
        if found != shapes or any(np.shape(one) != (k,) for one in stepped[2:]):
            raise ValueError("a step returned arrays of shapes %s, expected %s, and (%d,) for the multipliers"
                             % (found + [np.shape(one) for one in stepped[2:]], shapes, k))
        poses, velocities, *joints = stepped
        return [system.coordinates(poses), mass * system.rates(poses, velocities),
                *(system.multipliers(q, p, np.asarray(one, float)) for one in joints)]
