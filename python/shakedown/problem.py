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
    """Copy a caller's vector to where the library reads it. Raises BadInput if it has the wrong shape."""
    given = np.zeros(0)
    try:
        if not np.iscomplexobj(value):
            given = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        pass  # not an array of real numbers; reported below
    if given.shape != room.shape:
        raise lib.BadInput("%s: found %s, expected %d real numbers" % (
            name, "an array of shape %s" % (np.shape(value),) if np.ndim(value) else repr(value), room.size))
    room[:] = given


class Problem:
    """A mechanical system with given parameters, whose functions can be evaluated.

    Its functions take and return numpy arrays. `t` is the time, and defaults to the initial time; it matters only if
    constraints or forces depend on time. Numbers are in the units of the problem.

    Parameters
    ----------
    specification : str, subclass of Model, or Problem
        A name with parameters as on the command line, such as "pendulum(angle=0.7)", or a problem of your own.
        `shakedown.problems` lists the names.
    precision : {"double", "single", "quad"}
        Precision of the computation. Functions return doubles; `digits` returns all digits.
    plugin : str or path, optional
        A C plug-in that offers the problem.
    **parameters
        Parameters of the problem: numbers, texts, paths, True or False.

    Attributes
    ----------
    n : int
        Number of coordinates.
    m : int
        Number of constraints.
    features : tuple of str
        Features of the system beyond H = p^T M^-1 p / 2 + V(q) and g(q) = 0: "general-hamiltonian", "rheonomic" (the
        constraints depend on time), "forces", "momentum-constraint", "velocity-constraint", "general-dae".
    initial_time : float
        Time of the start.
    time_scale : float
        A typical period divided by 2 pi, or the shortest relevant time.
    horizon : float
        The time at which studies measure errors by default.
    exact : bool
        True if an exact solution is known.
    specification : str
        The name with its parameters; empty for the problem that a method receives.

    Raises
    ------
    KeyError
        If there is no such problem; the error names similar ones.
    ValueError
        If the problem does not have a parameter, a value is invalid, or the length of a vector is not n.
    TypeError
        If an argument has a wrong type.
    Refused
        If you call a function that this problem does not have.

    Examples
    --------
    >>> problem = shakedown.Problem("pendulum", angle=0.7, rate=1.1)
    >>> problem.n, problem.m
    (2, 1)
    >>> q, p = problem.start()
    >>> round(problem.H(q, p), 12)
    -0.159842187284
    >>> bool(abs(problem.G(q) @ problem.H_p(q, p)).max() < 1e-15)
    True
    """

    n: int
    m: int
    features: Tuple[str, ...]
    initial_time: float
    time_scale: float
    horizon: float
    exact: bool
    specification: str
    _owner: Any = None
    _source: Optional[Tuple[str, List[str], str]] = None  # specification, plug-ins, precision

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
        """Return a view of a problem that the library has opened. It keeps `owner` alive."""
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
        """Evaluate a function and return a new array."""
        out, at = self._answers.get(question) or self._answer(question)
        for (name, room, shape), value in zip(self._rooms, state):
            if value.__class__ is np.ndarray and value.shape == shape and value.dtype is _DOUBLE:  # type: ignore
                room[:] = value  # needs no further check, and is much faster than _fill
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
        """Return the Hamiltonian, which is the energy.

        Parameters
        ----------
        q, p : array_like, shape (n,)
            Coordinates and momenta.
        t : float, optional
            Time.

        Returns
        -------
        float
        """
        return float(self._ask(_H, t, q, p)[0])

    def H_q(self, q: Vector, p: Optional[Vector] = None, t: Optional[float] = None) -> Array:
        """Return the gradient of H with respect to q, minus the generalized forces.

        The equation of motion is p' = -H_q - G^T lambda.

        Parameters
        ----------
        q : array_like, shape (n,)
            Coordinates.
        p : array_like, shape (n,), optional
            Momenta. They are required if the problem has "general-hamiltonian" or "forces".
        t : float, optional
            Time.

        Returns
        -------
        ndarray, shape (n,)

        Raises
        ------
        TypeError
            If p is required and missing.
        """
        if p is not None:
            return self._ask(_H_q, t, q, p)
        if self._needs_p:
            raise TypeError("H_q: p is missing, but H_q depends on it: the problem has %s" % ", ".join(self.features))
        return self._ask(_H_q, t, q)

    def H_p(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """Return the gradient of H with respect to p: the velocity.

        Parameters
        ----------
        q, p : array_like, shape (n,)
            Coordinates and momenta.
        t : float, optional
            Time.

        Returns
        -------
        ndarray, shape (n,)
        """
        return self._ask(_H_p, t, q, p)

    def hessian(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """Return the second derivatives of H, with q before p.

        Parameters
        ----------
        q, p : array_like, shape (n,)
            Coordinates and momenta.
        t : float, optional
            Time.

        Returns
        -------
        ndarray, shape (2n, 2n)

        Raises
        ------
        Refused
            If the problem has neither "general-hamiltonian" nor "forces" nor "momentum-constraint".
        """
        return self._ask(_hessian, t, q, p).reshape(2 * self.n, 2 * self.n)

    @property
    def mass(self) -> Array:
        """The masses, shape (n,), if M is constant and diagonal. Otherwise `Refused` is raised."""
        if self._mass is None:
            self._mass = self._ask(_mass, None)
            self._mass.flags.writeable = False
        return self._mass

    def M(self, q: Vector) -> Array:
        """Return the mass matrix.

        Parameters
        ----------
        q : array_like, shape (n,)
            Coordinates.

        Returns
        -------
        ndarray, shape (n, n)

        Raises
        ------
        Refused
            If the momenta are not a mass matrix times the velocities.
        """
        return self._ask(_M, None, q).reshape(self.n, self.n)

    def Q(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """Return the generalized forces, which do not derive from a potential.

        Parameters
        ----------
        q, p : array_like, shape (n,)
            Coordinates and momenta.
        t : float, optional
            Time.

        Returns
        -------
        ndarray, shape (n,)

        Raises
        ------
        Refused
            If the problem does not have "forces".
        """
        return self._ask(_Q, t, q, p)

    # ---- constraints ----

    def g(self, q: Vector, t: Optional[float] = None) -> Array:
        """Return the constraints, which are zero if they are satisfied.

        Parameters
        ----------
        q : array_like, shape (n,)
            Coordinates.
        t : float, optional
            Time.

        Returns
        -------
        ndarray, shape (m,)

        Raises
        ------
        Refused
            If the constraints depend on momenta: use `g_qp`.
        """
        return self._ask(_g, t, q)

    def G(self, q: Vector, t: Optional[float] = None) -> Array:
        """Return the Jacobian of the constraints, g_q.

        Parameters
        ----------
        q : array_like, shape (n,)
            Coordinates.
        t : float, optional
            Time.

        Returns
        -------
        ndarray, shape (m, n)

        Raises
        ------
        Refused
            If the constraints depend on momenta: use `gradients`.
        """
        return self._ask(_G, t, q).reshape(self.m, self.n)

    def curvature(self, q: Vector, v: Vector, t: Optional[float] = None) -> Array:
        """Return g_qq[v,v] + 2 g_qt v + g_tt, the acceleration of g at constant velocity.

        Parameters
        ----------
        q, v : array_like, shape (n,)
            Coordinates and velocities.
        t : float, optional
            Time.

        Returns
        -------
        ndarray, shape (m,)

        Raises
        ------
        Refused
            If the constraints depend on momenta.
        """
        return self._ask(_curvature, t, q, v)

    def g_t(self, q: Vector, t: Optional[float] = None) -> Array:
        """Return the derivative of the constraints with respect to time.

        Parameters
        ----------
        q : array_like, shape (n,)
            Coordinates.
        t : float, optional
            Time.

        Returns
        -------
        ndarray, shape (m,)

        Raises
        ------
        Refused
            If the constraints depend on momenta.
        """
        return self._ask(_g_t, t, q)

    def hidden(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """Return the residual of the hidden constraint, the time derivative of g: G H_p + g_t.

        Parameters
        ----------
        q, p : array_like, shape (n,)
            Coordinates and momenta.
        t : float, optional
            Time.

        Returns
        -------
        ndarray, shape (m,)
        """
        return self._ask(_hidden, t, q, p)

    def g_qp(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """Return constraints that depend on momenta.

        Parameters
        ----------
        q, p : array_like, shape (n,)
            Coordinates and momenta.
        t : float, optional
            Time.

        Returns
        -------
        ndarray, shape (m,)

        Raises
        ------
        Refused
            If they do not: use `g`.
        """
        return self._ask(_g_qp, t, q, p)

    def gradients(self, q: Vector, p: Vector, t: Optional[float] = None) -> Tuple[Array, Array]:
        """Return the gradients, with respect to q and p, of constraints that depend on momenta.

        Parameters
        ----------
        q, p : array_like, shape (n,)
            Coordinates and momenta.
        t : float, optional
            Time.

        Returns
        -------
        g_q, g_p : ndarray, shape (m, n)

        Raises
        ------
        Refused
            If the constraints do not depend on momenta: use `G`.
        """
        both = self._ask(_gradients, t, q, p).reshape(2, self.m, self.n)
        return both[0], both[1]

    def second(self, q: Vector, p: Vector, w: Vector, t: Optional[float] = None) -> Array:
        """Return the second derivatives of constraints that depend on momenta, applied to a vector.

        Parameters
        ----------
        q, p : array_like, shape (n,)
            Coordinates and momenta.
        w : array_like, shape (2n,)
            The vector, q before p.
        t : float, optional
            Time.

        Returns
        -------
        ndarray, shape (m, 2n)

        Raises
        ------
        Refused
            If the constraints do not depend on momenta.
        """
        return self._ask(_second, t, q, p, w).reshape(self.m, 2 * self.n)

    # ---- known properties ----

    def start(self) -> Tuple[Array, Array]:
        """Return a consistent start.

        Returns
        -------
        q, p : ndarray, shape (n,)
            Coordinates and momenta at the initial time.
        """
        both = self._ask(_start, None)
        return both[:self.n].copy(), both[self.n:].copy()

    def solution(self, t: float) -> Tuple[Array, Array, Array]:
        """Return the exact solution from the problem's start.

        Parameters
        ----------
        t : float
            Time.

        Returns
        -------
        q, p : ndarray, shape (n,)
            Coordinates and momenta.
        lam : ndarray, shape (m,)
            Multipliers.

        Raises
        ------
        Refused
            If none is known (`exact` is False).
        """
        whole = self._ask(_exact, t)
        return whole[:self.n].copy(), whole[self.n:2 * self.n].copy(), whole[2 * self.n:].copy()

    def multiplier(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """Return the multipliers at a state, which follow from g'' = 0.

        Parameters
        ----------
        q, p : array_like, shape (n,)
            Coordinates and momenta.
        t : float, optional
            Time.

        Returns
        -------
        ndarray, shape (m,)

        Raises
        ------
        Singular
            If the matrix that determines them is singular.
        """
        return self._ask(_lambda, t, q, p)

    def invariants(self, q: Vector, p: Vector, t: Optional[float] = None) -> Array:
        """Return the known invariants other than H.

        Parameters
        ----------
        q, p : array_like, shape (n,)
            Coordinates and momenta.
        t : float, optional
            Time.

        Returns
        -------
        ndarray

        Raises
        ------
        Refused
            If none is known.
        """
        return self._ask(_invariants, t, q, p)

    def digits(self, word: str, q: Sequence[Any] = (), p: Sequence[Any] = (), t: Any = None
               ) -> List[Decimal]:
        """Return the answer to a question, with all digits of the problem's precision.

        Parameters
        ----------
        word : str
            Name of a function of this class, or "exact" (`solution`) or "lambda" (`multiplier`).
        q, p : sequence of n numbers, optional
            Coordinates and momenta, as numbers, texts or Decimals, if the question is about a state.
        t : float, str or Decimal, optional
            Time.

        Returns
        -------
        list of Decimal

        Raises
        ------
        KeyError
            If there is no such question.
        ValueError
            If the question is about a state that is missing or has the wrong length.
        Refused
            If the problem does not have the function.
        """
        def text(numbers: Sequence[Any]) -> Optional[bytes]:
            return " ".join(lib.digits(x) for x in numbers).encode() if len(numbers) else None
        if word not in lib.QUESTIONS:
            raise lib.NoSuchName("there is no question %r: it is one of %s"
                                 % (word, ", ".join(lib.QUESTIONS)))
        time = lib.digits(self.initial_time if t is None else t).encode()
        found = lib.quick.shakedown_evaluate_text(
            self._handle, lib.QUESTIONS[word], time, text(q), text(p), None, self._error_at)
        return [Decimal(one) for one in self._text(found, word).split()]

    def description(self) -> str:
        """Return a mechanism in space as the text that adapters receive (docs/reference/line-protocol.md).

        Returns
        -------
        str

        Raises
        ------
        Refused
            If the problem is not such a mechanism.
        """
        return self._text(lib.quick.shakedown_description(self._handle, self._error_at),
                          "description")

    def _text(self, found: int, word: str) -> str:
        """Convert a text from the library, and free it."""
        if not found:
            raise lib.failure(self._error, word)
        try:
            return ctypes.string_at(found).decode()
        finally:
            lib.quick.shakedown_free(found)


#: Names of methods, by the indices of their questions, for error messages.
_words = [{"exact": "solution", "lambda": "multiplier"}.get(word, word) for word in lib.QUESTIONS]
(_H, _H_q, _H_p, _hessian, _g, _G, _curvature, _g_t, _Q, _mass, _g_qp, _gradients, _second, _start,
 _exact, _invariants, _lambda, _hidden, _M) = (
     lib.QUESTIONS[word] for word in (
         "H", "H_q", "H_p", "hessian", "g", "G", "curvature", "g_t", "Q", "mass", "g_qp",
         "gradients", "second", "start", "exact", "invariants", "lambda", "hidden", "M"))
