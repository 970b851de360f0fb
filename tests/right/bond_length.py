"""RATTLE with constraints |r| - d in place of (r^2 - d^2)/2, whose multipliers are the tensions of
the rods, and are returned as such.

Claims: those of RATTLE, which does not depend on how a constraint is written. None about the
multipliers: they are d times those of the other form.
"""
import numpy as np
from shakedown import Engine


class BondLength(Engine):
    order_q = order_p = 2
    symplectic = symmetric = keeps_constraint = keeps_hidden = energy_bounded = True
    formulation_independent = True

    def gradient(self, x, bonds):
        """The lengths of the bonds, and d|r|/dx as an array (bonds, points, dimension)."""
        rods = x[bonds[:, 0]] - x[bonds[:, 1]]
        length = np.sqrt(np.sum(rods**2, 1))
        G = np.zeros((len(bonds),) + x.shape)
        rows = np.arange(len(bonds))
        G[rows, bonds[:, 0]] = rods / length[:, None]
        G[rows, bonds[:, 1]] = -rods / length[:, None]
        return length, G

    def step(self, x, v, h, system):
        w, bonds = 1 / system.masses[:, None], system.bonds
        free = v + h / 2 * w * system.forces(x)
        _, G = self.gradient(x, bonds)
        tension, best, kept = np.zeros(len(bonds)), np.inf, None
        for _ in range(60):
            half = free - h / 2 * w * np.tensordot(tension, G, 1)
            length, now = self.gradient(x + h * half, bonds)
            worst = np.max(np.abs(length - system.lengths) / system.lengths, initial=0)
            if not worst < best:
                break
            best, kept = worst, (half, now, tension)
            change = np.linalg.solve(h * h / 2 * np.tensordot(now * w, G, ((1, 2), (1, 2))),
                                     length - system.lengths)
            tension = tension + change
        scale = np.max(np.abs(x[bonds]), (1, 2)) / system.lengths
        if kept is None or best > 1e-14 * (1 + np.max(scale, initial=0)) * (1 + len(bonds)):
            return None
        half, now, tension = kept
        x = x + h * half
        v = half + h / 2 * w * system.forces(x)
        second = np.linalg.solve(np.tensordot(now * w, now, ((1, 2), (1, 2))),
                                 np.tensordot(now, v, ((1, 2), (0, 1))))
        return x, v - w * np.tensordot(second, now, 1), tension
