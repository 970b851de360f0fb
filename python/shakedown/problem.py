"""Problems, evaluated."""

from __future__ import annotations

import ctypes
import os
from decimal import Decimal
from typing import Any, Dict, List, Optional, Sequence, Tuple, Type, Union

import numpy as np
import numpy.typing as npt

from . import _library as lib
from .model import Model, named

Array = npt.NDArray[np.float64]
Vector = npt.ArrayLike
_DOUBLE = np.dtype(float)
ProblemLike = Union[str, Type[Model], "Problem"]


def _address(array: Array) -> int:
    return int(array.ctypes.data)


def _fill(room: Array, name: str, value: Any) -> None:
    """Copies a caller's vector to where the library reads it. Raises ValueError if it has another shape."""
    given = np.zeros(0)
    try:
        if not np.iscomplexobj(value):
            given = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        pass  # no real numbers
    if given.shape != room.shape:
        raise lib.BadInput("%s: found %s, expected %d real numbers" % (
            name, "an array of shape %s" % (np.shape(value),) if np.ndim(value) else repr(value), room.size))
    room[:] = given


class Problem:
    """A problem at given parameters: n coordinates, m constraints, in the units of the problem.

    `specification` is as on the command line, "pendulum(angle=0.7)", or a class of one's own
    (`Model`); `shakedown.problems()` lists the names. In "quad" precision all is computed with 113
    bits and rounded to doubles; `digits` gives all of them. `plugin` is a shared object
    (`shakedown plugin build`) that offers it. Further arguments are parameters of the problem:

    >>> problem = Problem("pendulum", angle=0.7, rate=1.1)
    >>> problem.n, problem.m
    (2, 1)
    >>> q, p = problem.start()
    >>> round(problem.H(q, p), 12)
    -0.159842187284

    Functions take arrays of n numbers and return arrays; `t` is the time, of interest where the
    constraints or the forces depend on it (by default the initial time). What the problem does not
    have raises `Refused`.
    """

    n: int  #: coordinates
    m: int  #: constraints
    features: Tuple[str, ...]  #: what it has beyond p^T M^-1 p / 2 + V(q) and g(q) = 0
    initial_time: float
    time_scale: float  #: a typical period over 2 pi, or the shortest relevant time
    horizon: float  #: at which errors are measured
    exact: bool  #: whether an exact solution is known
    specification: str  #: with the parameters; empty in a method's `self.problem`
    _owner: Any = None
    _source: Optional[Tuple[str, List[str], str]] = None  # the specification, its plug-ins, the precision

    def __init__(self, specification: ProblemLike, precision: str = "double", plugin: Optional[lib.Path] = None,
                 **parameters: Any):
        self.specification, plugins = named(specification, parameters)
        plugins = plugins + ([os.fspath(plugin)] if plugin else [])
        self._session = lib.session_of(plugins)
        self._error = lib.Error()
        handle = lib.slow.shakedown_problem_open(
            self._session.handle, self.specification.encode(), str(precision).encode(),
            ctypes.byref(self._error))
        if not handle:
            raise lib.failure(self._error)
        self._source = self.specification, plugins, precision
        self._owned = True
        self._hold(handle)

    @classmethod
    def _of(cls, handle: int, owner: Any = None, specification: str = "") -> Problem:
        """A view of what the library holds open, while `owner` is there."""
        self = cls.__new__(cls)
        self.specification = specification
        self._owned, self._owner, self._error = False, owner, lib.Error()
        self._hold(handle)
        return self

    def _hold(self, handle: int) -> None:
        sizes = lib.Sizes()
        lib.quick.shakedown_problem_sizes(handle, ctypes.byref(sizes))
        self._handle = handle
        self.n, self.m = sizes.n, sizes.m
        self.features = tuple(word for bit, word in enumerate(lib.FEATURES)
                              if sizes.features >> bit & 1)
        self.initial_time, self.time_scale = sizes.initial_time, sizes.time_scale
        self.horizon, self.exact = sizes.horizon, sizes.exact
        self._invariants = sizes.invariants
        self._rooms = [(name, np.zeros(size), (size,)) for name, size in zip("qpw", (self.n, self.n, 2 * self.n))]
        self._at = [_address(room) for _, room, _ in self._rooms]
        self._needs_p = not {"general-hamiltonian", "forces"}.isdisjoint(self.features)
        self._answers: Dict[int, Tuple[Array, int]] = {}
        self._error_at = ctypes.addressof(self._error)
        self._mass: Optional[Array] = None

    def __del__(self) -> None:
        if getattr(self, "_owned", False) and getattr(self, "_handle", None):
            lib.quick.shakedown_problem_close(self._handle)
            self._handle = 0

    def __repr__(self) -> str:
        return "Problem(%r)" % self.specification

    def _answer(self, question: int) -> Tuple[Array, int]:
        count = lib.quick.shakedown_count(self._handle, question)
        room = np.zeros(max(count, 1))[:count]
        self._answers[question] = found = room, _address(room)
        return found

    def _ask(self, question: int, t: Optional[float], *state: Vector) -> Array:
        """A fresh array."""
        out, at = self._answers.get(question) or self._answer(question)
        for (name, room, shape), value in zip(self._rooms, state):
            if value.__class__ is np.ndarray and value.shape == shape and value.dtype is _DOUBLE:  # type: ignore
                room[:] = value  # nothing else to check, in a fraction of the call
            else:
                _fill(room, name, value)
        try:
            failed = lib.quick.shakedown_evaluate(self._handle, question, at,
                                                  self.initial_time if t is None else t,
                                                  *self._at, self._error_at)
        except ctypes.ArgumentError:
            raise TypeError("t: found %r, expected a number" % (t,)) from None
        if failed:
            raise lib.failure(self._error, _words[question])
        return out.copy()

    # ---- H = p^T M^-1 p / 2 + V(q), or H(q,p) ----

    def H(self, q: Vector, p: Vector, t: Optional[float] = None) -> float:
        """The Hamiltonian, the energy."""
        return float(self._ask(_H, t, q, p)[0])

    def H_q(self, q: Vector, p: Optional[Vector] = None, t: Optional[float] = None) -> Array:
        """Its gradient in q less the generalized forces, (n,): p' = -H_q - G^T lambda. Where H is
        separable and there are no forces, p is not needed."""
        if p is not None:
            return self._ask(_H_q, t, q, p)
        if self._needs_p:
            raise TypeError("H_q: p is missing, on which it depends: the problem has %s" % ", ".join(self.features))
        return self._ask(_H_q, t, q)

    def H_p(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """Its gradient in p, the velocity, (n,)."""
        return self._ask(_H_p, t, q, p)

    def hessian(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """Second derivatives, (2n, 2n), q before p; not of separable problems."""
        return self._ask(_hessian, t, q, p).reshape(2 * self.n, 2 * self.n)

    @property
    def mass(self) -> Array:
        """The diagonal of M where it is constant, (n,)."""
        if self._mass is None:
            self._mass = self._ask(_mass, None)
            self._mass.flags.writeable = False
        return self._mass

    def M(self, q: Vector) -> Array:
        """The mass matrix, (n, n)."""
        return self._ask(_M, None, q).reshape(self.n, self.n)

    def Q(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """Generalized forces, (n,)."""
        return self._ask(_Q, t, q, p)

    # ---- constraints ----

    def g(self, q: Vector, t: Optional[float] = None) -> Array:
        """The constraints, (m,)."""
        return self._ask(_g, t, q)

    def G(self, q: Vector, t: Optional[float] = None) -> Array:
        """Their Jacobian g_q, (m, n)."""
        return self._ask(_G, t, q).reshape(self.m, self.n)

    def curvature(self, q: Vector, v: Vector, t: Optional[float] = None) -> Array:
        """g_qq[v,v] + 2 g_qt v + g_tt along the velocity v, (m,)."""
        return self._ask(_curvature, t, q, v)

    def g_t(self, q: Vector, t: Optional[float] = None) -> Array:
        """The derivative of g in time, (m,)."""
        return self._ask(_g_t, t, q)

    def hidden(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """The residual of the hidden constraint, G H_p + g_t, (m,)."""
        return self._ask(_hidden, t, q, p)

    def g_qp(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """Constraints that depend on momenta, (m,)."""
        return self._ask(_g_qp, t, q, p)

    def gradients(self, q: Vector, p: Vector, t: Optional[float] = None) -> Tuple[Array, Array]:
        """Of constraints that depend on momenta: g_q and g_p, (m, n) each."""
        both = self._ask(_gradients, t, q, p).reshape(2, self.m, self.n)
        return both[0], both[1]

    def second(self, q: Vector, p: Vector, w: Vector, t: Optional[float] = None) -> Array:
        """Their second derivatives applied to w (2n,): (m, 2n)."""
        return self._ask(_second, t, q, p, w).reshape(self.m, 2 * self.n)

    # ---- what is known ----

    def start(self) -> Tuple[Array, Array]:
        """q and p of a consistent start, (n,) each."""
        both = self._ask(_start, None)
        return both[:self.n].copy(), both[self.n:].copy()

    def solution(self, t: float) -> Tuple[Array, Array, Array]:
        """The exact solution from that start: q (n,), p (n,), lambda (m,)."""
        whole = self._ask(_exact, t)
        return whole[:self.n].copy(), whole[self.n:2 * self.n].copy(), whole[2 * self.n:].copy()

    def multiplier(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """lambda at a state, by the exact formula, (m,)."""
        return self._ask(_lambda, t, q, p)

    def invariants(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """Invariants beside H."""
        return self._ask(_invariants, t, q, p)

    def digits(self, word: str, q: Sequence[Any] = (), p: Sequence[Any] = (), t: Any = None
               ) -> List[Decimal]:
        """The answer to a question by its word ("H_q", docs/reference/line-protocol.md) with all digits of the
        problem's precision; q and p of numbers, texts or Decimals."""
        def text(numbers: Sequence[Any]) -> Optional[bytes]:
            return " ".join(lib.digits(x) for x in numbers).encode() if len(numbers) else None
        if word not in lib.QUESTIONS:
            raise lib.NoSuchName("there is no question %r: it is one of %s"
                                 % (word, ", ".join(lib.QUESTIONS)))
        time = lib.digits(self.initial_time if t is None else t).encode()
        found = lib.quick.shakedown_evaluate_text(
            self._handle, lib.QUESTIONS[word], time, text(q), text(p), None, self._error_at)
        if not found:
            raise lib.failure(self._error, word)
        try:
            return [Decimal(one.decode()) for one in (ctypes.string_at(found)).split()]
        finally:
            lib.quick.shakedown_free(found)


#: Methods by the indices of their questions, for errors.
_words = [{"exact": "solution", "lambda": "multiplier"}.get(word, word) for word in lib.QUESTIONS]
(_H, _H_q, _H_p, _hessian, _g, _G, _curvature, _g_t, _Q, _mass, _g_qp, _gradients, _second, _start,
 _exact, _invariants, _lambda, _hidden, _M) = (
     lib.QUESTIONS[word] for word in (
         "H", "H_q", "H_p", "hessian", "g", "G", "curvature", "g_t", "Q", "mass", "g_qp",
         "gradients", "second", "start", "exact", "invariants", "lambda", "hidden", "M"))
