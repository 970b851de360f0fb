"""Steps of codes, right and wrong, for tests/verdicts/causes.sh. The first line of a class's text is the
likely cause that it must have, from its beginning; "-" means none."""
import numpy as np
from shakedown import Engine, Integrator

TOLERANCE = 3e-15


class Right(Engine):
    """-"""
    order_q = order_p = 2
    symplectic = symmetric = keeps_constraint = keeps_hidden = True
    position_limit = velocity_limit = TOLERANCE
    most_position = most_velocity = 200
    kept = factor = share = 1.0
    rattles_first = reversed_rows = False
    relaxed = 1.0

    def weights(self, system):
        return 1 / system.masses[:, None]

    def rows(self, system):
        rows = list(zip(system.bonds, system.lengths))
        return rows[::-1] if self.reversed_rows else rows

    def arm(self, k, x, new, a, b):
        """The direction in which row k moves its ends."""
        return x[a] - x[b]

    def ends(self, w, a, b):
        """Inverse masses with which the ends move."""
        return w[a], w[b]

    def velocity_ends(self, w, a, b):
        return w[a], w[b]

    def positions(self, x, new, system, w):
        for _ in range(self.most_position):
            worst = 0.0
            for k, ((a, b), length) in enumerate(self.rows(system)):
                bond, arm, (wa, wb) = new[a] - new[b], self.arm(k, x, new, a, b), self.ends(w, a, b)
                off = (bond @ bond - length**2) / 2
                push = self.relaxed * off / ((wa + wb) * (bond @ arm)) * arm
                new[a] -= wa * push
                new[b] += wb * push
                worst = max(worst, abs(off) / length**2)
            if worst < self.position_limit:
                break
        return new

    def tangent(self, x, v, system, w, most, limit):
        for _ in range(most):
            worst = 0.0
            for (a, b), length in self.rows(system):
                bond, (wa, wb) = x[a] - x[b], self.velocity_ends(w, a, b)
                along = bond @ (v[a] - v[b]) / ((wa + wb) * length**2)
                v[a] -= wa * along * bond
                v[b] += wb * along * bond
                worst = max(worst, float(abs(along * (wa + wb)).max()))
            if worst < limit:
                break
        return v

    def force(self, x, system):
        return system.forces(x)

    def step(self, x, v, h, system):
        w = self.weights(system)
        v = v + h / 2 * w * self.force(x, system)
        if self.rattles_first:
            v = self.tangent(x, v, system, w, 200, TOLERANCE)
        free = x + h * v
        new = self.positions(x, free.copy(), system, w)
        v = v + self.feedback(new - free, h)
        v = v + h / 2 * w * self.force(new, system)
        done = self.tangent(new, v.copy(), system, w, self.most_velocity, self.velocity_limit)
        return new, v + self.share * (done - v)

    def feedback(self, moved, h):
        return self.factor * moved / h


class RightBackwards(Right):
    """-"""
    reversed_rows = True
    relaxed = 1.2


class RightWithRattleFirst(Right):
    """-"""
    rattles_first = True


class Tripled(Right):
    """the correction of the positions reaches the velocities with the factor 3:"""
    factor = 3.0


class OtherSign(Right):
    """the correction of the positions reaches the velocities with the factor -1:"""
    factor = -1.0


class Undivided(Right):
    """the correction of the positions adds 1 times w to the velocities, without"""

    def feedback(self, moved, h):
        return moved


class Minutes(Right):
    """the correction of the positions reaches the velocities with the factor 0.0167:"""
    factor = 1 / 60


class AlongNow(Right):
    """positions are corrected along the current bonds"""

    def arm(self, k, x, new, a, b):
        return new[a] - new[b]


class AlongNowRelaxed(AlongNow):
    """positions are corrected along the current bonds"""
    relaxed = 1.3
    reversed_rows = True


class AlongNowAfterRattle(AlongNow):
    """positions are corrected along the current bonds"""
    rattles_first = True


class Jacobi(Right):
    """positions are corrected along the current bonds"""

    def positions(self, x, new, system, w):
        for _ in range(200):
            moved, worst = np.zeros_like(new), 0.0
            for (a, b), length in self.rows(system):
                bond = new[a] - new[b]
                off = (bond @ bond - length**2) / 2
                push = off / ((w[a] + w[b]) * (bond @ bond)) * bond / 2
                moved[a] -= w[a] * push
                moved[b] += w[b] * push
                worst = max(worst, abs(off) / length**2)
            new = new + moved
            if worst < TOLERANCE:
                break
        return new


class AfterDrift(Right):
    """positions are corrected along the bonds after the drift"""
    rattles_first = True

    def positions(self, x, new, system, w):
        return super().positions(new.copy(), new, system, w)


class TwoSweeps(Right):
    """the solve for the velocities ends too early"""
    most_velocity = 2


class OneSweepBackwards(Right):
    """the solve for the velocities ends too early"""
    most_velocity = 1
    reversed_rows = True


class FourFifths(Right):
    """the correction of the velocities at the end of the step is applied with the factor 0.8"""
    share = 0.8


class Loose(Right):
    """the solve for the positions stops at a loose tolerance: relative constraint residuals of up to"""
    position_limit = 1e-5


