#!/usr/bin/env python3
"""Digits agreed, in bulk: what `shakedown reference --recompute` says, against values at 60 digits.

Motions come from starts and parameters as decimals, so that they do not share quad's rounding of
these: closed forms where there are some, otherwise the equations of motion in other coordinates or
in 60 digits, by extrapolation to 1e-45. Digits are relative to the largest component of q, of p or
of lambda at a time; those that are printed are whole, and so are those that they are compared with.
Prints TAP.

  digits.py SHAKEDOWN SEED
"""
import csv
import io
import random
import subprocess
import sys
from mpmath import mp, mpf, sin, cos, exp, sqrt, asin, ellipf, ellipk, ellipfun, log10, pi

mp.dps = 70
MOST = 34.0  # digits that quad has


# ---- motions by extrapolation ----

ROWS = 22


def extrapolated(f, y, h):
    """One step by the explicit midpoint rule with 2, 4, ... substeps; and the last difference."""
    table = []
    slope = f(y)
    for row in range(1, ROWS + 1):
        n = 2 * row
        step = h / n
        a, b = y, [u + step * v for u, v in zip(y, slope)]
        for _ in range(n - 1):
            a, b = b, [u + 2 * step * v for u, v in zip(a, f(b))]
        new = [b]
        for k in range(1, row):
            weight = mpf(1) / ((mpf(row) / (row - k)) ** 2 - 1)
            new.append([u + (u - v) * weight for u, v in zip(new[k - 1], table[k - 1])])
        table = new
    error = max(abs(u - v) for u, v in zip(table[-1], table[-2]))
    return table[-1], error


def follow(f, y, times):
    """States at the times from y at 0, to 1e-45 a step."""
    t, h, states = mpf(0), mpf(1) / 4, []
    for end in times:
        while t < end:
            step = min(h, end - t)
            new, error = extrapolated(f, y, step)
            if error > mpf(10) ** -45:
                h = step / 2
                continue
            y, t = new, (end if step == end - t else t + step)
            if error < mpf(10) ** -54 and step == h:
                h *= mpf(5) / 4
        states.append(y)
    return states


# ---- the pendulum's angle by elliptic functions ----

def angle_of(w, angle, rate):
    """Sin, cos and rate of the angle of theta'' = -w^2 sin theta as a function of time."""
    angle -= 2 * pi * mp.nint(angle / (2 * pi))
    m = (rate / (2 * w)) ** 2 + sin(angle / 2) ** 2
    k, sign = sqrt(m), (1 if rate >= 0 else -1)
    if m < 1:
        phase = ellipf(asin(sin(angle / 2) / k), m)
        if rate < 0:
            phase = 2 * ellipk(m) - phase
    else:
        phase = sign * ellipf(angle / 2, 1 / m)

    def at(t):
        if m < 1:
            sn, cn, dn = (ellipfun(name, w * t + phase, m=m) for name in ('sn', 'cn', 'dn'))
            s, c, r = k * sn, dn, 2 * k * w * cn
        else:
            sn, cn, dn = (ellipfun(name, k * w * t + phase, m=1 / m) for name in ('sn', 'cn', 'dn'))
            s, c, r = sign * sn, cn, sign * 2 * k * w * dn
        return 2 * s * c, 1 - 2 * s * s, r
    return at


# ---- the problems: a function of the options gives one of the times, which gives q, p, lambda ----

def pendulum(times, angle=0, rate=0, length=1, mass=1, gravity=1):
    at = angle_of(sqrt(gravity / length), angle, rate)
    for s, c, r in map(at, times):
        yield ([length * s, -length * c], [mass * length * r * c, mass * length * r * s],
               [mass * (r * r + gravity * c / length)])


def near_parallel(times, epsilon=mpf('1e-3'), tilt=pi / 6, angle=mpf('0.7'), rate=mpf('1.1'),
                  length=1, mass=1, gravity=1):
    at = angle_of(sqrt(gravity * cos(tilt) / length), angle, rate)
    for s, c, r in map(at, times):
        second = -mass * gravity * sin(tilt) / (epsilon * length)
        yield ([length * s, -length * c, 0], [mass * length * r * c, mass * length * r * s, 0],
               [mass * (r * r + gravity * cos(tilt) * c / length) - second, second])


