#!/usr/bin/env python3
"""Shakedown's adapter for GROMACS, with leapfrog (`md`) or velocity Verlet (`md-vv`) and SHAKE, LINCS
or SETTLE. Every run writes files for `gmx_d grompp` and `gmx_d mdrun` and reads their output, so no
library is needed.

    shakedown simulate … 'engine(command="python3 gromacs.py md-vv shake")' --allow-external …
    gromacs.py [md|md-vv [shake | lincs [ORDER [CORRECTIONS]] | settle]] [single]

Units are nm, ps and u, with energies in kJ/mol, so nothing is converted. Positions and velocities are
exchanged in .trr files with all digits of a double; `single` uses `gmx`. Fixed points are a freeze
group: "A fully frozen atom can not be moved by constraints" (manual, The group concept). Gravity is
an acceleration group. The motion of the centre of mass is not removed.
"""
import math
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile

# According to manual.gromacs.org/2022.5/reference-manual, SHAKE iterates "until all constraints are
# satisfied within that relative tolerance" of lengths, with "an additional round" for velocities
# (Constraint algorithms). Leapfrog is "of third order in r" in one step, with velocities half a step
# behind (Molecular Dynamics). LINCS has no tolerance, but an order and a number of corrections, which
# are 4 and 1 by default. The adapter claims nothing for it.
#
# - SHAKE stops after 1000 sweeps without correcting later molecules, writes this to the log and
#   continues with exit status 0. The adapter reports a failure. A tolerance of 0 means 1e-14
#   (single: 1e-6), which is above round-off. For velocities, this tolerance is multiplied by
#   2 l²/h. SHAKE does not constrain velocities if the step is negative, so such steps are refused.
# - The box is periodic because GROMACS has no vacuum, but it is too large to have an effect. Points
#   are moved into it once. A negative coordinate is moved by adding a power of two, which loses its
#   last digits.
# - Energies are computed at every step, because GROMACS uses different code for bonds in steps
#   without energies.
# - GROMACS has two simulators. The newer one assumes that initial velocities are half a step behind
#   even for md-vv.
# - LINCS uses twice the order in triangles. SETTLE needs equal triangles of consecutive points.
# - Charges of Coulomb pairs are computed from the pairs. Pairs that are not listed are excluded.

signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the reader may end before the last state

# Coulomb's constant in kJ nm / (mol e²), from the constants of gromacs/math/units.h
COULOMB = 1.602176634e-19 ** 2 * 6.02214076e23 / (8.8541878128e-12 * 1e-9 * 1e3) / (4 * math.pi)
REACH = 1e5  # the cut-off; the box is three times as wide
# The numbers of ends and values after a word; the topology section, its function, and the order of values.
SIZES = {"mass": (0, 1), "rod": (2, 1), "spring": (2, 2), "pair": (2, 3), "angle": (3, 2), "periodic": (4, 3),
         "cosines": (4, 6), "improper": (4, 2)}
SECTIONS = {"rod": ("constraints", 2, lambda l: [l]), "spring": ("bonds", 6, lambda k, l: [l, k]),
            "angle": ("angles", 1, lambda k, t: [math.degrees(t), k]), "cosines": ("dihedrals", 3, lambda *c: c),
            "periodic": ("dihedrals", 9, lambda n, k, t: [math.degrees(t), k, int(n)]),
            "improper": ("dihedrals", 2, lambda k, t: [math.degrees(t), k])}


class Refused(Exception):
    pass


def in_space(numbers):
    return [*numbers, 0.0, 0.0, 0.0][:3]


