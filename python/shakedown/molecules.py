"""Converts GROMACS, LAMMPS, AMBER, CHARMM or OpenMM files to a system of particles.

usage: python3 -m shakedown.molecules TOPOLOGY.top COORDINATES.gro|.pdb > molecule.yaml
       python3 -m shakedown.molecules MOLECULE.data
       python3 -m shakedown.molecules TOPOLOGY.prmtop COORDINATES.inpcrd|.rst7|.pdb
       python3 -m shakedown.molecules TOPOLOGY.psf COORDINATES.crd|.pdb PARAMETERS...
       python3 -m shakedown.molecules SYSTEM.xml COORDINATES.pdb
       python3 -m shakedown.molecules COORDINATES.pdb FORCEFIELD.xml...

The result is a file for particles(file=...), in nm, ps, u, e and kJ/mol, without a box or a
cut-off. A summary is printed on standard error. Coordinates in these files have few digits, so
use particles(...,project=yes) if there are rods. docs/guides/systems-from-files.md describes which
parts of each format are read; anything else is refused with its line. GROMACS files (.top) and
LAMMPS files (.data) are read without other software, and all others by OpenMM.

  --constraints none|h-bonds|all-bonds|h-angles
                              what becomes rods: only the constraints in the file, bonds of
                              hydrogens, all bonds, or all bonds and the angles H-X-H and H-O-X
  --flexible-water            #define FLEXIBLE of GROMACS, rigidWater=False of OpenMM
  --without cmap              leaves out CHARMM's correction maps instead of refusing them
  --kick SEED                 adds random velocities of 300 K that keep the rods
  --define NAME               GROMACS only: like a line #define NAME before the topology
  --shake "b 1 a 1"           LAMMPS only: the constraints of the command fix shake
  --excluded N                LAMMPS only: pairs at most N bonds apart do not interact. 3, the
                              default, means special_bonds 0 0 0, and 2 means 0 0 1
  --mix geometric|arithmetic  LAMMPS only: mean that gives sigma of two types (default: geometric)
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from itertools import combinations, product, takewhile
from math import atan2, cos, pi, radians, sqrt
from typing import (Any, Callable, Collection, Dict, Iterable, Iterator, List, Optional, Set, Tuple,
                    Union)

LARGEST_FILE = 1 << 22  # bytes
LARGEST_RESULT = 1 << 20  # bytes, the limit of `particles`
MOST_ATOMS = 1000
COULOMB = 138.935457644382  # e²/(4 π ε_0), kJ nm/(mol e²)
WARM = 300 * 0.00831446261815324  # k_B T of --kick, kJ/mol

Ends = Tuple[int, ...]
Numbers = Dict[str, Any]


class Refused(Exception):
    """Part of a file is not supported. The message contains file, line, what was found and what was expected."""


# ---- kicks ----

WORD = (1 << 64) - 1


def drawn(seed: int) -> Iterator[float]:
    """Yields random numbers with mean 0 and variance 1, the same as those of `shakedown run --kick` (engine/bind.c).
    They are sums of 12 words of SplitMix64, and have the same bits on every machine."""
    while True:
        total = -12 * 0xFFFF // 2
        for _ in range(12):
            seed = (seed + 0x9E3779B97F4A7C15) & WORD
            word = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & WORD
            word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
            total += (word ^ word >> 31) >> 48
        yield total / 65536


# ---- lines ----

NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,5})?")
WHOLE = re.compile(r"[-+]?[0-9]{1,9}")

#: A condition on a number: its description, and a function that tests x.
Rule = Tuple[str, Callable[[float], bool]]
ANY: Rule = ("a number", lambda x: True)
POSITIVE: Rule = ("a number above 0", lambda x: x > 0)
NOT_NEGATIVE: Rule = ("a nonnegative number", lambda x: x >= 0)
ZERO: Rule = ("0", lambda x: x == 0)
SIGN: Rule = ("1 or -1", lambda x: abs(x) == 1)
ANGLE: Rule = ("a number of degrees from 0 to 180", lambda x: 0 <= x <= 180)
TORSION: Rule = ("a number of degrees from -180 to 180", lambda x: abs(x) <= 180)
MULTIPLICITY: Rule = ("a multiplicity from 0 to 9", lambda x: x in range(10))
COORDINATE: Rule = ("a coordinate in these columns", lambda x: True)


class Line:
    """A line without its comment."""

    def __init__(self, path: str, number: int, text: str, comment: str):
        self.path, self.number = path, number
        self.text, _, self.comment = text.rstrip("\n").partition(comment)
        self.words = self.text.split()

    def require(self, holds: Any, found: Union[int, str], expected: str) -> None:
        """Refuses the line unless `holds` is true. `found` is the index of a word, or a text."""
        if isinstance(found, int):
            found = (self.words[found:] or ["the end of the line"])[0] or "nothing"
        if not holds:
            place = "%s:%d" % (self.path, self.number)
            raise Refused("%s: found %s, expected %s" % (place, found, expected))

    def real(self, at: int, rule: Rule) -> float:
        """Returns word `at` as a number; numbers from 1e100 are refused, so that products remain finite."""
        word = "".join(self.words[at:at + 1])
        x = float(word) if NUMBER.fullmatch(word) else float("nan")
        self.require(abs(x) < 1e100 and rule[1](x), at, rule[0])
        return x

    def whole(self, at: int, low: int, high: int, expected: str) -> int:
        """Returns word `at` as a whole number from `low` to `high`."""
        word = "".join(self.words[at:at + 1])
        self.require(WHOLE.fullmatch(word) and low <= int(word) <= high, at, expected)
        return int(word)

    def atoms(self, places: range, most: int) -> Ends:
        """Returns the indices of the atoms, from 0, for words that number different atoms from 1 to `most`."""
        found = [self.whole(at, 1, most, "the number of an atom") - 1 for at in places]
        self.require(len(set(found)) == len(found), "an atom twice", "different atoms")
        return tuple(found)


def read_lines(path: str, comment: str, continued: str = "\n") -> List[Line]:
    """Returns the lines of a file, at least one. A line that ends in `continued` continues in the next. Each byte is
    one character, because columns are counted in bytes."""
    if not os.path.isfile(path) or os.path.getsize(path) > LARGEST_FILE:
        raise Refused("%s: found %s, expected a file of at most %d bytes" % (
            path, "more" if os.path.isfile(path) else "no such file", LARGEST_FILE))
    with open(path, encoding="latin-1") as file:
        lines, begun = [], ""
        for i, text in enumerate(file, 1):
            begun += text.rstrip("\n")
            if begun.endswith(continued):
                begun = begun[:-1] + " "
            else:
                lines.append(Line(path, i, begun, comment))
                begun = ""
    return lines + ([] if lines and not begun else [Line(path, len(lines) + 1, begun, comment)])


# ---- a system of particles ----

Vector = List[float]


def minus(a: Vector, b: Vector) -> Vector:
    return [x - y for x, y in zip(a, b)]


def dot(a: Vector, b: Vector) -> float:
    return sum(x * y for x, y in zip(a, b))


def cross(a: Vector, b: Vector) -> Vector:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def torsion_of(a: Vector, b: Vector, c: Vector, d: Vector) -> float:
    """Returns the torsion about the line from b to c, in radians; 0 if a and d are on the same side."""
    x, y, z = minus(b, a), minus(c, b), minus(d, c)
    m, n = cross(x, y), cross(y, z)
    return atan2(sqrt(dot(y, y)) * dot(x, n), dot(m, n))


def counted(count: int, what: str) -> str:
    return "%d %s%s" % (count, what, "" if count == 1 else "s")


def ordered(*ends: int) -> Ends:
    return tuple(sorted(ends))


class System:
    """Particles, and the terms between them by kind. `constraints` determines what becomes rods, like the option of
    this name."""

    def __init__(self, constraints: str):
        self.constraints = constraints
        self.geometric = False  # the combination rule for sigma
        self.particles: List[Numbers] = []
        self.types: List[str] = []  # names of the particles' types, if the file contains them
        self.symbols: List[str] = []  # "H" for a hydrogen, "O" for an oxygen
        self.terms: Dict[str, List[Tuple[Ends, Numbers]]] = {kind: [] for kind in (
            "rods", "springs", "quartic-springs", "exclude", "pairs", "angles", "cosine-angles",
            "dihedrals", "impropers")}
        self.near: Set[Ends] = set()  # pairs that do not interact, unless they have a rod or parameters of their own
        self.never: Set[Ends] = set()  # pairs that never interact
        self.left_out: Dict[str, int] = Counter()

    def add_particle(self, name: str, type: str, symbol: str, mass: float, charge: float,
                     sigma: float, epsilon: float) -> Numbers:
        particle = {"name": name, "mass": mass, "position": []}
        particle.update({"charge": charge} if charge else {})
        particle.update({"lennard-jones": {"sigma": sigma, "epsilon": epsilon}} if epsilon else {})
        self.particles.append(particle)
        self.types.append(type)
        self.symbols.append(symbol)
        return particle

    def extend(self, other: System) -> None:
        """Adds a copy of another system."""
        first = len(self.particles)
        self.particles += [dict(particle) for particle in other.particles]
        self.types += other.types
        self.symbols += other.symbols
        for kind, terms in other.terms.items():
            self.terms[kind] += [
                (tuple(first + i for i in ends), numbers) for ends, numbers in terms]
        self.left_out.update(other.left_out)

    def name(self, i: int) -> str:
        return "%s-%d" % (self.particles[i]["name"], i + 1)

    def hydrogens(self, ends: Iterable[int]) -> int:
        return sum(self.symbols[i] == "H" for i in ends)

    def add_bond(self, kind: str, ends: Ends, numbers: Numbers, rigid: bool = False) -> None:
        """Adds a spring of this kind, or a rod if the option demands one or `rigid` is true."""
        rigid = rigid or self.constraints in ("all-bonds", "h-angles")
        if rigid or self.constraints == "h-bonds" and self.hydrogens(ends):
            kind, numbers = "rods", {"length": numbers["length"]}
        self.add(kind, ends, numbers)

    def add(self, kind: str, ends: Ends, numbers: Numbers) -> None:
        """Adds a term between particles, which are counted from 0. `numbers` has the keys of YAML."""
        self.terms[kind].append((ends, numbers))

    def rod_lengths(self) -> Dict[Ends, float]:
        return {ordered(*ends): numbers["length"] for ends, numbers in self.terms["rods"]}

    def fix_angle(self, ends: Ends, angle: float) -> bool:
        """Makes an angle between two rods rigid with a third rod. Returns False if there are not two rods."""
        rods, (a, b, c) = self.rod_lengths(), ends
        one, other = rods.get(ordered(a, b)), rods.get(ordered(b, c))
        if one and other and ordered(a, c) not in rods:
            square = one * one + other * other - 2 * one * other * cos(radians(angle))
            self.add("rods", (a, c), {"length": sqrt(square)})
        return bool(one and other)

    def finish(self, lines: Dict[Ends, Line]) -> None:
        """Makes the angles of h-angles rigid, and excludes pairs. Springs along rods have no effect and are removed;
        all other springs, and angles, are refused if their stiffness is 0. `lines` contains the lines of the terms."""
        for kind in ("angles", "cosine-angles") if self.constraints == "h-angles" else ():
            self.terms[kind] = [  # H-X-H and H-O-X are fixed
                (ends, numbers) for ends, numbers in self.terms[kind]
                if not (self.hydrogens(ends) > (self.symbols[ends[1]] != "O") and
                        self.fix_angle(ends, numbers["angle"]))]
        rods = set(self.rod_lengths())
        self.terms["springs"] = [one for one in self.terms["springs"]
                                 if ordered(*one[0]) not in rods]
        for kind in ("springs", "quartic-springs", "angles", "cosine-angles"):
            for ends, numbers in self.terms[kind]:
                if ends in lines:
                    lines[ends].require(
                        numbers["stiffness"], "a force constant of 0", "a positive one for terms that are "
                        "not constrained by --constraints, or by --shake for LAMMPS")
        own = rods | {ordered(*ends) for ends, _ in self.terms["pairs"]}
        for pair in sorted(self.never | (self.near - own)):
            self.add("exclude", pair, {})

    def silent(self) -> Set[Ends]:
        """Returns the pairs that do not interact through the parameters of their particles."""
        return {ordered(*ends) for kind in ("rods", "pairs", "exclude")
                for ends, _ in self.terms[kind]}

    def mixed(self, a: int, b: int) -> Tuple[float, float]:
        """Returns sigma and epsilon of two particles by the combination rule; epsilon is 0 if there is none."""
        one, other = (self.particles[i].get("lennard-jones") for i in (a, b))
        if not one or not other:
            return 0.0, 0.0
        mean = sqrt(one["sigma"] * other["sigma"]) if self.geometric else (
            one["sigma"] + other["sigma"]) / 2
        return mean, sqrt(one["epsilon"] * other["epsilon"])

    def energies(self) -> Dict[str, float]:
        """Returns the potential energy at the start by kind, as `particles` defines it."""
        x = [particle["position"] for particle in self.particles]
        charge = [particle.get("charge", 0.0) for particle in self.particles]
        sums = {kind: sum(bonded_energy(kind, [x[i] for i in ends], numbers)
                          for ends, numbers in terms)
                for kind, terms in self.terms.items()
                if terms and kind not in ("rods", "exclude", "pairs")}
        sums.update({"charges": 0.0, "lennard-jones": 0.0})
        silent = self.silent()
        acting = self.terms["pairs"] + [(pair, {}) for pair in combinations(range(len(x)), 2)
                                        if pair not in silent]
        for (a, b), numbers in acting:
            mixed = self.mixed(a, b)
            square = dot(minus(x[a], x[b]), minus(x[a], x[b])) or float("nan")
            s6 = numbers.get("sigma", mixed[0]) ** 6 / square ** 3
            sums["charges"] += (
                numbers.get("coulomb", 1.0) * COULOMB * charge[a] * charge[b] / sqrt(square))
            sums["lennard-jones"] += (4 * numbers.get("lennard-jones", 1.0) * (s6 * s6 - s6) *
                                      numbers.get("epsilon", mixed[1]))
        return sums

    def molecules(self) -> List[List[int]]:
        """Returns the particles of each molecule, which rods and springs join."""
        neighbours = neighbours_of(ends for kind in ("rods", "springs", "quartic-springs")
                                   for ends, _ in self.terms[kind])
        found: List[List[int]] = []
        seen: Set[int] = set()
        for first in range(len(self.particles)):
            part = [] if first in seen else [first]
            seen.add(first)
            for i in part:  # the list grows
                part += sorted(neighbours.get(i, set()) - seen)
                seen |= neighbours.get(i, set())
            found += [sorted(part)] if part else []
        return found

    def check_whole(self) -> None:
        """Refuses bonds far from their lengths, which are typical of molecules cut by a periodic box."""
        for kind in ("rods", "springs", "quartic-springs"):
            for ends, numbers in self.terms[kind]:
                a, b = (self.particles[i] for i in ends)
                distance = sqrt(dot(*2 * (minus(a["position"], b["position"]),)))
                if not distance < 5 * numbers["length"] + 0.5:
                    raise Refused("%s and %s: found a distance of %.3g nm, expected the length of "
                                  "a bond, %.3g nm: molecules must be whole (gmx trjconv -pbc "
                                  "whole)" % (*map(self.name, ends), distance, numbers["length"]))

    def summary(self) -> str:
        """Lists atoms, molecules, constraints, force terms with their energies, and omitted parts."""
        names = [particle["name"] for particle in self.particles]
        kinds = Counter(" ".join(names[i] for i in part[:6]) + (" ..." if part[6:] else "") +
                        " (%d)" % len(part) for part in self.molecules())
        rods = self.rod_lengths()
        joined = neighbours_of(rods)
        angles = sum(any(rods[a, b] > max(rods[ordered(a, c)], rods[ordered(b, c)])
                         for c in joined[a] & joined[b]) for a, b in rods)
        loose = [i for i, symbol in enumerate(self.symbols) if symbol == "H" and i not in joined]
        out = ["atoms: %d" % len(names), "molecules, with their numbers of atoms:"]
        out += ["  %d of %s" % (count, kind) for kind, count in kinds.items()]
        out += ["constraints: %s, %d of them across rigid angles; %s without a rod" % (
            counted(len(rods), "rod"), angles, counted(len(loose), "hydrogen"))]
        out += ["terms of the potential, with their energies in kJ/mol:"]
        sums = self.energies()
        for kind, energy in sums.items():
            count = " (%d)" % len(self.terms[kind]) if kind in self.terms else ""
            out.append("  %s%s: %.10g" % (kind, count, energy))
        out += ["  all: %.10g" % sum(sums.values()), "left out: " + ", ".join(
            ["the box and every cut-off", *map(counted, self.left_out.values(), self.left_out)])]
        return "\n".join(out) + "\n"

    def kick(self, seed: int) -> None:
        """Adds random velocities for 300 K, made consistent with the rods."""
        draw, rods = drawn(seed), self.rod_lengths()
        x = [particle["position"] for particle in self.particles]
        mass = [particle["mass"] for particle in self.particles]
        v = [[old + sqrt(WARM / particle["mass"]) * next(draw)
              for old in particle.get("velocity", [0.0, 0.0, 0.0])] for particle in self.particles]
        for _ in range(100000):
            worst = 0.0
            for a, b in rods:
                along, weights = minus(x[a], x[b]), 1 / mass[a] + 1 / mass[b]
                push = dot(along, minus(v[a], v[b])) / (dot(along, along) * weights)
                worst = max(worst, abs(push) * weights)
                v[a] = [old - push / mass[a] * d for old, d in zip(v[a], along)]
                v[b] = [old + push / mass[b] * d for old, d in zip(v[b], along)]
            if worst < 1e-13:
                break
        else:
            raise Refused("--kick: found no velocities that keep all rods, expected rods that do "
                          "not contradict each other")
        for particle, velocity in zip(self.particles, v):
            particle["velocity"] = velocity

    def yaml(self, source: str) -> str:
        """Returns the file that `particles` reads; `source` describes its origin."""
        source = json.dumps(source)[1:-1]
        out = ["# From %s. Units nm, ps, u, e and kJ/mol; no box, nothing cut off." % source,
               "coulomb: %.15g" % COULOMB]
        out += ["combination: geometric"] if self.geometric else []
        out += ["particles:"] + ["  - " + flow({**particle, "name": self.name(i)})
                                 for i, particle in enumerate(self.particles)]
        for kind, terms in self.terms.items():
            out += [kind + ":"] if terms else []
            for ends, numbers in terms:
                between = [self.name(i) for i in ends]
                out.append("  - " + flow({"between": between, **numbers} if numbers else between))
        return "\n".join(out) + "\n"


def bonded_energy(kind: str, x: List[Vector], numbers: Numbers) -> float:
    """Returns the energy of a term between points at x."""
    if kind == "dihedrals":
        phi = torsion_of(*x)
        if "cosines" in numbers:
            return sum(float(c) * cos(phi - pi) ** i for i, c in enumerate(numbers["cosines"]))
        inside = numbers["multiplicity"] * phi - radians(numbers["phase"])
        return float(numbers["stiffness"]) * (1 + cos(inside))
    k = float(numbers["stiffness"])
    if kind == "impropers":
        off = torsion_of(*x) - radians(numbers["angle"])
        return k * (off - 2 * pi * round(off / (2 * pi))) ** 2 / 2
    if kind in ("angles", "cosine-angles"):
        u, v, rest = minus(x[0], x[1]), minus(x[2], x[1]), radians(numbers["angle"])
        theta = atan2(sqrt(dot(cross(u, v), cross(u, v))), dot(u, v))
        return k * (theta - rest if kind == "angles" else cos(theta) - cos(rest)) ** 2 / 2
    square, rest = dot(minus(*x), minus(*x)), numbers["length"]
    if kind == "springs":
        return k * (sqrt(square) - rest) ** 2 / 2
    return float(k * (square - rest * rest) ** 2 / (8 * rest * rest))


def flow(value: Any, key: str = "") -> str:
    """Returns a value as one line of YAML; numbers have 15 digits, velocities 17."""
    if isinstance(value, dict):
        return "{%s}" % ", ".join("%s: %s" % (one, flow(value[one], one)) for one in value)
    if isinstance(value, list):
        return "[%s]" % ", ".join(flow(one, key) for one in value)
    if isinstance(value, str):
        return json.dumps(value)
    number: str = ("%.17g" if key == "velocity" else "%.15g") % value
    return number + ("deg" if key in ("angle", "phase") else "")


def neighbours_of(bonds: Iterable[Ends]) -> Dict[int, Set[int]]:
    neighbours: Dict[int, Set[int]] = {}
    for a, b in bonds:
        neighbours.setdefault(a, set()).add(b)
        neighbours.setdefault(b, set()).add(a)
    return neighbours


def near_pairs(bonds: Iterable[Ends], reach: int) -> Set[Ends]:
    """Returns the pairs at most `reach` bonds apart, the lower atom first."""
    neighbours = neighbours_of(bonds)
    found: Set[Ends] = set()
    for a in neighbours:
        near = {a}
        for _ in range(reach):
            near = near.union(*(neighbours[b] for b in near))
        found |= {(a, b) for b in near if a < b}
    return found


# ---- GROMACS: reference manual, "File formats", .top, .gro ----

MOST_INCLUDED = 8
MOST_WORDS = 1000  # in a line after macro replacement
STOCK = ("/usr/share/gromacs/top", "/usr/local/gromacs/share/gromacs/top")  # the force fields of GROMACS
#: Number of atoms that a line of a directive names. Parameters by atom types are in [ …types ].
ENDS = {"bonds": 2, "constraints": 2, "settles": 1, "angles": 3, "dihedrals": 4, "pairs": 2}
SECTION_OF = {name[:-1] + "types": name for name in ENDS}
#: Directives that are skipped, because only unsupported directives use them; without "_".
IDLE = ("cmaptypes", "implicitgenbornparams", "implicitsurfaceparams", "system")
#: For each function of a directive, its kind of term in YAML and its parameters, in their order.
HARMONIC = {"length": POSITIVE, "stiffness": NOT_NEGATIVE}
BENT = {"angle": ANGLE, "stiffness": NOT_NEGATIVE}
PERIODIC = ("dihedrals", {"phase": ANY, "stiffness": ANY, "multiplicity": MULTIPLICITY})
FUNCTIONS: Dict[Any, Any] = {
    ("bonds", 1): ("springs", HARMONIC), ("bonds", 2): ("quartic-springs", HARMONIC),
    ("bonds", 5): ("", {}), ("bonds", 6): ("springs", HARMONIC),
    ("constraints", 1): ("rods", {"length": POSITIVE}),
    ("constraints", 2): ("rods", {"length": POSITIVE}),
    ("settles", 1): ("rods", {"leg": POSITIVE, "base": POSITIVE}),
    ("angles", 1): ("angles", BENT), ("angles", 2): ("cosine-angles", BENT),
    ("angles", 5): ("angles", {**BENT, "between": NOT_NEGATIVE, "spring": NOT_NEGATIVE}),
    ("dihedrals", 1): PERIODIC, ("dihedrals", 4): PERIODIC, ("dihedrals", 9): PERIODIC,
    ("dihedrals", 2): ("impropers", {"angle": TORSION, "stiffness": NOT_NEGATIVE}),
    ("dihedrals", 3): ("dihedrals", {"c%d" % i: ANY for i in range(6)}),
    ("pairs", 1): ("pairs", {"sigma": NOT_NEGATIVE, "epsilon": NOT_NEGATIVE}),
}
BONDS = (("bonds", 1), ("bonds", 2), ("bonds", 5), ("constraints", 1))  # bonds that exclusions count


class Sources:
    """The files of a topology: the include path, and the macros that are defined."""

    def __init__(self, path: str, defined: Iterable[str]):
        self.roots = [os.path.dirname(path), *filter(None, os.environ.get("GMXLIB", "").split(":")),
                      *STOCK]
        self.macros: Dict[str, List[str]] = {name: [] for name in defined}

    def lines(self, path: str, depth: int = 1) -> Iterator[Line]:
        """Yields the lines of a file and of its includes for which all #ifdef conditions hold."""
        conditions: List[bool] = []
        lines = read_lines(path, ";", "\\")
        for line in lines:
            word, *rest = line.words or [""]
            if word in ("#ifdef", "#ifndef") and rest:
                conditions.append((rest[0] in self.macros) == (word == "#ifdef"))
            elif word == "#else" and conditions:
                conditions[-1] = not conditions[-1]
            elif word == "#endif" and conditions:
                conditions.pop()
            elif not all(conditions) and word not in ("#if", "#elif"):
                continue
            elif word == "#include":
                yield from self.lines(self.included(line, depth), depth + 1)
            elif word == "#define" and rest:
                self.macros[rest[0]] = rest[1:]
            elif word == "#undef" and rest:
                self.macros.pop(rest[0], None)
            elif word and not line.text.startswith("*"):
                line.require(word[0] != "#", 0, "#include, #define, #undef, #ifdef, #ifndef, #else "
                             "or #endif")
                for _ in range(MOST_INCLUDED):  # macros in macros
                    line.words = [
                        one for word in line.words for one in self.macros.get(word, [word])]
                    line.require(len(line.words) < MOST_WORDS, "%d words" % len(line.words),
                                 "fewer than %d" % MOST_WORDS)
                yield from [line] if line.words else []
        lines[-1].require(not conditions, "the end of the file", "#endif")

    def included(self, line: Line, depth: int) -> str:
        """Returns the file that a line includes, which is beside the line's own file or below a root."""
        match = re.fullmatch(r'\s*#include\s+("[^"]+"|<[^>]+>)\s*', line.text)
        line.require(match and depth < MOST_INCLUDED, line.text,
                     '#include "FILE", at most %d deep' % MOST_INCLUDED)
        name = match[1][1:-1] if match else ""
        paths = [os.path.join(root, name) for root in [os.path.dirname(line.path), *self.roots]]
        found = [path for path in paths if os.path.isfile(path)]
        line.require(found, name, "a file beside this one, in the folder of the topology, in those of the "
                     "environment variable GMXLIB, or in %s" % STOCK[0])
        return found[0]


