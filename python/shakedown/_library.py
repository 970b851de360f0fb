"""The C functions of libshakedown (<shakedown/client.h> and engine/surface/client_method.h)."""

from __future__ import annotations

import ctypes
import math
import numbers
import operator
import os
import pathlib
import re
import shutil
import sysconfig
from ctypes import c_bool, c_char_p, c_double, c_int, c_long, c_size_t, c_uint, c_void_p
from typing import Any, Iterator, List, Optional, Sequence, Union

Path = Union[str, "os.PathLike[str]"]
SONAME = "libshakedown.so.0"


class Failure(RuntimeError):
    """Shakedown refuses a request or cannot carry it out.

    All errors of the package derive from it, except a `TypeError` for arguments of a wrong type.

    Parameters
    ----------
    sentence : str
        What happened.
    code : str, optional
        A short code for it, such as "not-converged".

    Attributes
    ----------
    code : str
    """

    code = "stopped"

    def __init__(self, sentence: str, code: Optional[str] = None):
        super().__init__(sentence)
        if code is not None:
            self.code = code


class BadInput(Failure, ValueError):
    """A value that is not understood or not possible. This is also a `ValueError`."""

    code = "bad-input"


class NoSuchName(BadInput, KeyError):
    """A name that does not exist. This is also a `KeyError` and a `ValueError`. The message lists similar names."""

    def __str__(self) -> str:
        return str(self.args[0])


class Refused(Failure):
    """A method does not apply to the problem, or the problem lacks a function."""

    code = "refused"


class NotConverged(Failure):
    """An iteration does not converge."""

    code = "not-converged"


class Singular(Failure):
    """A matrix that must be invertible is singular."""

    code = "singular"


class TrySmaller(Failure):
    """The step fails, but a smaller one may succeed."""

    code = "try-smaller"


KINDS = {kind.code: kind for kind in (BadInput, Refused, NotConverged, Singular, TrySmaller)}


def complaint(sentence: str, code: str = "bad-input") -> Failure:
    """Return the exception for a message from the program."""
    kind = BadInput if code == "inconsistent" else KINDS.get(code, Failure)
    if kind is BadInput and re.search(r"\bthere is no \w+ named\b|\bthere is no study\b", sentence):
        kind = NoSuchName
    return kind(sentence, code)


def trouble(status: int, err: str) -> Failure:
    """Return the exception for a program that exited with this status and printed `err` to standard error."""
    lines = [line for line in err.splitlines() if line.strip()]
    sentence = re.sub(r"^shakedown: ", "", lines[-1]) if lines else ""
    return complaint(sentence or "shakedown exited with status %d" % status,
                     "bad-input" if status == 2 else "stopped")


def number(name: str, value: Any) -> float:
    """Convert anything that `float` accepts to a finite float. Raises TypeError or ValueError, which contains the
    name."""
    try:
        found = float(value)
    except TypeError:
        raise TypeError("%s: found %r, expected a number" % (name, value)) from None
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise BadInput("%s: found %r, expected a finite number" % (name, value))
    return found


def whole(name: str, value: Any, least: int = 1) -> int:
    """Convert an integer, also one of numpy, to an int. Raises TypeError or ValueError, which contains the name."""
    try:
        found = operator.index(value)
    except TypeError:
        raise TypeError("%s: found %r, expected a whole number" % (name, value)) from None
    if found < least:
        raise BadInput("%s: found %r, expected a whole number, at least %d" % (name, value, least))
    return found


def digits(value: Any) -> str:
    """Return a number as text: floats, also those of numpy, with all their digits, and other values as they print."""
    is_float = isinstance(value, numbers.Real) and not isinstance(value, numbers.Rational)
    return repr(float(value)) if is_float else str(value)


class Error(ctypes.Structure):
    _fields_ = [("code", c_int), ("text", ctypes.c_char * 1024)]


class Sizes(ctypes.Structure):
    _fields_ = [("n", c_int), ("m", c_int), ("invariants", c_int), ("features", c_uint),
                ("initial_time", c_double), ("time_scale", c_double), ("horizon", c_double),
                ("exact", c_bool)]


class Request(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("problem", c_char_p), ("integrator", c_char_p),
                ("precision", c_char_p), ("step", c_char_p), ("tolerance", c_char_p),
                ("q", c_char_p), ("p", c_char_p)]


Numbers = ctypes.POINTER(c_double)


