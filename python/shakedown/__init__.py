"""Measure and verify integrators of constrained mechanical systems.

With n coordinates q, momenta p and m constraints g, in the units of the problem,

    q' = H_p      p' = -H_q + Q - G^T lambda      0 = g(q,t),     G = g_q

`solve` integrates a problem, and `Problem` evaluates one:

>>> import shakedown
>>> found = shakedown.solve("pendulum", "rattle", 10.0, step=0.01, angle=0.7, rate=1.1)
>>> problem = shakedown.Problem("pendulum", angle=0.7, rate=1.1)
>>> energy = [problem.H(q, p) for q, p in zip(found.q, found.p)]
>>> max(energy) - min(energy) < 1e-4
True

Write a method as a class, `Integrator` or `Engine`, a constraint solver as a `Solver`, and a problem as a `Model`.
`try_out` and `certify` test what a method claims. `run` runs a study, and `read` returns its results as pandas tables.
`problems()` and `integrators()` list what is built in.
"""

import importlib.util
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from ._names import *  # noqa: F403


# Names for authors of methods and problems, which do not need pandas.
AUTHORS = {**dict.fromkeys(["BodyEngine", "Mechanism"], "bodies"), **dict.fromkeys(["Engine", "System"], "engine"),
           **dict.fromkeys(["Integrator", "newton"], "integrator"), **dict.fromkeys(["Solver", "Rods"], "solver"),
           "Model": "model", "Problem": "problem",
           **dict.fromkeys(["Run", "Solution", "integrators", "problems", "solve"], "trajectory"),
           **dict.fromkeys(["BadInput", "Failure", "NoSuchName", "NotConverged", "Refused", "Singular", "TrySmaller",
                            "find_program", "version"], "_library")}
# All other names. A test compares both lists with _names.py.
READERS = {"Certificate": "certificate", **dict.fromkeys(["Store", "read"], "store"),
           **dict.fromkeys(["certify", "diagnose", "run", "try_out"], "program")}
__all__ = sorted([*AUTHORS, *READERS])


def __dir__() -> List[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if importlib.util.find_spec("%s.%s" % (__name__, name)):
        return importlib.import_module("%s.%s" % (__name__, name))
    module = AUTHORS.get(name) or READERS.get(name, "_names")
    return getattr(importlib.import_module("%s.%s" % (__name__, module)), name)
