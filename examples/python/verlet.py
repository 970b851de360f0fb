"""Velocity Verlet with RATTLE by sweeps over the bonds, as a class. It is an example of a code that moves points
and bonds, and the same engine as examples/plugins/verlet.c and examples/engines/verlet.py.

    shakedown try verlet.py
"""

import numpy as np
import shakedown


class VerletPy(shakedown.Engine):
    order_q = order_p = 2
    symplectic = symmetric = keeps_constraint = keeps_hidden = True

    def step(self, x, v, h, system):
        w = 1 / system.masses[:, None]
        old, v = x.copy(), v + h / 2 * w * system.forces(x)
        x += h * v
        free = x.copy()
        if not sweep(system, x, None, old):
            return None
        v += (x - free) / h + h / 2 * w * system.forces(x)
        return (x, v) if sweep(system, x, v, x) else None


def sweep(system, x, v, old, tolerance=1e-14):
    """Sweeps until all lengths of x or, with v, all bond velocities are correct. Corrections are along the bonds
    at `old`. Returns False if the sweeps do not converge."""
    w = 1 / system.masses
    for _ in range(10000):
        worst = 0
        for (a, b), length in zip(system.bonds, system.lengths):
            along, now = old[b] - old[a], x[b] - x[a]
            if v is None:
                off, size, moved = (now @ now - length**2) / 2, length**2, x
            else:
                off, size, moved = (v[b] - v[a]) @ along, length * (np.linalg.norm(v[a]) + np.linalg.norm(v[b])), v
            impulse = off / ((now @ along) * (w[a] + w[b]))
            moved[a] += w[a] * impulse * along
            moved[b] -= w[b] * impulse * along
            worst = max(worst, abs(off) / size if size else 0)
        if worst <= tolerance:
            return True
    return False
