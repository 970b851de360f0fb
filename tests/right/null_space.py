"""The null-space method: Runge-Kutta of order four for tangent coordinates u around the state at which
the step begins,

    q(u) = q0 + T u + N w(u),  g(q(u)) = 0,  N = M^-1 G0^T,  G0 T = 0,  T^T M T = 1
    u'' = T^T (-V_q - G^T lambda),  lambda from g'' = 0

Claims: GNI, IV.5.3: numerical methods in local coordinates have the order of the base and stay on the
manifold. They are neither symmetric nor symplectic, for coordinates belong to one end of the step.
The multipliers are those of the states.
"""
import numpy as np
import shakedown


class NullSpace(shakedown.Integrator):
    order_q = order_p = order_lambda = order_lambda_state = 4
    keeps_constraint = keeps_hidden = affine_equivariant = formulation_independent = True
    symplectic = symmetric = energy_bounded = keeps_momenta = False

    def bases(self, q, t):
        root = np.sqrt(self.problem.mass)
        G = self.problem.G(q, t=t)
        full = np.linalg.qr((G / root).T, mode="complete")[0] / root[:, None]
        return full[:, len(G):], G.T / self.problem.mass[:, None]

    def place(self, q0, T, N, u, t):
        """The position at u."""
        q, last = q0 + T @ u, np.inf
        for _ in range(40):
            move = N @ np.linalg.solve(self.problem.G(q, t=t) @ N, self.problem.g(q, t=t))
            q = q - move
            size = np.max(np.abs(move), initial=0.0) / np.max(np.abs(q))
            if size < 1e-13 and not size < last / 2:
                return q
            last = size
        raise shakedown.NotConverged("there is no point of the manifold above these coordinates")

    def velocity(self, q, T, N, du, t):
        G = self.problem.G(q, t=t)
        v = T @ du
        for _ in range(2):
            v = v - N @ np.linalg.solve(G @ N, G @ v)
        return v

    def multiplier(self, q, v, t):
        G, mass = self.problem.G(q, t=t), self.problem.mass
        right = self.problem.curvature(q, v, t=t) - G @ (self.problem.H_q(q, t=t) / mass)
        return G, np.linalg.solve((G / mass) @ G.T, right)

    def step(self, q0, p0, t, h):
        T, N = self.bases(q0, t)

        def slope(u, du, t):
            q = self.place(q0, T, N, u, t)
            v = self.velocity(q, T, N, du, t)
            G, lam = self.multiplier(q, v, t)
            return du, -T.T @ (self.problem.H_q(q, t=t) + G.T @ lam)

        u, du = np.zeros(T.shape[1]), T.T @ p0
        a, da = slope(u, du, t)
        b, db = slope(u + h / 2 * a, du + h / 2 * da, t + h / 2)
        c, dc = slope(u + h / 2 * b, du + h / 2 * db, t + h / 2)
        d, dd = slope(u + h * c, du + h * dc, t + h)
        u, du = u + h / 6 * (a + 2 * b + 2 * c + d), du + h / 6 * (da + 2 * db + 2 * dc + dd)
        q1 = self.place(q0, T, N, u, t + h)
        v1 = self.velocity(q1, T, N, du, t + h)
        lam = self.multiplier(q0, p0 / self.problem.mass, t)[1]
        return q1, self.problem.mass * v1, lam