class State(ctypes.Structure):
    _fields_ = [("n", c_int), ("m", c_int), ("t", c_double), ("q", Numbers), ("p", Numbers),
                ("lambda_", Numbers), ("mu", Numbers), ("memory_count", c_int), ("memory", Numbers)]


BIND = ctypes.CFUNCTYPE(c_int, c_void_p, ctypes.POINTER(c_void_p), c_void_p, ctypes.POINTER(State),
                        ctypes.POINTER(State), ctypes.POINTER(Error))
STEP = ctypes.CFUNCTYPE(c_int, c_void_p, c_double, ctypes.POINTER(Error))
UNBIND = ctypes.CFUNCTYPE(None, c_void_p)
REVERSE = ctypes.CFUNCTYPE(None, c_void_p, c_double)
class Rod(ctypes.Structure):
    _fields_ = [("a", c_int), ("b", c_int), ("square", c_double)]


class Rods(ctypes.Structure):
    _fields_ = [("points", c_int), ("rods", c_int), ("dimension", c_int), ("mass", Numbers),
                ("rod", ctypes.POINTER(Rod)), ("fixed", Numbers), ("before", Numbers), ("positions", Numbers),
                ("impulse", Numbers), ("tolerance", c_double), ("iterations", c_long)]


SOLVE = ctypes.CFUNCTYPE(c_int, c_void_p, ctypes.POINTER(Rods), ctypes.POINTER(c_long), ctypes.POINTER(Error))
LOAD = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, ctypes.POINTER(Error))


class Method(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p), ("summary", c_char_p),
                ("equations", c_char_p), ("citation", c_char_p), ("claims", c_char_p),
                ("supports", c_char_p), ("bind", BIND), ("step", STEP), ("unbind", UNBIND),
                ("user", c_void_p), ("single", c_bool), ("options", c_char_p), ("memory_n", c_int),
                ("memory_m", c_int), ("memory_ones", c_int), ("begin", STEP), ("reverse", REVERSE),
                ("solve", SOLVE), ("refuses_fixed", c_bool)]


class WorkerOptions(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("plugins", ctypes.POINTER(c_char_p)),
                ("plugin_count", c_int), ("programs", c_bool), ("once", c_bool),
                ("guard", c_bool), ("load", LOAD), ("user", c_void_p)]


def find_program() -> str:
    """Return the path of the program `shakedown`.

    The environment variable SHAKEDOWN sets it. By default, it is the program in this Python environment, or else
    the first one in PATH.

    Returns
    -------
    str

    Raises
    ------
    Failure
        If there is no such program.

    Examples
    --------
    >>> import os
    >>> os.access(shakedown.find_program(), os.X_OK)
    True
    """
    found = (os.environ.get("SHAKEDOWN") or shutil.which("shakedown", path=sysconfig.get_path("scripts"))
             or shutil.which("shakedown"))
    if not found:
        raise Failure("there is no program `shakedown` in PATH: install it, or set the environment variable "
                      "SHAKEDOWN to its path")
    return found


def _places() -> Iterator[str]:
    """Yield possible paths of the library: the one that the environment names, or those near the program, built or
    installed."""
    named = os.environ.get("SHAKEDOWN_LIBRARY")
    if named:
        yield named
        return
    try:
        folder = pathlib.Path(find_program()).resolve().parent
    except Failure:
        yield SONAME
        return
    yield str(folder / SONAME)
    yield str(folder.parent / "share/shakedown/lib" / SONAME)
    for place in sorted((folder.parent / "lib").glob("**/" + SONAME)):
        yield str(place)
    yield SONAME


def _find() -> str:
    tried: List[str] = []
    for place in _places():
        try:
            ctypes.CDLL(place)
            return place
        except OSError as fault:
            tried.append(str(fault))
    raise ImportError("libshakedown was not found: install Shakedown, or set the environment variable SHAKEDOWN to "
                      "the path of its program (" + "; ".join(tried) + ")")


_path = _find()
slow = ctypes.CDLL(_path)  # other threads continue during a call
quick = ctypes.PyDLL(_path)  # other threads wait, which makes calls faster

