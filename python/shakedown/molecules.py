"""Writes a system of particles from the files of GROMACS, LAMMPS, AMBER or CHARMM.

usage: python3 -m shakedown.molecules TOPOLOGY.top COORDINATES.gro|.pdb > molecule.yaml
       python3 -m shakedown.molecules MOLECULE.data
       python3 -m shakedown.molecules TOPOLOGY.prmtop COORDINATES
       python3 -m shakedown.molecules TOPOLOGY.psf COORDINATES PARAMETERS...

What is written is a file for particles(file=...), in nm, ps, u, e and kJ/mol, without a box or a
cut-off. Coordinates have few digits: use particles(...,project=yes) where there are rods. What is
read of each format is in docs/guides/systems-from-files.md; anything else is refused with its line. Files
of AMBER (.prmtop, .parm7) and CHARMM (.psf) are read by ParmEd, all others by this file alone.

  --rigid hydrogens|bonds     bonds that become rods: those of atoms named H..., or all
  --define NAME               as a line #define NAME before a topology of GROMACS
  --excluded N                of LAMMPS: pairs at most N bonds apart do not act: 3, as without it,
                              is special_bonds 0 0 0, and 2 is 0 0 1
  --mix geometric|arithmetic  of LAMMPS: which mean sigma of two types is (without it: geometric)
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from itertools import takewhile
from typing import (Any, Callable, Collection, Dict, Iterable, Iterator, List, NamedTuple, Set,
                    Tuple, Union)

LARGEST_FILE = 1 << 22  # bytes
MOST_ATOMS = 1000
COULOMB = 138.935457644382  # e²/(4 π ε_0), kJ nm/(mol e²)

Ends = Tuple[int, ...]
Numbers = Dict[str, Any]


class Refused(Exception):
    """What a file has and is not read: file, line, what was found and what was expected."""


# ---- lines ----

NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,5})?")
WHOLE = re.compile(r"[-+]?[0-9]{1,9}")

#: What a number must be: in words, and whether x is that.
Rule = Tuple[str, Callable[[float], bool]]
ANY: Rule = ("a number", lambda x: True)
POSITIVE: Rule = ("a number above 0", lambda x: x > 0)
NOT_NEGATIVE: Rule = ("a number that is not negative", lambda x: x >= 0)
ZERO: Rule = ("0", lambda x: x == 0)
SIGN: Rule = ("1 or -1", lambda x: abs(x) == 1)
ANGLE: Rule = ("a number of degrees from 0 to 180", lambda x: 0 <= x <= 180)
TORSION: Rule = ("a number of degrees from -180 to 180", lambda x: abs(x) <= 180)
MULTIPLICITY: Rule = ("a multiplicity from 1 to 9", lambda x: x in range(1, 10))
COORDINATE: Rule = ("a coordinate in these columns", lambda x: True)


class Line:
    """A line without its comment."""

    def __init__(self, path: str, number: int, text: str, comment: str):
        self.path, self.number = path, number
        self.text, _, self.comment = text.rstrip("\n").partition(comment)
        self.words = self.text.split()

    def require(self, holds: Any, found: Union[int, str], expected: str) -> None:
        """Refuses the line unless that holds. `found`: the place of a word, or what was found."""
        if isinstance(found, int):
            found = (self.words[found:] or ["the end of the line"])[0] or "nothing"
        if not holds:
            place = "%s:%d" % (self.path, self.number)
            raise Refused("%s: found %s, expected %s" % (place, found, expected))

    def real(self, at: int, rule: Rule) -> float:
        """Word `at` as a number, below 1e100, so that products are finite."""
        word = "".join(self.words[at:at + 1])
        x = float(word) if NUMBER.fullmatch(word) else float("nan")
        self.require(abs(x) < 1e100 and rule[1](x), at, rule[0])
        return x

    def whole(self, at: int, low: int, high: int, expected: str) -> int:
        """Word `at` as a whole number from `low` to `high`."""
        word = "".join(self.words[at:at + 1])
        self.require(WHOLE.fullmatch(word) and low <= int(word) <= high, at, expected)
        return int(word)

    def atoms(self, places: range, most: int) -> Ends:
        """The different atoms, from 0, that the words at these places number from 1 to `most`."""
        found = [self.whole(at, 1, most, "the number of an atom") - 1 for at in places]
        self.require(len(set(found)) == len(found), "an atom twice", "different atoms")
        return tuple(found)


def read_lines(path: str, comment: str) -> List[Line]:
    """The lines of a file, at least one. Characters are bytes, as columns are counted in bytes."""
    if not os.path.isfile(path) or os.path.getsize(path) > LARGEST_FILE:
        raise Refused("%s: expected a file of at most %d bytes" % (path, LARGEST_FILE))
    with open(path, encoding="latin-1") as file:
        lines = [Line(path, i, text, comment) for i, text in enumerate(file, 1)]
    return lines or [Line(path, 1, "", comment)]


# ---- a system of particles ----

class System:
    """Particles, and the terms between them by kind. `rigid` says which springs become rods:
    "none", "hydrogens" (those of atoms named H…) or "bonds" (all)."""

    def __init__(self, rigid: str):
        self.rigid = rigid
        self.geometric = False  # the rule of combination of sigma
        self.particles: List[Numbers] = []
        self.terms: Dict[str, List[Tuple[Ends, Numbers]]] = {kind: [] for kind in (
            "rods", "springs", "exclude", "pairs", "angles", "dihedrals", "impropers")}

    def add_particle(self, name: str, mass: float, charge: float, sigma: float,
                     epsilon: float) -> Numbers:
        particle = {"name": "%s-%d" % (name, len(self.particles) + 1), "mass": mass, "position": []}
        particle.update({"charge": charge} if charge else {})
        particle.update({"lennard-jones": {"sigma": sigma, "epsilon": epsilon}} if epsilon else {})
        self.particles.append(particle)
        return particle

    def add(self, kind: str, ends: Ends, numbers: Numbers) -> None:
        """A term between particles, which are counted from 0; numbers by their keys in YAML."""
        light = any(self.particles[i]["name"].startswith("H") for i in ends)
        if kind == "springs" and (self.rigid == "bonds" or self.rigid == "hydrogens" and light):
            kind, numbers = "rods", {"length": numbers["length"]}
        self.terms[kind].append((ends, numbers))

    def exclude(self, near: Set[Ends], always: Set[Ends]) -> None:
        """Excludes pairs that are near and have no rod or numbers of their own, and others."""
        own = {tuple(sorted(ends)) for kind in ("rods", "pairs") for ends, _ in self.terms[kind]}
        for pair in sorted(always | (near - own)):
            self.add("exclude", pair, {})

    def yaml(self, source: str) -> str:
        """The file that `particles` reads; `source`: what it was made from."""
        source = json.dumps(source)[1:-1]
        out = ["# From %s. Units nm, ps, u, e and kJ/mol; no box, nothing cut off." % source,
               "coulomb: %.15g" % COULOMB]
        out += ["combination: geometric"] if self.geometric else []
        out += ["particles:"] + ["  - " + flow(particle) for particle in self.particles]
        for kind, terms in self.terms.items():
            out += [kind + ":"] if terms else []
            for ends, numbers in terms:
                between = [self.particles[i]["name"] for i in ends]
                out.append("  - " + flow({"between": between, **numbers} if numbers else between))
        return "\n".join(out) + "\n"


def flow(value: Any, key: str = "") -> str:
    """A value in one line of YAML; numbers have 15 digits."""
    if isinstance(value, dict):
        return "{%s}" % ", ".join("%s: %s" % (one, flow(value[one], one)) for one in value)
    if isinstance(value, list):
        return "[%s]" % ", ".join(map(flow, value))
    if isinstance(value, str):
        return json.dumps(value)
    return "%.15g%s" % (value, "deg" if key in ("angle", "phase") else "")


def near_pairs(bonds: Iterable[Ends], reach: int) -> Set[Ends]:
    """The pairs at most `reach` bonds apart, the lower atom first."""
    neighbours: Dict[int, Set[int]] = {}
    for a, b in bonds:
        neighbours.setdefault(a, set()).add(b)
        neighbours.setdefault(b, set()).add(a)
    found: Set[Ends] = set()
    for a in neighbours:
        near = {a}
        for _ in range(reach):
            near = near.union(*(neighbours[b] for b in near))
        found |= {(a, b) for b in near if a < b}
    return found


# ---- GROMACS: reference manual, "File formats", .top, .gro ----

MOST_INCLUDED = 8
#: How many atoms a line of a directive names; the numbers by types of atoms are in [ …types ].
ENDS = {"bonds": 2, "constraints": 2, "settles": 1, "angles": 3, "dihedrals": 4, "pairs": 2}
SECTION_OF = {name[:-1] + "types": name for name in ENDS}
#: The kind of term in YAML that a function of a directive is, and its numbers in their order.
PERIODIC = ("dihedrals", {"phase": ANY, "stiffness": ANY, "multiplicity": MULTIPLICITY})
FUNCTIONS: Dict[Any, Any] = {
    ("bonds", 1): ("springs", {"length": POSITIVE, "stiffness": NOT_NEGATIVE}),
    ("constraints", 1): ("rods", {"length": POSITIVE}),
    ("constraints", 2): ("rods", {"length": POSITIVE}),
    ("settles", 1): ("rods", {"leg": POSITIVE, "base": POSITIVE}),
    ("angles", 1): ("angles", {"angle": ANGLE, "stiffness": NOT_NEGATIVE}),
    ("dihedrals", 1): PERIODIC, ("dihedrals", 4): PERIODIC, ("dihedrals", 9): PERIODIC,
    ("dihedrals", 2): ("impropers", {"angle": TORSION, "stiffness": NOT_NEGATIVE}),
    ("dihedrals", 3): ("dihedrals", {"c%d" % i: ANY for i in range(6)}),
    ("pairs", 1): ("pairs", {"sigma": NOT_NEGATIVE, "epsilon": NOT_NEGATIVE}),
}
BONDS = (("bonds", 1), ("constraints", 1))  # what exclusions count


def preprocessed(path: str, folder: str, macros: Dict[str, List[str]],
                 depth: int = 1) -> Iterator[Line]:
    """The lines of a file and of those that it includes, of the topology's folder."""
    conditions: List[bool] = []
    lines = read_lines(path, ";")
    for line in lines:
        word, *rest = line.words or [""]
        if word in ("#ifdef", "#ifndef") and rest:
            conditions.append((rest[0] in macros) == (word == "#ifdef"))
        elif word == "#else" and conditions:
            conditions[-1] = not conditions[-1]
        elif word == "#endif" and conditions:
            conditions.pop()
        elif word == "#include" and all(conditions):
            yield from preprocessed(included(line, folder, depth), folder, macros, depth + 1)
        elif word == "#define" and rest and all(conditions):
            macros.setdefault(rest[0], rest[1:])
        elif all(conditions) or word in ("#if", "#elif"):
            line.require(word[:1] != "#", 0, "#include, #define, #ifdef, #ifndef, #else or #endif")
            line.words = [one for word in line.words for one in macros.get(word, [word])]
            yield from [line] if line.words else []
    lines[-1].require(not conditions, "the end of the file", "#endif")


