#!/usr/bin/env python3
"""Three mechanisms by Taylor series with 50 digits, in coordinates of index 1 that share nothing with natural ones: the
heavy top by Euler's equations in the body, the four-bar and Sarrus' linkage by an angle. Prints mechanism_motions.csv.

Heavy top: J W' = (J W) x W + m s x (R^T a), R' = R [W]; J about the fixed point, W in the body, s the centre.
Four-bar:  (2 I + m) u'' = -2 m g cos(u) for equal bars of length 1, I of a crank about its end.
Sarrus:    M = 4 I + 1 + 12 cos(u)^2, V = 8 g sin(u) of the bars' elevation u: M u'' = 12 cos(u) sin(u) u'^2 - 8 g cos(u).
"""

import mpmath as mp

mp.mp.dps = 50
ORDER = 45


def product(a, b, k):
    """Coefficient k of the product of two series."""
    return mp.fsum(a[i] * b[k - i] for i in range(k + 1))


def integrate(start, derivative, until, steps):
    """derivative(x, k): coefficient k of x', from the coefficients up to k of all x."""
    h, x = mp.mpf(until) / steps, list(start)
    for _ in range(steps):
        series = [[one] for one in x]
        for k in range(ORDER):
            for one, new in zip(series, derivative(series, k)):
                one.append(new / (k + 1))
        x = [mp.polyval(one[::-1], h) for one in series]
    return x


def heavy_top(until):
    mass, weight = mp.mpf(15), -mp.mpf("9.81")
    I, D = [mp.mpf(x) for x in ("0.234375", "0.46875", "0.234375")], [mp.mpf("0.234375"), mass, mp.mpf("0.234375")]
    J = [I[0] + mass, I[1], I[2] + mass]

    def derivative(x, k):
        W, R = x[:3], [x[3 + 3 * i:6 + 3 * i] for i in range(3)]  # R by rows
        # s = e_2: s x R^T a = a_z (R_33, 0, -R_31)
        torque = [mass * weight * R[2][2][k], mp.mpf(0), -mass * weight * R[2][0][k]]
        new = [((J[(i + 1) % 3] - J[(i + 2) % 3]) * product(W[(i + 1) % 3], W[(i + 2) % 3], k) + torque[i]) / J[i]
               for i in range(3)]
        for row in R:
            new += [product(row[(j + 1) % 3], W[(j + 2) % 3], k) - product(row[(j + 2) % 3], W[(j + 1) % 3], k)
                    for j in range(3)]
        return new
    start = [mp.mpf(x) for x in ("0", "150", "-4.61538", 1, 0, 0, 0, 1, 0, 0, 0, 1)]
    x = integrate(start, derivative, until, 20)
    W, R = x[:3], [x[3 + 3 * i:6 + 3 * i] for i in range(3)]
    turned = [[row[(j + 1) % 3] * W[(j + 2) % 3] - row[(j + 2) % 3] * W[(j + 1) % 3] for j in range(3)] for row in R]
    return [R[i][k] for k in range(3) for i in range(3)], [D[k] * turned[i][k] for k in range(3) for i in range(3)]


def four_bar(until):
    inertia = mp.mpf("1.01") / 12 + mp.mpf(1) / 4
    pull = 2 * mp.mpf("9.81") / (2 * inertia + 1)

    def derivative(x, k):
        turn, rate, c, s = x
        return [rate[k], -pull * c[k], -product(s, rate, k), product(c, rate, k)]
    _, rate, c, s = integrate([mp.pi / 2, mp.mpf(-1), mp.mpf(0), mp.mpf(1)], derivative, until, 20)
    half, D = mp.mpf(1) / 2, [mp.mpf("0.01") / 12, mp.mpf(1) / 12, mp.mpf("0.01") / 12]
    # The cranks' boxes stand along y: d_2 is along the crank.
    crank = [s, -c, 0, c, s, 0, 0, 0, 1]
    turning = [rate * x for x in (c * D[0], s * D[0], 0, -s * D[1], c * D[1], 0, 0, 0, 0)]
    middle, speed = [c * half, s * half, 0], [-s * half * rate, c * half * rate, 0]
    q = middle + crank + [half + c, s, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] + [1 + c * half, s * half, 0] + crank
    return q, speed + turning + [2 * x for x in speed] + [0] * 9 + speed + turning


def sarrus(until):
    """The platform: its place, axes and momenta."""
    bars, weight = mp.mpf("1.01") / 3, 8 * mp.mpf("9.81")  # 4 I of two pairs of bars

    def derivative(x, k):
        rate, c, s, inverse = x  # inverse: 1/M

        def times(a, b):
            return [product(a, b, i) for i in range(k + 1)]
        bend = times(times(c, s), rate)
        return [product(inverse, [12 * a - weight * b for a, b in zip(times(bend, rate), c)], k), -product(s, rate, k),
                product(c, rate, k), 24 * product(bend, times(inverse, inverse), k)]
    c, s = mp.mpf("0.6"), mp.mpf("0.8")
    rate, c, s, _ = integrate([mp.mpf(1), c, s, 1 / (bars + 1 + 12 * c * c)], derivative, until, 20)
    return [0, 0, 2 * s, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 4 * c * rate] + [0] * 9


if __name__ == "__main__":
    print("mechanism,t,component,value")
    for name, until, motion in (("heavy-top", "0.049", heavy_top), ("four-bar", "0.5", four_bar),
                                ("sarrus", "0.1", sarrus)):
        for letter, values in zip("qp", motion(until)):
            for i, value in enumerate(values, 49 if name == "sarrus" else 1):
                print("%s,%s,%s%d,%s" % (name, until, letter, i, mp.nstr(mp.mpf(value), 40)))
