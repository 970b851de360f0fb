"""The program `shakedown`, run with methods of this process."""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import numbers
import os
import pathlib
import re
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Type, Union

import numpy as np
import pandas as pd

from . import worker
from ._library import BadInput, Failure, Path, find_program, trouble, whole
from .certificate import Certificate
from .integrator import Claiming, add, method_name, source_of
from .model import Model, named
from .problem import Problem, ProblemLike
from .store import Store, read, typed

Methods = Sequence[Type[Claiming]]
Tryable = Union[Path, Type[Claiming]]


class Ended(NamedTuple):
    status: int
    out: str
    err: str


class _Server:
    """Creates workers by copying this process, so that each has the current methods, wherever they were defined."""

    def __init__(self, methods: Methods, folder: str):
        self.methods = {method_name(method): method for method in methods}
        if len(self.methods) < len(methods):
            raise ValueError("two methods have the same name")
        self.files = []
        for name, method in self.methods.items():
            file = pathlib.Path(folder, name + ".py")
            file.write_text(source_of(method), encoding="utf-8")
            self.files.append(str(file))
        self.place = os.path.join(folder, "server")
        self.line = socket.socket(socket.AF_UNIX)
        self.line.bind(self.place)
        self.line.listen()
        self.workers: Dict[int, int] = {}  # process numbers, by the descriptor of the program that waits

    def load(self, session: Any, path: str) -> None:
        add(session, self.methods[pathlib.Path(path).stem])

    def accept(self) -> socket.socket:
        """Start a worker for a program that has connected and sends four pipes and a list of words."""
        peer, _ = self.line.accept()
        size, streams, _, _ = socket.recv_fds(peer, 4, 4)
        request = b""
        while len(request) < int.from_bytes(size, "little"):
            request += peer.recv(1 << 16)
        child = os.fork()
        if child == 0:
            status = 3
            try:
                peer.detach()
                self._become(streams)
                os.environ["TMPDIR"], *words = json.loads(request)
                status = worker.serve(words, self.load)
            finally:
                os._exit(status)
        for stream in streams:
            os.close(stream)
        self.workers[peer.fileno()] = child
        return peer

    def _become(self, streams: List[int]) -> None:
        """Make the pipes descriptors 0 to 3, and close everything that a worker must not have."""
        streams = [fcntl.fcntl(stream, fcntl.F_DUPFD_CLOEXEC, 100) for stream in streams]
        self.line.close()  # before its descriptor is used for another file
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stdout, sys.stderr = (io.TextIOWrapper(io.FileIO(number, "w", closefd=False),
                                                   write_through=True) for number in (1, 2))

    def release(self, peer: socket.socket) -> None:
        """End the worker of a program that has disconnected."""
        child = self.workers.pop(peer.fileno())
        peer.close()
        try:
            os.kill(child, signal.SIGTERM)
        except ProcessLookupError:
            pass
        os.waitpid(child, 0)


