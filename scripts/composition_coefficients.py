#!/usr/bin/env python3
"""Refines the coefficients of higher compositions; writes integrators/kit/composition_coefficients.h.

A symmetric method of order 2 is S_h = exp(h A1 + h^3 A3 + h^5 A5 + ...) with operators A1 (the
exact flow), A3, A5, ... that have no relations. The composition S_{g_s h} o ... o S_{g_1 h} has
order p when its expansion in words over the letters A1, A3, ... agrees with exp(h A1) to degree
p; for that it is enough that the coefficients of the Lyndon words do (Reutenauer, Free Lie
Algebras, 1993, section 6.1): 1 for the word A1 and 0 for every other of degree at most p. For g_i
= g_{s+1-i} the words of even degree follow from the others. That leaves 1, 2, 4, 8, 16 conditions
for the orders 2, 4, 6, 8, 10.

Newton's method starts from the published digits, in decimal arithmetic. If there are more
coefficients than conditions, the smallest correction is taken, so that the published method
is refined.

    python3 scripts/composition_coefficients.py > integrators/kit/composition_coefficients.h

It needs only Python's standard library. tests/integrators/composition.c recomputes the conditions
from the header in quadruple precision.
"""

from decimal import Decimal, getcontext
from math import factorial

getcontext().prec = 80
DIGITS = 45

# name in C, order, number of factors, citation, published digits of g_1 ... g_{(s+1)/2}
SCHEMES = [
    (
        "yoshida6",
        6,
        7,
        "Yoshida, Phys. Lett. A 150 (1990) 262, solution A",
        """0.78451361047755726381949763 0.23557321335935813368479318
        -1.17767998417887100694641568 1.31518632068391121888424974""",
    ),
    (
        "kahan_li6",
        6,
        9,
        "Kahan & Li, Math. Comput. 66 (1997) 1089, s9odr6a",
        """0.39216144400731413927925056 0.33259913678935943859974864
        -0.70624617255763935980996482 0.08221359629355080023149045
        0.79854399093482996339895035""",
    ),
    (
        "suzuki_umeno8",
        8,
        15,
        "Suzuki & Umeno, in Computer Simulation Studies in Condensed-Matter Physics VI (1993) 74",
        """0.7416703643506129534482278017838063156035
        -0.4091008258000315939973000958935634173099
        0.1907547102962383799538762564503716627355
        -0.5738624711160822666563877266355357421595
        0.2990641813036559238444635406886029882258
        0.3346249182452981837849579798821822886337
        0.3152930923967665966320566638110024309941
        -0.7968879393529163540197888401737330534463""",
    ),
    (
        "kahan_li8",
        8,
        17,
        "Kahan & Li, Math. Comput. 66 (1997) 1089, s17odr8a",
        """0.13020248308889008087881763 0.56116298177510838456196441
        -0.38947496264484728640807860 0.15884190655515560089621075
        -0.39590389413323757733623154 0.18453964097831570709183254
        0.25837438768632204729397911 0.29501172360931029887096624
        -0.60550853383003451169892108""",
    ),
    (
        "sofroniou_spaletta10",
        10,
        35,
        "Sofroniou & Spaletta, J. Optim. Methods Softw. 20 (2005) 597",
        """0.078795722521686419263907679337684 0.31309610341510852776481247192647
        0.027918383235078066109520273275299 -0.22959284159390709415121339679655
        0.13096206107716486317465685927961 -0.26973340565451071434460973222411
        0.074973343155891435666137105641410 0.11199342399981020488957508073640
        0.36613344954622675119314812353150 -0.39910563013603589787862981058340
        0.10308739852747107731580277001372 0.41143087395589023782070411897608
        -0.0048663605831352617621956593099771 -0.39203335370863990644808193642610
        0.051942502962449647037182904015976 0.050665090759924496335874344156866
        0.049674370639729879054568800279461 0.049317735759594537917680008339338""",
    ),
]


def is_lyndon(word):
    return all(word < word[i:] for i in range(1, len(word)))


def words(degree):
    """All words over 1, 3, 5, ... of this degree."""
    if degree == 0:
        return [()]
    return [(a,) + rest for a in range(1, degree + 1, 2) for rest in words(degree - a)]


def conditions(order):
    return [w for d in range(1, order + 1, 2) for w in words(d) if is_lyndon(w)]


