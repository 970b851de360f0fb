"""Constraint solvers of one's own, as classes."""

from __future__ import annotations

from typing import Any, ClassVar, Dict, Optional, Tuple, Type

import numpy as np

from . import _library as lib
from .integrator import Claiming, _report, _view
from .problem import Array


class Rods:
    """Distance constraints g = (|r_b - r_a|^2 - l^2)/2 between points, of which the fixed ones come last.

    masses (n,), infinite for fixed points; bonds (m, 2), the indices a and b of the ends; lengths (m,);
    dimension, the coordinates of a point.
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
        """r_b - r_a of each bond, (m, dimension)."""
        return np.asarray(x[self.bonds[:, 1]] - x[self.bonds[:, 0]])

    def g(self, x: Array) -> Array:
        """The constraints, (m,)."""
        return np.asarray((np.sum(self.vectors(x)**2, axis=1) - self._squares) / 2)

    def G(self, x: Array) -> Array:
        """Their Jacobian, (m, n * dimension)."""
        found = np.zeros((len(self.bonds), len(self.masses), self.dimension))
        row, r = np.arange(len(self.bonds)), self.vectors(x)
        found[row, self.bonds[:, 0]], found[row, self.bonds[:, 1]] = -r, r
        return found.reshape(len(self.bonds), -1)

    def points(self, numbers: Array) -> Array:
        """Positions of the points that move, and of those that are fixed."""
        return np.concatenate([numbers.reshape(-1, self.dimension), self._fixed])


class Solver(Claiming):
    """A constraint solver of one's own: a subclass with `solve`, and its claims as attributes.

        class Sweep(shakedown.Solver):
            order_solve = 1
            keeps_constraint = True

            def solve(self, x, before, rods, tolerance, iterations):
                return mine.shake(x, before, rods.masses, rods.bonds, rods.lengths, tolerance)

    It is a choice of the option `solver` of every method that has one, as in rattle(solver=sweep). The
    claims are `newtons_multipliers`, `order_solve` (1 or 2), `keeps_constraint`, `keeps_momenta`,
    `symmetric` and `symplectic`. It works in doubles, and is never measured in another precision.
    """

    fixed_points: ClassVar[bool] = True  #: False: systems with fixed points are refused

    def solve(self, x: Array, before: Array, rods: Rods, tolerance: float, iterations: int
              ) -> Optional[Tuple[Array, Array, int]]:
        """Moves the points x, (n, dimension), onto the constraints, until max|g| is at most `tolerance`:
        x - M^-1 G(before)^T s with the impulses s, (m,). Both arrays are its to keep. Returns x, s and
        the number of iterations. None: `iterations` do not suffice; for other reasons it raises
        `NotConverged`, `Singular` or any exception. A tolerance of 0 asks for all iterations, and no
        check. Impulses of zeros mean that only the positions are known."""
        raise NotImplementedError(self.name + " has no solve")

    @classmethod
    def specification(cls) -> str:
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
    """Stores what the solver returns; the code of its end."""
    rods, size = Rods(given), given.points * given.dimension
    positions, impulse = _view(given.positions, size), _view(given.impulse, given.rods)
    x = rods.points(positions)
    solved = solver.solve(x.copy(), rods.points(_view(given.before, size)), rods, given.tolerance,
                          given.iterations)
    if solved is None and given.tolerance > 0:
        return lib.CODES.index("not-converged")
    if solved is None:
        raise ValueError("the solve returned None, expected the points after %d iterations" % given.iterations)
    found, s, count = solved
    if np.shape(found) != x.shape or np.shape(s) != impulse.shape:
        raise ValueError("a solve returns arrays of shapes %s and %s, not %s and %s"
                         % (x.shape, impulse.shape, np.shape(found), np.shape(s)))
    if not 0 <= count <= given.iterations:
        raise ValueError("a solve takes 0 to %d iterations, not %r" % (given.iterations, count))
    positions[:], impulse[:], taken[0] = np.ravel(found)[:size], s, int(count)
    return 0