_functions: List[Any] = [
        (quick, "version", c_char_p),
        (quick, "code_name", c_char_p, c_int),
        (quick, "open", c_void_p, c_void_p),
        (quick, "close", None, c_void_p),
        (slow, "load", c_int, c_void_p, c_char_p, c_void_p),
        (quick, "problem_name", c_char_p, c_void_p, c_int),
        (quick, "integrator_name", c_char_p, c_void_p, c_int),
        (quick, "claim_name", c_char_p, c_int),
        (quick, "feature_name", c_char_p, c_int),
        (quick, "question_name", c_char_p, c_int),
        (slow, "problem_open", c_void_p, c_void_p, c_char_p, c_char_p, c_void_p),
        (quick, "problem_close", None, c_void_p),
        (quick, "problem_sizes", None, c_void_p, c_void_p),
        (quick, "count", c_size_t, c_void_p, c_int),
        (quick, "evaluate", c_int, c_void_p, c_int, c_void_p, c_double, c_void_p, c_void_p, c_void_p,
         c_void_p),
        (quick, "evaluate_text", c_void_p, c_void_p, c_int, c_char_p, c_char_p, c_char_p, c_char_p,
         c_void_p),
        (quick, "free", None, c_void_p),
        (quick, "description", c_void_p, c_void_p, c_void_p),
        (slow, "run_open", c_void_p, c_void_p, c_void_p, c_void_p),
        (quick, "run_close", None, c_void_p),
        (quick, "run_problem", c_void_p, c_void_p),
        (slow, "run_steps", c_int, c_void_p, c_long, c_void_p),
        (quick, "run_state", None, *[c_void_p] * 6),
        (quick, "run_state_text", c_void_p, c_void_p),
        (quick, "run_place", None, c_void_p, c_double, *[c_void_p] * 3),
        (quick, "add_method", c_int, c_void_p, c_void_p, c_void_p),
        (quick, "option", c_char_p, c_void_p, c_char_p),
        (quick, "count_work", c_int, c_void_p, c_char_p, c_long, c_void_p),
        (quick, "worker", c_int, c_void_p, c_void_p)]
for _holder, _name, _result, *_arguments in _functions:
    _function = getattr(_holder, "shakedown_" + _name)
    _function.restype = _result
    _function.argtypes = _arguments


def _words(name: str, *before: Any) -> List[str]:
    """Return the names that a library function returns for the indices 0, 1, …"""
    function = getattr(quick, name)
    found: List[str] = []
    while True:
        word = function(*before, len(found))
        if word is None:
            return found
        found.append(word.decode())


CODES = _words("shakedown_code_name")
CLAIMS = _words("shakedown_claim_name")
FEATURES = _words("shakedown_feature_name")
QUESTIONS = {word: index for index, word in enumerate(_words("shakedown_question_name"))}


def version() -> str:
    """Return the version of Shakedown's library.

    Returns
    -------
    str

    Examples
    --------
    >>> shakedown.version().split(".")[0]
    '0'
    """
    return str(quick.shakedown_version().decode())


def failure(error: Error, asked: str = "") -> Failure:
    """Return the exception for an error that the library reports; `asked` is the function that was called."""
    code = CODES[error.code] if 0 < error.code < len(CODES) else "stopped"
    sentence = error.text.decode(errors="replace")
    if code == "inconsistent":  # the message recommends a command-line option
        sentence = sentence.partition("; --project")[0] + "; expected q and p that satisfy the constraints"
    if asked and not sentence.startswith(asked + ":"):
        sentence = "%s: %s" % (asked, sentence)
    return complaint(sentence, code)


class Session:
    """The known problems and integrators: those built in, and those that are added."""

    def __init__(self) -> None:
        error = Error()
        self.handle = quick.shakedown_open(ctypes.byref(error))
        self.kept: List[object] = []  # objects that the library still uses
        if not self.handle:
            raise failure(error)

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            quick.shakedown_close(self.handle)
            self.handle = None

    def names(self, kind: str) -> List[str]:
        return _words("shakedown_%s_name" % kind, self.handle)

    def load(self, path: Path) -> None:
        error = Error()
        if slow.shakedown_load(self.handle, os.fsencode(path), ctypes.byref(error)) != 0:
            raise failure(error)


_session: Optional[Session] = None


def session() -> Session:
    """Return the session of what is built in."""
    global _session
    if _session is None:
        _session = Session()
    return _session


def session_of(plugins: Sequence[Path]) -> Session:
    """Return a session of what is built in and what plug-ins offer."""
    if not plugins:
        return session()
    made = Session()
    for plugin in plugins:
        made.load(plugin)
    return made
