"""User-defined integrators, as classes."""

from __future__ import annotations

import ctypes
import hashlib
import inspect
import re
import types
import warnings
from typing import Any, Callable, ClassVar, Dict, List, Optional, Sequence, Set, Tuple, Type

import numpy as np

from . import _library as lib
from . import claims
from .problem import Array, Problem, Vector

#: q and p at the end of the step, (n,) each; then lambda and mu, (m,) each, if the method has them.
Stepped = Sequence[Array]


class Claiming:
    """A class with a name, a description and claims, which are attributes."""

    name: ClassVar[str]
    summary: ClassVar[str] = ""
    equations: ClassVar[str] = ""
    citation: ClassVar[str] = ""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "name" not in cls.__dict__:
            cls.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", "-", cls.__name__).lower()
        if not cls.summary:
            cls.summary = (inspect.getdoc(cls) or cls.name).split("\n")[0]
        for word, value in list(vars(cls).items()):
            if claims.named(word) in lib.CLAIMS:
                setattr(cls, claims.named(word), _claimed(cls.__name__, word, value))
            elif isinstance(value, (bool, int, float)):
                if claims.meant(word):
                    warnings.warn("%s.%s is not a claim; did you mean %s?"
                                  % (cls.__name__, word, claims.meant(word)), stacklevel=2)

    @classmethod
    def specification(cls) -> str:
        """Return the name of the class in studies, as an integrator."""
        return cls.name

    @classmethod
    def _is_whole(cls) -> bool:
        """Return True if the class can be used, and is not only a base for other classes."""
        return False

    @classmethod
    def _fields(cls) -> Dict[str, Any]:
        """Return the members of `lib.Method`: the functions that the library calls, and the data that it stores."""
        return {}