def included(line: Line, folder: str, depth: int) -> str:
    match = re.fullmatch(r'\s*#include\s+"([^"]+)"\s*', line.text)
    name = match[1] if match else ""
    line.require(name and depth < MOST_INCLUDED, line.text,
                 '#include "FILE", at most %d deep' % MOST_INCLUDED)
    root, path = os.path.realpath(folder or "."), os.path.join(folder, name)
    real = os.path.realpath(path)
    line.require(os.path.commonpath([root, real]) == root and os.path.isfile(real), name,
                 "a file below the folder of the topology")
    return path


class Entry(NamedTuple):
    """A line of terms or of their types; without numbers, which its types then have."""

    line: Line
    section: str
    function: int
    ends: Tuple[Any, ...]  # atoms from 0; of types their names
    numbers: Numbers


class Molecule(NamedTuple):
    reach: int  # pairs at most so many bonds apart are excluded
    atoms: List[Numbers]
    entries: List[Entry]
    excluded: Set[Ends]


class Topology:
    """A topology while it is read; `system` has what [ molecules ] lists."""

    def __init__(self, path: str, rigid: str, defined: Iterable[str]):
        self.system, self.section = System(rigid), ""
        self.rule, self.generates, self.scales = 0, False, [1.0, 1.0]
        self.atom_types: Dict[str, Numbers] = {}
        self.types: List[Entry] = []
        self.molecules: Dict[str, Molecule] = {}
        for line in preprocessed(path, os.path.dirname(path), {name: [] for name in defined}):
            self.take(line)
        if not self.system.particles:
            raise Refused("%s: found no molecules, expected [ molecules ] with some" % path)

    def take(self, line: Line) -> None:
        if line.words[0].startswith("["):
            match = re.fullmatch(r"\s*\[\s*(\w+)\s*\]\s*", line.text)
            self.section = match[1] if match else line.text
            known = self.section in {*ENDS, *SECTION_OF} or hasattr(self, "read_" + self.section)
            line.require(known, self.section, "a directive that is read, as the manual lists them")
        elif self.section in SECTION_OF:
            self.types.append(self.entry(line, SECTION_OF[self.section], False))
        elif self.section in ENDS and self.section != "settles":
            self.current(line).entries.append(self.entry(line, self.section, True))
        else:
            line.require(self.section, 0, "a directive, [ … ]")
            getattr(self, "read_" + self.section)(line)

    def entry(self, line: Line, section: str, of_atoms: bool) -> Entry:
        at = ENDS[section]
        numbers: Numbers = {}
        ends: Tuple[Any, ...] = tuple(line.words[:at])
        if of_atoms:
            ends = line.atoms(range(at), len(self.current(line).atoms))
        function = line.whole(at, 1, 20, "the number of a function")
        line.require((section, function) in FUNCTIONS, at, "a function that is read, of %s: %s" % (
            section, ", ".join(str(one) for name, one in FUNCTIONS if name == section)))
        given, rules = line.words[at + 1:], FUNCTIONS[section, function][1]
        line.require(len(given) <= len(rules), "%d numbers" % len(given), "%d" % len(rules))
        if given or not of_atoms:
            numbers = {key: line.real(at + 1 + i, rules[key]) for i, key in enumerate(rules)}
        if numbers and section == "pairs":
            site = self.site(line, at + 1)
            site = site if site["sigma"] else {"lennard-jones": 0}
            numbers = {"coulomb": self.scales[1], **site}
        if numbers and function == 3:
            numbers = {"cosines": list(numbers.values())}
        return Entry(line, section, function, ends, numbers)

    def site(self, line: Line, at: int) -> Numbers:
        """sigma and epsilon of the words `at` and at+1, which have C6 and C12 by rule 1."""
        line.require(self.rule, 0, "[ defaults ] before")
        sigma, epsilon = line.real(at, NOT_NEGATIVE), line.real(at + 1, NOT_NEGATIVE)
        line.require(sigma and epsilon or not epsilon and (self.rule > 1 or not sigma), at,
                     "two numbers of a Lennard-Jones potential above 0, or both 0")
        if self.rule == 1 and sigma:
            sigma, epsilon = (epsilon / sigma) ** (1 / 6), sigma * sigma / (4 * epsilon)
            line.require(sigma < 1e100 > epsilon, at, "C6 and C12 of atoms")
        return {"sigma": sigma, "epsilon": epsilon}

    def current(self, line: Line) -> Molecule:
        line.require(self.molecules, 0, "[ moleculetype ] before")
        return list(self.molecules.values())[-1]

    def read_defaults(self, line: Line) -> None:
        line.whole(0, 1, 1, "1: Lennard-Jones")
        self.rule = line.whole(1, 1, 3, "a combination rule, 1 to 3")
        self.system.geometric = self.rule != 2
        self.generates = line.words[2:3] == ["yes"]
        given = [line.real(at, NOT_NEGATIVE) for at in range(3, len(line.words))]
        self.scales = (given + [1.0, 1.0][len(given):])[:2]  # fudgeLJ, fudgeQQ

    def read_atomtypes(self, line: Line) -> None:
        """name [bonded type] [atomic number] mass charge A sigma epsilon: told from the end."""
        name, end = line.words[0], len(line.words) - 5
        line.require(1 <= end <= 3 and line.words[end + 2] == "A", 0, "6 to 8 words, one of them A")
        line.require(name not in self.atom_types, 0, "each type once")
        bonded = end == 3 or end == 2 and not line.words[1][0].isdigit()
        self.atom_types[name] = {
            "type": name, "bonded": line.words[1] if bonded else name, "mass": line.real(end, ANY),
            "charge": line.real(end + 1, ANY), **self.site(line, end + 3)}

    def read_moleculetype(self, line: Line) -> None:
        line.require(line.words[0] not in self.molecules, 0, "each molecule once")
        reach = line.whole(1, 0, 9, "the bonds between excluded pairs, 0 to 9")
        self.molecules[line.words[0]] = Molecule(reach, [], [], set())

    def read_atoms(self, line: Line) -> None:
        """nr type resnr residue atom cgnr [charge [mass]]"""
        atoms = self.current(line).atoms
        line.whole(0, len(atoms) + 1, len(atoms) + 1, "atoms in order, from 1")
        line.require(len(line.words) > 4, 5, "at least 5 words")
        line.require(line.words[1] in self.atom_types, 1, "a name of [ atomtypes ]")
        atom: Numbers = {**self.atom_types[line.words[1]], "name": line.words[4]}
        for at, key in zip(range(6, len(line.words)), ("charge", "mass")):
            atom[key] = line.real(at, ANY)
        line.require(len(line.words) < 9 and atom["mass"] > 0, line.words[-1],
                     "a mass above 0, and no second state")
        atoms.append(atom)

    def read_settles(self, line: Line) -> None:
        """A triangle of an atom and the two that follow it."""
        molecule = self.current(line)
        a, = line.atoms(range(1), len(molecule.atoms) - 2)
        leg, base = self.entry(line, "settles", False).numbers.values()
        line.require(base < 2 * leg, 3, "a length below twice the other")
        for ends, length in ((a, a + 1), leg), ((a, a + 2), leg), ((a + 1, a + 2), base):
            molecule.entries.append(Entry(line, "constraints", 1, ends, {"length": length}))

    def read_exclusions(self, line: Line) -> None:
        """An atom, and all those that it does not see."""
        molecule = self.current(line)
        for at in range(1, len(line.words)):
            pair = line.atoms(range(0, at + 1, at), len(molecule.atoms))
            molecule.excluded.add(tuple(sorted(pair)))

    def read_system(self, line: Line) -> None:
        """A title."""

    def read_molecules(self, line: Line) -> None:
        count = line.whole(1, 0, MOST_ATOMS, "how many there are, up to %d" % MOST_ATOMS)
        line.require(line.words[0] in self.molecules, 0, "the name of a [ moleculetype ]")
        molecule = self.molecules[line.words[0]]
        line.require(len(self.system.particles) + count * len(molecule.atoms) <= MOST_ATOMS,
                     "more atoms", "at most %d" % MOST_ATOMS)
        for _ in range(count):
            self.add(molecule)

    def add(self, molecule: Molecule) -> None:
        """Adds one of these molecules to the system."""
        first = len(self.system.particles)
        bonds = (one.ends for one in molecule.entries if one[1:3] in BONDS)
        near = near_pairs(bonds, molecule.reach)
        for atom in molecule.atoms:
            self.system.add_particle(*(atom[key] for key in (
                "name", "mass", "charge", "sigma", "epsilon")))
        for entry in molecule.entries:
            excluded = tuple(sorted(entry.ends)) in near | molecule.excluded
            entry.line.require(entry.section != "pairs" or excluded, "a pair that is not excluded",
                               "atoms at most nrexcl bonds apart")
            for numbers in self.numbers_of(molecule, entry):
                ends = tuple(first + i for i in entry.ends)
                self.system.add(FUNCTIONS[entry[1:3]][0], ends, numbers)
        moved: List[Set[Ends]] = [{(first + a, first + b) for a, b in pairs}
                                  for pairs in (near, molecule.excluded)]
        self.system.exclude(*moved)

    def numbers_of(self, molecule: Molecule, entry: Entry) -> List[Numbers]:
        """The numbers of a term: its own, or those of its types that fit best, the first of those
        alike. Function 9 has the lines of the same names that follow, too."""
        if entry.numbers:
            return [entry.numbers]
        key = "type" if entry.section == "pairs" else "bonded"
        names = [molecule.atoms[i][key] for i in entry.ends]
        fit, start = max(((max(score(one.ends, names), score(one.ends, names[::-1])), -i)
                          for i, one in enumerate(self.types) if one[1:3] == entry[1:3]),
                         default=(-1, 0))
        if fit >= 0:
            found = self.types[-start:None if entry.function == 9 else 1 - start]
            return [one.numbers for one in takewhile(lambda one: one[1:4] == found[0][1:4], found)]
        entry.line.require(entry.section == "pairs" and self.generates,
                           "a line of [ %s ] without numbers" % entry.section,
                           "numbers, a line of the types that has them, or of pairs gen-pairs yes")
        return [{"coulomb": self.scales[1], "lennard-jones": self.scales[0]}]


