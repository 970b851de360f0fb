"""Shakedown in Python: problems evaluated, integrators written, certified and compared.

    import shakedown

    found = shakedown.solve("pendulum", "rattle", 10.0, angle=0.7, rate=1.1)
    found.t, found.q, found.p, found.lam

    problem = shakedown.Problem("pendulum(angle=0.7,rate=1.1)")
    q, p = problem.start()
    problem.H(q, p)

An integrator is a class with a method `step` and its claims as attributes (`Integrator`);
`certify` puts the claims to the test. A problem of one's own is a class too (`Model`). `run` runs
studies, `read` gives results as tables of pandas.

Throughout, with n coordinates and m constraints in the units of the problem,

    q' = H_p      p' = -H_q + Q - G^T lambda      0 = g(q,t),     G = g_q
"""

import importlib.util
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from ._names import *  # noqa: F403


# Names for authors of methods and problems, which need no pandas.
AUTHORS = {"Engine": "engine", "System": "engine", "Integrator": "integrator", "newton": "integrator",
           "Model": "model", "Problem": "problem",
           **dict.fromkeys(["Run", "Solution", "integrators", "problems", "solve"], "trajectory"),
           **dict.fromkeys(["BadInput", "Failure", "NoSuchName", "NotConverged", "Refused", "Singular", "TrySmaller",
                            "find_program", "version"], "_library")}
# The others. A test compares all with those of _names.py.
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
