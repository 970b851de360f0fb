"""User-defined constraint solvers, as classes."""

from __future__ import annotations

from typing import Any, ClassVar, Dict, Optional, Tuple, Type

import numpy as np

from . import _library as lib
from .integrator import Claiming, _report, _view
from .problem import Array


class Rods:
    """The distance constraints that a `Solver` solves, in the units of the problem.

    The constraint of a bond of length l between points a and b is g = (|r_b - r_a|^2 - l^2) / 2. Shakedown passes the
    constraints to `Solver.solve`. Fixed points come last.

    Parameters
    ----------
    given : structure
        The task of a solver, as the library passes it.

    Attributes
    ----------
    masses : ndarray, shape (points,)
        Masses, infinite for fixed points.
    bonds : ndarray of int, shape (m, 2)
        Indices a and b of the two ends of each bond.
    lengths : ndarray, shape (m,)
    dimension : int
        Number of coordinates per point.

    Examples
    --------
    >>> class Show(shakedown.Solver):
    ...     def solve(self, x, before, rods, tolerance, iterations):
    ...         print(rods.masses, rods.lengths, rods.bonds.tolist())
    ...         raise shakedown.NotConverged("it only shows them")
    >>> run = shakedown.Run("chain(links=3)", Show, "0.01")
    >>> run.advance(1)
    Traceback (most recent call last):
    shakedown._library.NotConverged: it only shows them
    """

    def __init__(self, given: Any):
        n, m, d = given.points, given.rods, given.dimension
        rods = given.rod[:m]
        self.dimension, held = d, max(0, -min(rod.a for rod in rods))
        self.bonds = np.array([(rod.a if rod.a >= 0 else n - 1 - rod.a, rod.b) for rod in rods], dtype=int)
        self.lengths = np.sqrt([rod.square for rod in rods])
        self.masses = np.concatenate([_view(given.mass, n), np.full(held, np.inf)])
        self._squares = np.array([rod.square for rod in rods])
        self._fixed = _view(given.fixed, held * d).reshape(held, d)

    def vectors(self, x: Array) -> Array:
        """Return r_b - r_a for each bond.

        Parameters
        ----------
        x : ndarray, shape (points, dimension)
            Positions, with those of the fixed points last.

        Returns
        -------
        ndarray, shape (m, dimension)
        """
        return np.asarray(x[self.bonds[:, 1]] - x[self.bonds[:, 0]])

    def g(self, x: Array) -> Array:
        """Return the constraints, which are zero if all bonds have their lengths.

        Parameters
        ----------
        x : ndarray, shape (points, dimension)
            Positions, with those of the fixed points last.

        Returns
        -------
        ndarray, shape (m,)
        """
        return np.asarray((np.sum(self.vectors(x)**2, axis=1) - self._squares) / 2)

    def G(self, x: Array) -> Array:
        """Return the Jacobian of the constraints.

        Parameters
        ----------
        x : ndarray, shape (points, dimension)
            Positions, with those of the fixed points last.

        Returns
        -------
        ndarray, shape (m, points * dimension)
        """
        found = np.zeros((len(self.bonds), len(self.masses), self.dimension))
        row, r = np.arange(len(self.bonds)), self.vectors(x)
        found[row, self.bonds[:, 0]], found[row, self.bonds[:, 1]] = -r, r
        return found.reshape(len(self.bonds), -1)

    def points(self, numbers: Array) -> Array:
        """Arrange coordinates as points, followed by the fixed points.

        Parameters
        ----------
        numbers : ndarray
            Coordinates of the moving points, one point after the other.

        Returns
        -------
        ndarray, shape (points, dimension)
        """
        return np.concatenate([numbers.reshape(-1, self.dimension), self._fixed])