def score(names: Tuple[str, ...], atoms: List[str]) -> int:
    """How many names of a type are those of the atoms, all others being X; -1: it does not fit."""
    fits = all(name in ("X", atom) for name, atom in zip(names, atoms))
    return sum(name == atom for name, atom in zip(names, atoms)) if fits else -1


def read_coordinates(path: str, particles: List[Numbers]) -> None:
    """Of .gro files x and v in nm and nm/ps, in columns as wide as decimal points are apart; of
    .pdb files x in Å of the lines ATOM and HETATM."""
    lines, count, pdb = read_lines(path, "\0"), len(particles), path.endswith(".pdb")
    if pdb:
        model = takewhile(lambda line: not line.text.startswith("ENDMDL"), lines)
        atoms = [line for line in model if line.text.startswith(("ATOM  ", "HETATM"))]
    else:
        lines[-1].require(path.endswith(".gro"), "no coordinates", "a file .gro or .pdb")
        lines[-1].require(len(lines) > 1, "the end of the file", "a title and the number of atoms")
        lines[1].whole(0, count, count, "the number of atoms of the topology")
        atoms = lines[2:count + 2]
    lines[-1].require(len(atoms) == count, "%d atoms" % len(atoms), "as many as the topology has")
    for line, particle in zip(atoms, particles):
        line.require(not pdb or line.text[16:17] in ("", " ", "A"), "an alternate location",
                     "one place for each atom")
        gro = None if pdb else re.match(r".{20}[^.]*\.([^.]*)\.", line.text)
        line.require(pdb or gro, line.text, "an atom: names in 20 columns, then x, y, z")
        start, width, end = (20, len(gro[1]) + 1, len(line.text.rstrip())) if gro else (30, 8, 54)
        line.words = [line.text[at:at + width].strip() for at in range(start, end, width)]
        x = [line.real(i, COORDINATE) for i in range(len(line.words))]
        line.require(len(x) in (3, 6), line.text, "x, y, z, and where wanted a velocity")
        particle["position"] = [coordinate / (10 if pdb else 1) for coordinate in x[:3]]
        particle.update({"velocity": x[3:]} if x[3:] else {})


