"""Runs of integrators, step by step."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Iterator, List, NamedTuple, Optional, Sequence, Type, Union

import numpy as np

from . import _library as lib
from .integrator import Claiming, Integrator, add, method_name
from .model import named
from .problem import Array, Problem, ProblemLike, Vector, _address, _fill


class State(NamedTuple):
    """The current state of a run.

    Attributes
    ----------
    t : float
        Time.
    q, p : ndarray, shape (n,)
        Coordinates and momenta.
    lam, mu : ndarray, shape (m,)
        Multipliers of the step that ended there. At the start they are the problem's own, and mu is zero.
    """

    t: float
    q: Array
    p: Array
    lam: Array
    mu: Array


class Run:
    """A run of a method on a problem, step by step.

    Parameters
    ----------
    problem : str, subclass of Model, or Problem
        The problem, as for `Problem`.
    integrator : str or subclass of Integrator
        "rattle", "spark(stages=3)", or a class of your own.
    step : float or str
        Length of a step, which may be negative. A text, such as "0.1", is read in the precision of the run. Methods
        that choose their own steps stop at its multiples.
    tolerance : float, optional
        Tolerance of methods that choose their own steps. Other methods do not use it.
    precision : {"single", "double", "quad"}, optional
        By default, the precision of the class or of the `Problem`, or else double.
    q, p : sequences of n numbers, optional
        A start that replaces the problem's own. Numbers may be texts.
    **parameters
        Parameters of the problem.

    Attributes
    ----------
    problem : Problem
        The problem, in the precision of the run.

    Raises
    ------
    KeyError, ValueError, TypeError
        If a name does not exist or a value is invalid. A start that violates the constraints raises ValueError.
    Refused
        If the method does not apply to the problem.

    See Also
    --------
    solve : Make the whole run at once.

    Examples
    --------
    >>> run = shakedown.Run("pendulum", "rattle", "0.25", angle=0.7)
    >>> state = run.advance(4)
    >>> state.t, state.q.shape
    (1.0, (2,))
    >>> [state.t for state in run.trajectory(4, every=2)]
    [1.0, 1.5, 2.0]
    """

    def __init__(self, problem: ProblemLike,
                 integrator: Union[str, Type[Claiming]], step: Any, tolerance: Any = 1e-8,
                 precision: Optional[str] = None, q: Optional[Sequence[Any]] = None,
                 p: Optional[Sequence[Any]] = None, **parameters: Any):
        source = getattr(problem, "_source", None)
        chosen = str(precision or getattr(integrator, "precision", source[2] if source else "double"))
        specification, plugins = named(problem, parameters)
        self._session, error = lib.session_of(plugins), lib.Error()
        self._about = specification, method_name(integrator), lib.digits(step)
        if not isinstance(integrator, str):
            if not plugins:
                self._session = lib.Session()
            add(self._session, integrator)

        def start(values: Optional[Sequence[Any]]) -> Optional[bytes]:
            return None if values is None else ",".join(
                lib.digits(x) for x in np.asarray(values, dtype=object).ravel()).encode()
        request = lib.Request(ctypes.sizeof(lib.Request), specification.encode(), self._about[1].encode(),
                              chosen.encode(), self._about[2].encode(), lib.digits(tolerance).encode(), start(q),
                              start(p))
        self._handle = lib.slow.shakedown_run_open(self._session.handle, ctypes.byref(request),
                                                   ctypes.byref(error))
        if not self._handle:
            raise lib.failure(error)
        self.problem = Problem._of(lib.quick.shakedown_run_problem(self._handle), self, specification)

    def __repr__(self) -> str:
        return "Run(%r, %r, step=%s)" % self._about

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.quick.shakedown_run_close(self._handle)
            self._handle = None

    def advance(self, steps: int = 1) -> State:
        """Take steps.

        Parameters
        ----------
        steps : int, optional
            Number of steps.

        Returns
        -------
        State
            The state after these steps.

        Raises
        ------
        Failure
            If a step fails, for example with `NotConverged`. The run then remains at the state before the step.
        """
        error, steps = lib.Error(), lib.whole("steps", steps, 0)
        if lib.slow.shakedown_run_steps(self._handle, steps, ctypes.byref(error)) != 0:
            raise lib.failure(error)
        return self.state

    @property
    def state(self) -> State:
        """The current `State` of the run."""
        n, m = self.problem.n, self.problem.m
        t, q, p, lam, mu = np.zeros(1), np.zeros(n), np.zeros(n), np.zeros(m), np.zeros(m)
        lib.quick.shakedown_run_state(self._handle, *(_address(x) for x in (t, q, p, lam, mu)))
        return State(float(t[0]), q, p, lam, mu)

    def place(self, t: float, q: Vector, p: Vector) -> None:
        """Continue from another state, which is not checked.

        Parameters
        ----------
        t : float
            Time.
        q, p : array_like, shape (n,)
            Coordinates and momenta.
        """
        a, b = np.zeros(self.problem.n), np.zeros(self.problem.n)
        _fill(a, "q", q)
        _fill(b, "p", p)
        lib.quick.shakedown_run_place(self._handle, lib.number("t", t), _address(a), _address(b), None)

    def trajectory(self, steps: int, every: int = 1) -> Iterator[State]:
        """Iterate over the states of a run.

        Parameters
        ----------
        steps : int
            Number of steps, rounded down to a multiple of `every`.
        every : int, optional
            Number of steps between the states.

        Yields
        ------
        State
            The first one is the current state.
        """
        steps, every = lib.whole("steps", steps, 0), lib.whole("every", every)
        yield self.state
        for _ in range(steps // every):
            yield self.advance(every)


class Solution(NamedTuple):
    """The states of a run at k times, as `solve` returns them.

    Attributes
    ----------
    t : ndarray, shape (k,)
        The times, in the units of the problem; the first is the time of the start.
    q, p : ndarray, shape (k, n)
        Coordinates and momenta.
    lam, mu : ndarray, shape (k, m)
        Multipliers of the step that ended at each time. At the start they are the problem's own, and mu is zero.

    Examples
    --------
    >>> found = shakedown.solve("pendulum", "rattle", 1.0)
    >>> found._fields
    ('t', 'q', 'p', 'lam', 'mu')
    """

    t: Array
    q: Array
    p: Array
    lam: Array
    mu: Array


def solve(problem: ProblemLike, method: Union[str, Type[Integrator]], until: float, *,
          step: Optional[float] = None, tolerance: float = 1e-8, every: int = 1,
          precision: Optional[str] = None, q: Optional[Sequence[Any]] = None,
          p: Optional[Sequence[Any]] = None, **parameters: Any) -> Solution:
    """Integrate a problem up to a time, and return the states as arrays.

    Parameters
    ----------
    problem : str, subclass of Model, or Problem
        "pendulum(angle=0.7)", or any other problem that `Problem` accepts.
    method : str or subclass of Integrator
        "rattle", "spark(stages=3)", "ida", or a class of your own.
    until : float
        The last time, in the units of the problem.
    step : float, optional
        Length of a step or, for methods that choose their own steps, spacing of the states. By default, a fiftieth
        of the problem's time scale. The interval is divided into equal steps of at most this length.
    tolerance : float, optional
        Tolerance of methods that choose their own steps. Other methods do not use it.
    every : int, optional
        Number of steps between the returned states. The last state is always returned.
    precision : {"single", "double", "quad"}, optional
        By default, the precision of the class or of the `Problem`, or else double. Results are doubles.
    q, p : sequences of n numbers, optional
        A start that replaces the problem's own.
    **parameters
        Parameters of the problem.

    Returns
    -------
    Solution
        Arrays t (k,), q and p (k, n), lam and mu (k, m).

    Raises
    ------
    KeyError, ValueError, TypeError
        If a name does not exist or a value is invalid. A start that violates the constraints raises ValueError.
    Refused
        If the method does not apply to the problem.
    Failure
        If a step fails, for example with `NotConverged`.

    Examples
    --------
    >>> found = shakedown.solve("pendulum", "rattle", 2.0, step=0.01, angle=0.7, rate=1.1)
    >>> found.t.shape, found.q.shape, found.lam.shape
    ((201,), (201, 2), (201, 1))
    >>> bool(abs(found.q[-1] @ found.q[-1] - 1) < 1e-14)
    True
    """
    every, about = lib.whole("every", every), Problem(problem, **parameters)
    length = lib.number("until", until) - about.initial_time
    most = lib.number("step", step) if step is not None else about.time_scale / 50
    if length <= 0:
        raise lib.BadInput("until: found %r, expected a time after the start, %r" % (until, about.initial_time))
    if most <= 0:
        raise lib.BadInput("step: found %r, expected a positive number" % (step,))
    count = max(1, math.ceil(length / most * (1 - 1e-12)))
    run = Run(problem, method, repr(length / count), tolerance, precision, q, p, **parameters)
    states = [run.state]
    for k in range(every, count + every, every):
        states.append(run.advance(min(every, count - (k - every))))
    return Solution(*(np.array(column) for column in zip(*states)))


def problems() -> List[str]:
    """Return the names of the problems that are built in.

    Returns
    -------
    list of str

    Examples
    --------
    >>> "pendulum" in shakedown.problems()
    True
    """
    return lib.session().names("problem")


def integrators() -> List[str]:
    """Return the names of the methods that are built in.

    Returns
    -------
    list of str

    Examples
    --------
    >>> "rattle" in shakedown.integrators()
    True
    """
    return lib.session().names("integrator")
