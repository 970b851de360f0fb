"""SHAKE whose corrections point along the new bonds, not along those before the step."""
import numpy as np
from shakedown import Engine


class ShakeNewBond(Engine):
    velocities = "half"
    order_q = order_p = 2
    presymplectic = keeps_constraint = True

    def step(self, x, v, h, system):
        D = np.zeros((len(system.bonds), len(x)))  # D x are the bonds
        D[range(len(D)), system.bonds[:, 0]] = 1
        D[range(len(D)), system.bonds[:, 1]] = -1
        w = 1 / system.masses[:, None]
        free = x + h * (v + h * w * system.forces(x))
        new, push = D @ free, np.zeros(len(D))
        for _ in range(100):
            moved = free - w * D.T @ (push[:, None] * new)  # right is D @ x
            new = D @ moved
            off = np.sum(new**2, 1) - system.lengths**2
            if np.all(np.abs(off) < 1e-14 * system.lengths**2):
                return moved, (moved - x) / h
            push = push + np.linalg.solve(2 * (D * w.T @ D.T) * (new @ new.T), off)
        return None
