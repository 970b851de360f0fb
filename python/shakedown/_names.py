"""The names that the package offers. The module is loaded when one of them is first used, because `python3 -m
shakedown.molecules` must not need numpy or the library."""

from ._library import (BadInput, Failure, NoSuchName, NotConverged, Refused, Singular, TrySmaller, find_program,
                       version)
from .bodies import BodyEngine, Mechanism
from .certificate import Certificate
from .engine import Engine, System
from .integrator import Integrator, newton
from .model import Model
from .problem import Problem
from .program import certify, diagnose, run, try_out
from .solver import Rods, Solver
from .store import Store, read
from .trajectory import Run, Solution, integrators, problems, solve

__all__ = [
    "BadInput", "BodyEngine", "Certificate", "Engine", "Failure", "Integrator", "Mechanism", "Model", "NoSuchName",
    "NotConverged", "Problem", "Refused", "Rods", "Run", "Singular", "Solution", "Solver", "Store", "System",
    "TrySmaller", "certify", "diagnose", "find_program", "integrators", "newton", "problems", "read", "run", "solve",
    "try_out", "version",
]
__version__ = version()
