"""What the package offers: names, arrays, errors that Python's users expect, and the examples of docstrings."""

import doctest
import importlib

import numpy as np
import pytest
import shakedown
import shakedown._names
from shakedown import _library


def test_names():
    assert dir(shakedown) == sorted(shakedown._names.__all__)
    assert all(getattr(shakedown, name) for name in dir(shakedown))


@pytest.mark.parametrize("module", ["problem", "trajectory"])
def test_examples_of_docstrings(module):
    done = doctest.testmod(importlib.import_module("shakedown." + module))
    assert done.attempted > 0 and done.failed == 0


def test_solve_returns_arrays():
    """RATTLE has order 2: the error at the end falls fourfold with half the step."""
    errors = []
    for step in (0.02, 0.01):
        found = shakedown.solve("pendulum", "rattle", 2.3, step=np.float64(step), angle=0.7, rate=1.1)
        assert found.q.shape == found.p.shape == (len(found.t), 2) and found.mu.shape == (len(found.t), 1)
        exact = shakedown.Problem("pendulum", angle=0.7, rate=1.1).solution(2.3)[0]
        errors.append(np.abs(found.q[-1] - exact).max())
    assert 3.9 < errors[0] / errors[1] < 4.1


def test_solve_ends_where_it_is_told():
    found = shakedown.solve("pendulum", "rattle", 2.0, step=0.03, every=10, q=np.array([1.0, 0]), p=[0, 1])
    assert found.t[0] == 0 and found.t[-1] == pytest.approx(2.0, abs=1e-12) and len(found.t) == 8
    assert list(found.q[0]) == [1, 0] and list(found.p[0]) == [0, 1]


def test_methods_that_choose_their_steps():
    found = shakedown.solve("pendulum", "ida", 2.0, step=0.1, angle=0.7, rate=1.1)
    exact = shakedown.Problem("pendulum(angle=0.7,rate=1.1)").solution(2.0)[0]
    assert len(found.t) == 21 and np.abs(found.q[-1] - exact).max() < 1e-6


@pytest.mark.parametrize("call, kind, words", [
    (lambda: shakedown.Problem("pendulm"), KeyError, "did you mean pendulum?"),
    (lambda: shakedown.Problem("pendulum", angl=1), ValueError, "did you mean angle?"),
    (lambda: shakedown.Problem("pendulum", angle="x"), ValueError, "expected an angle"),
    (lambda: shakedown.Problem(5), TypeError, "a problem is a text"),
    (lambda: shakedown.Run("pendulum", "ratle", 0.1), KeyError, "did you mean rattle?"),
    (lambda: shakedown.Run("pendulum", 5, 0.1), TypeError, "an integrator is a text"),
    (lambda: shakedown.Run("pendulum", "rattle", "x"), ValueError, "not a number"),
    (lambda: shakedown.certify("ratle"), KeyError, "did you mean rattle?"),
    (lambda: shakedown.run("no-such-study"), KeyError, "there is no study"),
    (lambda: shakedown.solve("pendulum", "rattle", -1), ValueError, "above 0"),
])
def test_errors(call, kind, words):
    with pytest.raises(kind) as raised:
        call()
    assert words in str(raised.value)
    assert kind is TypeError or words == "above 0" or isinstance(raised.value, shakedown.Failure)


def test_a_failure_is_what_its_code_says():
    assert isinstance(_library.complaint("x", "not-converged"), shakedown.NotConverged)
    assert not isinstance(_library.complaint("x", "singular"), ValueError)