class Topology:
    """A topology while it is read; `system` contains the molecules that [ molecules ] lists."""

    def __init__(self, path: str, constraints: str, defined: Iterable[str], without: Iterable[str]):
        self.system, self.section, self.without = System(constraints), "", without
        self.rule, self.generates, self.scales = 0, False, [1.0, 1.0]
        self.atom_types: Dict[str, Line] = {}
        #: Lines of types: the type's rank, the line, and the index of its function and parameters.
        self.types: Dict[Tuple[Any, ...], List[Tuple[int, Line, int]]] = {}
        self.latest: Tuple[Any, ...] = ()  # the key of the type that was read last
        self.own_pairs: Dict[Tuple[str, ...], Line] = {}
        #: For each kind of molecule, the number of bonds up to which pairs are excluded, and the lines with their
        #: sections. These are read when [ molecules ] names the molecule.
        self.molecules: Dict[str, Tuple[int, List[Tuple[str, Line]]]] = {}
        for line in Sources(path, defined).lines(path):
            self.take(line)
        if not self.system.particles:
            raise Refused("%s: found no molecules, expected some in [ molecules ]" % path)
        self.add_own_pairs()

    def take(self, line: Line) -> None:
        """Reads a line. Lines of molecules are stored until the molecule is used."""
        if line.words[0].startswith("["):
            match = re.fullmatch(r"\s*\[\s*([\w-]+)\s*\]\s*", line.text)
            line.require(match, line.text, "a directive, [ … ]")
            self.section = re.sub("[_-]", "", match[1]).lower() if match else ""
        elif self.section in SECTION_OF:
            self.take_type(line, SECTION_OF[self.section])
        elif hasattr(self, "read_" + self.section):
            getattr(self, "read_" + self.section)(line)
        elif self.section not in IDLE:
            line.require(self.section, 0, "a directive, [ … ]")
            line.require(self.molecules and not self.system.particles, "[ %s ]" % self.section,
                         "a supported directive, or one of a molecule, before [ molecules ]")
            list(self.molecules.values())[-1][1].append((self.section, line))

    def take_type(self, line: Line, section: str) -> None:
        """Reads a line of types. If a dihedral has two names, these are the inner ones, or for impropers the outer
        ones. A line replaces an earlier one with the same names, but adjacent lines of function 9 are separate
        terms."""
        at = ENDS[section]
        names = tuple(line.words[:at])
        if section == "dihedrals" and re.fullmatch("[0-9]", "".join(line.words[2:3])):
            a, b, function = line.words[:3]
            at, names = 2, (a, "X", "X", b) if function == "2" else ("X", a, b, "X")
        function = "".join(line.words[at:at + 1])
        kind = "1" if section == "dihedrals" and function == "9" else function
        key = (section, kind, min(names, names[::-1]))
        known = self.types.get(key, [])
        adjacent = function == "9" and key == self.latest
        line.require(function != "9" or adjacent or not known or
                     line.words[at:] == known[0][1].words[at:] and len(known) == 1, 0,
                     "all lines of function 9 of these atoms in one block")
        order = known[0][0] if known else len(self.types)
        self.types[key] = (known if adjacent else []) + [(order, line, at)]
        self.latest = key

    def numbers(self, line: Line, at: int, section: str, function: int) -> Numbers:
        """Returns the parameters after word `at`. Those of a second state must be the same."""
        rules = FUNCTIONS[section, function][1]
        given, count = line.words[at + 1:], len(rules)
        again = [word for word, key in zip(given, rules) if key != "multiplicity"]
        same = given[count:] in (given[:count], again)
        line.require(len(given) == count or len(given) > count and same, "%d numbers" % len(given),
                     "%d" % count)
        numbers: Numbers = {key: line.real(at + 1 + i, rules[key]) for i, key in enumerate(rules)}
        if section == "pairs":
            numbers = {"coulomb": self.scales[1], **self.own_site(line, at + 1)}
        if (section, function) == ("bonds", 2):  # ¼ k (d² - l²)²
            numbers["stiffness"] *= 2 * numbers["length"] ** 2
        if numbers.get("multiplicity") == 0:  # a constant
            return {"cosines": [numbers["stiffness"] * (1 + cos(radians(numbers["phase"])))]}
        return {"cosines": list(numbers.values())} if "c0" in numbers else numbers

    def site(self, line: Line, at: int) -> Numbers:
        """Returns sigma and epsilon from the words `at` and at+1, which contain C6 and C12 under rule 1."""
        line.require(self.rule, 0, "[ defaults ] before")
        sigma, epsilon = line.real(at, NOT_NEGATIVE), line.real(at + 1, NOT_NEGATIVE)
        line.require(sigma and epsilon or not epsilon and (self.rule > 1 or not sigma), at,
                     "two numbers of a Lennard-Jones potential above 0, or both 0")
        if self.rule == 1 and sigma:
            sigma, epsilon = (epsilon / sigma) ** (1 / 6), sigma * sigma / (4 * epsilon)
            line.require(sigma < 1e100 > epsilon, at, "C6 and C12 of atoms")
        return {"sigma": sigma, "epsilon": epsilon}

    def own_site(self, line: Line, at: int) -> Numbers:
        """Returns the parameters of a pair that has its own."""
        site = self.site(line, at)
        return site if site["sigma"] else {"lennard-jones": 0}

    def read_defaults(self, line: Line) -> None:
        line.whole(0, 1, 1, "1: Lennard-Jones")
        self.rule = line.whole(1, 1, 3, "a combination rule, 1 to 3")
        self.system.geometric = self.rule != 2
        self.generates = "".join(line.words[2:3]).lower() == "yes"
        given = [line.real(at, NOT_NEGATIVE) for at in range(3, len(line.words))]
        self.scales = (given + [1.0, 1.0][len(given):])[:2]  # fudgeLJ, fudgeQQ

    def read_atomtypes(self, line: Line) -> None:
        self.atom_types[line.words[0]] = line

    def read_nonbondparams(self, line: Line) -> None:
        self.own_pairs[tuple(sorted(line.words[:2]))] = line

    def atom_type(self, name: str) -> Numbers:
        """Reads name [bonded type] [atomic number] mass charge kind sigma epsilon, as grompp does."""
        line = self.atom_types[name]
        words = line.words + 6 * [""]
        letter = [len(word) == 1 and word.isalpha() for word in words]
        kind = 5 if letter[5] else 3 if letter[3] else 4
        line.require(words[kind] == "A", words[kind] or "nothing",
                     "A, the kind of particle for atoms")
        bonded = kind == 5 or kind == 4 and words[1][0].isalpha()
        number = words[kind - 3] if kind == 5 or kind == 4 and not bonded else ""
        return {"type": name, "bonded": words[1] if bonded else name, "number": number,
                "mass": line.real(kind - 2, ANY), "charge": line.real(kind - 1, ANY),
                **self.site(line, kind + 1)}

    def read_moleculetype(self, line: Line) -> None:
        line.require(line.words[0] not in self.molecules, 0, "each molecule once")
        reach = line.whole(1, 0, 9, "the number of bonds between excluded pairs, 0 to 9")
        self.molecules[line.words[0]] = reach, []

    def read_molecules(self, line: Line) -> None:
        count = line.whole(1, 0, MOST_ATOMS, "the number of these molecules, up to %d" % MOST_ATOMS)
        name, alike = line.words[0], [
            one for one in self.molecules if one.lower() == line.words[0].lower()]
        line.require(name in alike or len(alike) == 1, 0, "the name of a [ moleculetype ]")
        if count:
            molecule = self.molecule(*self.molecules[name if name in alike else alike[0]])
            line.require(len(self.system.particles) + count * len(molecule.particles) <= MOST_ATOMS,
                         "more atoms", "at most %d" % MOST_ATOMS)
            for _ in range(count):
                self.system.extend(molecule)

    # -- lines of a molecule --

    def molecule(self, reach: int, lines: List[Tuple[str, Line]]) -> System:
        """Returns a molecule from its lines. Pairs at most `reach` bonds apart are excluded."""
        made = System(self.system.constraints)
        atoms: List[Numbers] = []
        bonds: List[Ends] = []
        source: Dict[Ends, Line] = {}
        for section, line in lines:
            if section == "cmap" and "cmap" in self.without:
                made.left_out["correction map"] += 1
            elif section == "atoms":
                atoms.append(self.atom(line, len(atoms) + 1))
                made.add_particle(*(atoms[-1][key] for key in (
                    "name", "type", "symbol", "mass", "charge", "sigma", "epsilon")))
            elif section == "exclusions":  # an atom, and all those with which it does not interact
                made.never |= {ordered(*line.atoms(range(0, at + 1, at), len(atoms)))
                               for at in range(1, len(line.words))}
            else:
                line.require(section in ENDS, "[ %s ] of a molecule" % section,
                             "none, or --without cmap, which leaves them out" if section == "cmap"
                             else "none, since this directive is not supported")
                ends, counts = self.add_terms(made, atoms, section, line)
                source[ends] = line
                bonds += counts
        made.near = near_pairs(bonds, reach)
        for (section, line) in lines:
            line.require(section != "pairs" or ordered(*line.atoms(range(2), len(atoms))) in
                         made.near | made.never, "a pair that is not excluded",
                         "atoms at most nrexcl bonds apart")
        made.finish(source)
        return made

    def atom(self, line: Line, number: int) -> Numbers:
        """Reads nr type resnr residue atom cgnr [charge [mass]]."""
        line.whole(0, number, number, "atoms in order, from 1")
        line.require(len(line.words) > 4, 5, "at least 5 words")
        line.require(line.words[1] in self.atom_types, 1, "a name of [ atomtypes ]")
        atom: Numbers = {**self.atom_type(line.words[1]), "name": line.words[4]}
        for at, key in zip(range(6, min(len(line.words), 8)), ("charge", "mass")):
            atom[key] = line.real(at, ANY)
        second = line.words[8:] in ([], [line.words[1]], [line.words[1]] + line.words[6:8])
        line.require(second and atom["mass"] > 0, line.words[-1],
                     "a mass above 0, and no second state")
        named = line.words[4][:1].upper()
        other = named == "H" and atom["number"] not in ("", "0", "1")
        atom["symbol"] = "" if other else {"1": "H", "8": "O"}.get(atom["number"], named)
        return atom

    def add_terms(self, made: System, atoms: List[Numbers], section: str,
                  line: Line) -> Tuple[Ends, List[Ends]]:
        """Adds the terms of a line, with its own parameters or those of its types. Returns its atoms, and the bonds
        that exclusions count."""
        at = ENDS[section]
        if section == "settles":  # a triangle of an atom and the next two
            a, = line.atoms(range(1), len(atoms) - 2)
            line.whole(1, 1, 1, "function 1")
            leg, base = self.numbers(line, 1, "settles", 1).values()
            line.require(base < 2 * leg, 3, "a length less than twice the other")
            sides = {(a, a + 1): leg, (a, a + 2): leg, (a + 1, a + 2): base}
            for side, length in sides.items():
                made.add("rods", side, {"length": length})
            return (a,), list(sides)
        ends = line.atoms(range(at), len(atoms))
        function = line.whole(at, 1, 20, "the number of a function") if line.words[at:] else 1
        line.require((section, function) in FUNCTIONS, at, "a supported function of %s: %s" % (
            section, ", ".join(str(one) for name, one in FUNCTIONS if name == section)))
        kind = FUNCTIONS[section, function][0]
        if line.words[at + 1:]:
            terms = [self.numbers(line, at, section, function)]
        else:
            terms = self.numbers_of([atoms[i] for i in ends], section, function, line)
        for numbers in terms if kind else []:
            length, spring = (numbers.pop(key, 0) for key in ("between", "spring"))
            if spring:  # the Urey-Bradley term
                made.add("springs", ends[::2], {"stiffness": spring, "length": length})
            if section == "bonds":
                made.add_bond(kind, ends, numbers)
            else:
                made.add(kind, ends, numbers)
        return ends, [ends] if (section, function) in BONDS else []

    def numbers_of(self, atoms: List[Numbers], section: str, function: int,
                   line: Line) -> List[Numbers]:
        """Returns the parameters of the types that fit best, or the first of these if several fit equally well. In
        dihedrals, X fits any type."""
        if (section, function) == ("bonds", 5):
            return []
        names = [atom["type" if section == "pairs" else "bonded"] for atom in atoms]
        kind = "1" if section == "dihedrals" and function == 9 else str(function)
        fits = []
        for mask in product((0, 1), repeat=4) if section == "dihedrals" else [(0,) * len(names)]:
            pattern = tuple("X" if hidden else name for hidden, name in zip(mask, names))
            found = self.types.get((section, kind, min(pattern, pattern[::-1])))
            fits += [(sum(mask), found[0][0], found)] if found else []
        if fits:
            return [self.numbers(one, at, section, function) for _, one, at in min(fits)[2]]
        line.require(section == "pairs" and self.generates,
                     "a line of [ %s ] without numbers" % section, "numbers, a line of the types that "
                     "contains them, or gen-pairs yes for pairs")
        return [{"coulomb": self.scales[1], "lennard-jones": self.scales[0]}]

    def add_own_pairs(self) -> None:
        """Gives pairs the parameters that [ nonbond_params ] contains for their types."""
        system = self.system
        lines = {names: line for names, line in self.own_pairs.items()
                 if set(system.types).issuperset(names)}
        silent = system.silent()
        for a, b in combinations(range(len(system.types)), 2) if lines else ():
            line = lines.get(tuple(sorted((system.types[a], system.types[b]))))
            if line and (a, b) not in silent:
                line.require(line.words[2:3] == ["1"], 2, "function 1")
                site, mixed = self.own_site(line, 3), system.mixed(a, b)
                if any(abs(site.get(key, 0.0) - one) > 1e-12 * one
                       for key, one in zip(("sigma", "epsilon"), mixed)):
                    system.add("pairs", (a, b), site)


