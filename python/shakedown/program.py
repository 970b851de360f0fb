"""The program `shakedown`, run with methods of this process."""

from __future__ import annotations

import fcntl
import io
import json
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

import pandas as pd

from . import worker
from ._library import Failure, complaint, find_program
from .certificate import Certificate
from .integrator import Integrator, add, source_of
from .model import Model, named, plugin_of
from .store import Store, read, typed

Methods = Sequence[Type[Integrator]]


class Ended(NamedTuple):
    status: int
    out: str
    err: str


class _Server:
    """Makes workers of copies of this process: each has the methods as they are now, wherever they
    were defined."""

    def __init__(self, methods: Methods, folder: str):
        self.methods = {method.name: method for method in methods}
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
        self.workers: Dict[int, int] = {}  # by the descriptor of whoever waits

    def load(self, session: Any, path: str) -> None:
        add(session, self.methods[pathlib.Path(path).stem])

    def accept(self) -> socket.socket:
        """A worker for the program that has called, which sends four pipes and a list of words."""
        peer, _ = self.line.accept()
        size, streams, _, _ = socket.recv_fds(peer, 4, 4)
        request = b""
        while len(request) < int.from_bytes(size, "little"):
            request += peer.recv(1 << 16)
        child = os.fork()
        if child == 0:
            status = 3
            try:
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
        """Takes the pipes as descriptors 0 to 3, and closes what is not a worker's."""
        streams = [fcntl.fcntl(stream, fcntl.F_DUPFD_CLOEXEC, 100) for stream in streams]
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.line.close()
        sys.stdout, sys.stderr = (io.TextIOWrapper(io.FileIO(number, "w", closefd=False),
                                                   write_through=True) for number in (1, 2))

    def release(self, peer: socket.socket) -> None:
        """Whoever called is gone, and so is the worker then."""
        child = self.workers.pop(peer.fileno())
        peer.close()
        try:
            os.kill(child, signal.SIGTERM)
        except ProcessLookupError:
            pass
        os.waitpid(child, 0)


def call(words: Sequence[str], methods: Methods = (), progress: bool = True) -> Ended:
    """Runs `shakedown` with words, and methods of this process beside those that it knows. Progress
    goes to standard error as it comes."""
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
    """Hears what the program prints, and serves it, until it ends."""
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


def _trouble(ended: Ended) -> Failure:
    lines = [line for line in ended.err.splitlines() if line.strip()]
    sentence = re.sub(r"^shakedown: ", "", lines[-1]) if lines else ""
    return complaint(sentence or "shakedown ended with status %d" % ended.status,
                     "bad-input" if ended.status == 2 else "stopped")


def certify(method: Union[str, Type[Integrator]], *, brief: bool = False, thorough: bool = False,
            problems: Sequence[Union[str, Type[Model]]] = (), seed: Optional[int] = None,
            jobs: Optional[int] = None, progress: bool = True) -> Certificate:
    """Puts every claim of a method to problems that can decide it; what is not claimed is measured
    all the same. A class, or the specification of a built-in method.

    `brief` takes less time and `thorough` more; `problems` are tried as well; `seed` is that of the
    problems which are drawn.
    """
    own = [] if isinstance(method, str) else [method]
    words = ["certify", method if isinstance(method, str) else method.name, "--format", "json"]
    words += ["--brief"] * brief + ["--thorough"] * thorough
    for problem in problems:
        specification, plugins = named(problem)
        words += ["--problem", specification, *_plugin_words(plugins)]
    words += ["--seed", str(seed)] if seed is not None else []
    words += ["--jobs", str(jobs)] if jobs is not None else []
    words += [] if progress else ["--quiet"]
    ended = call(words, own, progress)
    return certificate_of(ended)


def certificate_of(ended: Ended) -> Certificate:
    """From the rows that the program has printed."""
    rows = json.loads(ended.out) if ended.status in (0, 1, 3) and ended.out else []
    if not rows:
        raise _trouble(ended)
    frame = pd.DataFrame([{name: "" if value is None else str(value) for name, value in row.items()}
                          for row in rows])
    return Certificate(typed(frame, judged=False), ended.status)


def tried(method: Union[str, Type[Integrator]], budget: int, whole: bool) -> Ended:
    own = [] if isinstance(method, str) else [method]
    words = ["try", method if isinstance(method, str) else method.name, "--format", "json",
             "--budget", str(budget)]
    return call(words + ["--all"] * whole, own, False)


def try_out(method: Union[str, Type[Integrator]], *, budget: int = 10, whole: bool = False
            ) -> Certificate:
    """What a method is, and which of its claims fall, in at most `budget` seconds: `shakedown try`. It
    stops at the first claim that falls, unless `whole`. A class, or anything that `try` takes."""
    return certificate_of(tried(method, budget, whole))


def run(study: Union[str, Dict[str, Any]], methods: Methods = (), *,
        models: Sequence[Type[Model]] = (), store: Optional[str] = None, jobs: Optional[int] = None,
        progress: bool = True) -> Store:
    """Runs the cells of a study that its store does not have yet, and returns the store.

    A study is a file, the name of one that comes with Shakedown, or a dictionary of what such a file
    says (docs/reference/study-files.md). `methods` and `models` are known by their names in it. `store` is
    the file of results: by default NAME.db here.
    """
    with tempfile.TemporaryDirectory(prefix="shakedown-") as folder:
        if isinstance(study, dict):
            store = store or "%s.db" % study["study"]
            file = pathlib.Path(folder, "study.yaml")
            file.write_text(json.dumps(study), encoding="utf-8")
        else:
            store = store or pathlib.Path(study).stem + ".db"
            file = pathlib.Path(study)
        words = ["run", str(file), "--output", store, "--format", "csv"]
        words += _plugin_words([plugin_of(model) for model in models])
        words += ["--jobs", str(jobs)] if jobs is not None else []
        words += [] if progress else ["--quiet"]
        ended = call(words, methods, progress)
    if ended.status == 2:
        raise _trouble(ended)
    return read(store)


def diagnose(problem: Union[str, Type[Model]]) -> str:
    """What `shakedown diagnose` says of a problem: whether its derivatives are right, its start is
    consistent, its constraints are independent, and whether it is well posed. Raises `Failure` if
    it is not."""
    specification, plugins = named(problem)
    ended = call(["diagnose", specification, *_plugin_words(plugins)], progress=False)
    if ended.status != 0:
        raise Failure(ended.out + ended.err)
    return ended.out