class Integrator(Claiming):
    """A method of your own: derive a class, write `step`, and state claims as attributes.

    Claims are attributes. An order, such as `order_q`, `order_p` or `order_lambda`, is a whole number. Other claims
    are True or False (which is tested too): `symplectic`, `symmetric`, `reversible`, `keeps_constraint`,
    `keeps_hidden`, `keeps_momenta`, `keeps_energy`, `energy_bounded` and those of docs/reference/line-protocol.md.
    `keeps_constraint` may also be a relative level, such as 1e-6. A method claims nothing that it does not state. An
    attribute whose name is similar to that of a claim causes a warning.

    A step must depend only on its arguments and on `memory`: store nothing else that changes its result.

    Parameters
    ----------
    problem : Problem
        The problem to integrate; Shakedown passes it.

    Attributes
    ----------
    problem : Problem
        The problem to integrate.
    lam : ndarray, shape (m,)
        The multipliers of the last step, as an initial guess.
    name : str
        The name in studies and tables. By default it is derived from the class: my-method for MyMethod.
    summary, equations, citation : str
        Texts that `shakedown describe` prints. By default, `summary` is the first line of the docstring.
    supports : sequence of str
        Features of problems that the method accepts in addition to separable systems (`Problem.features`).
    precision : str
        "double" or "single": the precision whose round-off is used to judge the method.
    options : dict
        Options with their defaults: numbers, booleans or words. If a study names `newmark(beta=0.3)`, `self.beta` is
        0.3.
    memory : dict
        Arrays that a state carries to the next step. In the class, the values are their sizes, "n", "m" or a number;
        in the object, they are the arrays. Before a step they belong to its start, and after it to its end.
    begin : function (self, q, p, t, h), optional
        Fills `memory` at the start of a run, for steps of length h.
    reverse : function (self, h), optional
        Changes `memory` so that the next steps retrace the run. If it is defined, symmetry is tested too.

    Raises
    ------
    TypeError
        When the class is defined, if a claim, an option or a size in `memory` is not possible.

    See Also
    --------
    Engine : A method for points and bonds, in positions and velocities.
    try_out, certify : Test the claims.

    Examples
    --------
    >>> class Drift(shakedown.Integrator):
    ...     'Symplectic Euler, without regard to the constraints.'
    ...     order_q = order_p = 1
    ...     keeps_constraint = False
    ...     def step(self, q, p, t, h):
    ...         p = p - h * self.problem.H_q(q, p, t)
    ...         return q + h * self.problem.H_p(q, p), p
    >>> found = shakedown.solve("pendulum", Drift, 1.0, step=0.01)
    >>> print(np.round(found.q[-1], 3))
    [ 1.    -0.505]
    """

    supports: ClassVar[Sequence[str]] = ()
    precision: ClassVar[str] = "double"  #: or "single"; cells run in this precision and are judged by it
    options: ClassVar[Dict[str, Any]] = {}  #: names and defaults; the defaults are floats, booleans or texts
    memory: Dict[str, Any] = {}  #: the shapes in the class, the arrays in an object
    begin: ClassVar[Optional[Callable[..., None]]] = None
    reverse: ClassVar[Optional[Callable[..., None]]] = None

    problem: Problem
    lam: Array  #: the multiplier of the previous step, (m,), as a guess

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if cls.precision not in ("double", "single"):
            raise TypeError("%s.precision is %r, expected double or single"
                            % (cls.__name__, cls.precision))
        if isinstance(cls.supports, str):
            cls.supports = (cls.supports,)
        _check_names(cls)

    def __init__(self, problem: Problem) -> None:
        """Prepare for a problem. Override it to refuse problems by raising `Refused`."""
        self.problem = problem

    def count(self, work: str, amount: int = 1) -> None:
        """Count work that the calls of `problem` do not show, such as factorizations.

        Records, tables and baselines contain it as `work-NAME`, and `check` detects when it changes.

        Parameters
        ----------
        work : str
            The name of the counter, which consists of a-z, 0-9 and -. A method can have at most four counters.
        amount : int, optional
            The amount to add.

        Raises
        ------
        ValueError
            If the name is invalid.
        """
        error = lib.Error()
        if lib.quick.shakedown_count_work(self.problem._handle, work.encode(), amount, ctypes.byref(error)):
            raise lib.failure(error, "count")

    def step(self, q: Array, p: Array, t: float, h: float) -> Stepped:
        """Make one step.

        Parameters
        ----------
        q, p : ndarray, shape (n,)
            Coordinates and momenta. These are copies that the method may change.
        t : float
            Time at the start.
        h : float
            Length of the step; it may be negative.

        Returns
        -------
        q, p : array_like, shape (n,)
            Coordinates and momenta at the end.
        lam, mu : array_like, shape (m,), optional
            The multipliers of the constraints and of the hidden constraints, if the method has them.

        Raises
        ------
        NotConverged, Singular, TrySmaller, or any other exception
            Raise one of these if the step fails. The record contains its message.
        """
        raise NotImplementedError(self.name + " has no step")

    def advance(self, q: Array, p: Array, t: float, h: float) -> Stepped:
        """Make the step that Shakedown takes. By default, this is `step`.

        Parameters
        ----------
        q, p : ndarray, shape (n,)
            Coordinates and momenta.
        t, h : float
            Time at the start, and length of the step.

        Returns
        -------
        sequence of ndarray
            What `step` returned.
        """
        return self.step(q, p, t, h)

    @classmethod
    def _is_whole(cls) -> bool:
        return cls.step is not Integrator.step

    @classmethod
    def _fields(cls) -> Dict[str, Any]:
        options = "\n".join("%s=%s option of the class" % (
            name.replace("_", "-"), WORDS[value] if isinstance(value, bool) else value)
            for name, value in cls.options.items())
        shapes = list(cls.memory.values())
        return {"supports": ",".join(cls.supports).encode(), "single": cls.precision == "single",
                "options": options.encode(), "memory_n": shapes.count("n"), "memory_m": shapes.count("m"),
                "memory_ones": sum(one for one in shapes if isinstance(one, int)), **_calls(cls)}


