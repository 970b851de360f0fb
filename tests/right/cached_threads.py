"""RATTLE of a code that remembers the forces of the places where it has been, and solves the
constraints of each molecule in a thread of its own.

Claims: RATTLE's. What is remembered is looked up by all bits of the positions, so that no step depends
on the one before; threads write to different points.
"""
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from shakedown import Engine


class CachedThreads(Engine):
    order_q = order_p = 2
    symplectic = presymplectic = symmetric = True
    keeps_constraint = keeps_hidden = keeps_momenta = energy_bounded = True

    def prepare(self, system):
        self.remembered, self.pool, self.process = {}, None, None
        root = list(range(len(system.masses)))

        def find(i):
            while root[i] != i:
                i = root[i]
            return i

        for a, b in system.bonds:
            if np.isfinite(system.masses[b]):
                root[find(b)] = find(a)
        of = {}
        for k, (a, _) in enumerate(system.bonds):
            of.setdefault(find(a), []).append(k)
        self.molecules = [np.array(bonds) for bonds in of.values()]

    def forces(self, x):
        key = x.tobytes()
        if key not in self.remembered:
            if len(self.remembered) > 8:
                self.remembered.clear()
            self.remembered[key] = self.system.forces(x)
        return self.remembered[key]

    def each(self, work):
        """Does the work of each molecule, in threads if there are several."""
        if len(self.molecules) < 2:
            return [work(bonds) for bonds in self.molecules]
        if self.process != os.getpid():  # threads do not survive a fork
            self.pool, self.process = ThreadPoolExecutor(2), os.getpid()
        return list(self.pool.map(work, self.molecules))

    def step(self, x, v, h, system):
        w = 1 / system.masses[:, None]
        half = v + h / 2 * w * self.forces(x)
        new = x + h * half

        def positions(bonds):
            a, b = system.bonds[bonds].T
            D = (np.arange(len(x)) == a[:, None]) * 1.0 - (np.arange(len(x)) == b[:, None])
            used = np.flatnonzero(np.any(D != 0, 0) & np.isfinite(system.masses))
            coupling, old = D @ (w * D.T), x[a] - x[b]
            last = np.inf
            for _ in range(50):
                now = new[a] - new[b]
                off = (np.sum(now**2, 1) - system.lengths[bonds]**2) / 2
                move = (w * (D.T @ (np.linalg.solve(coupling * (now @ old.T), off)[:, None] * old)))[used]
                new[used] -= move
                half[used] -= move / h
                size = np.max(np.abs(move)) / np.max(np.abs(x))
                if size < 1e-13 and not size < last / 2:
                    return True
                last = size
            return False

        def velocities(bonds):
            a, b = system.bonds[bonds].T
            D = (np.arange(len(x)) == a[:, None]) * 1.0 - (np.arange(len(x)) == b[:, None])
            used = np.flatnonzero(np.any(D != 0, 0) & np.isfinite(system.masses))
            now = new[a] - new[b]
            rates = np.sum(now * (v[a] - v[b]), 1)
            push = np.linalg.solve(D @ (w * D.T) * (now @ now.T), rates)
            v[used] -= (w * (D.T @ (push[:, None] * now)))[used]

        if not all(self.each(positions)):
            return None
        v = half + h / 2 * w * self.forces(new)
        self.each(velocities)
        return new, v