def call(words: Sequence[str], methods: Methods = (), progress: bool = True) -> Ended:
    """Run `shakedown` with these arguments, and with methods of this process in addition to those that it knows.
    Progress is copied to standard error as it arrives."""
    with tempfile.TemporaryDirectory(prefix="shakedown-") as folder:
        server = _Server(methods, folder) if methods else None
        command = [find_program(), *words]
        variables = dict(os.environ, SHAKEDOWN_PYTHON=sys.executable)
        if server:
            for file in server.files:
                command += ["--plugin", file]
            variables.update(SHAKEDOWN_PYTHON_SERVER=server.place, PYTHONPATH=os.pathsep.join(
                [str(pathlib.Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")]))
        with subprocess.Popen(command, env=variables, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            try:
                out, err = _attend(child, server, progress)
            except BaseException:
                child.terminate()
                raise
            finally:
                if server:
                    server.line.close()
        return Ended(child.returncode, out, err)


def _attend(child: Any, server: Optional[_Server], progress: bool) -> List[str]:
    """Read what the program prints, and start workers for it, until it ends."""
    texts = {child.stdout: b"", child.stderr: b""}
    with selectors.DefaultSelector() as watch:
        for stream in texts:
            watch.register(stream, selectors.EVENT_READ)
        if server:
            watch.register(server.line, selectors.EVENT_READ)
        heard = len(texts)
        while heard or (server and server.workers):
            for key, _ in watch.select():
                one: Any = key.fileobj
                if server and one is server.line:
                    watch.register(server.accept(), selectors.EVENT_READ)
                elif server and isinstance(one, socket.socket):
                    watch.unregister(one)
                    server.release(one)
                else:
                    piece = os.read(one.fileno(), 1 << 16)
                    texts[one] += piece
                    if not piece:
                        watch.unregister(one)
                        heard -= 1
                    elif progress and one is child.stderr:
                        sys.stderr.write(piece.decode(errors="replace"))
                        sys.stderr.flush()
    child.wait()
    return [text.decode(errors="replace") for text in texts.values()]


def _plugin_words(plugins: Sequence[str]) -> List[str]:
    return [word for plugin in plugins for word in ("--plugin", plugin)]


def _several(one: Any) -> List[Any]:
    """Return a sequence as a list. A single text, class or problem becomes a list with one item."""
    return [one] if isinstance(one, (str, type, Problem)) else list(one)


def _numbers(**given: Any) -> List[str]:
    """Return options of the program whose values must be positive whole numbers."""
    return [word for name, value in given.items() if value is not None
            for word in ("--" + name, str(whole(name, value)))]


def certify(method: Union[str, Type[Claiming]], *, brief: bool = False, thorough: bool = False,
            problems: Union[ProblemLike, Sequence[ProblemLike]] = (), seed: Optional[int] = None,
            jobs: Optional[int] = None, progress: bool = True) -> Certificate:
    """Test every claim of a method on the problems that can decide it.

    This takes between a few seconds and a few minutes. Properties that a method does not claim are measured too.

    Parameters
    ----------
    method : str or subclass of Integrator or Solver
        "rattle", "spark(stages=3)", or a class of your own. A `Solver` is tested as the solver of RATTLE.
    brief, thorough : bool, optional
        Take less time or more time.
    problems : sequence of str, subclasses of Model and Problems, optional
        Additional problems to test on.
    seed : int, optional
        Seed of the random problems, at least 1.
    jobs : int, optional
        Number of processes.
    progress : bool, optional
        Print progress to standard error.

    Returns
    -------
    Certificate

    Raises
    ------
    KeyError, ValueError, TypeError
        If a name does not exist or a value is invalid.

    See Also
    --------
    try_out : Get a first answer within seconds.

    Examples
    --------
    >>> found = shakedown.certify("symplectic-euler-rattle", brief=True, seed=1, progress=False)
    >>> found.held
    True
    """
    if brief and thorough:
        raise BadInput("found brief and thorough, expected at most one of them")
    own = [] if isinstance(method, str) else [method]
    words = ["certify", method_name(method), "--format", "json"]
    words += ["--brief"] * brief + ["--thorough"] * thorough
    for problem in _several(problems):
        specification, plugins = named(problem)
        words += ["--problem", specification, *_plugin_words(plugins)]
    words += _numbers(seed=seed, jobs=jobs) + ["--quiet"] * (not progress)
    ended = call(words, own, progress)
    return certificate_of(ended)


def certificate_of(ended: Ended) -> Certificate:
    """Return the certificate for the rows that the program has printed."""
    rows = json.loads(ended.out) if ended.status in (0, 1, 3) and ended.out else []
    if not rows:
        raise trouble(ended.status, ended.err)
    frame = pd.DataFrame([{name: "" if value is None else str(value) for name, value in row.items()}
                          for row in rows])
    return Certificate(typed(frame, judged=False), ended.status)


def tried(method: Tryable, budget: int, whole: bool) -> Ended:
    if isinstance(method, os.PathLike):
        method = os.fspath(method)
    own = [] if isinstance(method, str) else [method]
    words = ["try", method_name(method), "--format", "json"]
    return call(words + _numbers(budget=budget) + ["--all"] * whole, own, False)


def try_out(method: Tryable, *, budget: int = 10, whole: bool = False
            ) -> Certificate:
    """Find out within seconds what a method is and whether one of its claims fails.

    Parameters
    ----------
    method : str, path, or subclass of Integrator
        "rattle", a class of your own, or anything that `shakedown try` accepts: a C, C++ or Python file, or a command
        in quotes.
    budget : int, optional
        The time in seconds, at least 1.
    whole : bool, optional
        Test all claims. By default, testing stops at the first claim that fails.

    Returns
    -------
    Certificate

    Raises
    ------
    KeyError, ValueError, TypeError
        If a name does not exist or a value is invalid.

    See Also
    --------
    certify : Test every claim on all problems that can decide it.

    Examples
    --------
    >>> class Drift(shakedown.Integrator):
    ...     keeps_constraint = True
    ...     def step(self, q, p, t, h):
    ...         p = p - h * self.problem.H_q(q, t=t)
    ...         return q + h * self.problem.H_p(q, p), p
    >>> found = shakedown.try_out(Drift, budget=5)
    >>> found.held
    False
    >>> any("keeps constraint" in reason for reason in found.reasons())
    True
    """
    return certificate_of(tried(method, budget, whole))


def run(study: Union[Path, Dict[str, Any]], methods: Union[Type[Claiming], Methods] = (), *,
        models: Union[Type[Model], Sequence[Type[Model]]] = (), store: Optional[Path] = None,
        jobs: Optional[int] = None,
        progress: bool = True) -> Store:
    """Run the cells of a study that its store does not contain yet.

    Parameters
    ----------
    study : str, path or dict
        A file, the name of a study that comes with Shakedown, or a dictionary with the contents of such a file
        (docs/reference/study-files.md). In a dictionary, you can use classes and `Problem` objects instead of their
        names.
    methods : subclasses of Integrator or Solver, optional
        Classes that the study names, such as "my-method" for MyMethod.
    models : subclasses of Model, optional
        Problems that the study names.
    store : str or path, optional
        The file for the results. By default, NAME.db in the working directory.
    jobs : int, optional
        Number of processes.
    progress : bool, optional
        Print progress to standard error.

    Returns
    -------
    Store

    Raises
    ------
    KeyError, ValueError, TypeError
        If a name does not exist or a value is invalid.

    Examples
    --------
    >>> store = shakedown.run({"study": "mine", "runs": [{
    ...     "problems": ["pendulum"], "integrators": ["rattle", "shake"], "steps": [0.1], "until": 1}]}, progress=False)
    >>> set(store.cells.status)
    {'ok'}
    """
    own, plugins = _several(methods), [named(model)[1] for model in _several(models)]
    for method in own:
        if isinstance(method, str):
            raise TypeError("methods: found %r, expected subclasses of Integrator or Solver" % method)

    def plain(value: Any) -> Any:
        """Convert values that json does not know: numpy numbers and arrays, problems, classes."""
        if isinstance(value, (np.generic, np.ndarray)):
            return value.tolist()
        if isinstance(value, (numbers.Number, os.PathLike)):
            return str(value)
        if isinstance(value, type) and issubclass(value, Claiming):
            own.extend([value] * (value not in own))
            return method_name(value)
        try:
            specification, needed = named(value)
        except TypeError:
            raise TypeError("a study can contain texts, numbers, lists, dictionaries, problems and integrators; "
                            "found %r"
                            % (value,)) from None
        plugins.append(needed)
        return specification

    with contextlib.ExitStack() as until_it_ends:
        if isinstance(study, dict):
            if "study" not in study:
                raise BadInput('the study has no key "study", its name; it contains %s' % (", ".join(study) or "no keys"))
            where: Path = store or "%s.db" % study["study"]
            text = json.dumps(study, default=plain)
            # Files that a study names are looked up in the study's folder.
            written = until_it_ends.enter_context(tempfile.NamedTemporaryFile(
                "w", prefix="shakedown-", suffix=".yaml", dir=os.curdir if "file=" in text else None))
            written.write(text)
            written.flush()
            file = pathlib.Path(written.name)
        elif isinstance(study, (str, os.PathLike)):
            where = store or pathlib.Path(study).stem + ".db"
            file = pathlib.Path(study)
        else:
            raise TypeError("a study must be a dictionary, a file or the name of a study; found %r" % (study,))
        words = ["run", str(file), "--output", os.fspath(where), "--format", "csv"]
        words += _plugin_words(sorted({one for each in plugins for one in each}))
        words += _numbers(jobs=jobs) + ["--quiet"] * (not progress)
        ended = call(words, own, progress)
    if ended.status == 2:
        raise trouble(2, re.sub(r"\S*/shakedown-\w+\.yaml(:\d+)*", "the study", ended.err))
    return read(where)


def diagnose(problem: ProblemLike) -> str:
    """Check a problem: derivatives, consistency of the start, rank of the constraints, and whether it is well posed.

    Parameters
    ----------
    problem : str, subclass of Model, or Problem
        The problem, as `Problem` takes it.

    Returns
    -------
    str
        What `shakedown diagnose` prints.

    Raises
    ------
    KeyError, ValueError, TypeError
        If the name does not exist or a value is invalid.
    Failure
        If the problem does not have the properties that it declares. The error contains the report.

    Examples
    --------
    >>> print(shakedown.diagnose("pendulum").split("\\n")[0])
    problem
    """
    specification, plugins = named(problem)
    ended = call(["diagnose", specification, *_plugin_words(plugins)], progress=False)
    if ended.status == 2:
        raise trouble(2, ended.err)
    if ended.status != 0:
        raise Failure(re.sub("^shakedown: ", "", ended.out + ended.err, flags=re.MULTILINE))
    return ended.out
