"""What the package offers: names, arrays, errors that Python's users expect, and the examples of docstrings."""

import decimal
import doctest
import functools
import importlib
import inspect
import os
import pathlib
import re
import shutil
import types

import numpy as np
import pytest
import shakedown
import shakedown._names
from shakedown import _library


PENDULUM = shakedown.Run("pendulum", "rattle", "0.1")


def test_names():
    assert dir(shakedown) == sorted(shakedown._names.__all__)
    assert all(getattr(shakedown, name) for name in dir(shakedown))


MODULES = ["shakedown", *sorted({"shakedown." + one for one in {**shakedown.AUTHORS, **shakedown.READERS}.values()})]
PROPERTIES = (property, functools.cached_property)


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_docstrings(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = doctest.testmod(importlib.import_module(module), extraglobs={"np": np, "shakedown": shakedown})
    assert done.attempted > 0 and done.failed == 0


def documented():
    """What the package offers and what its classes define, by name."""
    for name in dir(shakedown):
        one = getattr(shakedown, name)
        yield name, one
        for member, value in vars(one).items() if inspect.isclass(one) else ():
            if not member.startswith("_") and isinstance(value, (types.FunctionType, classmethod, *PROPERTIES)):
                yield "%s.%s" % (name, member), value if isinstance(value, PROPERTIES) else getattr(one, member)


def sections_of(text):
    """The summary of a docstring in numpydoc style, and the names that each section lists."""
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-+\n", inspect.cleandoc(text), flags=re.MULTILINE)
    return parts[0].split("\n\n")[0].strip(), {
        title: [name.lstrip("*") for line in re.findall(r"^\S.*", body, re.MULTILINE)
                for name in line.partition(" : ")[0].split(", ")]
        for title, body in zip(parts[1::2], parts[2::2])}


@pytest.mark.parametrize("name, one", [pytest.param(*each, id=each[0]) for each in documented()])
def test_docstrings_have_what_signatures_have(name, one):
    """A summary in a line; parameters in their order, or the fields of a tuple; what is returned; and, of functions of
    the package itself, examples and errors."""
    summary, sections = sections_of(one.__doc__ or "")
    assert summary.endswith(".") and "\n" not in summary
    if isinstance(one, PROPERTIES):
        return
    fields = inspect.isclass(one) and issubclass(one, tuple)
    inherited = inspect.isclass(one) and not fields and "__init__" not in vars(one)
    expected = [] if inherited else [each for each in inspect.signature(one).parameters if each != "self"]
    assert sections.get("Attributes" if fields else "Parameters", []) == expected
    if inspect.isclass(one):
        own = {each for each in vars(one).get("__annotations__", {}) if not each.startswith("_")}
        assert own <= set(sections.get("Attributes", []))
        assert "Examples" in sections or issubclass(one, shakedown.Failure)
    else:
        assert {"Returns", "Yields"} & set(sections) or inspect.signature(one).return_annotation == "None"
        assert "." in name or "Examples" in sections and ("Raises" in sections or not expected)


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
    (lambda: shakedown.Problem(5), TypeError, "a problem must be a text"),
    (lambda: shakedown.Run("pendulum", "ratle", 0.1), KeyError, "did you mean rattle?"),
    (lambda: shakedown.Run("pendulum", 5, 0.1), TypeError, "an integrator must be a text"),
    (lambda: shakedown.Run("pendulum", "rattle", "x"), ValueError, "not a number"),
    (lambda: shakedown.Problem("pendulum", angle=[1, 2]), TypeError, "parameter angle: found [1, 2]"),
    (lambda: shakedown.Problem("pendulum", precision=3), ValueError, "there is no precision '3'"),
    (lambda: shakedown.Problem("pendulum").H([1], [0, 0]), ValueError, "q: found an array of shape (1,), expected 2"),
    (lambda: shakedown.Problem("pendulum").H([1, 0], None), ValueError, "p: found None, expected 2"),
    (lambda: shakedown.Problem("pendulum").H([1, 0], [1j, 0]), ValueError, "expected 2 real numbers"),
    (lambda: shakedown.Problem("pendulum").H_q([1, 0], t="0"), TypeError, "t: found '0', expected a number"),
    (lambda: shakedown.Problem("charged-pendulum").H_q([1, 0]), TypeError, "p is missing"),
    (lambda: shakedown.Problem("pendulum").Q([1, 0], [0, 0]), shakedown.Refused, "Q: "),
    (lambda: shakedown.Problem("pendulum").digits("h"), KeyError, "there is no question 'h'"),
    (lambda: shakedown.solve("pendulum", "rattle", -1), ValueError, "until: found -1, expected a time after"),
    (lambda: shakedown.solve("pendulum", "rattle", np.inf), ValueError, "until: found inf"),
    (lambda: shakedown.solve("pendulum", "rattle", None), TypeError, "until: found None, expected a number"),
    (lambda: shakedown.solve("pendulum", "rattle", 1, step=0), ValueError, "step: found 0"),
    (lambda: shakedown.solve("pendulum", "rattle", 1, every=2.5), TypeError, "every: found 2.5"),
    (lambda: shakedown.solve("pendulum", "rattle", 1, q=5), ValueError, "q has 1 numbers, the problem has 2"),
    (lambda: shakedown.solve("pendulum", "rattle", 1, q=[2, 0]), ValueError, "inconsistent: max|g| = 1.5"),
    (lambda: PENDULUM.advance(1.0), TypeError, "steps: found 1.0, expected a whole number"),
    (lambda: list(PENDULUM.trajectory(5, 0)), ValueError, "every: found 0"),
    (lambda: PENDULUM.place("x", [1, 0], [0, 0]), ValueError, "t: found 'x'"),
    (lambda: PENDULUM.place(0, [1], [0, 0]), ValueError, "q: found an array of shape (1,)"),
    (lambda: shakedown.Run("pendulum", shakedown.Integrator, 0.1), TypeError, "a subclass of Integrator"),
    (lambda: shakedown.certify("ratle"), KeyError, "did you mean rattle?"),
    (lambda: shakedown.certify(5), TypeError, "an integrator must be a text"),
    (lambda: shakedown.certify("rattle", brief=True, thorough=True), ValueError, "found brief and thorough"),
    (lambda: shakedown.certify("rattle", seed="x"), TypeError, "seed: found 'x'"),
    (lambda: shakedown.certify("rattle", problems="pendulm", progress=False), KeyError, "did you mean pendulum?"),
    (lambda: shakedown.try_out("rattle", budget=0), ValueError, "budget: found 0"),
    (lambda: shakedown.try_out(pathlib.Path("no.py")), ValueError, "no.py"),
    (lambda: shakedown.diagnose("pendulm"), KeyError, "did you mean pendulum?"),
    (lambda: shakedown.run("no-such-study"), KeyError, "there is no study"),
    (lambda: shakedown.run(5), TypeError, "a study must be a dictionary"),
    (lambda: shakedown.run({"runs": []}), ValueError, 'no key "study", its name; it contains runs'),
    (lambda: shakedown.run({"study": "x"}, store="x.db", progress=False), ValueError, 'the study: the key "runs"'),
    (lambda: shakedown.run({"study": "x"}, jobs=0), ValueError, "jobs: found 0"),
    (lambda: shakedown.run({"study": "x"}, methods=["rattle"]), TypeError, "expected subclasses of Integrator"),
    (lambda: shakedown.run({"study": {1}}, store="x.db"), TypeError, "a study can contain texts"),
])
def test_errors(call, kind, words):
    with pytest.raises(kind) as raised:
        call()
    assert words in str(raised.value)
    assert kind is TypeError or isinstance(raised.value, shakedown.Failure)


