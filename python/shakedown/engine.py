"""Codes that step points and bonds, as classes."""

from __future__ import annotations

from typing import Any, ClassVar, List, Optional, Sequence, Tuple, Type

import numpy as np
import numpy.typing as npt

from . import _library as lib
from .integrator import Integrator, Stepped
from .problem import Array, Problem


class System:
    """The points and bonds that an `Engine` moves, in the units of the problem.

    Shakedown creates the system from a problem and passes it to `Engine.prepare` and `Engine.step`. Fixed points come
    last. Arrays have the engine's precision.

    Parameters
    ----------
    problem : Problem
        A problem whose constraints are bonds between points.
    dimension : int
        Number of coordinates per point, 2 or 3.
    fixed_mass : float
        Mass of the fixed points.
    dtype : type
        `numpy.float32` or `numpy.float64`.

    Attributes
    ----------
    masses : ndarray, shape (points,)
    bonds : ndarray of int, shape (m, 2)
        Indices of the two ends of each bond, the smaller index first.
    lengths : ndarray, shape (m,)
    dimension : int
    dtype : type
    anchors : ndarray, shape (fixed points, dimension)
        Positions of the fixed points.

    Raises
    ------
    Refused
        If a constraint is not a bond between points.

    Examples
    --------
    >>> class Look(shakedown.Engine):
    ...     def prepare(self, system):
    ...         print(system.masses, system.lengths, system.bonds.tolist())
    >>> run = shakedown.Run("double-pendulum", Look, "0.01")
    [ 1.  1. inf] [1. 1.] [[0, 2], [0, 1]]
    """

    def __init__(self, problem: Problem, dimension: int, fixed_mass: float, dtype: Any):
        found = _rods(problem, dimension, _near(dtype))
        if not found:
            raise lib.Refused("its constraints are not bonds between points")
        ends, squares, self._factors, self.anchors = found
        self._problem, self.dimension, self.dtype = problem, dimension, dtype
        self._moving = problem.n // dimension
        self.masses = np.concatenate([problem.mass[::dimension],
                                      np.full(len(self.anchors), fixed_mass)]).astype(dtype)
        self.bonds = np.array(ends, dtype=int).reshape(problem.m, 2)
        self.lengths = np.sqrt(squares).astype(dtype)

    def forces(self, x: npt.ArrayLike) -> Array:
        """Return the force of the potential on each point, without the forces of the bonds.

        Parameters
        ----------
        x : array_like, shape (points, dimension)
            Positions.

        Returns
        -------
        ndarray, shape (points, dimension)
            Forces; zero for fixed points.
        """
        force = np.zeros((len(self.masses), self.dimension), self.dtype)
        force[:self._moving] = -self._problem.H_q(
            np.ravel(x)[:self._problem.n]).reshape(-1, self.dimension)
        return force

    def energy(self, x: npt.ArrayLike, v: npt.ArrayLike) -> float:
        """Return the total energy, kinetic and potential.

        Parameters
        ----------
        x, v : array_like, shape (points, dimension)
            Positions and velocities.

        Returns
        -------
        float
        """
        q, v = np.ravel(x)[:self._problem.n], np.ravel(v)[:self._problem.n]
        return self._problem.H(q, self._problem.mass * v)

    def points(self, numbers: Array, anchors: Any = 0.0) -> Array:
        """Arrange the coordinates of a problem as points, followed by the fixed points.

        Parameters
        ----------
        numbers : ndarray, shape (n,)
            Coordinates of the moving points, or any other n numbers.
        anchors : array_like, optional
            Contents of the rows of the fixed points, for example `System.anchors`.

        Returns
        -------
        ndarray, shape (points, dimension)
        """
        found = np.zeros((len(self.masses), self.dimension), self.dtype)
        found[:self._moving] = numbers.reshape(-1, self.dimension)
        found[self._moving:] = anchors
        return found