def read_gromacs(topology: str, coordinates: str, rigid: str, defined: Iterable[str]) -> System:
    """`defined`: names as by #define before the topology."""
    system = Topology(topology, rigid, defined).system
    read_coordinates(coordinates, system.particles)
    return system


# ---- LAMMPS: docs.lammps.org/read_data.html, special_bonds.html, pair_modify.html ----
#
# Data files in units real (Å, fs, kcal/mol, u, e), as `write_data` makes them: sections say which
# styles their numbers are for ("Atoms # full"). Harmonic bonds and angles have no ½, K (r - r0)².

CALORIE = 4.184  # kJ in a kcal
ANGSTROM = 0.1  # nm
PER_FEMTOSECOND = 100  # nm/ps in Å/fs
LIGHTEST_HEAVY = 1.5  # u: what is lighter is hydrogen

#: Terms: their kind in YAML, how many atoms they have, and the section of their types.
TERMS = {"Bonds": ("springs", 2, "Bond Coeffs"), "Angles": ("angles", 3, "Angle Coeffs"),
         "Dihedrals": ("dihedrals", 4, "Dihedral Coeffs"),
         "Impropers": ("impropers", 4, "Improper Coeffs")}
#: Sections, and what the header has the number of their lines of.
SECTIONS = {"Masses": "atom types", "Pair Coeffs": "atom types", "Atoms": "atoms",
            "Velocities": "atoms", **{name: name.lower() for name in TERMS},
            **{name: name.lower().replace("coeffs", "types") for _, _, name in TERMS.values()}}
