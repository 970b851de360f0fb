"""Suzuki's composition of five steps of RATTLE, of order four; one of them goes backwards.

Claims: GNI, II.4 and V.3: a symmetric composition of a symmetric, symplectic step is both.
"""
import numpy as np
from shakedown import Engine

OUTER = 1 / (4 - 4 ** (1 / 3))
PARTS = OUTER, OUTER, 1 - 4 * OUTER, OUTER, OUTER


class SuzukiRattle(Engine):
    order_q = order_p = 4
    symplectic = presymplectic = symmetric = True
    keeps_constraint = keeps_hidden = keeps_momenta = energy_bounded = True

    def prepare(self, system):
        first, second = system.bonds.T
        points = np.arange(len(system.masses))
        self.D = (points == first[:, None]) * 1.0 - (points == second[:, None])
        self.w = 1 / system.masses[:, None]
        self.coupling = self.D @ (self.w * self.D.T)

    def along(self, impulse, bonds):
        return self.w * (self.D.T @ (impulse[:, None] * bonds))

    def rattle(self, x, v, h, system):
        old, free = self.D @ x, v + h / 2 * self.w * system.forces(x)
        impulse, least, kept = np.zeros(len(old)), np.inf, None
        for _ in range(50):
            half = free - self.along(impulse, old)
            bonds = self.D @ (x + h * half)
            off = np.sum(bonds**2, 1) - system.lengths**2
            worst = np.max(np.abs(off) / system.lengths**2, initial=0)
            if not worst < least:
                break
            least, kept = worst, half
            impulse = impulse + np.linalg.solve(2 * h * self.coupling * (bonds @ old.T), off)
        span = np.max(np.abs(x)) / np.min(system.lengths)
        if kept is None or least > 1e-14 * len(old) * (1 + span):
            return None
        x = x + h * kept
        v, bonds = kept + h / 2 * self.w * system.forces(x), self.D @ x
        impulse = np.linalg.solve(self.coupling * (bonds @ bonds.T), np.sum(bonds * (self.D @ v), 1))
        return x, v - self.along(impulse, bonds)

    def step(self, x, v, h, system):
        for part in PARTS:
            moved = self.rattle(x, v, part * h, system)
            if moved is None:
                return None
            x, v = moved
        return x, v