def dimer(times, mass1=1, mass2=2, length=1, gravity=1, polar=mpf('1.1'), azimuth=mpf('0.4'),
          polar_rate=mpf('0.3'), azimuth_rate=mpf('0.9')):
    sa, ca, sb, cb = sin(polar), cos(polar), sin(azimuth), cos(azimuth)
    d = [length * sa * cb, length * sa * sb, -length * ca]
    u = [length * (polar_rate * ca * cb - azimuth_rate * sa * sb),
         length * (polar_rate * ca * sb + azimuth_rate * sa * cb), length * polar_rate * sa]
    rate = sqrt(sum(x * x for x in u)) / length
    total, reduced = mass1 + mass2, mpf(mass1) * mass2 / (mass1 + mass2)
    drift = [mpf('0.2'), mpf('-0.1'), mpf('0.5')]
    for t in times:
        fall = [0, 0, gravity * t]
        centre = [(v - f / 2) * t for v, f in zip(drift, fall)]
        moving = [v - f for v, f in zip(drift, fall)]
        r = [x * cos(rate * t) + y * sin(rate * t) / rate for x, y in zip(d, u)]
        v = [y * cos(rate * t) - x * rate * sin(rate * t) for x, y in zip(d, u)]
        yield ([c - x * mass2 / total for c, x in zip(centre, r)] +
               [c + x * mass1 / total for c, x in zip(centre, r)],
               [mass1 * w - reduced * y for w, y in zip(moving, v)] +
               [mass2 * w + reduced * y for w, y in zip(moving, v)], [reduced * rate ** 2])


def ring(times, length=1, mass=1, opening=mpf('0.9'), rate=-1, direction=mpf('0.3'),
         rotation=mpf('0.4')):
    drift = [mpf('0.2'), mpf('-0.1')]
    for t in times:
        theta, alpha = opening + rate * t, direction + rotation * t
        c, d = length * cos(theta), length * sin(theta)
        e = [cos(alpha), sin(alpha)]
        f = [-e[1], e[0]]
        q, p = [], []
        for i in range(4):
            sign = 1 if i < 2 else -1
            for j in range(2):
                r = c * e[j] if i % 2 == 0 else d * f[j]
                v = (c * rotation * f[j] - d * rate * e[j] if i % 2 == 0
                     else c * rate * f[j] - d * rotation * e[j])
                q.append(drift[j] * t + sign * r)
                p.append(mass * (drift[j] + sign * v))
        odd, even = mass * (rate - rotation) ** 2 / 2, mass * (rate + rotation) ** 2 / 2
        yield q, p, [odd, even, odd, even]


def harmonic_sphere(times):
    """start=half without potential: q = (sqrt 0.8, 0), p = (0, sqrt 0.2)."""
    a, b = sqrt(mpf('0.8')), sqrt(mpf('0.2'))
    ratio = b / a
    for t in times:
        s, c = (g(t * ratio / (1 - ratio ** 2)) for g in (sin, cos))
        yield [a * c, a * s], [-b * s, b * c], [ratio ** 2 / (1 - ratio ** 2)]


def manufactured(times, length=1, mass=1, scale=1):
    for t in times:
        a = mpf('1.1') + mpf('0.4') * sin(mpf('1.3') * t)
        b = mpf('0.4') + mpf('0.7') * t + mpf('0.3') * cos(mpf('0.9') * t)
        a1 = mpf('0.52') * cos(mpf('1.3') * t)
        b1 = mpf('0.7') - mpf('0.27') * sin(mpf('0.9') * t)
        sa, ca, sb, cb = sin(a), cos(a), sin(b), cos(b)
        v = [a1 * ca * cb - b1 * sa * sb, a1 * ca * sb + b1 * sa * cb, a1 * sa]
        yield ([length * sa * cb, length * sa * sb, -length * ca], [mass * length * x for x in v],
               [scale * (2 + cos(mpf('1.7') * t))])


def jay(times):
    for t in times:
        yield [exp(2 * t), exp(-t)], [exp(2 * t), exp(-t)], [exp(t)]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def rigid(R, omega, rate, moments, pull=None):
    """q, p and lambda of a body: P = R W D, Lambda = -(W^2 + W')D - R^T V_q."""
    d = [sum(moments) / 2 - m for m in moments]

    def hat(w):
        return [[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]]
    W, W1 = hat(omega), hat(rate)
    RW, WW = product(R, W), product(W, W)
    p = [RW[i][j] * d[j] for i in range(3) for j in range(3)]
    L = [[-(WW[i][j] + W1[i][j]) * d[j] - (pull * R[2][i] if pull and j == 2 else 0)
          for j in range(3)] for i in range(3)]
    return ([R[i][j] for i in range(3) for j in range(3)], p,
            [L[0][0], L[1][1], L[2][2], L[0][1], L[0][2], L[1][2]])


