"""Shakedown in Python: problems evaluated, integrators written, certified and compared.

    import shakedown

    problem = shakedown.Problem("pendulum(angle=0.7,rate=1.1)")
    q, p = problem.start()
    problem.H(q, p)

An integrator is a class with a method `step` and its claims as attributes (`Integrator`);
`certify` puts the claims to the test. A problem of one's own is a class too (`Model`). `run` runs
studies, `read` gives results as tables of pandas; `references` reads an archive of references.

Throughout, with n coordinates and m constraints in the units of the problem,

    q' = H_p      p' = -H_q + Q - G^T lambda      0 = g(q,t),     G = g_q
"""

from ._library import Failure, NotConverged, Refused, Singular, TrySmaller, find_program, version
from .archive import references
from .integrator import Integrator, newton
from .model import Model
from .problem import Problem
from .program import Certificate, certify, diagnose, run
from .store import Store, read
from .trajectory import Run, integrators, problems

__all__ = [
    "Certificate", "Failure", "Integrator", "Model", "NotConverged", "Problem", "Refused", "Run",
    "Singular", "Store", "TrySmaller", "certify", "diagnose", "find_program", "integrators",
    "newton", "problems", "read", "references", "run", "version",
]
__version__ = version()