def newton(function: Callable[[Array], Tuple[Vector, Vector]], x: Vector, limit: int = 50) -> Array:
    """Find a root by Newton's method, iterating until round-off stops the residual from decreasing.

    Parameters
    ----------
    function : callable
        Function that takes x and returns the residual, shape (k,), and its Jacobian, shape (k, k).
    x : array_like, shape (k,)
        First guess.
    limit : int, optional
        Maximum number of iterations.

    Returns
    -------
    ndarray, shape (k,)

    Raises
    ------
    NotConverged
        If the residual stops decreasing while the corrections exceed a millionth of the largest of x and of the
        corrections so far, if it is not finite, or after `limit` iterations.
    ValueError
        If the shapes do not agree.
    numpy.linalg.LinAlgError
        If the Jacobian is singular.

    Examples
    --------
    >>> root = shakedown.newton(lambda x: (x**2 - 2, np.diag(2 * x)), [1.0])
    >>> print(root)
    [1.41421356]
    """
    x = np.asarray(x, dtype=float)
    best, least, size, change = x, np.inf, float(np.max(np.abs(x), initial=0.0)), 0.0
    for _ in range(limit):
        residual, jacobian = map(np.asarray, function(x))
        if np.ndim(x) != 1 or residual.shape != x.shape or jacobian.shape != 2 * x.shape:
            raise ValueError("newton: found x, the residual and its Jacobian of shapes %s, %s and %s, "
                             "expected (k,), (k,) and (k, k)" % (x.shape, residual.shape, jacobian.shape))
        norm = float(np.max(np.abs(residual), initial=0.0))
        if not np.isfinite(norm):
            raise lib.NotConverged("Newton's method encountered a residual that is not finite")
        if not norm < least:
            if change <= 1e-6 * size:
                return best
            raise lib.NotConverged("Newton's method stopped at a residual of %.3g" % least)
        best, least = x, norm
        if norm == 0:
            return best
        correction = np.linalg.solve(jacobian, residual)
        change = float(np.max(np.abs(correction)))
        x = x - correction
        size = max(size, change, float(np.max(np.abs(x))))
    raise lib.NotConverged("Newton's method needs more than %d iterations" % limit)


def _claimed(method: str, word: str, value: Any) -> Any:
    """Return the value of a claim as a Python value. Raises TypeError for a value that the claim cannot have."""
    value, claim, most = _plain(value), claims.named(word), 20
    if "order_" in claim and isinstance(value, float) and value.is_integer():
        value = int(value)
    if value is not None and "order_" in claim and not (type(value) is int and 0 <= value <= most):
        raise TypeError("%s.%s is %r, expected an order: a whole number from 0 to %d" % (method, word, value, most))
    if value is not None and "order_" not in claim and not isinstance(value, bool) \
            and not (claim == "keeps_constraint" and isinstance(value, float) and value > 0):
        raise TypeError("%s.%s is %r, expected True or False%s" % (
            method, word, value, ", or a level above 0" * (claim == "keeps_constraint")))
    return value


def _plain(value: Any) -> Any:
    """Convert a numpy number to a Python number."""
    return value.item() if isinstance(value, np.generic) else value


def _check_names(method: Type[Integrator]) -> None:
    """Raise TypeError if options or memory have the wrong form."""
    for word in {"options", "memory"}.intersection(vars(method)):
        given = getattr(method, word)
        if not isinstance(given, dict):
            raise TypeError("%s.%s is %r, expected a dictionary" % (method.__name__, word, given))
        setattr(method, word, {name: _plain(value) for name, value in given.items()})
    for name, value in method.options.items():
        if not re.fullmatch("[a-z][a-z0-9_]*", name) or hasattr(Integrator, name) \
                or name in {**Integrator.__annotations__, **Claiming.__annotations__}:
            raise TypeError("%s.options: %r is not a valid name, or is used by Integrator" % (method.__name__, name))
        if not (isinstance(value, (bool, int, float)) and np.isfinite(value)
                or isinstance(value, str) and _is_word(value)):
            raise TypeError("%s.options: the default of %s is %r, expected a finite number, a boolean or a word"
                            % (method.__name__, name, value))
    for name, shape in method.memory.items():
        if shape not in ("n", "m") and not (isinstance(shape, int) and shape > 0):
            raise TypeError("%s.memory: %s is %r, expected \"n\", \"m\" or a size"
                            % (method.__name__, name, shape))


def _is_word(text: str) -> bool:
    """Return True for a text without blanks that the program does not read as a number or as yes or no."""
    try:
        float(text)
        return False
    except ValueError:
        return re.fullmatch(r"\S+", text) is not None and text not in ("yes", "no")


def _option(name: str, default: Any, text: str) -> Any:
    """Return the value of an option, with the type of its default. Raises ValueError if the default is a whole
    number and the value is not."""
    if isinstance(default, bool):
        return text == "yes"
    if isinstance(default, int) and not float(text).is_integer():
        raise ValueError("option %s is %s, expected a whole number" % (name, text))
    return text if isinstance(default, str) else type(default)(float(text))


