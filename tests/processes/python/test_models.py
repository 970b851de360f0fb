"""Problems in Python: the same as in C, right derivatives, both precisions, and what is wrong."""

import decimal

import numpy as np
import pytest
import shakedown
import sympy
from my_rattle import MyRattle


class Swing(shakedown.Model):
    """The planar pendulum, as pendulum(angle=…, rate=…) has it."""
    n = 2
    parameters = {"angle": "0.7", "rate": "1.1"}

    def H(self, q, p):
        return (p[0]**2 + p[1]**2) / 2 + q[1]

    def g(self, q):
        return [(q[0]**2 + q[1]**2 - 1) / 2]

    def start(self):
        c, s = sympy.cos(self.angle), sympy.sin(self.angle)
        return [s, -c], [self.rate * c, self.rate * s]


class Curved(shakedown.Model):
    """Of no known form: the mass depends on q, with every kind of function."""
    n = 2
    horizon = 2.3

    def H(self, q, p):
        return ((1 + q[1]**2) * p[0]**2 + p[1]**2) / 2 + sympy.exp(q[1] / 2) + 0.05 * q[0]**3 \
            + sympy.sqrt(1 + q[0]**2) + abs(2 + q[0])**sympy.Rational(3, 2) * sympy.pi / 7

    def g(self, q):
        return [q[1] - sympy.sin(q[0])]

    def start(self):
        half = sympy.Rational(1, 2)
        return [half, sympy.sin(half)], [1 / (1 + sympy.sin(half)**2), sympy.cos(half)]


def test_the_same_as_in_c():
    """To round-off, which of these sums of a few terms of order one is some epsilon."""
    mine, theirs = shakedown.Problem(Swing), shakedown.Problem("pendulum(angle=0.7,rate=1.1)")
    random = np.random.default_rng(5)
    assert np.allclose(mine.start(), theirs.start(), atol=1e-15, rtol=0)
    for _ in range(20):
        q, p, v = random.uniform(-1, 1, (3, 2))
        for ask in ("H", "H_q", "H_p", "hidden"):
            assert np.allclose(getattr(mine, ask)(q, p), getattr(theirs, ask)(q, p), atol=1e-15)
        assert np.allclose(mine.g(q), theirs.g(q), atol=1e-15)
        assert np.allclose(mine.G(q), theirs.G(q), atol=1e-15)
        assert np.allclose(mine.curvature(q, v), theirs.curvature(q, v), atol=1e-15)


class Driven(shakedown.Model):
    """driven-pendulum, where its weight and an air that moves with the pivot depend on time, too."""
    n = 2
    parameters = {"w": "2.3", "air": "0"}

    def pivot(self, t):
        size = 0.3 * sympy.sin(self.w * t)
        return size * sympy.sin(sympy.Rational(1, 2)), size * sympy.cos(sympy.Rational(1, 2))

    def H(self, q, p, t):
        return (p[0]**2 + p[1]**2) / 2 + q[1] * (1 + self.air * sympy.sin(t))

    def g(self, q, t):
        x, y = self.pivot(t)
        return [((q[0] - x)**2 + (q[1] - y)**2 - 1) / 2]

    def Q(self, q, p, t):
        return [-self.air * (a - sympy.diff(b, t)) for a, b in zip(p, self.pivot(t))]

    def start(self):
        c, s = sympy.cos(sympy.Rational("0.7")), sympy.sin(sympy.Rational("0.7"))
        x, y = (sympy.diff(one, T).subs(T, 0) for one in self.pivot(T))
        return [s, -c], [x + 1.1 * c, y + 1.1 * s]


T = sympy.Symbol("t", real=True)


class Sphere(shakedown.Model):
    """harmonic-sphere in two dimensions: constraints that depend on momenta."""
    n = 2

    def H(self, q, p):
        return sum(x * x for x in p) / 2 + q[0]**4 / 8

    def g(self, q, p):
        return [(sum(x * x for x in q + p) - 1) / 2]

    def start(self):
        return [sympy.Rational("0.8"), 0], [0, sympy.Rational("0.6")]


@pytest.mark.parametrize("model,derivatives", [
    (Curved, ("H_q", "H_p", "Hessian", "G", "curvature")),
    (Driven, ("H_q", "H_p", "G", "curvature")),
    (Sphere, ("H_q", "Hessian", "G", "curvature"))])
def test_derivatives_are_right(model, derivatives):
    said = shakedown.diagnose(model)
    for derivative in derivatives:
        assert any(line.split()[:2] == [derivative, "correct:"] for line in said.splitlines()), said


def test_time_forces_and_momenta():
    """As the problems that are built in have them."""
    random = np.random.default_rng(6)
    mine = shakedown.Problem("driven(air=0)", plugin=shakedown.model.plugin_of(Driven))
    theirs = shakedown.Problem("driven-pendulum")
    air = shakedown.Problem("driven(air=0.5)", plugin=shakedown.model.plugin_of(Driven))
    assert "rheonomic" in mine.features and np.allclose(mine.start(), theirs.start(), atol=1e-15)
    for t in random.uniform(0, 3, 5):
        q, p = random.uniform(-1, 1, (2, 2))
        for ask in ("g", "G", "g_t"):
            assert np.allclose(getattr(mine, ask)(q, t), getattr(theirs, ask)(q, t), atol=2e-15)
        assert np.allclose(mine.curvature(q, p, t), theirs.curvature(q, p, t), atol=4e-15)
        pivot = 0.3 * 2.3 * np.cos(2.3 * t) * np.array([np.sin(0.5), np.cos(0.5)])
        assert np.allclose(air.Q(q, p, t), 0.5 * (pivot - p), atol=1e-15)
        assert abs(air.H_q(q, p, t) - [0, 1 + 0.5 * np.sin(t)] + air.Q(q, p, t)).max() < 1e-15
    mine, theirs = shakedown.Problem(Sphere), shakedown.Problem("harmonic-sphere")
    for _ in range(5):
        q, p, w = random.uniform(-1, 1, (2,)), random.uniform(-1, 1, 2), random.uniform(-1, 1, 4)
        for mine_has, theirs_has in zip(mine.gradients(q, p), theirs.gradients(q, p)):
            assert np.allclose(mine_has, theirs_has[:, :2], atol=1e-15)
        assert np.allclose(mine.second(q, p, w), theirs.second(q, p, w), atol=1e-15)