def coefficient(word, g):
    """The word's coefficient in the composition, and its derivatives by each factor's g.

    c[k] is that of the word's first k letters in the factors so far; a factor takes any number of
    consecutive letters, with g to their degree over the factorial of their number.
    """
    k = len(word)
    one, zero = Decimal(1), Decimal(0)

    def factor(x, power):
        # t[i][j] = x^power(i..j) / (j-i)!, and its derivative
        rows = [[None] * (k + 1) for _ in range(k + 1)]
        for i in range(k + 1):
            for j in range(i, k + 1):
                d = sum(word[i:j])
                if power == 0:
                    rows[i][j] = x**d / factorial(j - i)
                else:
                    rows[i][j] = d * x ** (d - 1) / factorial(j - i) if d else zero
        return rows

    def advance(c, t):
        return [sum(c[i] * t[i][j] for i in range(j + 1)) for j in range(k + 1)]

    def retreat(c, t):
        return [sum(t[i][j] * c[j] for j in range(i, k + 1)) for i in range(k + 1)]

    values = [factor(x, 0) for x in g]
    before = [[one] + [zero] * k]
    for t in values:
        before.append(advance(before[-1], t))
    after = [zero] * k + [one]
    derivatives = [zero] * len(g)
    for i in reversed(range(len(g))):
        slope = factor(g[i], 1)
        derivatives[i] = sum(a * b for a, b in zip(advance(before[i], slope), after))
        after = retreat(after, values[i])
    return before[-1][k], derivatives


def solve(a, b):
    n = len(b)
    a = [row[:] + [x] for row, x in zip(a, b)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(a[i][k]))
        a[k], a[pivot] = a[pivot], a[k]
        for i in range(k + 1, n):
            f = a[i][k] / a[k][k]
            a[i] = [x - f * y for x, y in zip(a[i], a[k])]
    x = [Decimal(0)] * n
    for i in reversed(range(n)):
        x[i] = (a[i][n] - sum(a[i][j] * x[j] for j in range(i + 1, n))) / a[i][i]
    return x


def refine(order, s, half):
    """The coefficients, and the residuals before the first step and at the end."""
    lyndon = conditions(order)
    first = None
    for _ in range(8):
        g = [half[min(i, s - 1 - i)] for i in range(s)]
        residual, jacobian = [], []
        for w in lyndon:
            value, slopes = coefficient(w, g)
            residual.append(value - (1 if w == (1,) else 0))
            jacobian.append(
                [slopes[i] + (slopes[s - 1 - i] if i != s - 1 - i else 0) for i in range(len(half))]
            )
        size = max(abs(r) for r in residual)
        first = size if first is None else first
        if size < Decimal(10) ** -70:
            break
        gram = [[sum(x * y for x, y in zip(u, v)) for v in jacobian] for u in jacobian]
        multiplier = solve(gram, residual)
        half = [
            x - sum(m * row[i] for m, row in zip(multiplier, jacobian)) for i, x in enumerate(half)
        ]
    return half, first, size


def main():
    print(
        """/*
 * Coefficients of symmetric compositions S_{g_s h} o ... o S_{g_1 h} of a symmetric method of order
 * 2, g_i = g_{s+1-i}: the first (s+1)/2 of each. Written by scripts/composition_coefficients.py,
 * which starts from the published digits and refines them on the conditions for their order: the
 * residuals are those before and after.
 */
#ifndef INTEGRATORS_COMPOSITION_COEFFICIENTS_H
#define INTEGRATORS_COMPOSITION_COEFFICIENTS_H

#include <shakedown/real.h>"""
    )
    for name, order, s, citation, digits in SCHEMES:
        published = [Decimal(d) for d in digits.split()]
        half, first, last = refine(order, s, published)
        moved = max(abs(a - b) for a, b in zip(half, published))
        print(f"\n/* Order {order}, {s} factors.\n * {citation}.")
        print(
            f" * Conditions: {len(conditions(order))}; largest residual {first:.1e} as published, "
            f"{last:.0e} here;\n * largest correction {moved:.1e}. */"
        )
        print(f"static const real {name}[] = {{")
        for x in half:
            print(f"    R({x:.{DIGITS}f}),")
        print("};")
    print("\n#endif")


main()