def method_name(method: Any) -> str:
    """Return the specification of a method or a class. Raises TypeError for anything else."""
    if isinstance(method, str):
        return method
    if isinstance(method, type) and issubclass(method, Claiming) and method._is_whole():
        return method.specification()
    raise TypeError("an integrator must be a text, such as \"rattle\", or a subclass of Integrator or Solver; found %r"
                    % (method,))


def claims_of(method: Type[Claiming]) -> Dict[str, Any]:
    """Return the claims of a class: a number or a truth value for each name."""
    return {claim: getattr(method, claim) for claim in lib.CLAIMS
            if getattr(method, claim, None) is not None}


def _digest(value: Any, seen: Set[int]) -> str:
    """Return a text that identifies a value in any process. Functions are identified by their instructions and by
    everything in their module that they refer to, numbers and texts by their value, and other objects by their
    type."""
    if isinstance(value, types.FunctionType):
        if id(value) in seen:
            return ""
        seen.add(id(value))
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        known = [value.__globals__.get(name) for name in value.__code__.co_names]
        own = [one for one in known if isinstance(one, (bool, int, float, str, tuple, np.ndarray))
               or getattr(one, "__module__", None) == value.__module__]
        return "|".join(_digest(one, seen) for one in
                        [value.__code__, value.__defaults__, *cells, *own])
    if isinstance(value, types.CodeType):
        return repr((value.co_code, value.co_names)) + "|".join(
            _digest(one, seen) for one in value.co_consts)
    if isinstance(value, type):
        if id(value) in seen or value in (Integrator, Claiming, object):
            return value.__name__
        seen.add(id(value))
        return value.__name__ + "|".join(
            name + _digest(one, seen) for name, one in sorted(vars(value).items())
            if name not in ("__module__", "__doc__", "__dict__", "__weakref__")) + "|".join(
                _digest(base, seen) for base in value.__bases__)
    if isinstance(value, np.ndarray):
        return repr((value.dtype, value.shape, value.tobytes()))
    if isinstance(value, (tuple, list)):
        return "|".join(_digest(one, seen) for one in value)
    if isinstance(value, (staticmethod, classmethod)):
        return _digest(value.__func__, seen)
    return repr(value) if isinstance(value, (bool, int, float, complex, str, bytes, type(None))) \
        else type(value).__name__


def source_of(method: Type[Claiming]) -> str:
    """Return the source of a class, if there is one, and a text that distinguishes its versions. The source alone is
    not enough if a function creates the class or if it is defined twice."""
    try:
        source = inspect.getsource(method)
    except (OSError, TypeError):
        source = "# class %s\n" % method.__name__
    return "%s# %s\n" % (source, hashlib.sha256(_digest(method, set()).encode()).hexdigest())


def _report(error: Any, fault: BaseException) -> int:
    """Convert an exception to a code, and store its message."""
    code, sentence = "stopped", "%s: %s" % (type(fault).__name__, fault)
    if isinstance(fault, lib.Failure):
        code, sentence = fault.code, str(fault)
    elif isinstance(fault, np.linalg.LinAlgError):
        code, sentence = "singular", str(fault)
    error[0].text = sentence.encode()[:1023]
    return lib.CODES.index(code) if code in lib.CODES else lib.CODES.index("stopped")


def _view(pointer: Any, count: int) -> Array:
    return np.ctypeslib.as_array(pointer, (count,)) if count else np.zeros(0)


