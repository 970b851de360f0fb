"""Codes of points and bonds: what they get, what is made of what they return, what is refused."""

import importlib
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import shakedown

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples/acceptance"
sys.path.insert(0, str(EXAMPLES))
Right = importlib.import_module("rattle_right").RattleRight
PROBLEMS = ["double-pendulum(angle1=0.7)", "chain(links=3,spring=2,start=zigzag)", "spherical-pendulum",
            "two-body-sphere", "neumann", "water(field=2)", "alkane",
            "random-system(seed=2,shape=clusters,dimension=3)",
            "random-system(length=1e-9,mass=1e-6,size=small)",
            "transformed(chain(links=3,spring=2,start=zigzag),length=20,time=0.5,seed=2)"]


def after(problem, method, step="0.0005", steps=10):
    return shakedown.Run(problem, method, step).advance(steps)


def test_authors_need_no_pandas():
    subprocess.run([sys.executable, "-c", "import sys; sys.modules['pandas'] = None\n"
                    "from shakedown import Engine, Integrator, Model, Problem, Refused, newton\n"
                    "Problem('pendulum').start()"], check=True)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_right_engine_is_rattle(problem):
    mine, theirs = after(problem, Right), after(problem, "rattle")
    size_q, size_p = np.abs(theirs.q).max(), np.abs(theirs.p).max()
    assert np.abs(mine.q - theirs.q).max() < 1e-13 * size_q
    assert np.abs(mine.p - theirs.p).max() < 1e-10 * size_p


@pytest.mark.parametrize("problem,words", [
    ("oval", "points and bonds"), ("charged-pendulum", "Hamiltonian"), ("driven-pendulum", "time"),
    ("lemniscate", "points and bonds"),
    ("random-system(size=medium,sways=yes,seed=3)", "depend on time")])
def test_other_problems_are_refused(problem, words):
    with pytest.raises(shakedown.Failure, match=words):
        shakedown.Run(problem, Right, "0.01")


class Seen(Right):
    def step(self, x, v, h, system):
        type(self).seen = (x.copy(), v.copy(), h, system)
        return super().step(x, v, h, system)


def test_what_an_engine_gets():
    run = shakedown.Run("double-pendulum(mass1=2,angle1=0.7)", Seen, "0.01")
    q = run.state.q.reshape(2, 2)
    run.advance(1)
    x, v, h, system = Seen.seen
    assert np.array_equal(x, [*q, [0, 0]]) and v.shape == (3, 2) and h == 0.01
    assert system.masses.tolist() == [2, 1, np.inf] and system.dimension == 2
    assert sorted(map(tuple, system.bonds.tolist())) == [(0, 1), (0, 2)]
    assert np.allclose(np.linalg.norm(x[system.bonds[:, 0]] - x[system.bonds[:, 1]], axis=1),
                       system.lengths, atol=1e-15)
    assert np.allclose(system.forces(x)[:, 1] / system.masses, [-1, -1, 0])

    class Fixed(Right):
        fixed_mass = None
    with pytest.raises(shakedown.Refused, match="fixed points"):
        shakedown.Run("double-pendulum", Fixed, "0.01")


def test_momenta_steps_and_single_precision():
    class Momenta(Right):
        velocities = "momenta"

        def step(self, x, p, h, system):
            m = np.where(np.isfinite(system.masses), system.masses, 1)[:, None]
            x, v = super().step(x, p / m, h, system)
            return x, m * v

    class Twice(Right):
        steps = 2

        def step(self, x, v, h, system):
            return super().step(*super().step(x, v, h, system), h, system)

    class Single(Seen):
        precision = "single"

        def step(self, x, v, h, system):
            found = super().step(x.astype(float), v.astype(float), h, system)
            assert {one.dtype for one in (x, v, system.masses, system.forces(x))} == {
                np.dtype(np.float32)}
            return found
    chain = PROBLEMS[1]
    right = after(chain, Right, "0.01")
    assert np.abs(after(chain, Momenta, "0.01").p - right.p).max() < 1e-13
    assert np.abs(after(chain, Twice, "0.02", 5).q - right.q).max() < 1e-14
    assert 0 < np.abs(after(chain, Single, "0.01").q - right.q).max() < 1e-5
    with pytest.raises(shakedown.Refused, match="single precision only"):
        shakedown.Run(chain, Single, "0.01", precision="double")


def test_single_precision_is_judged_by_its_round_off():
    """Claims of constraints hold; those of one map, and symplectic above all, have no power."""
    class Single(Right):
        precision = "single"

        def step(self, x, v, h, system):
            found = super().step(x.astype(float), v.astype(float), h, system)
            return [one.astype(np.float32) for one in found]
    found = shakedown.try_out(Single, budget=100, whole=True)
    claims = found.claims.set_index("claim").verdict
    assert found.status == 3 and not found.causes and set(found.table.precision) <= {"single", ""}
    assert claims["keeps constraint"] == claims["keeps hidden constraint"] == "held"
    assert claims["symplectic"] == "undecided" and "symplectic" not in found.remarks[1]


