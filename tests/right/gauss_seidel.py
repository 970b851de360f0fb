"""Velocity Verlet with the sweeps of SHAKE and RATTLE, one bond after the other, until no bond is off
by more than a few roundings of its ends' places.

Claims: RATTLE's (Andersen, J. Comput. Phys. 52 (1983) 24), since the solves end at round-off.
"""
import numpy as np
from shakedown import Engine

EPSILON = np.finfo(float).eps


class GaussSeidel(Engine):
    order_q = order_p = 2
    symplectic = presymplectic = symmetric = True
    keeps_constraint = keeps_hidden = keeps_momenta = energy_bounded = True

    def sweeps(self, moved, direction, residual, weights, tolerance):
        """Moves the ends of bonds along `direction` until no residual is above its tolerance."""
        for _ in range(10000):
            settled = True
            for k, (a, b) in enumerate(self.system.bonds):
                off, slope = residual(k, moved[a] - moved[b])
                if abs(off) > tolerance[k]:
                    settled = False
                    push = off / ((weights[a] + weights[b]) * slope) * direction[k]
                    moved[a] -= weights[a] * push
                    moved[b] += weights[b] * push
            if settled:
                return True
        return False

    def step(self, x, v, h, system):
        a, b = system.bonds.T
        w, squares = 1 / system.masses, system.lengths**2
        half = v + h / 2 * w[:, None] * system.forces(x)
        old, new = x[a] - x[b], x + h * half
        reach = system.lengths + np.max(np.abs(x[a]) + np.abs(x[b]), 1)
        found = self.sweeps(new, old, lambda k, r: (r @ r - squares[k], 2 * (r @ old[k])), w,
                            8 * EPSILON * system.lengths * reach)
        if not found:
            return None
        v = (new - x) / h + h / 2 * w[:, None] * system.forces(new)
        bonds = new[a] - new[b]
        speed = system.lengths * np.max(np.abs(v[a]) + np.abs(v[b]), 1)
        found = self.sweeps(v, bonds, lambda k, u: (u @ bonds[k], bonds[k] @ bonds[k]), w,
                            16 * EPSILON * speed)
        return (new, v) if found else None