class Solver(Claiming):
    """A constraint solver of your own: derive a class, write `solve`, and state claims as attributes.

    The solver becomes a choice of the option `solver` of every method that has this option: the class Sweep is
    "rattle(solver=sweep)". If you pass the class where a method is expected, it means RATTLE with this solver. The
    solver works in double precision, and is never measured in any other precision. Systems whose constraints are not
    distances between points are refused.

    Claims are attributes. `order_solve` is 1 if an iteration reduces the residual by a constant factor, and 2 if it
    doubles the number of correct digits. The others are `newtons_multipliers`, `keeps_constraint`, `keeps_momenta`,
    `symmetric` and `symplectic`, stated as for `Integrator`. A solver claims nothing that it does not state.

    Attributes
    ----------
    fixed_points : bool
        If False, systems with fixed points are refused.
    name : str
        The name in studies and tables. By default it is derived from the class: my-solver for MySolver.
    summary, equations, citation : str
        Texts that `shakedown describe` prints. By default, `summary` is the first line of the docstring.

    Raises
    ------
    TypeError
        When the class is defined, if a claim is invalid.

    See Also
    --------
    Rods : The constraints that a solver receives.
    Engine : A code that makes whole steps with points and bonds.
    try_out, certify : Test the claims.

    Examples
    --------
    Newton's method with dense matrices:

    >>> class Dense(shakedown.Solver):
    ...     keeps_constraint = True
    ...     def solve(self, x, before, rods, tolerance, iterations):
    ...         old, s = rods.G(before), np.zeros(len(rods.bonds))
    ...         w = np.repeat(1 / rods.masses, rods.dimension)
    ...         for count in range(iterations + 1):
    ...             g = rods.g(x)
    ...             if abs(g).max() <= tolerance or count == iterations and tolerance == 0:
    ...                 return x, s, count
    ...             push = np.linalg.solve(rods.G(x) * w @ old.T, g)
    ...             x -= (w * (old.T @ push)).reshape(x.shape)
    ...             s += push
    >>> mine = shakedown.Run("chain(links=3)", Dense, "0.01").advance(10)
    >>> theirs = shakedown.Run("chain(links=3)", "rattle", "0.01").advance(10)
    >>> bool(abs(mine.q - theirs.q).max() < 1e-12)
    True
    """

    fixed_points: ClassVar[bool] = True  #: False if systems with fixed points are refused

    def solve(self, x: Array, before: Array, rods: Rods, tolerance: float, iterations: int
              ) -> Optional[Tuple[Array, Array, int]]:
        """Move the points onto the constraints, or return None if the number of iterations is not enough.

        Find the impulses s for which the positions x - M^-1 G(before)^T s satisfy the constraints. Store nothing
        from one solve to the next.

        Parameters
        ----------
        x, before : ndarray, shape (points, dimension)
            Positions after and before the step without constraints, with those of the fixed points last. The arrays
            are copies that the solver may change.
        rods : Rods
            The constraints.
        tolerance : float
            Largest allowed max|g| at the end, in the units of g. If it is 0, perform all iterations without a test.
        iterations : int
            Maximum number of iterations.

        Returns
        -------
        x : ndarray, shape (points, dimension)
            Positions on the constraints.
        s : ndarray, shape (m,)
            Impulses of the bonds. Return zeros if you know only the positions; the momenta are then computed from
            these.
        iterations : int
            Number of iterations taken.

        Raises
        ------
        NotConverged, Singular, or any other exception
            Raise one of these if the solve fails for another reason. The record contains its message.
        """
        raise NotImplementedError(self.name + " has no solve")

    @classmethod
    def specification(cls) -> str:
        """Return the method that represents the solver in studies.

        Returns
        -------
        str
            RATTLE with this solver, such as "rattle(solver=sweep)".
        """
        return "rattle(solver=%s)" % cls.name

    @classmethod
    def _is_whole(cls) -> bool:
        return cls.solve is not Solver.solve

    @classmethod
    def _fields(cls) -> Dict[str, Any]:
        return {"solve": lib.SOLVE(_caller(cls)), "refuses_fixed": not cls.fixed_points}


def _caller(method: Type[Solver]) -> Any:
    def solve(user: Any, given: Any, taken: Any, error: Any) -> int:
        try:
            return _solve(method(), given[0], taken)
        except BaseException as fault:
            return _report(error, fault)
    return solve


def _solve(solver: Solver, given: Any, taken: Any) -> int:
    """Store the solver's result, and return the code for the library."""
    rods, size = Rods(given), given.points * given.dimension
    positions, impulse = _view(given.positions, size), _view(given.impulse, given.rods)
    x = rods.points(positions)
    solved = solver.solve(x.copy(), rods.points(_view(given.before, size)), rods, given.tolerance,
                          given.iterations)
    if solved is None and given.tolerance > 0:
        return lib.CODES.index("not-converged")
    if solved is None:
        raise ValueError("the solver returned None, expected the points after %d iterations" % given.iterations)
    found, s, count = solved
    if np.shape(found) != x.shape or np.shape(s) != impulse.shape:
        raise ValueError("the solver must return arrays of shapes %s and %s; found %s and %s"
                         % (x.shape, impulse.shape, np.shape(found), np.shape(s)))
    if not 0 <= count <= given.iterations:
        raise ValueError("the solver must take 0 to %d iterations; found %r" % (given.iterations, count))
    positions[:], impulse[:], taken[0] = np.ravel(found)[:size], s, int(count)
    return 0
