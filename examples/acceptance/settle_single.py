"""SETTLE for rigid water in single precision, which claims the round-off of double."""
import numpy as np
from shakedown import Engine, Refused


class SettleSingle(Engine):
    order_q = order_p = 2
    keeps_constraint = keeps_hidden = True

    def prepare(self, system):
        if system.bonds.tolist() != [[0, 1], [0, 2], [1, 2]] or system.dimension != 3:
            raise Refused("it is not one molecule of water")

    def step(self, x, v, h, system):
        x, v, m, (side, _, base) = (np.asarray(one, np.float32) for one in
                                    (x, v, system.masses, system.lengths))
        height = np.sqrt(side**2 - base**2 / 4)
        ra, rc = height * 2 * m[1] / m.sum(), base / 2
        half = v + h / 2 * np.float32(system.forces(x)) / m[:, None]
        free = x + h * half
        center = m @ free / m.sum()
        (a, b, c), B, C = free - center, x[1] - x[0], x[2] - x[0]
        X, Z = np.cross(a, np.cross(B, C)), np.cross(B, C)
        T = np.array([one / np.linalg.norm(one) for one in (X, np.cross(Z, X), Z)])
        a, b, c, B, C = T @ a, T @ b, T @ c, T @ B, T @ C
        sin, cos = a[2] / ra, np.sqrt(1 - (a[2] / ra)**2)
        turn = (b[2] - c[2]) / (base * cos)
        bx, y, dy = -rc * np.sqrt(1 - turn**2), (ra - height) * cos, rc * turn * sin
        by, cy = y - dy, y + dy
        f = bx * (B[0] - C[0]) + B[1] * by + C[1] * cy
        g = bx * (C[1] - B[1]) + B[0] * by + C[0] * cy
        k = B[0] * b[1] - b[0] * B[1] + C[0] * c[1] - c[0] * C[1]
        s = (f * k - g * np.sqrt(f**2 + g**2 - k**2)) / (f**2 + g**2)
        turned = [[np.sqrt(1 - s**2), s], [-s, np.sqrt(1 - s**2)]]
        flat = np.float32([[0, ra * cos], [bx, by], [-bx, cy]]) @ turned
        new = center + np.column_stack([flat, [a[2], b[2], c[2]]]) @ T
        v = half + (new - free) / h + h / 2 * np.float32(system.forces(new)) / m[:, None]
        D = np.array([[1, -1, 0], [1, 0, -1], [0, 1, -1]], np.float32)
        k = np.linalg.solve(D / m @ D.T * (D @ new @ new.T @ D.T), np.sum(D @ new * (D @ v), 1))
        return np.float32(new), np.float32(v - D.T @ (k[:, None] * (D @ new)) / m[:, None])