def test_multiples_of_multipliers_are_definitions():
    class Twice(Right):
        def step(self, x, v, h, system):
            y, u = super().step(x, v, h, system)
            D, w = np.zeros((len(system.bonds), len(x))), 1 / system.masses[:, None]
            D[range(len(D)), system.bonds[:, 0]] = 1
            D[range(len(D)), system.bonds[:, 1]] = -1
            old, pulled = D @ x, D @ (2 * (y - x - h * v) / h**2 - w * system.forces(x))
            A = (D * w.T @ D.T) * (old @ old.T)
            return y, u, -2 * np.linalg.solve(A, np.sum(old * pulled, 1))

    class Claims(Twice):
        order_lambda = 1
    found = shakedown.try_out(Twice, budget=100)
    assert "lambda: it tends to 2 times the reference, a definition" in found.remarks[0]
    assert found.status != 1
    found = shakedown.try_out(Claims, budget=100)
    assert any("order of lambda" in one and "2 times" in one for one in found.reasons())


def test_half_steps():
    """Leapfrog with SHAKE has RATTLE's positions; its momenta are the means of half-step ones."""
    class Leapfrog(Right):
        velocities = "half"
        order_p = 2
        symplectic = keeps_hidden = None

        def step(self, x, v, h, system):
            w = 1 / system.masses[:, None]
            y = Right.step(self, x, v + h / 2 * w * system.forces(x), h, system)[0]
            return y, (y - x) / h
    mine, right = after(PROBLEMS[1], Leapfrog, "0.01"), after(PROBLEMS[1], "rattle", "0.01")
    assert np.abs(mine.q - right.q).max() < 1e-13
    assert 1e-8 < np.abs(mine.p - right.p).max() < 1e-3
    with pytest.raises(TypeError, match="one step per call"):
        type("Both", (Leapfrog,), {"steps": 2})
    with pytest.raises(TypeError, match="momenta"):
        type("Wrong", (Leapfrog,), {"velocities": "halves"})


@pytest.mark.parametrize("answer,kind,words", [
    (lambda: None, shakedown.NotConverged, "None"),
    (lambda: 1 / 0, shakedown.NotConverged, "ZeroDivisionError"),
    (lambda: [][0], shakedown.Failure, "IndexError"),
    (lambda: (np.zeros(3), np.zeros(3)), shakedown.Failure, "shapes")])
def test_steps_that_fail(answer, kind, words):
    class Fails(shakedown.Engine):
        refuses = (ZeroDivisionError,)

        def step(self, x, v, h, system):
            return answer()
    with pytest.raises(kind, match=words):
        after("double-pendulum", Fails)


def test_multipliers_are_those_of_the_rows():
    """A row of g may have any factor: force = -multiplier (x_a - x_b) of ½(r² - l²)."""
    class Told(Right):
        def step(self, x, v, h, system):
            return (*super().step(x, v, h, system), np.full(len(system.bonds), 3.0))
    for problem in ("spherical-pendulum",
                    "transformed(chain(links=3,spring=2,start=zigzag),seed=2)"):
        run = shakedown.Run(problem, Told, "0.001")
        state = run.advance(1)
        push = run.problem.G(state.q).T @ state.lam
        x = np.abs(push).sum()
        a, b = run.problem.start()[0], run.problem.n
        assert x > 0 and b == len(a)
        system = shakedown.engine.System(run.problem, 3 if b == 3 else 2, np.inf, float)
        points = system.points(state.q, system.anchors)
        expected = np.zeros_like(points)
        for i, j in system.bonds:
            expected[i] += 3 * (points[i] - points[j])
            expected[j] -= 3 * (points[i] - points[j])
        assert np.allclose(push, expected.ravel()[:b])


def test_names_of_claims():
    from shakedown.claims import claim
    for words in ("order of q", "order-q", "order_q"):
        assert claim(words) == "order_q"
    assert claim("keeps hidden constraint") == "keeps_hidden"
    with pytest.raises(ValueError, match="did you mean symmetric"):
        claim("symetric")

    class Named(shakedown.Integrator):
        keeps_hidden_constraint = True
    assert Named.keeps_hidden is True
    with pytest.warns(UserWarning, match="did you mean symplectic"):
        type("Typo", (shakedown.Integrator,), {"symplektic": True})


def test_what_a_run_returns_says_whether_it_held(tmp_path):
    study = {"study": "held", "runs": [{"problems": ["sprung-pendulum"], "integrators": ["rattle"],
             "steps": {"largest": 0.1, "halvings": 3}, "until": 1, "measures": ["order"]}]}
    assert shakedown.run(study, store=str(tmp_path / "held.db"), progress=False).held

    class Drifts(shakedown.Integrator):
        keeps_constraint = True

        def step(self, q, p, t, h):
            return q + h * self.problem.H_p(q, p), p
    study["runs"][0].update(integrators=["drifts"], measures=["constraint"])
    store = shakedown.run(study, [Drifts], store=str(tmp_path / "falls.db"), progress=False)
    assert store.status == 1 and not store.held