def test_decimals_in_quad():
    """0.05 is a twentieth, to all digits."""
    with decimal.localcontext() as context:
        context.prec = 40
        fine = shakedown.Problem(Curved, "quad")
        value = fine.digits("H_q", ["2", "0"], ["0", "0"])[0]
        x, pi = decimal.Decimal(2), decimal.Decimal("3.14159265358979323846264338327950288419717")
        exact = 3 * x * x / 20 + x / (1 + x * x).sqrt() + decimal.Decimal(3) / 2 * (2 + x).sqrt() * pi / 7
        assert abs(value - exact) < decimal.Decimal("1e-32")


def test_mine_on_mine(tmp_path, monkeypatch):
    """A method in Python on a problem in Python, beside those that are built in."""
    monkeypatch.chdir(tmp_path)
    study = {"study": "mine", "runs": [{
        "problems": ["swing(rate=0.9)", "pendulum(angle=0.7,rate=0.9)"],
        "integrators": ["my-rattle", "rattle"], "steps": {"largest": 0.1, "halvings": 3},
        "until": 1, "measures": ["order"]}]}
    store = shakedown.run(study, [MyRattle], models=[Swing], progress=False)
    assert (store.cells.status == "ok").all()
    q = store.errors[(store.errors.block == "q") & (store.errors.step == 0.1)
                     & (store.errors.time == 1)]
    assert len(q) == 4 and np.ptp(q.error) < 1e-13
    state = shakedown.Run(Swing, MyRattle, "0.1").advance(3)
    assert abs(state.q @ state.q - 1) < 1e-14


def test_what_is_wrong():
    class Lost(Swing):
        def start(self):
            return [1, 1], [0, 0]

    class Strange(Swing):
        def H(self, q, p):
            return (p[0]**2 + p[1]**2) / 2 + sympy.besselj(0, q[0])
    with pytest.raises(shakedown.Failure):
        shakedown.diagnose(Lost)
    with pytest.raises(ValueError, match="cannot be expressed in C"):
        shakedown.Problem(Strange)


@pytest.mark.parametrize("numbers", [(0.5, 1, 0), (0.4, 2.0, 0), (0.4, 1, "0.25"), (0.4, 0.3, "0.1")])
def test_numbers_that_are_exact_in_binary(numbers):
    kinetic, gravity, rate = numbers

    class Halved(shakedown.Model):
        n = 2

        def H(self, q, p):
            return kinetic * (p[0]**2 + p[1]**2) + gravity * q[1]

        def g(self, q):
            return [(q[0]**2 + q[1]**2 - 1) / 2]

        def start(self):
            return [0, 1], [rate, 0]

    problem = shakedown.Problem(Halved)
    q, p = problem.start()
    assert problem.H(q, p) == pytest.approx(kinetic * float(rate)**2 + gravity, abs=1e-15)


@pytest.mark.parametrize("name", ["g", "H", "start", "int", "two words", "horizon"])
def test_parameters_that_cannot_be_named_so(name):
    class Clash(Swing):
        parameters = {"angle": "0.7", "rate": "1.1", name: 2}

    with pytest.raises(ValueError, match="the parameter '%s'" % name):
        Clash.source()


@pytest.mark.parametrize("wrong, kind, words", [
    ({"n": 2.0}, TypeError, "n, the number of coordinates: found 2.0"),
    ({"n": None}, TypeError, "found None, expected a whole number"),
    ({"parameters": ["angle"]}, TypeError, "expected a dictionary"),
    ({"horizon": -1}, ValueError, "horizon: found -1, expected a positive number"),
    ({"time_scale": "x"}, ValueError, "time_scale: found 'x'"),
    ({"H": lambda self, q, p: None}, TypeError, "H: found None, expected a sympy expression"),
    ({"H": lambda self, q, p: sympy.Symbol("x")}, ValueError, "H contains x"),
    ({"H": lambda self, x, p: x[0]}, TypeError, "has the arguments x, p, expected some of q, p, t"),
    ({"g": lambda self, q: q[0]}, TypeError, "expected a list of expressions"),
    ({"Q": lambda self, q, p: [q[0]]}, ValueError, "Q has 1 forces, expected 2"),
    ({"start": lambda self: ([1, 0, 0], [0])}, ValueError, r"\[3, 1\] numbers, expected twice 2"),
    ({"start": lambda self: [1, 0, 0, 0]}, TypeError, "start: found 1, expected a list")])
def test_what_cannot_be_a_problem(wrong, kind, words):
    with pytest.raises(kind, match=words):
        shakedown.Problem(type("Wrong", (Swing,), wrong))
