"""Leapfrog with velocities half a step before the positions, as codes of molecular dynamics have it;
the bonds are restored by Newton's method along those of the old positions (M-SHAKE).

Claims: positions are those of RATTLE, and means of two half-step velocities are of order two
(Hairer, Lubich & Wanner, GNI, VII.1); they are central differences, which are off the hidden
constraint by O(h^2).
"""
import numpy as np
from shakedown import Engine


class HalfStep(Engine):
    velocities = "half"
    order_q = order_p = 2
    presymplectic = keeps_constraint = keeps_momenta = energy_bounded = True
    symplectic = symmetric = keeps_hidden = False

    def prepare(self, system):
        self.incidence = np.zeros((len(system.bonds), len(system.masses)))
        rows = np.arange(len(system.bonds))
        self.incidence[rows, system.bonds[:, 0]] = 1
        self.incidence[rows, system.bonds[:, 1]] = -1
        self.w = 1 / system.masses[:, None]
        self.coupling = self.incidence * self.w.T @ self.incidence.T

    def step(self, x, v, h, system):
        D, old = self.incidence, self.incidence @ x
        new = x + h * (v + h * self.w * system.forces(x))
        before = np.inf
        for _ in range(50):
            bonds = D @ new
            off = np.sum(bonds**2, 1) - system.lengths**2
            push = np.linalg.solve(2 * self.coupling * (bonds @ old.T), off)[:, None] * old
            move = -self.w * (D.T @ push)
            new += move
            size = np.max(np.abs(move), initial=0) / np.max(np.abs(new))
            if size < 1e-13 and not size < before / 2:
                return new, (new - x) / h
            before = size
        return None