def read_coordinates(path: str, particles: List[Numbers]) -> None:
    """Reads x and v in nm and nm/ps from .gro files, in columns as wide as the distance of the decimal points, or x
    in Å from the lines ATOM and HETATM of .pdb files."""
    lines, count, pdb = read_lines(path, "\0"), len(particles), path.endswith(".pdb")
    if pdb:
        model = takewhile(lambda line: not line.text.startswith("ENDMDL"), lines)
        atoms = [line for line in model if line.text.startswith(("ATOM  ", "HETATM"))]
    else:
        lines[-1].require(path.endswith(".gro"), "no coordinates", "a .gro or .pdb file")
        lines[-1].require(len(lines) > 1, "the end of the file", "a title and the number of atoms")
        lines[1].whole(0, count, count, "the number of atoms in the topology")
        atoms = lines[2:count + 2]
    lines[-1].require(len(atoms) == count, "%d atoms" % len(atoms), "as many as in the topology")
    for line, particle in zip(atoms, particles):
        line.require(not pdb or line.text[16:17] in ("", " ", "A"), "an alternate location",
                     "one position for each atom")
        gro = None if pdb else re.match(r".{20}[^.]*\.([^.]*)\.", line.text)
        line.require(pdb or gro, line.text, "an atom: names in 20 columns, then x, y, z")
        start, width, end = (20, len(gro[1]) + 1, len(line.text.rstrip())) if gro else (30, 8, 54)
        line.words = [line.text[at:at + width].strip() for at in range(start, end, width)]
        x = [line.real(i, COORDINATE) for i in range(len(line.words))]
        line.require(len(x) in (3, 6), line.text, "x, y, z, and optionally a velocity")
        particle["position"] = [coordinate / (10 if pdb else 1) for coordinate in x[:3]]
        particle.update({"velocity": x[3:]} if x[3:] else {})