class Engine(Integrator):
    """A method that moves points with bonds, such as SHAKE: derive a class and write `step`.

    Claims are attributes, as for `Integrator`. Problems that do not consist of points and bonds are refused.

    Parameters
    ----------
    problem : Problem
        The problem to integrate; Shakedown passes it.

    Attributes
    ----------
    velocities : str
        The v that `step` takes and returns: "full" for velocities at the time of x, "momenta" for momenta at that
        time, or "half" for velocities half a step earlier.
    precision : str
        "double" or "single": the precision of the arrays, and the round-off by which the method is judged.
    steps : int
        Number of steps that `step` makes in a call. It is 1 if velocities are "half".
    fixed_mass : float or None
        Mass of the fixed points, infinity by default. None refuses problems with fixed points.
    refuses : tuple of exception classes
        Exceptions that mean that the step did not converge.
    system : System
        The points and bonds.

    Raises
    ------
    Refused
        If the problem does not consist of points and bonds.
    TypeError
        If an attribute of the class has an invalid value.

    See Also
    --------
    Integrator : A method for any constrained system, in coordinates and momenta.

    Examples
    --------
    Symplectic Euler, which claims to keep the bonds but ignores them:

    >>> class Ignorant(shakedown.Engine):
    ...     order_q = order_p = 1
    ...     keeps_constraint = True
    ...     def step(self, x, v, h, system):
    ...         v = v + h * system.forces(x) / system.masses[:, None]
    ...         return x + h * v, v
    >>> run = shakedown.Run("double-pendulum(angle1=0.7)", Ignorant, "0.01")
    >>> state = run.advance(100)
    >>> bool(abs(run.problem.g(state.q)).max() > 0.1)
    True
    """

    velocities: ClassVar[str] = "full"  #: or "momenta", or "half" for velocities half a step before x
    precision: ClassVar[str] = "double"  #: or "single": precision of its arrays, and the one it is judged by
    steps: ClassVar[int] = 1  #: the number of steps of length h that a call takes
    fixed_mass: ClassVar[Optional[float]] = np.inf  #: mass of fixed points; None refuses them
    refuses: ClassVar[Tuple[Type[BaseException], ...]] = ()  #: exceptions that mean that a step did not converge

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if cls.velocities not in ("full", "momenta", "half"):
            raise TypeError("%s.velocities is %r, expected full, momenta or half"
                            % (cls.__name__, cls.velocities))
        if cls.velocities == "half" and cls.steps != 1:
            raise TypeError("%s: half-step velocities require one step per call" % cls.__name__)

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        dtype = np.float32 if self.precision == "single" else np.float64
        self.system = System(problem, _dimension(problem, _near(dtype)), self.fixed_mass or np.inf,
                             dtype)
        if self.fixed_mass is None and len(self.system.anchors):
            raise lib.Refused("the system has fixed points")
        self.prepare(self.system)

    def prepare(self, system: System) -> None:
        """Prepare for a system. This is called once before the first step. The default does nothing.

        Parameters
        ----------
        system : System
            The points and bonds.

        Raises
        ------
        Refused
            Raise it if the method does not apply to the system.
        """

    def step(self, x: Array, v: Array, h: float, system: System) -> Any:  # type: ignore[override]
        """Make `steps` steps of length h, or return None if they do not converge.

        Parameters
        ----------
        x, v : ndarray, shape (points, dimension)
            Positions and velocities. These are copies that the method may change.
        h : float
            Length of one step; it may be negative.
        system : System
            Masses, bonds and forces.

        Returns
        -------
        x, v : array_like, shape (points, dimension)
            Positions and velocities at the end.
        multipliers : array_like, shape (m,), optional
            The force on the first point of a bond is -multiplier (x_first - x_second).
        """
        raise NotImplementedError(self.name + " has no step")

    def advance(self, q: Array, p: Array, t: float, h: float) -> Stepped:
        """Make the step in coordinates and momenta. Shakedown calls this function.

        Parameters
        ----------
        q, p : ndarray, shape (n,)
            Coordinates and momenta.
        t : float
            Time at the start.
        h : float
            Length of the whole step.

        Returns
        -------
        sequence of ndarray
            q and p, and the multipliers, shape (m,), if `step` returned them.

        Raises
        ------
        NotConverged
            If `step` returned None or raised one of `refuses`.
        ValueError
            If `step` returned arrays of other shapes.
        """
        system, problem = self.system, self.problem
        momentum = p
        if self.velocities == "half":
            momentum = p + h / 2 * problem.H_q(q)
        x, v, *multipliers = self._call(
            system.points(q, system.anchors),
            system.points(momentum if self.velocities == "momenta" else momentum / problem.mass), h)
        p = self._momentum(v)
        if self.velocities == "half":  # the mean of the velocities half a step before and after
            p = (p + self._momentum(self._call(x.copy(), v.copy(), h)[1])) / 2
        return [np.ravel(x)[:problem.n], p,
                *(np.divide(one, system._factors) for one in multipliers)]

    def _momentum(self, v: Array) -> Array:
        flat: Array = np.ravel(v)[:self.problem.n].astype(float)
        return flat if self.velocities == "momenta" else self.problem.mass * flat

    def _call(self, x: Array, v: Array, h: float) -> Sequence[Array]:
        shape = x.shape
        stepped = taken(self, (x, v, h / self.steps, self.system))
        found = [np.asarray(one) for one in stepped]
        if not 2 <= len(found) <= 3 or found[0].shape != shape or found[1].shape != shape:
            raise ValueError("a step returns arrays of shapes %s and %s, and optionally the multipliers of the "
                             "bonds" % (shape, shape))
        return found


