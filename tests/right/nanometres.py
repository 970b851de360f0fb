"""RATTLE of a code that computes in ångströms, femtoseconds and kilocalories a mole, for callers that
have nanometres, picoseconds and atomic mass units.

Claims: RATTLE's. The conversions round, and change nothing else.
"""
import numpy as np
from shakedown import Engine

ANGSTROM, FEMTOSECOND, KCAL = 10.0, 1000.0, 1 / 4.184  # in a nm, a ps, a kJ
ACCELERATION = 4.184e-4  # of one kcal/mol/Å on one atomic mass unit, in Å/fs²


class Nanometres(Engine):
    order_q = order_p = 2
    symplectic = presymplectic = symmetric = True
    keeps_constraint = keeps_hidden = keeps_momenta = energy_bounded = True

    def acceleration(self, x, system):
        force = system.forces(x / ANGSTROM) * (KCAL / ANGSTROM)
        return ACCELERATION * force / system.masses[:, None]

    def step(self, x, v, h, system):
        x, v, h = x * ANGSTROM, v * (ANGSTROM / FEMTOSECOND), h * FEMTOSECOND
        length, w = system.lengths * ANGSTROM, 1 / system.masses[:, None]
        D = np.eye(len(x))[system.bonds[:, 0]] - np.eye(len(x))[system.bonds[:, 1]]
        coupling = D @ (w * D.T)
        old, half = D @ x, v + h / 2 * self.acceleration(x, system)
        move = h * half
        last = np.inf
        for _ in range(40):
            bonds = D @ (x + move)
            off = (np.einsum("kd,kd->k", bonds, bonds) - length**2) / 2
            push = w * (D.T @ (np.linalg.solve(coupling * (bonds @ old.T), off)[:, None] * old))
            move = move - push
            size = np.max(np.abs(push)) / np.max(np.abs(x))
            if size < 1e-12 and size >= last / 4:
                break
            last = size
        else:
            return None
        x, v = x + move, move / h
        bonds = D @ x
        v = v + h / 2 * self.acceleration(x, system)
        for _ in range(2):
            rates = np.einsum("kd,kd->k", bonds, D @ v)
            v = v - w * (D.T @ (np.linalg.solve(coupling * (bonds @ bonds.T), rates)[:, None] * bonds))
        return x / ANGSTROM, v * (FEMTOSECOND / ANGSTROM)
