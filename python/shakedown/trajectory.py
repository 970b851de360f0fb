"""Built-in integrators, stepped."""

from __future__ import annotations

import ctypes
from typing import Any, Iterator, List, NamedTuple, Optional, Sequence, Type, Union

import numpy as np

from . import _library as lib
from .integrator import Integrator, add
from .model import Model, named
from .problem import Array, Problem, Vector, _address


class State(NamedTuple):
    """Where a run is: time, q and p (n,), and the multipliers of the step that ended there, (m,)."""

    t: float
    q: Array
    p: Array
    lam: Array
    mu: Array


class Run:
    """An integrator on a problem, step by step: specifications, or classes of one's own.

    `step` is the length of a step, best as text ("0.1"), which is read in the precision; for
    adaptive integrators it is how often they stop, and `tolerance` says how accurate they are. The
    start is the problem's own unless q and p are given, (n,) each. The precision is that of a
    class, or double.
    """

    def __init__(self, problem: Union[str, Type[Model]],
                 integrator: Union[str, Type[Integrator]], step: Any, tolerance: Any = None,
                 precision: Optional[str] = None, q: Optional[Sequence[Any]] = None,
                 p: Optional[Sequence[Any]] = None):
        chosen = str(precision or getattr(integrator, "precision", "double"))
        problem, plugins = named(problem)
        self._session, error = lib.session_of(plugins), lib.Error()
        if not isinstance(integrator, str):
            if not plugins:
                self._session = lib.Session()
            add(self._session, integrator)
            integrator = integrator.name

        def text(value: Any) -> Optional[bytes]:
            return None if value is None else str(value).encode()

        def start(values: Optional[Sequence[Any]]) -> Optional[bytes]:
            return None if values is None else ",".join(str(x) for x in values).encode()
        request = lib.Request(ctypes.sizeof(lib.Request), problem.encode(), integrator.encode(),
                              chosen.encode(), text(step), text(tolerance), start(q), start(p))
        self._handle = lib.slow.shakedown_run_open(self._session.handle, ctypes.byref(request),
                                                   ctypes.byref(error))
        if not self._handle:
            raise lib.failure(error)
        self.problem = Problem._of(lib.quick.shakedown_run_problem(self._handle), self)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.quick.shakedown_run_close(self._handle)
            self._handle = None

    def advance(self, steps: int = 1) -> State:
        """Takes so many steps; raises `Failure` where one fails, and is then before that."""
        error = lib.Error()
        if lib.slow.shakedown_run_steps(self._handle, steps, ctypes.byref(error)) != 0:
            raise lib.failure(error)
        return self.state

    @property
    def state(self) -> State:
        n, m = self.problem.n, self.problem.m
        t, q, p, lam, mu = np.zeros(1), np.zeros(n), np.zeros(n), np.zeros(m), np.zeros(m)
        lib.quick.shakedown_run_state(self._handle, *(_address(x) for x in (t, q, p, lam, mu)))
        return State(float(t[0]), q, p, lam, mu)

    def place(self, t: float, q: Vector, p: Vector) -> None:
        """Goes on from another state, which is not checked."""
        a, b = (np.array(x, dtype=float).reshape(self.problem.n) for x in (q, p))
        lib.quick.shakedown_run_place(self._handle, t, _address(a), _address(b), None)

    def trajectory(self, steps: int, every: int = 1) -> Iterator[State]:
        """The state now and after each `every` steps."""
        yield self.state
        for _ in range(steps // every):
            yield self.advance(every)


def problems() -> List[str]:
    """The names of the problems that are built in."""
    return lib.session().names("problem")


def integrators() -> List[str]:
    """The names of the integrators that are built in."""
    return lib.session().names("integrator")
