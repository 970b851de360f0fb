"""Codes of rigid bodies and joints: what they get, what is made of what they return, what is refused, and what
`try` says of right ones and wrong ones."""

import importlib
import pathlib
import sys

import numpy as np
import pytest
import shakedown

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "examples/python"))
Right = importlib.import_module("rigid_rattle").RigidRattle
PROBLEMS = ["random-mechanism(shape=pendulum,seed=3)", "random-mechanism(shape=four-bar,seed=3)",
            "random-mechanism(seed=4)", "random-mechanism(seed=7,bodies=5,loops=2)"]
BAR = """gravity: [0, 0, -2]
bodies:
  - {name: a, mass: 3, moments: [2, 3, 4], centre: [0.5, 0, 0], axes: {axis: [0, 0, 1], angle: 90deg},
     position: [1, 0, 0], velocity: [0, 0, 0], rate: [0, 0, 0.7]}
  - {name: b, mass: 2, moments: [1, 1.5, 2], position: [3, 1, 0], orientation: {axis: [1, 0, 0], angle: 90deg}}
joints:
  - {name: hinge, type: revolute, between: [ground, a], at: [1, 0, 0], axis: [0, 0, 1], stiffness: 5, damping: 0.25}
  - {name: ball, type: spherical, between: [a, b], at: [2, 0.5, 0]}
springs:
  - {between: [ground, b], stiffness: 7, length: 1, damping: 0.5}
"""


@pytest.fixture
def bar(tmp_path, monkeypatch):
    (tmp_path / "bar.yaml").write_text(BAR)
    monkeypatch.chdir(tmp_path)
    return shakedown.Problem('mechanism(file="bar.yaml")')


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_right_code_is_rattle(problem):
    mine, theirs = (shakedown.Run(problem, method, "0.01").advance(20) for method in (Right, "rattle"))
    assert np.abs(mine.q - theirs.q).max() < 1e-14 and np.abs(mine.p - theirs.p).max() < 1e-14
    assert 0 < np.abs(mine.lam - theirs.lam).max() < 0.01 * np.abs(theirs.lam).max()  # of first order


def test_what_a_code_gets(bar):
    system = shakedown.Mechanism(bar)
    q, p = bar.start()
    poses, velocities = system.motion(q, p / bar.mass)
    (x, R), (v, w) = poses, velocities
    assert system.masses.tolist() == [3, 2] and system.gravity.tolist() == [0, 0, -2]
    assert np.allclose(system.inertias[0], np.diag([3, 2, 4]), atol=1e-14)  # turned about z
    assert np.allclose(system.inertias[1], np.diag([1, 1.5, 2]), atol=1e-14)
    assert np.allclose(x, [[1.5, 0, 0], [3, 1, 0]], atol=1e-14)
    assert np.allclose(R[1], [[1, 0, 0], [0, 0, -1], [0, 1, 0]], atol=1e-14)
    assert np.allclose(v[0], np.cross(w[0], [0.5, 0, 0]), atol=1e-14) and w[0, 2] != 0
    hinge, ball = system.joints
    assert (hinge.type, hinge.bodies, hinge.stiffness, hinge.damping) == ("revolute", (-1, 0), 5, 0.25)
    assert np.allclose(hinge.places, [[1, 0, 0], [-0.5, 0, 0]]) and np.allclose(hinge.axes[1][:, 2], [0, 0, 1])
    assert ball.bodies == (0, 1) and (hinge.rows, ball.rows) == (slice(0, 5), slice(5, 8))
    assert np.allclose(ball.places, [[0.5, 0.5, 0], [-1, 0, 0.5]], atol=1e-14)
    assert np.allclose(system.constraints(poses), 0, atol=1e-14) and len(system.constraints(poses)) == 8
    link, = system.links
    assert (link.bodies, link.stiffness, link.rest, link.damping) == ((-1, 1), 7, 1, 0.5)

    # Forces, by hand: weights, the link with its damper from the origin to b, the damper of the hinge.
    along = x[1] / np.linalg.norm(x[1])
    pull = -7 * (np.linalg.norm(x[1]) - 1) - 0.5 * along @ v[1]
    force, torque = system.forces(poses, velocities)
    assert np.allclose(force, [[0, 0, -6], [0, 0, -4] + pull * along], atol=1e-13)
    assert np.allclose(torque, [[0, 0, -0.25 * w[0, 2]], [0, 0, 0]], atol=1e-13)
    local = np.einsum("nji,nj->ni", R, w)
    motion = system.masses @ np.sum(v * v, 1) / 2 + np.einsum("ni,nij,nj->", local, system.inertias, local) / 2
    potential = -system.masses @ (x @ system.gravity) + 3.5 * (np.linalg.norm(x[1]) - 1)**2
    assert abs(system.energy(poses, velocities) - motion - potential) < 1e-13


def test_motions_and_coordinates_are_inverse(bar):
    system = shakedown.Mechanism(bar)
    q, p = bar.start()
    motion = system.motion(q, p / bar.mass)
    assert np.allclose(system.coordinates(motion[0]), q, atol=1e-15)
    assert np.allclose(bar.mass * system.rates(*motion), p, atol=1e-14)
    J = system.jacobian(motion[0])
    assert np.allclose(np.einsum("kni,ni->k", J, np.hstack(motion[1])), 0, atol=1e-14)
    lam = bar.multiplier(q, p)
    assert np.allclose(system.multipliers(q, p, lam[-8:]), lam, atol=1e-12)  # those of the bodies are found
    # Newton and Euler: the reactions -J^T lambda keep the hinge's point at rest.
    (x, R), (v, w) = motion
    force, torque = (one - np.tensordot(lam[-8:], J[..., part], 1)
                     for one, part in zip(system.forces(*motion), (slice(0, 3), slice(3, 6))))
    inertia = R[0] @ system.inertias[0] @ R[0].T
    turning = np.linalg.solve(inertia, torque[0] - np.cross(w[0], inertia @ w[0]))
    arm = np.array([-0.5, 0, 0])
    assert np.allclose(force[0] / 3 + np.cross(turning, arm) + np.cross(w[0], np.cross(w[0], arm)), 0, atol=1e-12)


