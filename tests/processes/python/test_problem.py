"""Problems from Python: shapes, derivatives, digits, refusals."""

import decimal

import numpy as np
import pytest
import shakedown

NAMES = [name for name in shakedown.problems() if name not in ("particles", "mechanism", "program")]


@pytest.mark.parametrize("name", NAMES)
def test_shapes_and_derivatives(name):
    """Answers have their shapes, and gradients are those of what they are gradients of: central
    differences of H at h = 1e-6 of the size leave the third derivative times h², and round-off over h."""
    problem = shakedown.Problem(name)
    if "general-dae" in problem.features:
        with pytest.raises(shakedown.Refused):
            problem.H(*problem.start())
        return
    q, p = problem.start()
    n, m, h = problem.n, problem.m, 1e-6 * max(1.0, np.abs(problem.start()[0]).max())
    direction = np.random.default_rng(3).standard_normal(n)
    assert problem.H_q(q, p).shape == problem.H_p(q, p).shape == q.shape == (n,)
    plus, minus = problem.H(q, p + h * direction), problem.H(q, p - h * direction)
    scale = max(abs(plus), np.abs(problem.H_p(q, p)).max(), 1.0)
    assert abs((plus - minus) / (2 * h) - problem.H_p(q, p) @ direction) < 1e-4 * scale * n
    if "momentum-constraint" in problem.features:
        g_q, g_p = problem.gradients(q, p)
        assert g_q.shape == g_p.shape == (m, n) and problem.g_qp(q, p).shape == (m,)
        with pytest.raises(shakedown.Refused):
            problem.g(q)
        return
    G = problem.G(q)
    assert G.shape == (m, n) and problem.g(q).shape == problem.curvature(q, q).shape == (m,)
    along = (problem.g(q + h * direction) - problem.g(q - h * direction)) / (2 * h)
    assert np.allclose(along, G @ direction, rtol=1e-4, atol=1e-4 * max(1.0, np.abs(G).max(initial=0.0)))


def test_digits_are_of_the_initial_time():
    """As the other functions; the solution of this problem begins at its start at time 1."""
    problem = shakedown.Problem("arevalo")
    assert problem.initial_time == 1 and problem.digits("exact")[:4] == pytest.approx(problem.digits("start"), abs=1e-15)
    assert problem.digits("exact", t=0)[:4] != pytest.approx(problem.digits("start"), abs=0.1)


def test_quad_has_all_digits():
    """The multiplier of a pendulum is |p|² - y, at unit mass, length and weight."""
    with decimal.localcontext() as context:
        context.prec = 40
        fine = shakedown.Problem("pendulum(angle=0.7,rate=1.1)", "quad")
        x = fine.digits("start")
        lam = fine.digits("lambda", x[:2], x[2:])[0]
        assert abs(lam - (x[2] ** 2 + x[3] ** 2 - x[1])) < decimal.Decimal("1e-32")
        assert abs(decimal.Decimal(fine.multiplier(*fine.start())[0]) - lam) < decimal.Decimal("1e-15")


def test_exact_solution():
    problem = next(p for p in map(shakedown.Problem, NAMES) if p.exact)
    q, p, lam = problem.solution(problem.initial_time)
    start = problem.start()
    assert np.allclose(q, start[0], atol=1e-13) and np.allclose(p, start[1], atol=1e-13)
    assert np.allclose(lam, problem.multiplier(q, p), atol=1e-12)


def test_what_is_refused():
    with pytest.raises(shakedown.Failure, match="no problem named 'pendulun'"):
        shakedown.Problem("pendulun")
    problem = shakedown.Problem("pendulum")
    with pytest.raises(shakedown.Refused):
        problem.hessian(*problem.start())
    with pytest.raises(ValueError):
        problem.g(np.zeros(3))
    with pytest.raises(ValueError, match="no question"):
        problem.digits("energy")


def test_answers_are_fresh():
    """An answer is not overwritten by the next."""
    problem = shakedown.Problem("pendulum(angle=0.7)")
    q, p = problem.start()
    first = problem.G(q)
    problem.G(-q)
    assert (first == problem.G(q)).all()