def read_gromacs(topology: str, coordinates: str, constraints: str, defined: Iterable[str],
                 without: Iterable[str]) -> System:
    """`defined` are names as if by #define before the topology; `without` are omitted parts."""
    system = Topology(topology, constraints, defined, without).system
    read_coordinates(coordinates, system.particles)
    return system


# ---- LAMMPS: docs.lammps.org/read_data.html, special_bonds.html, pair_modify.html ----
#
# Data files in units real (Å, fs, kcal/mol, u, e), as `write_data` writes them: section titles name the styles
# ("Atoms # full"). Harmonic bonds and angles have no factor ½: K (r - r0)².

CALORIE = 4.184  # kJ in a kcal
ANGSTROM = 0.1  # nm
PER_FEMTOSECOND = 100  # nm/ps in Å/fs
HYDROGEN = 1.5  # u: lighter atoms are hydrogen, whatever their names
MASSDELTA = 0.1  # u, the tolerance for masses in fix shake
LIGHTEST_HEAVY = 4.5  # u: heavier atoms are not hydrogen; between the two, the name in the comment decides

#: Terms: their kind in YAML, the number of their atoms, and the section of their types.
TERMS = {"Bonds": ("springs", 2, "Bond Coeffs"), "Angles": ("angles", 3, "Angle Coeffs"),
         "Dihedrals": ("dihedrals", 4, "Dihedral Coeffs"),
         "Impropers": ("impropers", 4, "Improper Coeffs")}