#: Columns of a line of atoms by style: of type, charge (0: it has none) and x; the number is first.
COLUMNS = {"full": (2, 3, 4), "molecular": (2, 0, 3), "bond": (2, 0, 3), "angle": (2, 0, 3),
           "charge": (1, 2, 3), "atomic": (1, 0, 2)}


def harmonic(k: float, angle: float) -> List[Numbers]:
    return [{"stiffness": 2 * CALORIE * k, "angle": angle}]


def bond(k: float, length: float) -> List[Numbers]:
    return [{"stiffness": 2 * CALORIE * k / (ANGSTROM * ANGSTROM), "length": ANGSTROM * length}]


def periodic(*terms: Tuple[float, float, float]) -> List[Numbers]:
    """Sum of K (1 + cos(n phi - phase)) of (K, n, phase)."""
    return [{"stiffness": CALORIE * k, "multiplicity": n, "phase": phase}
            for k, n, phase in terms if k]


def opls(*k: float) -> List[Numbers]:
    """Sum of K_n/2 (1 - (-1)^n cos n phi), n = 1 to 4."""
    return periodic(*((k[i] / 2, i + 1, 180 * (i % 2)) for i in range(4)))


def powers(*a: float) -> List[Numbers]:
    """Sum of A_n cos^(n-1) phi; powers in YAML are of cos(phi - 180 degrees)."""
    return [{"cosines": [CALORIE * (-x if i % 2 else x) for i, x in enumerate(a)]}]


