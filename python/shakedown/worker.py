"""The worker that runs the cells of methods in Python. `shakedown` starts it for plug-ins *.py.

    python3 -m shakedown worker --plugin FILE.py … [--allow-external] [--once] [--guard]

`shakedown` has set its descriptors 0 to 3.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from typing import Any, Callable, List, Optional

Loader = Callable[[Any, str], None]


def serve(words: List[str], load: Optional[Loader] = None) -> int:
    """Run the worker in this process, and return its exit status."""
    import argparse

    from . import _library as lib
    try:
        from .integrator import _report
    except ModuleNotFoundError as fault:
        sys.exit("%s has no module %s: install it, or set SHAKEDOWN_PYTHON to another interpreter"
                 % (sys.executable, fault.name))
    reader = argparse.ArgumentParser("shakedown.worker")
    reader.add_argument("--plugin", action="append", default=[])
    reader.add_argument("--allow-external", action="store_true")
    reader.add_argument("--once", action="store_true")
    reader.add_argument("--guard", action="store_true")
    given = reader.parse_args(words)
    session = lib.Session()

    def load_one(user: Any, path: bytes, error: Any) -> int:
        try:
            (load or load_file)(session, os.fsdecode(path))
            return 0
        except BaseException as fault:
            return _report(error, fault)

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(line_buffering=True)  # a cell can exit without flushing the streams
    plugins = (ctypes.c_char_p * len(given.plugin))(*map(os.fsencode, given.plugin))
    options = lib.WorkerOptions(
        ctypes.sizeof(lib.WorkerOptions), plugins, len(given.plugin), given.allow_external,
        given.once, given.guard, lib.LOAD(load_one), None)
    return int(lib.quick.shakedown_worker(session.handle, ctypes.byref(options)))


def load_file(session: Any, path: str) -> None:
    """Return the integrators, solvers and problems that a file defines."""
    import importlib.util

    from .integrator import add, methods_in
    from .model import models_in
    name = os.path.basename(path)[:-len(".py")].replace("-", "_")
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError("it cannot be read")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        found, models = methods_in(module), models_in(module)
    except SystemExit as end:
        if end.code:
            raise
        found, models = [], []  # the file is a program that has run to completion
    if not found and not models:
        raise ValueError("it defines no subclass of shakedown.Integrator with a method `step`, of Solver with "
                         "`solve`, or of Model; to name a program, give its command: 'python3 %s'"
                         % os.path.basename(path))
    for method in found:
        add(session, method)
    for model in models:
        with tempfile.TemporaryDirectory(prefix="shakedown-") as folder:
            session.load(model.build(folder))  # remains loaded after the file is removed
