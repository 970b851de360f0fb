"""Integrators in Python: what they compute, what is said of those that fail, what is kept."""

import os
import time

import numpy as np
import pytest
import shakedown
from my_rattle import MyRattle

STUDY = {"study": "study", "runs": [{"problems": ["sprung-pendulum"], "integrators": [],
         "steps": [0.1], "until": 1}]}


def study_of(*names, **more):
    return {"study": "study", "runs": [dict(STUDY["runs"][0], integrators=list(names), **more)]}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_steps_are_those_of_rattle():
    """One RATTLE is the other, to what solves to round-off leave in 40 steps of order one."""
    for problem in ("sprung-pendulum", "double-pendulum(angle1=0.7)", "chain(links=3)"):
        mine, theirs = (shakedown.Run(problem, method, "0.05").advance(40)
                        for method in (MyRattle, "rattle"))
        assert np.abs(mine.q - theirs.q).max() < 1e-13 and np.abs(mine.p - theirs.p).max() < 1e-13
        assert np.abs(mine.lam - theirs.lam).max() < 1e-9  # 2.5 eps/h²


@pytest.mark.parametrize("scale", [1.0, 1e12, 1e-12])
def test_newton_stops_at_round_off(scale):
    """Whatever the units of the residual; where there is no root it does not pass for one."""
    for start in (1.0, 1e3):
        root = shakedown.newton(lambda x: (scale * (x**2 - 2), scale * np.diag(2 * x)), np.array([start]))
        assert abs(root[0] - np.sqrt(2)) < 1e-15
    with pytest.raises(shakedown.NotConverged):
        shakedown.newton(lambda x: (scale * (x**2 + 1), scale * np.diag(2 * x)), np.array([0.7]))
    assert shakedown.newton(lambda x: (x, np.eye(0)), np.zeros(0)).shape == (0,)


def test_a_method_of_no_file():
    """A class that a function makes, with what it closes over, runs in a study's cells."""
    def euler(factor):
        class Euler(shakedown.Integrator):
            order_q = 0

            def step(self, q, p, t, h):
                return q, p - factor * h * self.problem.H_q(q)
        return Euler
    store = shakedown.run(study_of("euler"), [euler(0.0)], progress=False)
    assert list(store.cells.status) == ["ok"] * len(store.cells)
    numbers = store.numbers[store.numbers.integrator == "euler"].set_index("quantity").value
    # q never changes, and what is asked of it again is remembered.
    assert numbers["work-gradient"] == 1 and numbers["constraint-max"] < 1e-15


def test_what_is_claimed_in_vain():
    """A kick along x of third order leaves the order, and the hidden constraint at once."""
    class Kicked(MyRattle):
        def step(self, q, p, t, h):
            q1, p1, lam, mu = super().step(q, p, t, h)
            p1[0] += 1e-3 * h ** 3
            return q1, p1, lam, mu
    study = study_of("kicked", "my-rattle", steps={"largest": 0.1, "halvings": 3},
                     measures=["order", "constraint", "symplecticity"])
    found = shakedown.run(study, [Kicked, MyRattle], progress=False).findings
    verdicts = found.set_index(["integrator", "quantity"]).verdict
    assert verdicts["kicked", "order of q"] == "held"
    assert verdicts["kicked", "hidden max"] == "falsified"
    assert "falsified" not in set(verdicts["my-rattle"])


@pytest.mark.parametrize("raised,status,words", [
    (shakedown.NotConverged("round in circles"), "not-converged", "round in circles"),
    (shakedown.TrySmaller("too long"), "try-smaller", "too long"),
    (np.linalg.LinAlgError("Singular matrix"), "singular", "Singular matrix"),
    (ZeroDivisionError("a zero"), "stopped", "ZeroDivisionError: a zero")])
def test_failures_are_recorded(raised, status, words):
    class Fails(shakedown.Integrator):
        def step(self, q, p, t, h):
            if t > 0.45:
                raise raised
            return q, p
    store = shakedown.run(study_of("fails"), [Fails], progress=False)
    cell = store.cells[store.cells.integrator == "fails"].iloc[0]
    assert (cell.status, round(cell.reached, 6)) == (status, 0.5) and words in cell.reason
    with pytest.raises(shakedown.Failure, match=words):
        shakedown.Run("sprung-pendulum", Fails, "0.1").advance(10)


