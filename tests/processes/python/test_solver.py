"""Constraint solvers in Python: what they get, what is made of what they return, what is refused."""

import importlib
import pathlib
import sys

import numpy as np
import pytest
import shakedown

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "examples/python"))
Sweep = importlib.import_module("sweep").SweepPy


def after(problem, method, steps=10):
    return shakedown.Run(problem, method, "0.001").advance(steps)


@pytest.mark.parametrize("problem", ["alkane", "chain(links=3,dimension=3)", "water(field=2)"])
def test_the_sweep_solves_as_newton(problem):
    mine, theirs = after(problem, Sweep), after(problem, "rattle")
    assert np.abs(mine.q - theirs.q).max() < 1e-12
    assert np.abs(mine.p - theirs.p).max() < 1e-9 * np.abs(theirs.p).max()


class Seen(Sweep):
    def solve(self, x, before, rods, tolerance, iterations):
        type(self).seen = (x.copy(), before.copy(), rods, tolerance, iterations)
        return super().solve(x, before, rods, tolerance, iterations)


def test_what_a_solver_gets():
    run = shakedown.Run("chain(links=3,start=zigzag)", Seen, "0.001")
    q = run.state.q.copy()
    run.advance(1)
    x, before, rods, tolerance, iterations = Seen.seen
    assert rods.dimension == 2 and x.shape == (4, 2) and np.array_equal(before, [*q.reshape(3, 2), [0, 0]])
    assert sorted(map(sorted, rods.bonds.tolist())) == [[0, 1], [0, 3], [1, 2]]
    assert np.isinf(rods.masses[3]) and 0 < tolerance < 1e-12 and iterations == 1000
    assert np.allclose(rods.g(before), 0, atol=1e-15)
    step = 1e-6
    for k in range(8):
        moved = x.copy().ravel()
        moved[k] += step
        slope = (rods.g(moved.reshape(4, 2)) - rods.g(x)) / step
        assert np.allclose(slope, rods.G(x)[:, k], atol=1e-5)


def test_positions_are_enough():
    class Placed(Sweep):
        def solve(self, *given):
            x, s, count = super().solve(*given)
            return x, 0 * s, count
    assert np.abs(after("alkane", Placed).q - after("alkane", "rattle").q).max() < 1e-12


@pytest.mark.parametrize("result,kind,words", [
    (None, shakedown.NotConverged, "did not reach"),
    (shakedown.Singular("100% flat"), shakedown.Singular, "100% flat"),
    (KeyError("x"), shakedown.Failure, "KeyError: 'x'"),
    ((0, 0, 1), shakedown.Failure, "the solver must return arrays of shapes"),
    ("count", shakedown.Failure, "the solver must take 0 to 1000 iterations; found 1001")])
def test_what_fails(result, kind, words):
    class Fails(Sweep):
        def solve(self, x, before, rods, tolerance, iterations):
            if isinstance(result, Exception):
                raise result
            return (x, np.zeros(len(rods.bonds)), iterations + 1) if result == "count" else result
    with pytest.raises(kind, match=words):
        after("alkane", Fails, 1)


def test_what_is_refused():
    class Free(Sweep):
        fixed_points = False
    after("alkane", Free, 1)
    for problem, words in (("chain(links=3)", "fixed points"), ("sprung-pendulum", "rods")):
        with pytest.raises(shakedown.Refused, match=words):
            after(problem, Free, 1)
    with pytest.raises(shakedown.Refused, match="double precision only"):
        shakedown.Run("alkane", Sweep, "0.001", precision="quad")
    class Newton(Sweep):
        pass
    with pytest.raises(shakedown.Failure, match="already a solver of this name"):
        after("alkane", Newton, 1)


def test_a_wrong_solver_falls(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    class Loose(Sweep):
        def solve(self, x, before, rods, tolerance, iterations):
            return super().solve(x, before, rods, max(tolerance, 1e-6), iterations)
    found = shakedown.try_out(Loose, budget=200)
    assert found.status == 1
    assert "keeps constraint" in set(found.table[found.table.verdict == "falsified"].claim)