#: The numbers of types by section and style, and the terms that they make. The last of charmm is a
#: weight of pairs; an improper's angle has no sign.
STYLES: Dict[str, Dict[str, Tuple[Tuple[Rule, ...], Callable[..., List[Numbers]]]]] = {
    "Bond Coeffs": {"harmonic": ((NOT_NEGATIVE, POSITIVE), bond)},
    "Angle Coeffs": {"harmonic": ((NOT_NEGATIVE, ANGLE), harmonic)},
    "Improper Coeffs": {"harmonic": ((NOT_NEGATIVE, ZERO), harmonic)},
    "Dihedral Coeffs": {
        "opls": (4 * (ANY,), opls),
        "harmonic": ((ANY, SIGN, MULTIPLICITY),
                     lambda k, sign, n: periodic((k, n, 0 if sign > 0 else 180))),
        "charmm": ((ANY, MULTIPLICITY, ANY, ZERO),
                   lambda k, n, phase, _: periodic((k, n, phase))),
        "multi/harmonic": (5 * (ANY,), powers)},
}


class Data:
    """A data file: the lines of its sections, and the title of each."""

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
            line.require(self.size[bounds] > 0, 1, "an upper bound above the lower")
        elif line.words[3:] == ["xy", "xz", "yz"]:
            self.tilted = True
        else:
            known = line.words[1:2] == ["extra"]
            line.require(known, 0, "a line of the header, or a section that is read")

    def style(self, section: str, styles: Collection[str]) -> str:
        """The style behind "#" in the section's title."""
        word = (self.titles[section].comment.split() or ["no style"])[0]
        self.titles[section].require(word in styles, word, "a style of %s that is read: %s" % (
            section, ", ".join(styles)))
        return word

    def numbered(self, section: str, read: Callable[[Line], Any]) -> List[Any]:
        """What is read from a section's lines, in the order of the numbers that they begin with."""
        what, found = SECTIONS[section], {}
        for line in self.lines.get(section, []):
            number = line.whole(0, 1, self.counts[what], "the number of one of %s" % what)
            line.require(number not in found, 0, "each number once")
            found[number] = read(line)
        self.titles.get(section, self.titles[""]).require(
            len(found) == self.counts[what], "%d lines of %s" % (len(found), section),
            "%d, as in the header" % self.counts[what])
        return [found[number] for number in sorted(found)]

    def types(self, section: str) -> List[List[Numbers]]:
        """The terms of each type."""
        def read(line: Line) -> List[Numbers]:
            rules, terms = STYLES[section][self.style(section, STYLES[section])]
            given = len(line.words) - 1
            line.require(given <= len(rules), "%d numbers" % given, "%d" % len(rules))
            return terms(*(line.real(1 + i, rule) for i, rule in enumerate(rules)))
        return self.numbered(section, read)

    def read_site(self, line: Line) -> Tuple[float, float]:
        """sigma and epsilon; cut-offs may follow."""
        title = self.titles["Pair Coeffs"]
        style = title.comment.strip()
        title.require(style.startswith("lj/"), style or "no style", "a style lj/…")
        epsilon = line.real(1, NOT_NEGATIVE)
        return ANGSTROM * line.real(2, POSITIVE if epsilon else NOT_NEGATIVE), CALORIE * epsilon

    def read_atom(self, line: Line) -> Tuple[int, float, List[float]]:
        """Type from 0, charge, and x, y, z, after which stands how many boxes further it is."""
        type_at, charge_at, at = COLUMNS[self.style("Atoms", COLUMNS)]
        type = line.whole(type_at, 1, self.counts["atom types"], "the number of an atom type")
        charge = line.real(charge_at, ANY) if charge_at else 0.0
        image = [line.whole(at + 3 + k, -1000000, 1000000, "an image") if line.words[at + 3:] else 0
                 for k in range(3)]
        line.require(not (self.tilted and any(image)), at + 3, "image 0 in a tilted box")
        return type - 1, charge, [ANGSTROM * (line.real(at + k, COORDINATE) + image[k] * size)
                                  for k, size in enumerate(self.size.values())]