def lagrange_top(times, mass=1, distance=1, gravity=1, moment1=mpf('0.5'), moment3=mpf('0.8'),
                 angle=pi / 3, precession=mpf('0.5')):
    across = moment1 + mass * mpf(distance) ** 2
    weight = mass * gravity * mpf(distance)
    spin = weight / (moment3 * precession) + (across - moment3) / moment3 * precession * cos(angle)

    def about(axis, x):
        c, s = cos(x), sin(x)
        return ([[c, -s, 0], [s, c, 0], [0, 0, 1]] if axis == 2
                else [[1, 0, 0], [0, c, -s], [0, s, c]])
    for t in times:
        R = product(product(about(2, precession * t), about(0, angle)), about(2, spin * t))
        w = [precession * sin(angle) * sin(spin * t), precession * sin(angle) * cos(spin * t),
             precession * cos(angle) + spin]
        yield rigid(R, w, [w[1] * spin, -w[0] * spin, 0], [across, across, moment3], weight)


def on_sphere(times, polar, azimuth, polar_rate, azimuth_rate, length, mass, force):
    sa, ca, sb, cb = sin(polar), cos(polar), sin(azimuth), cos(azimuth)
    q = [length * sa * cb, length * sa * sb, -length * ca]
    v = [length * (polar_rate * ca * cb - azimuth_rate * sa * sb),
         length * (polar_rate * ca * sb + azimuth_rate * sa * cb), length * polar_rate * sa]

    def tension(y):
        f = force(y[:3])
        return (mass * sum(x * x for x in y[3:]) + sum(x * u for x, u in zip(y, f))) / length ** 2, f

    def slope(y):
        pull, f = tension(y)
        return y[3:] + [(a - pull * x) / mass for a, x in zip(f, y)]
    for y in follow(slope, q + v, times):
        yield y[:3], [mass * x for x in y[3:]], [tension(y)[0]]


def spherical_pendulum(times, polar=pi / 3, azimuth=0, polar_rate=0, azimuth_rate=1, length=1,
                       mass=1, gravity=1):
    return on_sphere(times, mpf(polar), mpf(azimuth), mpf(polar_rate), mpf(azimuth_rate),
                     mpf(length), mpf(mass), lambda q: [mpf(0), mpf(0), -mass * mpf(gravity)])


def double_pendulum(times, angle1=2 * pi / 3, angle2=-pi / 18, rate1=0, rate2=0, gravity=1):
    """Two unit masses on unit rods in their angles; chaotic."""
    g = mpf(gravity)

    def accelerations(a, b, u, v):
        s, c = sin(a - b), cos(a - b)
        x, y = -v * v * s - 2 * g * sin(a), u * u * s - g * sin(b)
        det = 2 - c * c
        return (x - c * y) / det, (2 * y - c * x) / det

    def slope(y):
        return [y[2], y[3], *accelerations(*y)]
    for a, b, u, v in follow(slope, [mpf(x) for x in (angle1, angle2, rate1, rate2)], times):
        du, dv = accelerations(a, b, u, v)
        inner, outer = [sin(a), -cos(a)], [sin(b), -cos(b)]
        p1 = [u * cos(a), u * sin(a)]
        p2 = [p1[0] + v * cos(b), p1[1] + v * sin(b)]
        # m2's acceleration along the outer rod, then that of both along the inner one
        across = [du * cos(a) - u * u * sin(a), du * sin(a) + u * u * cos(a)]
        second = [across[0] + dv * cos(b) - v * v * sin(b),
                  across[1] + dv * sin(b) + v * v * cos(b) + g]
        l2 = -(second[0] * outer[0] + second[1] * outer[1])
        first = [across[0], across[1] + g]
        l1 = -(first[0] * inner[0] + first[1] * inner[1]) + l2 * (outer[0] * inner[0] +
                                                                 outer[1] * inner[1])
        yield inner + [i + o for i, o in zip(inner, outer)], p1 + p2, [l1, l2]


# ---- the starts ----

def draw(rng):
    """(problem, function, options as decimals, horizon): generic and near-separatrix starts."""
    def some(low, high, digits=3):
        return f'{rng.uniform(low, high):.{digits}f}'
    yield 'pendulum', pendulum, {'angle': some(-3, 3), 'rate': some(-1.5, 1.5)}, 30
    for power in (3, 9):
        yield 'pendulum', pendulum, {'angle': '0', 'rate': f'{2 - rng.uniform(1, 9) * 10**-power:.12f}'}, 30
    yield 'pendulum', pendulum, {'angle': some(0, 3), 'rate': some(2, 3), 'length': some(0.5, 2),
                                 'mass': some(0.5, 2), 'gravity': '9.81'}, 20
    yield 'spherical-pendulum', spherical_pendulum, {
        'polar': some(0.5, 2.4), 'azimuth': some(0, 3), 'polar-rate': some(-1, 1),
        'azimuth-rate': some(0.4, 1.4)}, 12
    yield 'spherical-pendulum', spherical_pendulum, {
        'polar': '0.1', 'polar-rate': '1.99', 'azimuth-rate': '0.9'}, 12
    yield 'near-parallel', near_parallel, {'angle': some(0, 2), 'rate': some(0.2, 1)}, 20
    # Neither flat nor at the crossing before the end: there no integrator gets through.
    yield 'ring', ring, {'opening': some(0.3, 0.5), 'rate': some(0.05, 0.1),
                         'rotation': some(0.1, 1)}, 10
    yield 'dimer', dimer, {'polar': some(0.2, 2), 'azimuth': some(0, 2),
                           'polar-rate': some(0.1, 1), 'azimuth-rate': some(0.1, 1)}, 20
    yield 'manufactured', manufactured, {'mass': some(0.5, 2), 'scale': some(0.5, 2)}, 4
    yield 'lagrange-top', lagrange_top, {'precession': some(0.4, 0.9),
                                         'angle': some(0.4, 1.4)}, 5
    yield 'harmonic-sphere(gravity=0,start=half)', harmonic_sphere, {}, 30
    yield 'jay', jay, {}, 1.3
    yield 'double-pendulum', double_pendulum, {'angle1': some(1.5, 2.5), 'angle2': some(-1, 1),
                                               'rate1': some(-0.5, 0.5)}, 10