def test_refusals_and_wrong_shapes():
    class Choosy(MyRattle):
        name = "choosy"

        def __init__(self, problem):
            super().__init__(problem)
            raise shakedown.Refused("not this one")
    with pytest.raises(shakedown.Refused, match="not this one"):
        shakedown.Run("pendulum", Choosy, "0.1")

    class Short(shakedown.Integrator):
        def step(self, q, p, t, h):
            return q[:1], p
    with pytest.raises(shakedown.Failure, match="1"):
        shakedown.Run("spherical-pendulum", Short, "0.1").advance(1)


def test_a_step_may_do_as_it_likes_with_what_it_gets():
    class InPlace(shakedown.Integrator):
        def step(self, q, p, t, h):
            q += h * p
            return q, p
    run = shakedown.Run("sprung-pendulum", InPlace, "0.1")
    before = run.state
    after = run.advance(1)
    assert np.allclose(after.q, before.q + 0.1 * before.p, atol=1e-16)


def test_what_hangs_or_crashes_costs_its_cell(tmp_path):
    class Hangs(shakedown.Integrator):
        def step(self, q, p, t, h):
            while True:
                pass

    class Dies(shakedown.Integrator):
        def step(self, q, p, t, h):
            os.abort()
    began = time.monotonic()
    study = study_of("hangs", "dies", "rattle", limits={"seconds": 1})
    store = shakedown.run(study, [Hangs, Dies], progress=False)
    reasons = store.cells.set_index("integrator").reason
    assert "time" in reasons["hangs"] and "signal 6" in reasons["dies"]
    assert time.monotonic() - began < 60


def test_a_changed_class_is_another_method():
    """By its source, by what it closes over, by what it calls; the same class is the same."""
    def made(power, helper):
        class Kept(shakedown.Integrator):
            order_q = power

            def step(self, q, p, t, h):
                return helper(q), p
        return Kept
    source = shakedown.integrator.source_of
    first, second = (lambda q: q), (lambda q: -q)
    versions = {source(made(1, first)), source(made(2, first)), source(made(1, second))}
    assert len(versions) == 3 and source(made(1, first)) in versions


def test_ten_thousand_steps():
    """Evaluations are calls: one of them takes less than 30 additions of arrays, timed in the same process."""
    class Asks(shakedown.Integrator):
        def step(self, q, p, t, h):
            for _ in range(4):
                self.problem.g(q), self.problem.G(q)
            self.problem.H_q(q), self.problem.H_q(q)
            return q, p
    run = shakedown.Run("pendulum(angle=0.7)", Asks, "0.01")
    began = time.process_time()
    run.advance(10000)
    seconds = time.process_time() - began
    state = np.ones(2)
    began = time.process_time()
    for _ in range(100000):
        state + state
    additions = time.process_time() - began
    print("10,000 steps with ten evaluations each: %.2f s, %.1f additions" % (seconds, seconds / additions))
    assert seconds < 30 * additions


class Carried(shakedown.Integrator):
    """Velocity Verlet on the index-reduced equations, which carries the acceleration; of order 1, since forces
    of constraints depend on the momentum."""
    order_q = order_p = 1
    options = {"scale": 1.0, "counted": False, "word": "none"}
    memory = {"force": "n", "steps": 1}

    def force(self, q, p, t):
        f = self.problem
        return -f.H_q(q, p, t) - f.G(q).T @ f.multiplier(q, p, t)

    def begin(self, q, p, t, h):
        self.memory["force"] = self.force(q, p, t)

    def step(self, q, p, t, h):
        half = p + h / 2 * self.scale * self.memory["force"]
        q1 = q + h * half / self.problem.mass
        self.memory["force"] = self.force(q1, half, t + h)
        self.memory["steps"] += 1
        if self.word == "none":
            self.counts.append(float(self.memory["steps"][0]))
        return q1, half + h / 2 * self.memory["force"]

    def __init__(self, problem):
        super().__init__(problem)
        self.counts = seen
        seen_options.append((self.scale, self.counted, self.word))


seen, seen_options = [], []


def test_memory_goes_from_step_to_step():
    """As if the force were computed again from what it was computed from, to the bit."""
    seen.clear()
    run = shakedown.Run("pendulum(angle=0.7,rate=1.1)", Carried, 0.01)
    problem = shakedown.Problem("pendulum(angle=0.7,rate=1.1)")
    (q, p), mass = problem.start(), problem.mass

    def force(q, p):
        return -problem.H_q(q, p) - problem.G(q).T @ problem.multiplier(q, p)
    carried = force(q, p)
    for _ in range(20):
        half = p + 0.01 / 2 * carried
        q = q + 0.01 * half / mass
        carried = force(q, half)
        p = half + 0.01 / 2 * carried
    state = run.advance(20)
    assert (state.q == q).all() and (state.p == p).all() and seen == list(range(1, 21))