def taken(method: Any, given: Tuple[Any, ...]) -> Any:
    """Return the result of a code's step. Raises `NotConverged` if the code reports that the step did not converge."""
    try:
        stepped = method.step(*given)
    except method.refuses as fault:
        raise lib.NotConverged("%s: %s" % (type(fault).__name__, fault)) from fault
    if stepped is None:
        raise lib.NotConverged("the step returned None")
    return stepped


def _near(dtype: Any) -> float:
    """Return the relative difference up to which numbers count as equal."""
    return 1e-4 if dtype is np.float32 else 1e-9


def _dimension(problem: Problem, near: float) -> int:
    """Return the number of coordinates per point. Raises `Refused` if the problem does not consist of points and
    bonds."""
    if problem.features:
        raise lib.Refused("its system has %s, so it does not consist of points and bonds" % problem.features[0])
    q, _ = problem.start()
    t = problem.initial_time
    if np.any(problem.H_q(q, t=t) != problem.H_q(q, t=t + 0.37 * problem.time_scale)):
        raise lib.Refused("its forces depend on time")
    for dimension in (3, 2):
        masses = problem.mass.reshape(-1, dimension) if problem.n % dimension == 0 else None
        if (masses is not None and np.all(masses == masses[:, :1])
                and _rods(problem, dimension, near)):
            return dimension
    raise lib.Refused("its coordinates and constraints are not those of points and bonds")


def _rods(problem: Problem, dimension: int,
          near: float) -> Optional[Tuple[List[List[int]], Array, Array, Array]]:
    """Return the ends, squared lengths, factors and fixed points of rods, if each row of g is factor/2 (r² - l²),
    where r is the distance between two points, or between a point and a fixed point. They are found from g and G at
    three states. Returns None if a row has another form."""
    q, _ = problem.start()
    size = max(float(np.max(np.abs(q))), 1e-300)
    states = [q + size * k * np.sin(np.arange(1, problem.n + 1) * (k + 1)) for k in range(3)]
    g = [problem.g(state) for state in states]
    rows = [problem.G(state).reshape(problem.m, -1, dimension) for state in states]
    points = [state.reshape(-1, dimension) for state in states]
    ends, squares, factors, anchors = [], [], [], np.zeros((0, dimension))
    for k in range(problem.m):
        at = np.flatnonzero(np.any(rows[1][k] != 0, axis=1))
        if not 1 <= len(at) <= 2:
            return None
        arms = [x[at[0]] - (x[at[1]] if len(at) == 2 else 0) for x in points]
        slopes = (rows[1][k] - rows[0][k])[at[0]] / (arms[1] - arms[0])
        factor = float(slopes[0])
        if factor == 0 or not np.isfinite(factor):
            return None
        factor = round(factor) if abs(factor - round(factor)) < near else factor
        anchor = arms[0] - rows[0][k][at[0]] / factor if len(at) == 1 else np.zeros(dimension)
        anchor[np.abs(anchor) < 1e-3 * near * size] = 0
        square = float(np.sum((arms[0] - anchor)**2) - 2 * g[0][k] / factor)
        if square <= 0 or not all(_is_rod(k, at, factor, arm - anchor, square, near, *of)
                                  for arm, *of in zip(arms, rows, g)):
            return None
        if len(at) == 1:
            same = np.flatnonzero(np.all(np.abs(anchors - anchor) < near * size, axis=1))
            if not len(same):
                same, anchors = np.array([len(anchors)]), np.vstack([anchors, anchor])
            at = np.array([at[0], problem.n // dimension + same[0]])
        ends.append([int(one) for one in at])
        squares.append(square)
        factors.append(factor)
    return ends, np.array(squares), np.array(factors), anchors


def _is_rod(k: int, at: Any, factor: float, arm: Array, square: float, near: float, G: Array,
            g: Array) -> bool:
    row = np.zeros_like(G[k])
    row[at[0]] = factor * arm
    if len(at) == 2:
        row[at[1]] = -row[at[0]]
    value, size = float(np.sum(arm**2)), near * abs(factor)
    return bool(np.max(np.abs(G[k] - row)) <= size * np.sqrt(value + square)
                and abs(g[k] - factor / 2 * (value - square)) <= size * (value + square))
