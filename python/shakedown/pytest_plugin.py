"""A pytest plug-in that tests the claims of methods.

    from shakedown.pytest_plugin import shakedown_check

    test_mine = shakedown_check(Mine, claims={"order_q": 2, "symplectic": True}, budget="30s")

makes a test for each claim. `shakedown_check` is also a fixture, which tests all claims as one test. With
`--shakedown-figures DIR`, the plug-in draws figures of the claims that failed.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pathlib
from typing import Any, Callable, Iterator, List, Mapping, Optional, Sequence, Union

import pytest

LINES = 15  # shown for a failure
WIDTH = 160


class Fell(AssertionError):
    """A claim failed. The message describes it in a few lines."""


class Check:
    """A method's claims, which are tested once for all points. Calling the object tests all of them."""

    def __init__(self, method: Any, claims: Union[Mapping[str, Any], Sequence[str], None] = None,
                 budget: str = "30s"):
        from .claims import claim
        from .integrator import claims_of
        if isinstance(claims, Mapping):
            stated = {claim(word): value for word, value in claims.items()}
            method = type(method.__name__, (method,), dict(stated, name=method.name,
                                                           __module__=method.__module__))
        asked = None if claims is None else [claim(word) for word in claims]
        self.method, self.seconds = method, int(budget.rstrip("s"))
        self.points = asked if asked is not None else [*claims_of(method)] + ["requirements"]
        self.found: Any = None

    def certificate(self, shared: Optional[pathlib.Path]) -> Any:
        """Returns what `try_out` finds. If processes share a folder, only one of them runs it."""
        from .integrator import source_of
        from .program import Ended, certificate_of, tried
        if self.found is None and shared is None:
            self.found = certificate_of(tried(self.method, self.seconds, True))
        elif self.found is None and shared:
            key = hashlib.sha256(source_of(self.method).encode()).hexdigest()[:24]
            with open(shared / ("shakedown-%s.json" % key), "a+", encoding="utf-8") as kept:
                fcntl.lockf(kept, fcntl.LOCK_EX)
                kept.seek(0)
                text = kept.read()
                if not text:
                    text = json.dumps(tried(self.method, self.seconds, True))
                    kept.write(text)
                self.found = certificate_of(Ended(*json.loads(text)))
        return self.found

    def test(self, point: str, shared: Optional[pathlib.Path] = None,
             figures: Optional[str] = None) -> None:
        """Raises `Fell` if a claim is not held, and skips the test if the claim is not decided."""
        from .certificate import BAD
        from .claims import named
        found = self.certificate(shared)
        rows = found.claims
        required = rows.stated == "required"
        rows = rows[required if point == "requirements" else
                    ~required & (rows.claim.map(named) == point)]
        bad = rows[rows.verdict.isin(BAD)]
        if len(bad):
            if figures:
                self.draw(figures, list(bad.claim))
            lines = ["%s: %s (claimed: %s) %s" % (self.method.name, one.claim, one.stated, one.verdict)
                     for one in bad.itertuples()]
            lines += [line for claim in bad.claim for line in found.reasons(claim)]
            lines += ["likely cause: " + cause for cause in found.causes]
            raise Fell("\n".join(line[:WIDTH] for line in lines[:LINES - 1]))
        if not (rows.verdict == "held").any():
            pytest.skip("%s: %s is not decided in %d s" % (self.method.name, point, self.seconds))

    def draw(self, figures: str, claims: List[str]) -> None:
        """Writes figures of the claims, and the records behind them, to a folder."""
        from .program import call
        os.makedirs(figures, exist_ok=True)
        store = os.path.join(figures, self.method.name + ".db")
        asked = [word for claim in claims for word in ("--claim", claim)]
        call(["certify", self.method.name, "--with", "try", *asked, "-o", store], [self.method], False)
        call(["plot", store, "-o", figures], progress=False)

    def __call__(self, figures: Optional[str] = None) -> None:
        fallen, skipped = [], 0
        for point in self.points:
            try:
                self.test(point, figures=figures)
            except Fell as fault:
                fallen += str(fault).split("\n")
            except pytest.skip.Exception:
                skipped += 1
        if fallen:
            raise Fell("\n".join(dict.fromkeys(fallen[:LINES - 1])))
        if skipped == len(self.points):
            pytest.skip("%s: nothing is decided in %d s" % (self.method.name, self.seconds))


class Point(pytest.Item):
    """One claim."""

    def __init__(self, *, check: Check, **words: Any):
        super().__init__(**words)
        self.check = check

    def runtest(self) -> None:
        shared = None
        if hasattr(self.config, "workerinput"):  # set by pytest-xdist
            temporary: Any = self.config
            shared = temporary._tmp_path_factory.getbasetemp().parent
        self.check.test(self.name, shared, self.config.getoption("shakedown_figures"))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        return str(excinfo.value) if excinfo.errisinstance(Fell) else super().repr_failure(excinfo)

    def reportinfo(self) -> Any:
        return self.path, None, "%s: %s" % (self.check.method.name, self.name)


class Points(pytest.Collector):
    """The claims of a check."""

    def __init__(self, *, check: Check, **words: Any):
        super().__init__(**words)
        self.check = check

    def collect(self) -> Iterator[Point]:
        for point in self.check.points:
            yield Point.from_parent(self, name=point, check=self.check)


def shakedown_check(method: Any, claims: Union[Mapping[str, Any], Sequence[str], None] = None,
                    budget: str = "30s") -> Check:
    """Returns the check of a method. It tests the method's own claims, those that `claims` names, or those that a
    mapping states. `budget` is the time for it, in seconds."""
    return Check(method, claims, budget)


@pytest.fixture(name="shakedown_check")
def _shakedown_check(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Tests the claims of a method. The arguments are those of the function `shakedown_check`."""
    def check(*arguments: Any, **words: Any) -> None:
        said = ""
        try:
            Check(*arguments, **words)(request.config.getoption("shakedown_figures"))
        except Fell as fault:
            said = str(fault)
        if said:
            pytest.fail(said, pytrace=False)
    return check


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("shakedown").addoption(
        "--shakedown-figures", metavar="DIR", default=None,
        help="write figures of the claims that failed to this folder (needs gnuplot)")


def pytest_pycollect_makeitem(collector: Any, name: str, obj: Any) -> Any:
    if isinstance(obj, Check) and name.startswith("test"):
        return Points.from_parent(collector, name=name, check=obj)
    return None