def test_numbers_of_every_kind():
    """Floats and integers of numpy, decimals, lists and tuples are the numbers that they stand for."""
    problem = shakedown.Problem("pendulum", angle=np.float32(0.5), rate=decimal.Decimal("0.25"))
    assert problem.start()[0] == pytest.approx([np.sin(0.5), -np.cos(0.5)], abs=1e-15)
    assert shakedown.Problem("chain", links=np.int64(3)).n == 6
    assert problem.H((1, 0), np.array([0, 2])) == problem.H([1.0, 0.0], (np.float32(0), 2)) == 2
    assert problem.digits("H", np.array([0.1, 0], np.float32), [0, 0]) == problem.digits("H", [0.1, 0], [0, 0])
    fine = shakedown.Problem("pendulum", precision="quad").digits("g", np.array([0.1, 0], np.float32))[0]
    assert abs(fine - (decimal.Decimal(float(np.float32(0.1)))**2 - 1) / 2) < decimal.Decimal("1e-17")
    ends = [shakedown.solve(problem, "rattle", until, step=step, every=np.int64(2)).q[-1] for until, step in (
        (1, 0.125), (np.int64(1), np.float32(0.125)), (np.float64(1), decimal.Decimal("0.125")))]
    assert (ends[0] == ends[1]).all() and (ends[0] == ends[2]).all()
    assert shakedown.Run(problem, "rattle", "0.1").advance(np.int64(2)).t == 0.2


def test_paths(tmp_path, monkeypatch):
    """Paths, and texts that are no names, are put in quotes; files of a study in a dictionary are those of the
    working folder."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(pathlib.Path(__file__).parents[2] / "data/dimer-and-point.yaml", tmp_path / 'a "b".yaml')
    assert shakedown.Problem("particles", file=pathlib.Path('a "b".yaml'), project=True).n == 9
    with pytest.raises(ValueError, match='option file is "/no.yaml"'):
        shakedown.Problem("particles", file="/no.yaml")
    found = shakedown.run({"study": "x", "runs": [{
        "problems": [shakedown.Problem("particles", file='a "b".yaml', project=True)], "integrators": ["rattle"],
        "steps": [0.1], "until": 0.1}]}, store=tmp_path / "x.db", progress=False)
    assert set(found.cells.status) == {"ok"} and sorted(os.listdir()) == ['a "b".yaml', "x.db"]


def test_a_problem_is_where_its_name_is():
    """With its parameters, and its precision unless another is given."""
    problem = shakedown.Problem("pendulum", angle=0.7, precision="quad")
    run = shakedown.Run(problem, "rattle", "0.1")
    assert run.problem.specification == "pendulum(angle=0.7)" and repr(run).startswith("Run('pendulum(angle=0.7)'")
    x = problem.digits("start")
    assert run.problem.digits("H", x[:2], x[2:]) == problem.digits("H", x[:2], x[2:])
    assert shakedown.solve(problem, "rattle", 1, rate=1).p[0] == pytest.approx([np.cos(0.7), np.sin(0.7)])


def test_newton_refuses_other_shapes():
    with pytest.raises(ValueError, match="of shapes \\(1,\\), \\(1,\\) and \\(1,\\)"):
        shakedown.newton(lambda x: (x**2 - 2, 2 * x), [1.0])
    assert shakedown.newton(lambda x: (x**2 - 2, np.diag(2 * x)), [1])[0] == pytest.approx(2**0.5, abs=1e-15)


def test_a_failure_is_what_its_code_says():
    assert isinstance(_library.complaint("x", "not-converged"), shakedown.NotConverged)
    assert not isinstance(_library.complaint("x", "singular"), ValueError)
