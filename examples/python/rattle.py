"""RATTLE for H = p^T M^-1 p / 2 + V(q) and g(q) = 0, as a class. This is the same method as
examples/plugins/rattle.c and examples/external/rattle.py. Source: Hairer, Lubich & Wanner, Geometric
Numerical Integration, (VII.1.26).

    shakedown try rattle.py
"""

import numpy as np
import shakedown


class RattlePy(shakedown.Integrator):
    order_q = order_p = order_lambda_mean = order_lambda_state = 2
    order_lambda = order_mu = 1
    symplectic = presymplectic = symmetric = keeps_constraint = keeps_hidden = True
    keeps_momenta = energy_bounded = True

    def step(self, q, p, t, h):
        f, w, G = self.problem, 1 / self.problem.mass, self.problem.G(q)
        kick = p - h / 2 * f.H_q(q, t=t)
        half = lambda lam: kick - h / 2 * G.T @ lam
        end = lambda lam: q + h * w * half(lam)
        lam = shakedown.newton(lambda lam: (f.g(end(lam)), -h * h / 2 * (f.G(end(lam)) * w) @ G.T), self.lam)
        q1, G1 = end(lam), f.G(end(lam))
        p1 = half(lam) - h / 2 * f.H_q(q1, t=t + h)
        mu = np.linalg.solve(h / 2 * (G1 * w) @ G1.T, G1 @ (w * p1))
        return q1, p1 - h / 2 * G1.T @ mu, lam, mu