#: Sections, and the words in the header for the number of their lines.
SECTIONS = {"Masses": "atom types", "Pair Coeffs": "atom types", "Atoms": "atoms",
            "Velocities": "atoms", **{name: name.lower() for name in TERMS},
            **{name: name.lower().replace("coeffs", "types") for _, _, name in TERMS.values()}}
#: Columns of an atom's line by style: type, charge (0 if there is none) and x. The number is first.
COLUMNS = {"full": (2, 3, 4), "molecular": (2, 0, 3), "bond": (2, 0, 3), "angle": (2, 0, 3),
           "charge": (1, 2, 3), "atomic": (1, 0, 2)}


def periodic(*terms: Tuple[float, float, float]) -> List[Numbers]:
    """Returns the sum of K (1 + cos(n phi - phase)) over terms (K, n, phase)."""
    return [{"stiffness": CALORIE * k, "multiplicity": n, "phase": phase}
            for k, n, phase in terms if k]


def bent(k: float, angle: float) -> List[Numbers]:
    return [{"stiffness": 2 * CALORIE * k, "angle": angle}]


#: The parameters of types by section and style, and the terms that they make. For opls this is the sum of K_n/2 (1 -
#: (-1)^n cos n phi), and for multi/harmonic that of A_n cos^(n-1) phi, but powers in YAML are of cos(phi - 180
#: degrees). The last parameter of charmm is a weight for pairs. The angle of an improper has no sign.
STYLES: Dict[str, Dict[str, Tuple[Tuple[Rule, ...], Callable[..., List[Numbers]]]]] = {
    "Bond Coeffs": {"harmonic": ((NOT_NEGATIVE, POSITIVE), lambda k, length: [
        {"stiffness": 2 * CALORIE * k / ANGSTROM ** 2, "length": ANGSTROM * length}])},
    "Angle Coeffs": {"harmonic": ((NOT_NEGATIVE, ANGLE), bent)},
    "Improper Coeffs": {"harmonic": ((NOT_NEGATIVE, ZERO), bent)},
    "Dihedral Coeffs": {
        "opls": (4 * (ANY,), lambda *k: periodic(*(
            (k[i] / 2, i + 1, 180 * (i % 2)) for i in range(4)))),
        "harmonic": ((ANY, SIGN, MULTIPLICITY), lambda k, sign, n: periodic(
            (k, n, 0 if sign > 0 else 180))),
        "charmm": ((ANY, MULTIPLICITY, ANY, ZERO), lambda k, n, phase, _: periodic((k, n, phase))),
        "multi/harmonic": (5 * (ANY,), lambda *a: [
            {"cosines": [CALORIE * (-x if i % 2 else x) for i, x in enumerate(a)]}])},
}


