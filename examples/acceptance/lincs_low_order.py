"""LINCS with an expansion of order 1 and one correction, for bonds that are coupled more strongly."""
import numpy as np
from shakedown import Engine


class LincsLowOrder(Engine):
    velocities = "half"
    order_q = order_p = 2
    keeps_constraint = True
    terms = 1  # of the expansion of the inverse

    def step(self, x, v, h, system):
        D = np.zeros((len(system.bonds), len(x)))  # D x are the bonds
        D[range(len(D)), system.bonds[:, 0]] = 1
        D[range(len(D)), system.bonds[:, 1]] = -1
        w = 1 / system.masses[:, None]
        bonds, lengths = D @ x, system.lengths
        along = bonds / np.linalg.norm(bonds, axis=1)[:, None]
        scale = 1 / np.sqrt(np.sum(D**2 * w.T, 1))
        A = np.eye(len(D)) - scale[:, None] * (D * w.T @ D.T) * (along @ along.T) * scale

        def corrected(new, right):
            term = found = scale * right
            for _ in range(self.terms):
                term = A @ term
                found = found + term
            return new - w * D.T @ ((scale * found)[:, None] * along)

        new = x + h * (v + h * w * system.forces(x))
        new = corrected(new, np.sum(along * (D @ new), 1) - lengths)
        square = np.sum((D @ new)**2, 1)  # bonds have turned
        new = corrected(new, lengths - np.sqrt(np.maximum(2 * lengths**2 - square, 0)))
        return new, (new - x) / h