def read_lammps(path: str, rigid: str, excluded: int, mix: str) -> System:
    """`excluded`: pairs at most so many bonds apart do not act; `mix`: which mean sigma of two
    types is, geometric or arithmetic."""
    data, system = Data(path), System(rigid)
    system.geometric = mix == "geometric"
    masses = data.numbered("Masses", lambda line: line.real(1, POSITIVE))
    sites = data.numbered("Pair Coeffs", data.read_site)
    for type, charge, position in data.numbered("Atoms", data.read_atom):
        name = "%s%d" % ("H" if masses[type] < LIGHTEST_HEAVY else "T", type + 1)
        system.add_particle(name, masses[type], charge, *sites[type])["position"] = position
    data.titles[""].require(system.particles, "no atoms", "some")
    if "Velocities" in data.lines:
        velocities = data.numbered("Velocities", lambda line: [
            PER_FEMTOSECOND * line.real(1 + k, ANY) for k in range(3)])
        for particle, velocity in zip(system.particles, velocities):
            particle["velocity"] = velocity
    for section, (kind, count, coefficients) in TERMS.items():
        types = data.types(coefficients)
        for type, ends in data.numbered(section, lambda line: (
                line.whole(1, 1, len(types), "the number of a type"),
                line.atoms(range(2, 2 + count), len(system.particles)))):
            for numbers in types[type - 1]:
                system.add(kind, ends, numbers)
    bonds = [ends for kind in ("rods", "springs") for ends, _ in system.terms[kind]]
    system.exclude(near_pairs(bonds, excluded), set())
    return system


# ---- AMBER and CHARMM, whose units and harmonic terms are those of LAMMPS ----