class Data:
    """A data file: the lines and the title of each section."""

    def __init__(self, path: str):
        first, *lines = read_lines(path, "#")
        self.titles, title = {"": first}, ""
        self.lines: Dict[str, List[Line]] = {title: []}
        units = re.findall(r"units = \w+", first.text + first.comment) or ["no units"]
        first.require(units == ["units = real"], units[0], "units = real")
        for line in lines:
            text = line.text.strip()
            if text in SECTIONS:
                late = text == "Velocities" and "Atoms" not in self.lines
                line.require(not late, text, "Atoms before")
                line.require(text not in self.lines, text, "each section once")
                title, self.titles[text], self.lines[text] = text, line, []
            elif line.words:
                self.lines[title].append(line)
        self.counts = dict.fromkeys(SECTIONS.values(), 0)
        self.size, self.tilted = dict.fromkeys(("xlo xhi", "ylo yhi", "zlo zhi"), 0.0), False
        for line in self.lines[""]:
            self.read_header(line)

    def read_header(self, line: Line) -> None:
        what, bounds = " ".join(line.words[1:]), " ".join(line.words[2:])
        if what in self.counts:
            most = MOST_ATOMS if "atom" in what else 20 * MOST_ATOMS
            self.counts[what] = line.whole(0, 0, most, "at most %d %s" % (most, what))
        elif bounds in self.size:
            self.size[bounds] = line.real(1, ANY) - line.real(0, ANY)
            line.require(self.size[bounds] > 0, 1, "an upper bound above the lower bound")
        elif line.words[3:] == ["xy", "xz", "yz"]:
            self.tilted = True
        else:
            known = line.words[1:2] == ["extra"]
            line.require(known, 0, "a line of the header, or a supported section")

    def style(self, section: str, styles: Collection[str]) -> str:
        """Returns the style after "#" in the section's title."""
        word = (self.titles[section].comment.split() or ["no style"])[0]
        self.titles[section].require(word in styles, word, "a supported style of %s: %s" % (
            section, ", ".join(styles)))
        return word

    def numbered(self, section: str, read: Callable[[Line], Any]) -> List[Any]:
        """Returns the results of `read` for a section's lines, in the order of the numbers that the lines begin
        with."""
        what, found = SECTIONS[section], {}
        for line in self.lines.get(section, []):
            number = line.whole(0, 1, self.counts[what], "the number of one of the %s" % what)
            line.require(number not in found, 0, "each number once")
            found[number] = read(line)
        self.titles.get(section, self.titles[""]).require(
            len(found) == self.counts[what], "%d lines of %s" % (len(found), section),
            "%d, as in the header" % self.counts[what])
        return [found[number] for number in sorted(found)]

    def types(self, section: str) -> List[Tuple[Line, List[Numbers]]]:
        """Returns the line and the terms of each type."""
        def read(line: Line) -> Tuple[Line, List[Numbers]]:
            rules, terms = STYLES[section][self.style(section, STYLES[section])]
            given = len(line.words) - 1
            line.require(given <= len(rules), "%d numbers" % given, "%d" % len(rules))
            return line, terms(*(line.real(1 + i, rule) for i, rule in enumerate(rules)))
        return self.numbered(section, read)

    def read_site(self, line: Line) -> Tuple[float, float]:
        """Returns sigma and epsilon; cut-offs may follow in the line."""
        title = self.titles["Pair Coeffs"]
        style = title.comment.strip()
        title.require(style.startswith("lj/"), style or "no style", "a style lj/…")
        epsilon = line.real(1, NOT_NEGATIVE)
        return ANGSTROM * line.real(2, POSITIVE if epsilon else NOT_NEGATIVE), CALORIE * epsilon

    def read_atom(self, line: Line) -> Tuple[int, float, List[float]]:
        """Returns type, from 0, charge and x. After x, y, z, the line may contain the image, the number of boxes to
        shift by."""
        type_at, charge_at, at = COLUMNS[self.style("Atoms", COLUMNS)]
        type = line.whole(type_at, 1, self.counts["atom types"], "the number of an atom type")
        charge = line.real(charge_at, ANY) if charge_at else 0.0
        image = [line.whole(at + 3 + k, -1000000, 1000000, "an image") if line.words[at + 3:] else 0
                 for k in range(3)]
        line.require(not (self.tilted and any(image)), at + 3, "image 0 in a tilted box")
        return type - 1, charge, [ANGSTROM * (line.real(at + k, COORDINATE) + image[k] * size)
                                  for k, size in enumerate(self.size.values())]


