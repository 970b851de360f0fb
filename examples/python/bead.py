"""A bead on the curve y = x^4, held by a spring, as a class. This is the same problem as
examples/plugins/bead.c and examples/external/bead.py.

    python3 bead.py
"""

import shakedown


class Bead(shakedown.Model):
    n = 2
    parameters = {"stiffness": 2, "rate": "0.3"}
    time_scale, horizon = 1, "5.3"

    def H(self, q, p):
        return (p[0]**2 + p[1]**2) / 2 + q[1] + self.stiffness * q[0]**2 / 2

    def g(self, q):
        return [q[1] - q[0]**4]

    def start(self):
        return [1, 1], [self.rate, 4 * self.rate]


if __name__ == "__main__":
    print(shakedown.diagnose(Bead))
