"""RATTLE with unknowns and multipliers in one vector: Newton's method for both, with the whole matrix

    [ M   G0^T ] [ dq1    ]
    [ G1  0    ] [ dlambda ],   lambda in units of h^2/2, and the same for the velocities.

Claims: RATTLE's (Jay, SIAM J. Numer. Anal. 33 (1996) 368; GNI, VII.1.4), also where g depends on time.
"""
import numpy as np
import shakedown


class Augmented(shakedown.Integrator):
    order_q = order_p = order_lambda_mean = order_lambda_state = 2
    order_lambda = order_mu = 1
    order_lambda_sum = 0
    symplectic = presymplectic = symmetric = True
    keeps_constraint = keeps_hidden = keeps_momenta = energy_bounded = True
    affine_equivariant = formulation_independent = True
    supports = ("rheonomic",)

    def matrix(self, rows, columns):
        n, m = self.problem.n, self.problem.m
        full = np.zeros((n + m, n + m))
        full[:n, :n] = np.diag(self.problem.mass)
        full[:n, n:] = columns.T
        full[n:, :n] = rows
        return full

    def step(self, q0, p0, t, h):
        f, n, mass = self.problem, self.problem.n, self.problem.mass
        G0, kick = f.G(q0, t=t), p0 - h / 2 * f.H_q(q0, t=t)
        move, lam, last = h * kick / mass, np.zeros(f.m), np.inf
        for _ in range(50):
            residual = np.concatenate([mass * move - h * kick + G0.T @ lam, f.g(q0 + move, t=t + h)])
            change = np.linalg.solve(self.matrix(f.G(q0 + move, t=t + h), G0), residual)
            move, lam = move - change[:n], lam - change[n:]
            size = np.max(np.abs(change[:n])) / np.max(np.abs(q0))
            if size < 1e-13 and not size < last / 2:
                break
            last = size
        else:
            raise shakedown.NotConverged("the corrections stay at %.1e" % size)
        q1 = q0 + move
        G1 = f.G(q1, t=t + h)
        p1, mu = mass * move / h - h / 2 * f.H_q(q1, t=t + h), np.zeros(f.m)
        for _ in range(2):
            right = np.concatenate([np.zeros(n), G1 @ (p1 / mass) + f.g_t(q1, t=t + h)])
            change = np.linalg.solve(self.matrix(G1, G1), right)
            p1, mu = p1 - mass * change[:n], mu - change[n:]
        return q1, p1, lam * (2 / h**2), mu * (2 / h)