class System:
    """The line `system DIMENSION …` as lists of (ends, numbers). Ends count from 1, with fixed points last."""

    def __init__(self, words):
        self.dimension, at = int(words[0]), 1
        terms = {key: [] for key in [*SIZES, "fixed", "gravity"]}
        while at < len(words):
            if words[at] not in terms:
                raise Refused(f"this adapter has no {words[at]}")
            ends, numbers = SIZES.get(words[at], (0, self.dimension))
            middle = at + 1 + ends
            terms[words[at]].append(([int(w) for w in words[at + 1:middle]],
                                     [float(w) for w in words[middle:middle + numbers]]))
            at = middle + numbers
        self.masses = [m for _, (m,) in terms["mass"]]
        self.fixed = [in_space(r) for _, r in terms["fixed"]]
        self.gravity = in_space([x for _, row in terms["gravity"] for x in row])
        self.atoms = range(1, len(self.masses) + len(self.fixed) + 1)
        self.terms = {key: [([a + 1 if a >= 0 else len(self.masses) - a for a in ends], numbers)
                            for ends, numbers in terms[key]] for key in [*SECTIONS, "pair"]}

    def charges(self):
        """Charges whose products are those of the pairs. One charge determines all charges it
        interacts with, up to a factor: s for one class and 1/s for the other. Only a pair within a
        class determines s."""
        products = {tuple(ends): c / COULOMB for ends, (c, _, _) in self.terms["pair"]}
        charge = dict.fromkeys(self.atoms, 0.0)
        for root in {i: 0 for ends, c in products.items() if c for i in ends}:
            part, square, reached = {root: (1.0, 1)}, 1.0, [root] if charge[root] == 0 else []
            for a in reached:
                for ends, product in products.items():
                    if product and a in ends:
                        b, follows = sum(ends) - a, (product / part[a][0], -part[a][1])
                        if b not in part:
                            reached.append(b)
                        factor, sort = part.setdefault(b, follows)
                        if sort != follows[1]:
                            square = abs(follows[0] / factor) ** sort
            charge.update((a, part[a][0] * square ** (part[a][1] / 2)) for a in reached)
        if any(abs(charge[i] * charge[j] - product) > 1e-13 * abs(product) for (i, j), product in products.items()):
            raise Refused("GROMACS has Coulomb pairs of charges; no charges have these products")
        return charge

    def triangles(self):
        """The lines of [ settles ]."""
        length = {tuple(sorted(ends)): l for ends, (l,) in self.terms["rod"]}
        found = [(a, *map(length.get, [(a, a + 1), (a, a + 2), (a + 1, a + 2)]), *self.masses[a - 1:a + 2])
                 for a in self.atoms[:-2] if {(a, a + 1), (a, a + 2), (a + 1, a + 2)} <= length.keys()]
        _, leg, _, base, apex, mass, *_ = found[0] if found else [0] * 7
        alike = all(math.isclose(x, y, rel_tol=1e-12) for row in found
                    for x, y in zip(row[1:], (leg, leg, base, apex, mass, mass)))
        if not alike or not len(found) * 3 == len(length) == len(self.terms["rod"]):
            raise Refused("SETTLE is for equal triangles of points that follow one another: an apex, two of one mass")
        return [f"{row[0]} 1 {leg!r} {base!r}" for row in found]

    def topology(self, settles):
        pairs = {tuple(sorted(ends)): numbers for ends, numbers in self.terms["pair"]}
        charge, masses = self.charges(), self.masses + [1.0] * len(self.fixed)
        out = ["[ defaults ]", "1 1 no 1 1", "[ atomtypes ]", *(f"T{i} 1 0 A 0 0" for i in self.atoms)]
        out += ["[ nonbond_params ]", *(f"T{i} T{j} 1 {lj6!r} {lj12!r}" for (i, j), (_, lj12, lj6) in pairs.items())]
        out += ["[ moleculetype ]", "all 0", "[ atoms ]",
                *(f"{i} T{i} 1 ALL A {i} {charge[i]!r} {masses[i - 1]!r}" for i in self.atoms)]
        for key, (section, function, order) in SECTIONS.items():
            if settles and key == "rod":
                out += ["[ settles ]", *self.triangles()] if self.terms[key] else []
            else:
                out += [f"[ {section} ]", *(" ".join(map(repr, [*ends, function, *order(*numbers)]))
                                            for ends, numbers in self.terms[key])]
        excluded = [f"{i} {j}" for i in self.atoms for j in self.atoms if i < j and (i, j) not in pairs]
        return [*out, "[ exclusions ]", *excluded, "[ system ]", "all", "[ molecules ]", "all 1"]