def test_options_of_a_class():
    """In studies, with defaults of three kinds; and what they are not."""
    found = shakedown.run({"study": "options", "runs": [{
        "problems": ["sprung-pendulum"], "steps": [0.1, 0.05], "until": 1, "measures": ["error"],
        "integrators": ["carried", "carried(scale=0.5)", "carried(scale=1,counted=yes,word=some)"]}]},
        methods=[Carried], progress=False)
    errors = found.errors[found.errors.block == "q"].groupby("integrator").error.max()
    assert errors["carried(scale=0.5)"] > 5 * errors["carried"]
    seen_options.clear()
    shakedown.Run("pendulum", Carried, 0.1)
    assert seen_options[-1] == (1.0, False, "none")
    with pytest.raises(shakedown.Failure, match="scal"):
        shakedown.run({"study": "o", "runs": [{"problems": ["pendulum"], "steps": [0.1], "until": 1,
                                               "integrators": ["carried(scal=1)"], "measures": ["error"]}]},
                      methods=[Carried], progress=False)


@pytest.mark.parametrize("wrong", [{"options": ["x"]}, {"options": {"problem": 1}}, {"options": {"x": [1]}},
                                   {"options": {"x": "two words"}}, {"options": {"x": "1"}},
                                   {"options": {"x": float("inf")}}, {"memory": {"x": "k"}},
                                   {"memory": {"x": 0}}])
def test_options_and_memory_that_cannot_be(wrong):
    with pytest.raises(TypeError):
        type("Wrong", (shakedown.Integrator,), wrong)


def test_whole_numbers_of_a_class():
    """A default that is one admits no other numbers."""
    class Counted(Carried):
        options = {**Carried.options, "stages": 3}
    found = shakedown.run(study_of("counted(stages=4)", "counted(stages=2.5)"), methods=[Counted], progress=False)
    reasons = found.cells.set_index("integrator").reason
    assert reasons["counted(stages=4)"] == ""
    assert "option stages is 2.5, expected a whole number" in reasons["counted(stages=2.5)"]


@pytest.mark.parametrize("word, value, says", [
    ("order_q", 2.5, "a whole number from 0 to 20"), ("order_q", True, "a whole number"), ("order_q", "2", "a whole"),
    ("symplectic", 1, "True or False"), ("keeps_constraint", -1e-6, "a level above 0")])
def test_claims_that_cannot_be(word, value, says):
    with pytest.raises(TypeError, match=says):
        type("Wrong", (shakedown.Integrator,), {word: value})


def test_claims_and_options_in_numbers_of_numpy():
    made = type("Right", (MyRattle,), {
        "order_q": np.float64(2), "symplectic": np.bool_(True), "keeps_constraint": np.float64(1e-6),
        "options": {"beta": np.int64(3)}, "memory": {"old": np.int64(2)}, "supports": "rheonomic"})
    assert (made.order_q, made.symplectic, made.options, made.supports) == (2, True, {"beta": 3}, ("rheonomic",))
    assert shakedown.Run("driven-pendulum", made, 0.1).advance().t == 0.1


def test_a_study_names_classes():
    """Methods and problems may be named by themselves, and numbers may be numpy's."""
    found = shakedown.run({"study": "study", "runs": [{
        "problems": [shakedown.Problem("sprung-pendulum", rate=np.float64(0.5))], "integrators": [MyRattle, "rattle"],
        "steps": np.array([0.1, 0.05]), "until": np.int64(1)}]}, progress=False)
    assert set(found.cells.integrator) >= {"my-rattle", "rattle"} and set(found.cells.status) == {"ok"}
    assert "sprung-pendulum(rate=0.5)" in set(found.cells.problem)


def test_memory_of_a_wrong_size():
    class Grows(Carried):
        def step(self, q, p, t, h):
            self.memory["force"] = np.zeros(7)
            return q, p
    with pytest.raises(shakedown.Failure, match="7 numbers, expected 2"):
        shakedown.Run("pendulum", Grows, 0.1).advance()


def test_a_class_with_memory_is_certified():
    """Its steps depend on their states alone, of which its memory is a part."""
    class Silent(Carried):
        options = {**Carried.options, "word": "some"}  # a list that grows would be found
    certificate = shakedown.try_out(Silent, budget=300)
    assert certificate.held, certificate.reasons()