def read_shake(text: str, data: Data) -> Dict[str, Set[float]]:
    """Reads the words after tolerance, iterations and output in `fix shake`, as in "b 1 a 1": types of bonds, angles
    and atoms, and masses."""
    most = {"b": "bond types", "a": "angle types", "t": "atom types"}
    line, letter = Line("--shake", 1, text, "#"), ""
    found: Dict[str, Set[float]] = {"b": set(), "a": set(), "t": set(), "m": set()}
    for at, word in enumerate(line.words or [""]):
        line.require(letter or word in found, at,
                     "b, a, t or m, followed by types or masses, as in fix shake")
        if word in found:
            letter = word
        elif letter == "m":
            found["m"].add(line.real(at, POSITIVE))
        else:
            found[letter].add(line.whole(
                at, 1, data.counts[most[letter]], "the number of one of the %s" % most[letter]))
    return found


def check_clusters(joined: Dict[int, Set[int]]) -> None:
    """Refuses the clusters that `fix shake` refuses: those larger than an atom with three others."""
    for atom, others in joined.items():
        inner = [one for one in others if len(joined[one]) > 1]
        if len(others) > 3 or len(others) > 1 and inner:
            raise Refused("--shake: found atom %d in a cluster of more than four atoms, expected "
                          "one atom with at most three others, as LAMMPS does" % (atom + 1))


def read_lammps(path: str, constraints: str, excluded: int, mix: str,
                shake: Optional[str] = None) -> System:
    """Pairs at most `excluded` bonds apart do not interact. `mix` is the mean that gives sigma of two types,
    geometric or arithmetic, and `shake` contains the constraints of `fix shake`."""
    data, system = Data(path), System(constraints)
    system.geometric = mix == "geometric"
    masses = data.numbered("Masses", lambda line: (line, line.real(1, POSITIVE)))
    sites = data.numbered("Pair Coeffs", data.read_site)
    for type, charge, position in data.numbered("Atoms", data.read_atom):
        line, mass = masses[type]
        named = re.match(r"[A-Za-z][\w*'+-]*", line.comment.strip())
        line.require(named or constraints == "none" or not HYDROGEN <= mass < LIGHTEST_HEAVY, 1,
                     "a name in a comment after a mass that may be that of hydrogen, as in # H")
        name = named[0] if named else "%s%d" % ("H" if mass < HYDROGEN else "T", type + 1)
        light = mass < HYDROGEN or mass < LIGHTEST_HEAVY and name[0] in "HhDd" and name != "He"
        system.add_particle(name, str(type + 1), "H" if light else name[0].upper(), mass, charge,
                            *sites[type])["position"] = position
    data.titles[""].require(system.particles, "no atoms", "some")
    if "Velocities" in data.lines:
        velocities = data.numbered("Velocities", lambda line: [
            PER_FEMTOSECOND * line.real(1 + k, ANY) for k in range(3)])
        for particle, velocity in zip(system.particles, velocities):
            particle["velocity"] = velocity
    rigid = read_shake(shake, data) if shake is not None else {}
    bonds: List[Ends] = []
    source: Dict[Ends, Line] = {}
    joined: Dict[int, Set[int]] = {}  # by rods
    for section, (kind, count, coefficients) in TERMS.items():
        coeffs = data.types(coefficients)
        for type, ends in data.numbered(section, lambda line: (
                line.whole(1, 1, len(coeffs), "the number of a type"),
                line.atoms(range(2, 2 + count), len(system.particles)))):
            line, terms = coeffs[type - 1]
            source[ends] = line
            for numbers in terms:
                if kind == "springs":
                    bonds.append(ends)
                    system.add_bond(kind, ends, numbers, bool(rigid) and (
                        type in rigid["b"] or any(
                            int(system.types[i]) in rigid["t"] or any(
                                abs(system.particles[i]["mass"] - mass) <= MASSDELTA
                                for mass in rigid["m"]) for i in ends)))
                elif kind == "angles" and rigid and type in rigid["a"] and joined.get(
                        ends[1]) == {ends[0], ends[2]} and system.fix_angle(ends, numbers["angle"]):
                    continue
                else:
                    system.add(kind, ends, numbers)
        if kind == "springs" and rigid:
            joined = neighbours_of(system.rod_lengths())
            check_clusters(joined)
    system.near = near_pairs(bonds, excluded)
    system.finish(source)
    return system


# ---- AMBER, CHARMM and OpenMM: docs.openmm.org, version 8.6 ----

#: Parts of an OpenMM system that are not forces between its particles.
NO_FORCES = re.compile("CMMotionRemover|AndersenThermostat|MonteCarlo[A-Za-z]*Barostat")
#: The energy of CHARMM's impropers.
IMPROPER = re.compile(r"k\*min\(dtheta, 2\*pi-dtheta\)\^2; dtheta = abs\(theta-theta0\)")


def degrees(angle: float) -> float:
    """Returns an angle in degrees, from -180 to 180, with 12 digits, so that 109.5 remains 109.5."""
    turned = angle - 2 * pi * round(angle / (2 * pi))
    return float("%.12g" % (turned * 180 / pi))


#: Forces: OpenMM's word for a term, its kind in YAML, the number of its atoms, and its parameters.
FORCES: Dict[str, Tuple[str, str, int, Callable[..., Numbers]]] = {
    "HarmonicBondForce": ("Bond", "springs", 2, lambda length, k: {
        "stiffness": k, "length": length}),
    "HarmonicAngleForce": ("Angle", "angles", 3, lambda angle, k: {
        "stiffness": k, "angle": degrees(angle)}),
    "PeriodicTorsionForce": ("Torsion", "dihedrals", 4, lambda n, phase, k: {
        "stiffness": k, "multiplicity": n, "phase": degrees(phase)}),
    "RBTorsionForce": ("Torsion", "dihedrals", 4, lambda *powers: {"cosines": list(powers)}),
    "CustomTorsionForce": ("Torsion", "impropers", 4, lambda of: {
        "stiffness": 2 * of[0], "angle": degrees(of[1])})}