#: Lists of a structure of ParmEd: their kind in YAML, how many atoms a term has, and its terms.
STRUCTURE: Dict[str, Tuple[str, int, Callable[[Any], List[Numbers]]]] = {
    "bonds": ("springs", 2, lambda one: bond(one.k, one.req)),
    "angles": ("angles", 3, lambda one: harmonic(one.k, one.theteq)),
    "impropers": ("impropers", 4, lambda one: harmonic(one.psi_k, one.psi_eq)),
    "dihedrals": ("dihedrals", 4, lambda types: periodic(*(
        (one.phi_k, abs(one.per), one.phase) for one in listed(types) if one.per))),
}


def listed(types: Any) -> List[Any]:
    return types if isinstance(types, list) else [types]


def load_by_parmed(files: List[str]) -> Any:
    try:
        import parmed
    except ImportError:
        raise Refused("%s: files of AMBER and CHARMM are read by ParmEd, which this Python does "
                      "not have (Debian: python3-parmed)" % files[0]) from None
    try:
        structure = parmed.load_file(files[0])
        structure.coordinates = parmed.load_file(files[1]).coordinates
        if files[0].endswith(".psf"):
            structure.load_parameters(parmed.charmm.CharmmParameterSet(*files[2:]))
    except Exception as fault:  # whatever a reader of another program raises
        raise Refused("%s: ParmEd: %s" % (files[0], fault)) from None
    return structure


def own_pairs(structure: Any) -> Dict[Ends, Numbers]:
    """The numbers of pairs at the ends of dihedrals, which act less than others."""
    found: Dict[Ends, Numbers] = {}
    for one in structure.dihedrals:
        a, b, type = one.atom1, one.atom4, listed(one.type)[0]
        if one.ignore_end:
            continue
        sigma, epsilon = (a.sigma_14 + b.sigma_14) / 2, abs(a.epsilon_14 * b.epsilon_14) ** 0.5
        site = {"sigma": ANGSTROM * sigma, "epsilon": CALORIE * epsilon / type.scnb}
        site = site if sigma else {"lennard-jones": 0}
        found[tuple(sorted((a.idx, b.idx)))] = {"coulomb": 1 / type.scee, **site}
    return found


def read_by_parmed(files: List[str], rigid: str) -> System:
    structure, system = load_by_parmed(files), System(rigid)
    lists = [name for name, value in vars(structure).items() if isinstance(value, list) and value]
    others = {"cmaps", "adjusts", "rb_torsions", "trigonal_angles", "out_of_plane_bends",
              "pi_torsions", "stretch_bends", "torsion_torsions"}.intersection(lists)
    if others or structure.has_NBFIX() or structure.combining_rule != "lorentz":
        raise Refused("%s: found %s, expected bonds, angles, dihedrals, impropers and the rule of "
                      "Lorentz" % (files[0], ", ".join(others) or "other pairs"))
    for atom in structure.atoms:
        if not atom.mass > 0:
            raise Refused("%s: found no mass of %s, expected one" % (files[0], atom.name))
        system.add_particle(atom.name, atom.mass, atom.charge, ANGSTROM * atom.sigma, CALORIE * abs(
            atom.epsilon))["position"] = [ANGSTROM * x for x in (atom.xx, atom.xy, atom.xz)]
    for name, (kind, count, terms) in STRUCTURE.items():
        for one in getattr(structure, name):
            ends = tuple(getattr(one, "atom%d" % (i + 1)).idx for i in range(count))
            for numbers in terms(one.type):
                system.add(kind, ends, numbers)
    for ends, numbers in own_pairs(structure).items():
        system.add("pairs", ends, numbers)
    near = near_pairs(((one.atom1.idx, one.atom2.idx) for one in structure.bonds), 3)
    system.exclude(near, set())
    system.terms["springs"] += [((one.atom1.idx, one.atom2.idx), bond(one.type.k, one.type.req)[0])
                                for one in structure.urey_bradleys]
    return system


def main() -> int:
    reader = argparse.ArgumentParser(usage=argparse.SUPPRESS, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("files", nargs="+")
    reader.add_argument("--rigid", choices=("none", "hydrogens", "bonds"), default="none")
    reader.add_argument("--define", action="append", default=[], metavar="NAME")
    reader.add_argument("--excluded", type=int, choices=range(10), default=3)
    reader.add_argument("--mix", choices=("geometric", "arithmetic"), default="geometric")
    given = reader.parse_args()
    try:
        if len(given.files) == 1:
            system = read_lammps(given.files[0], given.rigid, given.excluded, given.mix)
        elif given.files[0].endswith((".prmtop", ".parm7", ".psf")):
            system = read_by_parmed(given.files, given.rigid)
        else:
            topology, coordinates = given.files[:2]
            system = read_gromacs(topology, coordinates, given.rigid, given.define)
    except (Refused, OSError) as fault:
        print("shakedown: molecules: %s" % fault, file=sys.stderr)
        return 2
    sys.stdout.write(system.yaml(" and ".join(given.files)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