def specification(problem, options):
    more = ','.join(f'{k}={v}' for k, v in options.items())
    if not more:
        return problem
    return f'{problem[:-1]},{more})' if problem.endswith(')') else f'{problem}({more})'


def printed(program, spec, times):
    out = subprocess.run([program, 'reference', spec, '--times', ','.join(times), '--recompute',
                          '--quiet', '--format', 'csv'], capture_output=True, text=True)
    if out.returncode != 0:
        raise SystemExit(f'Bail out! {spec}: {out.stderr}')
    blocks = {}
    for row in csv.DictReader(io.StringIO(out.stdout)):
        group = row['component'].rstrip('0123456789')
        blocks.setdefault((f"{float(row['t']):.9g}", group), []).append(
            (row['component'], mpf(row['value']), int(row['digits'])))
    return blocks


def true_digits(value, exact, size):
    error = abs(value - exact)
    return min(MOST, float(-log10(error / size))) if error > 0 else MOST


def main():
    program, seed = sys.argv[1], int(sys.argv[2])
    rng = random.Random(seed)
    print(f'# seed {seed}: SHAKEDOWN_TEST_SEED sets another', flush=True)
    short, parts, lonely, wrong, count = [], [], [], [], 0
    for problem, function, options, horizon in draw(rng):
        spec = specification(problem, options)
        # Times of some digits each, of another number in every list.
        times = sorted({f'{rng.uniform(0.1 * horizon, horizon):.{rng.choice((1, 2))}f}'
                        for _ in range(rng.randint(16, 28))}, key=float)
        blocks = printed(program, spec, times)
        values = {k.replace('-', '_'): mpf(v) for k, v in options.items()}
        here, whole = [], []
        for t, exact in zip(times, function([mpf(t) for t in times], **values)):
            for group, truth in zip(('q', 'p', 'lambda'), exact):
                rows = blocks.get((f'{float(t):.9g}', group))
                if rows is None or len(rows) != len(truth):
                    raise SystemExit(f'Bail out! {spec}: no {group} at {t}')
                size = max(map(abs, truth))
                # Of a block its worst component, as digits are agreed for all of it.
                worst = max(abs(value - x) for (_, value, _), x in zip(rows, truth))
                real = min(MOST, float(-log10(worst / size))) if worst > 0 else MOST
                for (name, value, digits), x in zip(rows, truth):
                    alone = true_digits(value, x, size)
                    here.append(real - digits)
                    whole.append(int(real) - digits)
                    lonely.append(alone - digits)
                    if alone < digits:
                        wrong.append((digits - alone, f'{spec}, t = {t}: {name} has {alone:.2f} of '
                                                      f'{digits} digits'))
        count += len(here)
        if problem != 'jay':  # which only solvers in double can be compared with
            short += whole
            parts += here
        here.sort()
        print(f'# {spec}: {len(here)} components, {here[0]:.2f} to {here[-1]:.2f} too low, '
              f'median {here[len(here) // 2]:.2f}', flush=True)
    short.sort()
    lonely.sort()
    median = short[len(short) // 2]
    parts.sort()
    print(f'# with fractions of digits the median is {parts[len(parts) // 2]:.2f}')
    print(f'# and component by component {lonely[len(lonely) // 2]:.2f}')
    for _, text in sorted(wrong, reverse=True)[:20]:
        print(f'# {text}')
    points = [(count >= 2000, f'{count} components are compared'),
              (not wrong, f'of these {len(wrong)} have fewer digits than are printed'),
              (median <= 1.5, f'the median is {median} whole digits too low')]
    for i, (good, text) in enumerate(points, 1):
        print(f"{'ok' if good else 'not ok'} {i} - {text}")
    print(f'1..{len(points)}')


if __name__ == '__main__':
    main()