class LooseVelocities(Right):
    """the solve for the velocities stops at a loose tolerance: up to"""
    velocity_limit = 1e-5


class LooseBackwards(Right):
    """the solve for the velocities stops at a loose tolerance: up to"""
    position_limit = velocity_limit = 1e-7
    reversed_rows = True


class MovesAnchors(Right):
    """points that should be fixed move while the constraints are solved, as if their mass were 5"""

    def weights(self, system):
        return 1 / np.where(np.isfinite(system.masses), system.masses, 5.0)[:, None]


class HeavyAnchors(Right):
    """points that should be fixed move while the constraints are solved, as if their mass were 2e+03"""
    fixed_mass = 2000.0


class LightAnchors(MovesAnchors):
    """points that should be fixed move while the constraints are solved, as if their mass were 0.25"""

    def weights(self, system):
        return 1 / np.where(np.isfinite(system.masses), system.masses, 0.25)[:, None]


class OneRow(Right):
    """the constraint solve ends as soon as one row is satisfied"""

    def positions(self, x, new, system, w):
        for (a, b), length in self.rows(system):
            for _ in range(9):
                bond, arm = new[a] - new[b], x[a] - x[b]
                push = (bond @ bond - length**2) / 2 / ((w[a] + w[b]) * (bond @ arm)) * arm
                new[a] -= w[a] * push
                new[b] += w[b] * push
        return new


class OneRowBackwards(OneRow):
    """the constraint solve ends as soon as one row is satisfied"""
    reversed_rows = True


class Exchanged(Right):
    """corrections of positions are divided by the mass of the other end"""

    def ends(self, w, a, b):
        return (w[a], w[b]) if w[a] == 0 or w[b] == 0 else (w[b], w[a])


class ExchangedEverywhere(Exchanged):
    """corrections of positions are divided by the mass of the other end"""

    def ends(self, w, a, b):
        return w[b], w[a]


class ExchangedVelocities(Right):
    """corrections of velocities are divided by the mass of the other end"""

    def velocity_ends(self, w, a, b):
        return (w[a], w[b]) if w[a] == 0 or w[b] == 0 else (w[b], w[a])


class Remembers(Right):
    """something is kept between steps"""

    def force(self, x, system):
        self.before, last = system.forces(x), getattr(self, "before", None)
        return self.before if last is None else 0.9 * self.before + 0.1 * last


class Counts(Right):
    """something is kept between steps"""
    calls = 0

    def feedback(self, moved, h):
        self.calls += 1
        return moved / h * (1 + 1e-6 * (self.calls % 7))


class Creeps(Right):
    """something is kept between steps"""

    def step(self, x, v, h, system):
        new, self.last = super().step(x, v + 1e-5 * getattr(self, "last", v), h, system)
        return new, self.last


class RungeKutta(Integrator):
    """-"""
    order_q = order_p = 4
    projected, curvature = True, 1.0

    def rates(self, q, v, t):
        w, G, e = 1 / self.problem.mass, self.problem.G(q), 1e-4
        turn = (self.problem.G(q + e * v) - self.problem.G(q - e * v)) @ v / (2 * e)
        force = -self.problem.H_q(q, t=t)
        lam = np.linalg.solve((G * w) @ G.T, G @ (w * force) + self.curvature * turn)
        return v, w * (force - G.T @ lam)

    def step(self, q, p, t, h):
        w, v = 1 / self.problem.mass, p / self.problem.mass
        k1 = self.rates(q, v, t)
        k2 = self.rates(q + h / 2 * k1[0], v + h / 2 * k1[1], t)
        k3 = self.rates(q + h / 2 * k2[0], v + h / 2 * k2[1], t)
        k4 = self.rates(q + h * k3[0], v + h * k3[1], t)
        q = q + h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        v = v + h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        for _ in range(8 if self.projected else 0):
            G = self.problem.G(q)
            q = q - w * (G.T @ np.linalg.solve((G * w) @ G.T, self.problem.g(q)))
        G = self.problem.G(q)
        if self.projected:
            v = v - w * (G.T @ np.linalg.solve((G * w) @ G.T, G @ v))
        return q, self.problem.mass * v


class NoProjection(RungeKutta):
    """the accelerations are right, but no projection returns the velocities"""
    keeps_constraint = keeps_hidden = True
    projected = False


class NoCurvature(RungeKutta):
    """the multiplier lacks the rate at which the constraint Jacobian changes"""
    keeps_constraint = keeps_hidden = True
    projected, curvature = False, 0.0


class EulerWithoutCurvature(NoCurvature):
    """the multiplier lacks the rate at which the constraint Jacobian changes"""
    order_q = order_p = 1

    def step(self, q, p, t, h):
        v, a = self.rates(q, p / self.problem.mass, t)
        v = v + h * a
        return q + h * v, self.problem.mass * v


class HeunWithoutCurvature(NoCurvature):
    """the multiplier lacks the rate at which the constraint Jacobian changes"""
    order_q = order_p = 2

    def step(self, q, p, t, h):
        v = p / self.problem.mass
        k1 = self.rates(q, v, t)
        k2 = self.rates(q + h * k1[0], v + h * k1[1], t)
        return q + h / 2 * (k1[0] + k2[0]), self.problem.mass * (v + h / 2 * (k1[1] + k2[1]))
