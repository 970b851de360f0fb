"""Steps in single precision, whose velocities get impulses or are differences of positions. The text of a
class is its likely cause, from its beginning; "-" means none."""
import numpy as np
from causes import Right


class SingleRight(Right):
    """-"""
    precision = "single"
    position_limit = velocity_limit = 2e-6
    most_position = most_velocity = 60
    symplectic = symmetric = None
    differences = False
    sweeps = 1

    def impulses(self, x, new, system, w, v, h):
        """Moves the ends of the bonds, and adds w/h to their velocities."""
        for _ in range(self.most_position):
            worst = 0.0
            for (a, b), length in self.rows(system):
                bond, arm = new[a] - new[b], x[a] - x[b]
                off = (bond @ bond - length**2) / 2
                push = off / ((w[a] + w[b]) * (bond @ arm)) * arm
                new[a] -= w[a] * push
                new[b] += w[b] * push
                v[a] -= w[a] * (push / h)
                v[b] += w[b] * (push / h)
                worst = max(worst, abs(off) / length**2)
            if worst < self.position_limit:
                return new, v
        return new, v

    def moved(self, x, start, new, v, h):
        """Velocities of the moved positions."""
        return v

    def step(self, x, v, h, system):
        w, h = self.weights(system), np.float32(h)
        v = v + h / 2 * w * system.forces(x)
        start = x + h * v
        new, v = self.impulses(x, start.copy(), system, w, v, h)
        v = self.moved(x, start, new, v, h) + h / 2 * w * system.forces(new)
        return new, self.tangent(new, v, system, w, self.most_velocity, self.velocity_limit)


class SingleDifferences(SingleRight):
    """velocities are differences of positions"""

    def moved(self, x, start, new, v, h):
        return (new - x) / h


class SingleDifferencesInverse(SingleRight):
    """velocities are differences of positions"""

    def moved(self, x, start, new, v, h):
        return (new - x) * (1 / h)


class SingleOneSidedDifferences(SingleRight):
    """velocities are differences of positions"""

    def moved(self, x, start, new, v, h):
        return new / h - x / h
