"""`python3 -m shakedown …` runs `shakedown …`; with `worker`, it runs the worker of methods in Python."""

import os
import sys

from ._library import find_program
from .worker import serve

if sys.argv[1:2] == ["worker"]:
    sys.exit(serve(sys.argv[2:]))
os.environ.setdefault("SHAKEDOWN_PYTHON", sys.executable)
os.execv(find_program(), ["shakedown", *sys.argv[1:]])
