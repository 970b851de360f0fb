"""RATTLE without the second projection: velocities leave the bonds' tangents."""
import numpy as np
from shakedown import Engine


class RattleUnprojected(Engine):
    order_q = order_p = 2
    symplectic = symmetric = keeps_constraint = keeps_hidden = True

    def step(self, x, v, h, system):
        D = np.zeros((len(system.bonds), len(x)))  # D x are the bonds
        D[range(len(D)), system.bonds[:, 0]] = 1
        D[range(len(D)), system.bonds[:, 1]] = -1
        w = 1 / system.masses[:, None]
        coupling = D * w.T @ D.T
        old, impulse, best = D @ x, np.zeros(len(D)), np.inf
        free = v + h / 2 * w * system.forces(x)
        while True:
            half = free - w * D.T @ (impulse[:, None] * old)
            new = D @ (x + h * half)
            off = np.sum(new**2, 1) - system.lengths**2
            size = np.max(np.abs(off / system.lengths**2), initial=0)
            if not size < best:
                break
            best, kept = size, half
            impulse = impulse + np.linalg.solve(2 * h * coupling * (new @ old.T), off)
        if best > 1e-14 * len(D):
            return None
        x = x + h * kept
        return x, kept + h / 2 * w * system.forces(x)
