"""SHAKE's sweep over the bonds as a constraint solver in Python. Each bond in turn is corrected along its old
direction, until all lengths are correct (Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23 (1977) 327).

    shakedown try sweep.py
"""

import numpy as np
import shakedown


class SweepPy(shakedown.Solver):
    newtons_multipliers = True
    order_solve = 1
    keeps_constraint = keeps_momenta = symmetric = symplectic = True

    def solve(self, x, before, rods, tolerance, iterations):
        w, s = 1 / rods.masses, np.zeros(len(rods.bonds))
        old = rods.vectors(before)
        for sweep in range(1, iterations + 1):
            worst = 0
            for i, (a, b) in enumerate(rods.bonds):
                now = x[b] - x[a]
                g = (now @ now - rods.lengths[i]**2) / 2
                push = g / ((w[a] + w[b]) * (now @ old[i]))
                x[a] += w[a] * push * old[i]
                x[b] -= w[b] * push * old[i]
                s[i] += push
                worst = max(worst, abs(g))
            if worst <= tolerance or sweep == iterations and tolerance == 0:
                return x, s, sweep
        return None
