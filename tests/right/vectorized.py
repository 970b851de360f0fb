"""RATTLE for many molecules at once: those with the same bonds are solved together, as stacks of
matrices, whatever the masses and lengths of each.

Claims: RATTLE's (Andersen, J. Comput. Phys. 52 (1983) 24).
"""
import numpy as np
from shakedown import Engine


def molecules(count, bonds):
    """Points and bonds of each molecule; points that do not move connect nothing."""
    label = np.arange(count)
    for a, b in bonds:
        if b < count:
            label[label == label[b]] = label[a]
    for one in np.unique(label):
        yield np.flatnonzero(label == one), np.flatnonzero(label[bonds[:, 0]] == one)


class Stack:
    """Molecules of the same shape: points (k, a), bonds (k, m), incidence D (m, a)."""

    def __init__(self, D):
        self.D, self.points, self.bonds = D, [], []

    def finish(self, system):
        self.points, self.bonds = np.array(self.points), np.array(self.bonds)
        self.w = 1 / system.masses[self.points]
        self.length = system.lengths[self.bonds]
        self.coupling = np.einsum("ia,ka,ja->kij", self.D, self.w, self.D)

    def rods(self, x):
        return self.D @ x[self.points]

    def push(self, impulse, rods):
        return self.w[..., None] * (self.D.T @ (impulse[..., None] * rods))

    def solve(self, one, other, right):
        matrix = self.coupling * (one @ other.transpose(0, 2, 1))
        return np.linalg.solve(matrix, right[..., None])[..., 0]


class Vectorized(Engine):
    order_q = order_p = 2
    symplectic = presymplectic = symmetric = True
    keeps_constraint = keeps_hidden = keeps_momenta = energy_bounded = True

    def prepare(self, system):
        moving = int(np.sum(np.isfinite(system.masses)))
        stacks = {}
        for points, bonds in molecules(moving, system.bonds):
            if not len(bonds):
                continue
            points = np.union1d(points, system.bonds[bonds])
            ends = np.searchsorted(points, system.bonds[bonds])
            D = np.zeros((len(bonds), len(points)))
            D[np.arange(len(bonds)), ends[:, 0]] = 1
            D[np.arange(len(bonds)), ends[:, 1]] = -1
            stack = stacks.setdefault((D.shape, D.tobytes()), Stack(D))
            stack.points.append(points)
            stack.bonds.append(bonds)
        self.stacks = list(stacks.values())
        for stack in self.stacks:
            stack.finish(system)

    def step(self, x, v, h, system):
        w = 1 / system.masses[:, None]
        half = v + h / 2 * w * system.forces(x)
        new = x + h * half
        for stack in self.stacks:
            old, last = stack.rods(x), np.inf
            for _ in range(50):
                rods = stack.rods(new)
                off = (np.sum(rods**2, -1) - stack.length**2) / 2
                move = stack.push(stack.solve(rods, old, off), old)
                np.subtract.at(new, stack.points, move)
                np.subtract.at(half, stack.points, move / h)
                size = np.max(np.abs(move)) / np.max(np.abs(new))
                if size < 1e-13 and not size < last / 2:
                    break
                last = size
            else:
                return None
        v = half + h / 2 * w * system.forces(new)
        for stack in self.stacks:
            rods = stack.rods(new)
            rates = np.sum(rods * stack.rods(v), -1)
            np.subtract.at(v, stack.points, stack.push(stack.solve(rods, rods, rates), rods))
        return new, v