def load_by_openmm(files: List[str], constraints: str, flexible: bool) -> Tuple[Any, Any, Any]:
    """Returns an OpenMM system, its topology and its coordinates."""
    try:
        import openmm
        from openmm import app
    except ImportError:
        raise Refused("%s: AMBER, CHARMM and OpenMM files are read by OpenMM, which is not installed for this "
                      "Python: python3 -m venv venv && venv/bin/pip install openmm, then "
                      "use venv/bin/python3" % files[0]) from None
    path, end = files[0], os.path.splitext(files[0])[1]
    if end == ".xml" and (constraints != "none" or flexible):
        raise Refused("%s: found %s, expected neither --constraints nor --flexible-water, because this file "
                      "contains its own constraints" % (path, constraints))
    kinds = {"h-bonds": app.HBonds, "all-bonds": app.AllBonds, "h-angles": app.HAngles}
    options = {"constraints": kinds.get(constraints), "rigidWater": not flexible}
    readers = {".pdb": app.PDBFile, ".inpcrd": app.AmberInpcrdFile, ".rst7": app.AmberInpcrdFile,
               ".crd": app.CharmmCrdFile if end == ".psf" else app.AmberInpcrdFile}
    at = "".join(files[:1] if end == ".pdb" else files[1:2])
    if os.path.splitext(at)[1] not in readers:
        raise Refused("%s: found %s, expected coordinates after it: a file %s" % (
            path, at or "the end of the command", ", ".join(readers)))
    try:
        source = coordinates = readers[os.path.splitext(at)[1]](at)
        if end == ".psf":
            source = app.CharmmPsfFile(path)
            system = source.createSystem(app.CharmmParameterSet(*files[2:]), **options)
        elif end == ".xml":
            with open(path, encoding="utf-8") as file:
                system = openmm.XmlSerializer.deserialize(file.read())
        elif end == ".pdb":
            system = app.ForceField(*files[1:]).createSystem(source.topology, **options)
        else:
            source = app.AmberPrmtopFile(path)
            system = source.createSystem(**options)
        return system, source.topology, coordinates
    except Exception as fault:  # the readers can raise any exception
        raise Refused("%s: OpenMM: %s" % (path, " ".join(str(fault).split()))) from None


def plain(values: Iterable[Any]) -> List[Any]:
    """Returns numbers without OpenMM's units: nm, ps, u, e, kJ/mol and radians."""
    units = __import__("openmm").unit
    return [one.value_in_unit_system(units.md_unit_system) if units.is_quantity(one) else one
            for one in values]


def each(force: Any, what: str) -> Iterator[List[Any]]:
    """Yields the parameters of all parts of a force that OpenMM calls `what`."""
    for i in range(getattr(force, "getNum%ss" % what)()):
        yield plain(getattr(force, "get%sParameters" % what)(i))


def read_openmm_pairs(system: System, force: Any, atoms: List[Any], masses: List[float]) -> None:
    """Adds the particles, and the pairs that do not interact or have parameters of their own."""
    for atom, mass, numbers in zip(atoms, masses, each(force, "Particle")):
        symbol = atom.element.symbol if atom.element else atom.name[:1]
        system.add_particle(atom.name, "", symbol, mass, *numbers)
    for a, b, charges, sigma, epsilon in each(force, "Exception"):
        whole = system.particles[a].get("charge", 0.0) * system.particles[b].get("charge", 0.0)
        if not charges and not epsilon:
            system.never.add(ordered(a, b))
            continue
        factor = charges / whole if whole else 0.0
        if factor < 0 or charges and not whole:
            raise Refused("%s and %s: found a charge product of %g for this pair, expected the product of their "
                          "charges, %g, times a positive factor" % (
                              system.name(a), system.name(b), charges, whole))
        site = {"sigma": sigma, "epsilon": epsilon} if epsilon else {"lennard-jones": 0}
        system.add("pairs", ordered(a, b), {"coulomb": factor, **site})


def read_by_openmm(files: List[str], constraints: str, flexible: bool,
                   without: Iterable[str]) -> System:
    source, topology, coordinates = load_by_openmm(files, constraints, flexible)
    system, atoms = System("none"), list(topology.atoms())
    count, positions = source.getNumParticles(), plain([coordinates.positions])[0]
    if not len(atoms) == len(positions) == count <= MOST_ATOMS:
        raise Refused("%s: found %d particles and %d coordinates, expected equal numbers, at most %d" % (
            files[0], count, len(positions), MOST_ATOMS))
    masses = plain(source.getParticleMass(i) for i in range(count))
    for i, atom in enumerate(atoms):
        if source.isVirtualSite(i) or not masses[i] > 0:
            raise Refused("%s: found a virtual site or no mass for %s, expected a mass above 0" % (
                files[0], atom.name))
    names = [type(force).__name__ for force in source.getForces()]
    if names.count("NonbondedForce") != 1:
        raise Refused("%s: found NonbondedForce %d times, expected it once" % (
            files[0], names.count("NonbondedForce")))
    read_openmm_pairs(system, source.getForces()[names.index("NonbondedForce")], atoms, masses)
    for name, force in zip(names, source.getForces()):
        maps = force.getNumTorsions() if name == "CMAPTorsionForce" else 0
        if NO_FORCES.fullmatch(name) or maps and "cmap" in without:
            system.left_out["correction map" if maps else name] += maps or 1
        elif name in FORCES and (name != "CustomTorsionForce" or
                                 IMPROPER.match(force.getEnergyFunction())):
            what, kind, ends, numbers_of = FORCES[name]
            for values in each(force, what):
                numbers = numbers_of(*values[ends:])
                if numbers.get("stiffness", 1):
                    system.add(kind, tuple(values[:ends]), numbers)
        elif maps or not (name in ("CMAPTorsionForce", "NonbondedForce") or
                          hasattr(force, "getNumBonds") and not force.getNumBonds()):
            raise Refused("%s: found the force %s, expected bonds, angles, torsions and the Lorentz-Berthelot "
                          "rule%s" % (
                              files[0], name, ", or --without cmap" if maps else ""))
    for i in range(source.getNumConstraints()):
        a, b, length = plain(source.getConstraintParameters(i))
        system.add("rods", (a, b), {"length": length})
    for key, values in (("position", positions),
                        ("velocity", plain([getattr(coordinates, "velocities", None)])[0])):
        for particle, value in zip(system.particles, [] if values is None else values):
            particle[key] = list(map(float, value))
    system.finish({})
    return system


#: Options for some programs only, by their names in Python.
OPTIONS_OF = {"shake": "LAMMPS", "excluded": "LAMMPS", "mix": "LAMMPS", "define": "GROMACS",
              "flexible_water": "GROMACS and OpenMM", "without": "GROMACS and OpenMM"}


def read(given: argparse.Namespace) -> System:
    """Returns the system that the files and options describe."""
    files, first = given.files, given.files[0]
    openmm = first.endswith((".prmtop", ".parm7", ".psf", ".xml", ".pdb"))
    program = "OpenMM" if openmm else "GROMACS" if first.endswith(".top") or files[1:] else "LAMMPS"
    for option, programs in OPTIONS_OF.items():
        if getattr(given, option) and program not in programs:
            raise Refused("%s: found --%s with a %s file, expected it only with %s" % (
                first, option.replace("_", "-"), program, programs))
    if openmm:
        return read_by_openmm(files, given.constraints, given.flexible_water, given.without)
    if program == "LAMMPS":
        return read_lammps(first, given.constraints, int(given.excluded or 3),
                           given.mix or "geometric", given.shake)
    if len(files) != 2:
        raise Refused("%s: found %s, expected a GROMACS topology and its coordinates" % (
            first, counted(len(files), "file")))
    return read_gromacs(first, files[1], given.constraints,
                        given.define + ["FLEXIBLE"] * given.flexible_water, given.without)


def main() -> int:
    reader = argparse.ArgumentParser(usage=argparse.SUPPRESS, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("files", nargs="+")
    reader.add_argument("--constraints", choices=("none", "h-bonds", "all-bonds", "h-angles"),
                        default="none")
    reader.add_argument("--flexible-water", action="store_true")
    reader.add_argument("--without", choices=("cmap",), action="append", default=[])
    reader.add_argument("--kick", type=int, metavar="SEED")
    reader.add_argument("--define", action="append", default=[], metavar="NAME")
    reader.add_argument("--shake", metavar="LINE")
    reader.add_argument("--excluded", choices=list("0123456789"))
    reader.add_argument("--mix", choices=("geometric", "arithmetic"))
    given = reader.parse_args()
    try:
        system = read(given)
        system.check_whole()
        if given.kick is not None:
            system.kick(given.kick)
        text = system.yaml(" and ".join(given.files))
        if len(text) > LARGEST_RESULT:
            raise Refused("%s: found a system of %d bytes as YAML, expected at most %d" % (
                given.files[0], len(text), LARGEST_RESULT))
    except (Refused, OSError) as fault:
        print("shakedown: molecules: %s" % fault, file=sys.stderr)
        return 2
    sys.stdout.write(text)
    sys.stderr.write(system.summary())
    return 0


if __name__ == "__main__":
    sys.exit(main())