def frame(x, v):
    """A .trr file with one frame in the box, in double precision."""
    box = [3 * REACH * (i % 4 == 0) for i in range(9)]
    return struct.pack(f">3i12s13i2d{9 + len(x) + len(v)}d", 1993, 13, 12, b"GMX_trn_file", 0, 0, 72, 0, 0, 0, 0,
                       8 * len(x), 8 * len(v), 0, len(x) // 3, 0, 0, 0, 0, *box, *x, *v)


def frames(data):
    """x and v for all complete frames of a .trr file."""
    at = 0
    while at + 76 <= len(data):
        *sizes, n, _, _ = struct.unpack_from(">13i", data, at + 24)
        real = "d" if sizes[2] == 72 else "f"
        start = at + 76 + 2 * struct.calcsize(real)
        at = start + sum(sizes)
        if at <= len(data):
            numbers = struct.unpack_from(f">{6 * n}{real}", data, start + sum(sizes[:7]))
            yield numbers[:3 * n], numbers[3 * n:]


class Method:
    def __init__(self, words):
        self.gmx = "gmx" if "single" in words else "gmx_d"
        words = [w for w in words if w != "single"]
        self.integrator, self.algorithm, self.order, self.corrections = [*words, *["md", "shake", 4, 1][len(words):]]

    def greeting(self):
        said = subprocess.run([self.gmx, "--version"], capture_output=True, text=True).stdout
        version = re.search(r"version: +([\d.]+)", said).group(1)
        out = f"name=gromacs-{self.integrator}-{self.algorithm} version={version}"
        out += " velocities=half" * (self.integrator == "md") + " precision=single" * (self.gmx == "gmx")
        claims = " order-q=2 order-p=2 keeps-constraint=yes" + " keeps-hidden=yes" * (self.integrator == "md-vv")
        return out + claims * (self.gmx == "gmx_d" and self.algorithm != "lincs")

    def parameters(self, s, h, steps, tolerance):
        out = {"integrator": self.integrator, "dt": repr(h), "nsteps": steps, "comm-mode": "None", "nstcomm": 0,
               "nstxout": 1, "nstvout": 1, "nstenergy": 10 ** 9, "nstcalcenergy": 1, "nstlog": 0, "continuation": "yes",
               "nstlist": 10 ** 9, "verlet-buffer-tolerance": -1, "rlist": REACH, "rcoulomb": REACH, "rvdw": REACH,
               "coulombtype": "Cut-off", "coulomb-modifier": "None", "vdw-modifier": "None",
               "constraint-algorithm": "LINCS" if self.algorithm == "lincs" else "SHAKE", "lincs-warnangle": 90,
               "shake-tol": tolerance or (1e-14 if self.gmx == "gmx_d" else 1e-6), "lincs-order": self.order,
               "lincs-iter": self.corrections}
        out |= {"acc-grps": "moving", "accelerate": " ".join(map(repr, s.gravity))} if any(s.gravity) else {}
        out |= {"freezegrps": "fixed", "freezedim": "Y Y Y"} if s.fixed else {}
        return [f"{key} = {value}" for key, value in out.items()]

    def call(self, folder, words):
        """Runs a GROMACS command. Returns nothing, or the reason for its failure."""
        told = {**os.environ, "GMX_SUPPRESS_DUMP": "1", "GMX_DISABLE_MODULAR_SIMULATOR": "1"}
        done = subprocess.run([self.gmx, "-quiet", "-nobackup", *words.split()], cwd=folder, capture_output=True,
                              text=True, env=told)
        why = re.search(r"(?ms)^ERROR \d.*?\n\n|^Source file:.*?\n\nFor more|Shake did not[^\n]*", done.stderr)
        text = " ".join((why.group() if why else done.stderr[-300:]).split())
        return f"{words.split()[0]} has status {done.returncode}: {text}" if done.returncode else ""

    def run(self, s, h, steps, tolerance, x, v):
        """Returns the states, and the reason why there are no more of them."""
        if tolerance and self.algorithm != "shake":
            raise Refused(f"{self.algorithm.upper()} has no tolerance in GROMACS")
        if h < 0 and self.algorithm == "shake" and self.integrator == "md-vv":
            raise Refused("SHAKE leaves velocities as they are in steps below 0")
        low = [min(x[j::3]) for j in range(3)]
        move = [2.0 ** math.ceil(math.log2(-r)) if r < 0 else 0.0 for r in low] * len(s.atoms)
        with tempfile.TemporaryDirectory() as folder:
            moving, nowhere = len(s.masses), "    1ALL      A    0" + "   0.000" * 3
            for name, lines in {
                    "top": s.topology(self.algorithm == "settle"), "mdp": self.parameters(s, h, steps, tolerance),
                    "ndx": ["[ System ]", *s.atoms, "[ moving ]", *s.atoms[:moving], "[ fixed ]", *s.atoms[moving:]],
                    "gro": ["all", len(s.atoms), *[nowhere] * len(s.atoms), f"{3 * REACH} " * 3]}.items():
                pathlib.Path(folder, "all." + name).write_text("\n".join(map(str, lines)) + "\n")
            pathlib.Path(folder, "start.trr").write_bytes(frame([a + b for a, b in zip(x, move)], v))
            why = self.call(folder, "grompp -f all -c all -t start -p all -n all -o run -maxwarn 99")
            if why:
                raise Refused(why)
            why = self.call(folder, "mdrun -deffnm run -nt 1 -reprod -pin off")
            files = [pathlib.Path(folder, name) for name in ("run.log", "run.trr")]
            log, found = [file.read_bytes() if file.exists() else b"" for file in files]
            wrong = re.search(rb"algorithm Shake at step (\d+)|step (\d+): One .* not be settled", log)
            states = [([a - b for a, b in zip(x, move)], v) for x, v in frames(found)]
        if wrong:
            step = int(wrong.group(1) or wrong.group(2))
            why = f"{self.algorithm.upper()} has not converged in step {step}"
            states = states[:max(1, step + (self.integrator == "md"))]
        return states, why


def main():
    method = Method(sys.argv[1:])
    sys.stdin.readline()  # hello 1 double 17
    print("shakedown-engine 1", method.greeting(), flush=True)
    words = sys.stdin.readline().split()  # system DIMENSION …
    if not words:
        return
    try:
        s = System(words[1:])
        s.topology(method.algorithm == "settle")
    except Refused as why:
        print("refuse", why)
        return
    print("ready", flush=True)
    d, n = s.dimension, len(s.masses)
    for line in sys.stdin:  # run H STEPS TOLERANCE Q V
        words = line.split()
        points = [in_space([float(w) for w in words[i:i + d]]) for i in range(4, 4 + 2 * n * d, d)]
        steps = int(words[2])
        try:
            states, why = method.run(s, float(words[1]), steps, float(words[3]),
                                     sum(points[:n] + s.fixed, []), sum(points[n:], []) + [0.0] * 3 * len(s.fixed))
            for x, v in states:
                kept = [r for part in (x, v) for i in range(n) for r in part[3 * i:3 * i + d]]
                if not all(abs(r) < REACH / 2 for r in kept):
                    why, steps = "a point is beyond the cut-off, or not finite", len(states)
                    break
                print("state", *kept)
            if why and len(states) <= steps:
                print("fail not-converged", why)
        except Refused as why:
            print("fail refused", why)
        sys.stdout.flush()


main()
