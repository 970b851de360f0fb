"""The implicit midpoint rule on the constrained equations, with one multiplier a step:

    q1 = q0 + h/2 (v0 + v1),   M (v1 - v0) = -h (V_q + G^T lambda)(½ (q0 + q1)),   g(q1) = 0

Claims: symmetric, and of order two in q and p, with velocities off the hidden constraint by O(h^2).
What p lacks alternates from step to step, so that lambda has order one and the mean of two order two
(Simo & Wong, Int. J. Numer. Meth. Eng. 31 (1991) 19; Gonzalez, Physica D 132 (1999) 165). Momenta of
point symmetries are kept: forces and constraint forces have no moment about the middle. Nothing is
claimed about a symplectic form: the steps do not stay on the hidden manifold.
"""
import numpy as np
import shakedown


class MidpointLagrangian(shakedown.Integrator):
    order_q = order_p = order_lambda_mean = 2
    order_lambda = order_mu = 1
    symmetric = keeps_constraint = keeps_momenta = True
    keeps_hidden = False

    def step(self, q0, p0, t, h):
        f, mass = self.problem, self.problem.mass
        move, lam, last, rises = h * p0 / mass, np.zeros(f.m), np.inf, 0
        for _ in range(200):
            middle = q0 + move / 2
            G, G1 = f.G(middle, t=t + h / 2), f.G(q0 + move, t=t + h)
            free = h * (p0 - h / 2 * f.H_q(middle, t=t + h / 2)) / mass
            # g(q0 + move + G1 (free - G^T lam h^2/2 - move)) = 0, to first order
            right = f.g(q0 + move, t=t + h) + G1 @ (free - move)
            lam = np.linalg.solve((G1 / mass) @ G.T, right)
            change = free - G.T @ lam / mass - move
            move = move + change
            size = np.max(np.abs(change)) / np.max(np.abs(q0))
            if size < 1e-13 and not size < last / 2:
                break
            rises = 0 if size < last else rises + 1
            if rises > 20:
                raise shakedown.NotConverged("the iteration does not contract")
            last = size
        else:
            raise shakedown.NotConverged("the corrections stay at %.1e" % size)
        p1 = 2 * mass * move / h - p0
        return q0 + move, p1, lam * (2 / h**2), lam * (2 / h**2)
