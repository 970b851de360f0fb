#!/usr/bin/env python3
"""RATTLE in Python, as an integrator for Shakedown. It needs only the standard library.

    p_half = p0 - h/2 (V_q(q0) + G(q0)^T lambda)
    q1     = q0 + h M^-1 p_half                     g(q1) = 0
    p1     = p_half - h/2 (V_q(q1) + G(q1)^T mu)    G(q1) M^-1 p1 = 0

H = p^T M^-1 p / 2 + V(q) with constant diagonal M, and constraints g(q) = 0. Source: Andersen (1983);
Hairer, Lubich & Wanner, Geometric Numerical Integration, VII.1.4. It works in the
requested precision: Python's float is a double, and decimal.Decimal has any number of digits.

    shakedown certify 'external(command="python3 rattle.py")' --allow-external
"""

import decimal
import sys

GREETING = (
    "shakedown-integrator 1 name=rattle-py version=1.0 precision=any"
    " order-q=2 order-p=2 order-lambda=1 order-mu=1 order-lambda-mean=2 order-lambda-state=2"
    " symplectic=yes presymplectic=yes symmetric=yes keeps-constraint=yes keeps-hidden=yes"
    " keeps-momenta=yes energy-bounded=yes"
)


class Failure(Exception):
    """A failed step: a code and a reason."""


def hear():
    """The words of Shakedown's next line; none when the session ends."""
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return line.split()


def say(*words):
    print(*words, flush=True)


class Problem:
    """The problem, evaluated through Shakedown."""

    def __init__(self, number, n, m):
        self.number, self.n, self.m = number, n, m
        self.mass = None

    def ask(self, *questions):
        """The answers to several questions, which are sent together because each exchange takes time."""
        print(*(" ".join(map(str, one)) for one in questions), sep="\n", flush=True)
        answers = [hear() for _ in questions]
        for answer in answers:
            if answer[0] != "values":
                raise Failure("stopped", "the problem answered " + " ".join(answer))
        values = [[self.number(word) for word in answer[1:]] for answer in answers]
        if any(x != x for one in values for x in one):
            raise Failure("not-finite", "the problem answered nan")
        return values

    def force_and_jacobian(self, t, q, p):
        """The gradient of V, and the rows of G."""
        gradient, flat = self.ask(("H_q", t, *q, *p), ("G", t, *q))
        return gradient, self.rows(flat)

    def constraint_and_jacobian(self, t, q):
        g, flat = self.ask(("g", t, *q), ("G", t, *q))
        return g, self.rows(flat)

    def rows(self, flat):
        return [flat[i * self.n : (i + 1) * self.n] for i in range(self.m)]


def solve(matrix, right):
    """Gaussian elimination with partial pivoting."""
    rows = [row + [value] for row, value in zip(matrix, right)]
    size = len(rows)
    for k in range(size):
        pivot = max(range(k, size), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        if rows[k][k] == 0:
            raise Failure("singular", "the constraint matrix is singular")
        for i in range(k + 1, size):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    x = [right[0] * 0] * size if size else []
    for i in reversed(range(size)):
        rest = sum(rows[i][j] * x[j] for j in range(i + 1, size))
        x[i] = (rows[i][size] - rest) / rows[i][i]
    return x


def plus_transposed(vector, factor, rows, multipliers):
    """vector + factor G^T multipliers"""
    out = list(vector)
    for row, multiplier in zip(rows, multipliers):
        for j, entry in enumerate(row):
            out[j] += factor * multiplier * entry
    return out


def product(problem, left, right):
    """left M^-1 right^T"""
    return [
        [sum(a * b / m for a, b, m in zip(row, other, problem.mass)) for other in right]
        for row in left
    ]


def step(problem, t, h, q, p, guess):
    """One step; returns q, p, lambda and mu at its end."""
    if problem.mass is None:
        problem.mass, = problem.ask(["mass"])
    n, m = problem.n, problem.m
    V_q, G = problem.force_and_jacobian(t, q, p)
    free = [p[i] - h / 2 * V_q[i] for i in range(n)]

    # Newton's method for lambda continues until round-off keeps the residual from decreasing.
    multiplier, best = guess, None
    for _ in range(100):
        half = plus_transposed(free, -h / 2, G, multiplier)
        q1 = [q[i] + h * half[i] / problem.mass[i] for i in range(n)]
        g, G1 = problem.constraint_and_jacobian(t + h, q1)
        residual = max(map(abs, g), default=0)
        if best is not None and not residual < best[0]:
            break
        best = (residual, multiplier, half, q1)
        if residual == 0:
            break
        matrix = [[h * h / 2 * entry for entry in row] for row in product(problem, G1, G)]
        multiplier = [a + b for a, b in zip(multiplier, solve(matrix, g))]
    residual, multiplier, half, q1 = best
    if residual > problem.number("1e-9"):
        raise Failure("not-converged", "Newton's method for lambda does not converge")

    # The second kick is linear in mu.
    V_q, G1 = problem.force_and_jacobian(t + h, q1, half)
    free = [half[i] - h / 2 * V_q[i] for i in range(n)]
    p1, mu = free, [h * 0] * m
    for _ in range(2):  # the second solve removes the rounding error
        hidden = [sum(row[i] * p1[i] / problem.mass[i] for i in range(n)) for row in G1]
        matrix = [[h / 2 * entry for entry in row] for row in product(problem, G1, G1)]
        mu = [a + b for a, b in zip(mu, solve(matrix, hidden))]
        p1 = plus_transposed(free, -h / 2, G1, mu)
    return q1, p1, multiplier, mu


def main():
    word, protocol, precision, digits = hear()
    if (word, protocol) != ("hello", "1"):
        sys.exit("rattle.py: expected 'hello 1 PRECISION DIGITS'")
    number = float
    if precision != "double":
        number = decimal.Decimal
        decimal.getcontext().prec = int(digits) + 2
    say(GREETING)

    word, n, m, features = hear()
    if features != "separable":
        say("refuse", "rattle.py is for separable systems")
        hear()
    problem = Problem(number, int(n), int(m))
    say("ready")
    while True:
        words = hear()
        values = [number(word) for word in words[1:]]
        t, h, state = values[0], values[1], values[2:]
        q, p, multiplier = (
            state[: problem.n],
            state[problem.n : 2 * problem.n],
            state[2 * problem.n :],
        )
        try:
            q, p, multiplier, mu = step(problem, t, h, q, p, multiplier)
            say("done", *q, *p, *multiplier, *mu)
        except Failure as failure:
            say("fail", *failure.args)


main()
