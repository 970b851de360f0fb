"""Shakedown in Python: problems evaluated, integrators written, certified and compared.

    import shakedown

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
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._names import *  # noqa: F403


# Names for authors of methods and problems, which need no pandas.
AUTHORS = {"Engine": "engine", "System": "engine", "Integrator": "integrator", "newton": "integrator",
           "Model": "model", "Problem": "problem", "Run": "trajectory",
           **dict.fromkeys(["Failure", "NotConverged", "Refused", "Singular", "TrySmaller"], "_library")}


def __getattr__(name: str) -> Any:
    if importlib.util.find_spec("%s.%s" % (__name__, name)):
        return importlib.import_module("%s.%s" % (__name__, name))
    return getattr(importlib.import_module("%s.%s" % (__name__, AUTHORS.get(name, "_names"))), name)
