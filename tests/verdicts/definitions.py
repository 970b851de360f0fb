"""Multipliers with definitions of their own."""
import numpy as np
import shakedown


class Right(shakedown.Integrator):
    """-"""
    order_q = order_p = 1
    keeps_constraint = keeps_hidden = True
    curvature = 1.0

    def report(self, lam, h, t):
        return lam

    def step(self, q, p, t, h):
        f = self.problem
        w, G, e = 1 / f.mass, f.G(q), 1e-5
        v = w * p
        turn = (f.G(q + e * v) - f.G(q - e * v)) @ v / (2 * e)
        force = -f.H_q(q, t=t)
        lam = np.linalg.solve((G * w) @ G.T, G @ (w * force) + self.curvature * turn)
        p = p + h * (force - G.T @ lam)
        q = q + h * w * p
        for _ in range(30):
            G, off = f.G(q), f.g(q)
            q = q - w * (G.T @ np.linalg.solve((G * w) @ G.T, off))
            if abs(off).max() < 1e-15:
                break
        G = f.G(q)
        p = p - G.T @ np.linalg.solve((G * w) @ G.T, G @ (w * p))
        return q, p, self.report(lam, h, t)


class Impulses(Right):
    """it tends to 1 h times the reference, a definition of its own"""

    def report(self, lam, h, t):
        return h * lam


class HalfSquare(Right):
    """it tends to 0.5 h^2 times the reference, a definition of its own"""

    def report(self, lam, h, t):
        return h * h / 2 * lam


class OtherSign(Right):
    """it tends to -1 times the reference, a definition of its own"""

    def report(self, lam, h, t):
        return -lam


class Lengths(Right):
    """depending on the constraint, a definition of its own"""

    def report(self, lam, h, t):
        return lam * np.linspace(1.3, 0.6, len(lam))


class WithoutCurvature(Right):
    """neither the multiplier of this constraint nor a multiple of it"""
    curvature = 0.0


class Waves(Right):
    """neither the multiplier of this constraint nor a multiple of it"""

    def report(self, lam, h, t):
        return np.sin(1e5 * lam)


class Turning(Right):
    """neither the multiplier of this constraint nor a multiple of it"""

    def report(self, lam, h, t):
        return (1 + np.sin(7 * t)) * lam