class _Bound:
    """A method bound to a problem. It works on the library's arrays."""

    def __init__(self, method: Type[Integrator], problem: int, start: Any, end: Any):
        self.start, n, m = start, start.n, start.m
        self.q, self.p, self.lam = _view(start.q, n), _view(start.p, n), _view(start.lambda_, m)
        self.to = (_view(end.q, n), _view(end.p, n), _view(end.lambda_, m), _view(end.mu, m))
        sizes = {"n": n, "m": m}
        self.parts, at = {}, 0
        for name, shape in method.memory.items():
            self.parts[name] = slice(at, at + sizes.get(shape, shape))
            at = self.parts[name].stop
        self.memory, self.after = _view(start.memory, at), _view(end.memory, at)
        values = {name: _option(name, default, lib.quick.shakedown_option(
            problem, name.replace("_", "-").encode()).decode()) for name, default in method.options.items()}
        made: Any = method.__new__(method)
        made.__dict__.update(values)  # because its __init__ may use them
        made.__init__(Problem._of(problem))
        self.method = made
        if not hasattr(self.method, "problem"):
            raise TypeError("%s: its __init__ does not call Integrator.__init__" % method.name)

    def remember(self) -> None:
        """Give the method the memory of the state from which it continues."""
        self.method.memory = {name: self.memory[part].copy() for name, part in self.parts.items()}

    def store(self, memory: Array) -> None:
        """Store the method's memory in that of a state."""
        for name, part in self.parts.items():
            value = np.asarray(self.method.memory[name], dtype=float)
            if np.size(value) != part.stop - part.start:
                raise ValueError("the memory %s contains %d numbers, expected %d"
                                 % (name, np.size(value), part.stop - part.start))
            memory[part] = value.ravel()

    def begin(self, h: float) -> None:
        if self.method.begin is not None:
            self.remember()
            self.method.begin(self.q.copy(), self.p.copy(), self.start.t, h)
            self.store(self.memory)

    def reverse(self, h: float) -> None:
        self.remember()
        self.method.reverse(h)
        self.store(self.memory)

    def step(self, h: float) -> None:
        self.method.lam = self.lam.copy()
        if self.parts:
            self.remember()
        stepped = self.method.advance(self.q.copy(), self.p.copy(), self.start.t, h)
        if not hasattr(stepped, "__len__") or not 2 <= len(stepped) <= 4:
            raise TypeError("a step returns q and p, and optionally lambda and mu; found %r" % (stepped,))
        for to, value in zip(self.to, stepped):
            if np.shape(value) != to.shape:
                raise ValueError("a step returns arrays of shapes %s; found %s" % (
                    ", ".join(str(one.shape) for one in self.to), np.shape(value)))
            to[:] = value
        if self.parts:
            self.store(self.after)


def _calls(method: Type[Integrator]) -> Dict[str, Any]:
    """Return the functions that the library uses to call the method."""
    open_now: Dict[int, _Bound] = {}

    def bind(user: Any, bound: Any, problem: int, start: Any, end: Any, error: Any) -> int:
        try:
            made = _Bound(method, problem, start[0], end[0])
        except BaseException as fault:
            return _report(error, fault)
        open_now[id(made)] = made
        bound[0] = id(made)
        return 0

    def guarded(work: Callable[[_Bound, float], None]) -> Any:
        """Return a function for the library that does this work and reports exceptions."""
        def call(bound: int, h: float, error: Any) -> int:
            try:
                work(open_now[bound], h)
                return 0
            except BaseException as fault:
                return _report(error, fault)
        return lib.STEP(call)

    def unbind(bound: int) -> None:
        open_now.pop(bound, None)

    def reverse(bound: int, h: float) -> None:
        open_now[bound].reverse(h)

    calls = {"bind": lib.BIND(bind), "step": guarded(_Bound.step), "unbind": lib.UNBIND(unbind)}
    if method.begin is not None:
        calls["begin"] = guarded(_Bound.begin)
    if method.reverse is not None:
        calls["reverse"] = lib.REVERSE(reverse)
    return calls


WORDS = {True: "yes", False: "no"}


def add(session: lib.Session, method: Type[Claiming]) -> None:
    """Register the method or the solver with a session."""
    claims = " ".join("%s=%s" % (claim, WORDS[value] if isinstance(value, bool) else value)
                      for claim, value in claims_of(method).items())
    texts = (method.name, method.summary, method.equations, method.citation, claims)
    fields = method._fields()
    session.kept.append(fields)
    error = lib.Error()
    given = lib.Method(ctypes.sizeof(lib.Method), *(text.encode() for text in texts), **fields)
    if lib.quick.shakedown_add_method(session.handle, ctypes.byref(given), ctypes.byref(error)):
        raise lib.failure(error)


def methods_in(module: types.ModuleType) -> List[Type[Claiming]]:
    """Return the integrators and solvers that a module defines, in the order of their definition."""
    return [one for one in vars(module).values()
            if isinstance(one, type) and issubclass(one, Claiming)
            and one.__module__ == module.__name__ and one._is_whole()]
