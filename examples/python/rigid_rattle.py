"""RATTLE for rigid bodies with joints. The rotations advance by the equations of Moser and Veselov (Hairer,
Lubich & Wanner, Geometric Numerical Integration, VII.5.3), and Newton's method solves for the joints'
multipliers. With the angular momentum L in space, the moments of inertia I and the rotation F = R^T R1,

    h hat(R^T L) = F D - D F^T,     D = tr(I)/2 - I.

Dampers are not supported, because they would make the second half kick implicit."""

import numpy as np
from shakedown import BodyEngine


HAT = np.cross(np.eye(3)[:, None], np.eye(3)).transpose(0, 2, 1)


def turned(R, hL, inertias):
    """R1 from the angular momentum times h. Newton's method finds f, and F is the Cayley transform of hat(f)."""
    a = np.einsum("nji,nj->ni", R, hL)
    hat_a, one, f, least = a @ HAT.reshape(3, 9), np.eye(3), np.zeros_like(a), np.inf
    A = hat_a.reshape(-1, 3, 3) - 2 * inertias
    for _ in range(50):
        along = np.sum(a * f, 1)[:, None, None]
        off = a[..., None] + (A + along * one) @ f[..., None]
        size = np.max(np.abs(off))
        if not size < least:  # round-off
            break
        least, best = size, f
        f = f - np.linalg.solve(A + along * one + f[..., None] * a[:, None], off)[..., 0]
    hat = (best @ HAT.reshape(3, 9)).reshape(-1, 3, 3)
    R1 = R + 2 / (1 + np.sum(best * best, 1))[:, None, None] * (R @ (hat + hat @ hat))
    return R1 @ (3 * one - R1.transpose(0, 2, 1) @ R1) / 2  # keeps R orthonormal to round-off in every step


class RigidRattle(BodyEngine):
    order_q = order_p = 2
    order_lambda = 1
    symplectic = symmetric = reversible = True
    keeps_constraint = keeps_hidden = True
    supports = ()

    def step(self, poses, velocities, h, system):
        (x, R), masses = poses, system.masses[:, None]

        def inverse(R):  # of masses and moments in space, (n, 6, 6)
            W = np.zeros((len(R), 6, 6))
            W[:, :3, :3] = np.eye(3) / masses[:, None]
            W[:, 3:, 3:] = R @ np.linalg.inv(system.inertias) @ R.transpose(0, 2, 1)
            return W

        def kicked(momenta, poses, velocities):
            return momenta + h / 2 * np.hstack(system.forces(poses, velocities))

        def moved(momenta):
            return x + h * momenta[:, :3] / masses, turned(R, h * momenta[:, 3:], system.inertias)

        J, W = system.jacobian(poses), inverse(R)
        momenta = kicked(np.linalg.solve(W, np.hstack(velocities)[..., None])[..., 0], poses, velocities)
        lam, least = np.zeros(len(J)), np.inf
        for _ in range(50):
            half = momenta - h / 2 * np.tensordot(lam, J, 1)
            new = moved(half)
            off = system.constraints(new)
            if not np.max(np.abs(off), initial=0) < least:  # round-off
                break
            least, best = np.max(np.abs(off), initial=0), (new, half, lam)
            J1 = system.jacobian(new)
            lam = lam + np.linalg.solve(h * h / 2 * np.einsum("kni,nij,lnj->kl", J1, W, J), off)
        if not least < 1e-10:
            return None  # no convergence
        new, half, lam = best
        J1, W1 = system.jacobian(new), inverse(new[1])
        end = kicked(half, new, velocities)
        mu = np.linalg.solve(h / 2 * np.einsum("kni,nij,lnj->kl", J1, W1, J1),
                             np.einsum("kni,nij,nj->k", J1, W1, end))
        speeds = np.einsum("nij,nj->ni", W1, end - h / 2 * np.tensordot(mu, J1, 1))
        return new, (speeds[:, :3], speeds[:, 3:]), lam