@pytest.mark.parametrize("problem,words", [
    ("pendulum", "not a mechanism"), ("transformed(random-mechanism)", "not a mechanism"),
    ("lagrange-top", "not a mechanism|general-hamiltonian")])
def test_other_problems_are_refused(problem, words):
    with pytest.raises(shakedown.Failure, match=words):
        shakedown.Run(problem, Right, "0.01")


@pytest.mark.parametrize("old,new,words", [
    ("moments: [1, 1.5, 2], position: [3, 1, 0]", "shape: {plate: [1, 2]}, position: [3, 0.5, 0]", "thin body"),
    ("position: [3, 1, 0]", "pivot: [0, 0, 0], position: [3, 1, 0]", "use a spherical joint"),
    ("stiffness: 5", "drive: {rate: 1}", "without drives, gears")])
def test_other_mechanisms_are_refused(tmp_path, monkeypatch, old, new, words):
    class Takes(Right):
        supports = ("forces", "rheonomic")
    (tmp_path / "bar.yaml").write_text(BAR.replace(old, new))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(shakedown.Refused, match=words):
        shakedown.Run('mechanism(file="bar.yaml")', Takes, "0.01")


@pytest.mark.parametrize("answer,kind,words", [
    (lambda *state: None, shakedown.NotConverged, "None"),
    (lambda *state: 1 / 0, shakedown.NotConverged, "ZeroDivisionError"),
    (lambda poses, velocities: poses, shakedown.Failure, "two arrays each"),
    (lambda poses, velocities: (velocities, poses), shakedown.Failure, r"shapes .*expected .*\(3, 3, 3\)"),
    (lambda *state: (*state, np.zeros(5)), shakedown.Failure, r"\(16,\) for the multipliers")])
def test_steps_that_fail(answer, kind, words):
    class Fails(shakedown.BodyEngine):
        refuses = (ZeroDivisionError,)

        def step(self, poses, velocities, h, system):
            return answer(poses, velocities)
    with pytest.raises(kind, match=words):
        shakedown.Run(PROBLEMS[1], Fails, "0.01").advance(1)


def test_steps_of_a_call_and_single_precision():
    class Twice(Right):
        steps = 2

        def step(self, poses, velocities, h, system):
            return super().step(*super().step(poses, velocities, h, system)[:2], h, system)

    class Floats(shakedown.BodyEngine):
        def step(self, poses, velocities, h, system):
            kinds = {one.dtype for one in (*poses, *velocities, *system.forces(poses, velocities),
                                           system.masses, system.jacobian(poses), system.constraints(poses))}
            assert kinds == {np.dtype(np.float32 if self.precision == "single" else float)}
            return (poses[0] + poses[0].dtype.type(h) * velocities[0], poses[1]), velocities

    class Single(Floats):
        precision = "single"
    right = shakedown.Run(PROBLEMS[1], Right, "0.01").advance(10)
    assert np.abs(shakedown.Run(PROBLEMS[1], Twice, "0.02").advance(5).q - right.q).max() < 1e-14
    double = shakedown.Run(PROBLEMS[1], Floats, "0.01").advance(10)
    single = shakedown.Run(PROBLEMS[1], Single, "0.01", precision="single").advance(10)
    assert 0 < np.abs(single.q - double.q).max() < 1e-5


# ---- what `try` says ----

def test_a_right_code_holds():
    found = shakedown.try_out(Right, budget=300)
    verdicts = found.claims.set_index("claim").verdict
    assert found.status == 0, found.reasons()
    for claim in ("order of q", "order of p", "order of lambda", "symplectic", "symmetric", "reversible",
                  "keeps constraint", "keeps hidden constraint", "backward steps", "stateless"):
        assert verdicts[claim] == "held", claim


def fallen(method):
    found = shakedown.try_out(method, budget=300)
    assert found.status == 1
    claims = found.claims
    return set(claims.claim[claims.verdict == "falsified"])


def test_a_forgotten_projection_of_velocities_falls():
    class Unprojected(Right):
        def step(self, poses, velocities, h, system):
            new, _, lam = super().step(poses, velocities, h, system)
            turn = poses[1].transpose(0, 2, 1) @ new[1]
            hat = (turn - turn.transpose(0, 2, 1)) / 2 / h
            w = np.einsum("nij,nj->ni", poses[1], np.stack([hat[:, 2, 1], hat[:, 0, 2], hat[:, 1, 0]], 1))
            return new, ((new[0] - poses[0]) / h, w), lam
    assert {"keeps hidden constraint", "local order of p"} <= fallen(Unprojected)


def test_an_inertia_in_the_wrong_axes_falls():
    class Wrong(Right):
        def prepare(self, system):  # those of the principal axes, taken for the body's axes
            system.inertias = np.array([np.diag(np.linalg.eigvalsh(one)) for one in system.inertias])
    fell = fallen(Wrong)
    assert "local order of p" in fell and "keeps hidden constraint" not in fell
