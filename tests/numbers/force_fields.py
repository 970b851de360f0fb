"""Molecules on the stock force fields of GROMACS, as `pdb2gmx` lays them out: the energy and the forces that
Shakedown computes of what python3 -m shakedown.molecules makes are those of `gmx_d mdrun -rerun`, to 1e-6.

usage: force_fields.py CASE            writes CASE.top, CASE.gro and CASE.yaml into the current folder and compares
       force_fields.py amber|charmm PYTHON  compares files of AMBER or CHARMM, after the dipeptides; PYTHON has ParmEd
"""

import os
import random
import re
import subprocess
import sys

STOCK = "/usr/share/gromacs/top"
WITHIN = 1e-6  # of the sum of the parts of the energy, and of the largest force
STEP = 1e-3

# Name, residue, position in Å; which of the ends' names a force field has, and what it answers to pdb2gmx -ter.
DIPEPTIDE = [("CH3", "ACE", 2.0, 2.09, 0), ("C", "ACE", 3.427, 2.641, 0), ("O", "ACE", 4.391, 1.877, 0),
             ("N", "ALA", 3.555, 3.97, 0), ("CA", "ALA", 4.853, 4.614, 0), ("CB", "ALA", 5.661, 4.221, -1.232),
             ("C", "ALA", 4.713, 6.129, 0), ("O", "ALA", 3.601, 6.653, 0), ("N", "END", 5.846, 6.835, 0),
             ("CH3", "END", 5.846, 8.284, 0)]
ENDS = {"amber99sb-ildn": ("NME", ""), "amber03": ("NME", ""), "charmm27": ("CT3", "3\n5\n"),
        "oplsaa": ("NAC", "3\n3\n"), "gromos54a7": ("NH2", "2\n2\n")}
WATER = [(0, 0, 0), (0.0957, 0, 0), (-0.024, 0.0927, 0), (0.28, 0.03, 0.02), (0.338, 0, 0.09), (0.33, 0.01, -0.08)]
METHANOL = [(0, 0, 0), (-0.036, 0.103, 0), (-0.036, -0.051, 0.089), (-0.036, -0.051, -0.089), (0.141, 0, 0),
            (0.173, 0.089, 0.01)]
# What a case includes of its force field, its molecule and number, positions in nm; text in place of a file.
SMALL = {
    "water-amber": ("amber99sb-ildn", "tip3p.itp", "SOL 2", WATER),
    "water-charmm": ("charmm27", "tip3p.itp", "SOL 2", WATER),
    "water-gromos": ("gromos54a7", "spc.itp", "SOL 2", WATER),
    "water-opls": ("oplsaa", "spce.itp", "sol 2", WATER),
    "methanol": ("oplsaa", "methanol.itp", "MET 1", METHANOL),
    "butane": ("gromos54a7", """[ molecule_type ]
Butane 3
[ atoms ]
1 CH3 1 BUT C1 1 0 15.035
2 CH2 1 BUT C2 1 0 14.027
3 CH2 1 BUT C3 1 0 14.027
4 CH3 1 BUT C4 1 0 15.035
[ bonds ]
1 2 2 gb_27
2 3 2 \\
gb_27
3 4 2 gb_27
[ pairs ]
1 4 1
[ angles ]
1 2 3 2 ga_15
2 3 4 2 ga_15
[ dihedrals ]
1 2 3 4 1 gd_34
""", "butane 1", [(0, 0, 0), (0.153, 0, 0), (0.2, 0.143, 0), (0.35, 0.15, 0.06)]),
}

RUN = """integrator = md
dt = 1e-6
nsteps = 0
nstfout = 1
nstcalcenergy = 1
nstenergy = 1
nstlist = 1000000
verlet-buffer-tolerance = -1
rlist = 1000
rcoulomb = 1000
rvdw = 1000
coulombtype = Cut-off
coulomb-modifier = None
vdw-modifier = None
"""


# Of a dipeptide on a stock force field, files of AMBER or CHARMM; and a topology of GROMACS from these. The angles
# of CHARMM get the terms of Urey and Bradley that ParmEd loses.
PARMED = {"amber": """import parmed
parmed.gromacs.GROMACS_TOPDIR = "/usr/share/gromacs/top"
structure = parmed.load_file("amber99sb-ildn.top", xyz="amber99sb-ildn.gro")
structure.box = None
parmed.amber.AmberParm.from_structure(structure.copy(parmed.Structure)).save("amber.prmtop", overwrite=True)
structure.save("amber.rst7", overwrite=True)
structure.save("amber.pdb", overwrite=True)
read = parmed.load_file("amber.prmtop", xyz="amber.rst7")
parmed.gromacs.GromacsTopologyFile.from_structure(read).save("amber.top", overwrite=True)
""", "charmm": """import parmed, re
parmed.gromacs.GROMACS_TOPDIR = "/usr/share/gromacs/top"
with open("charmm27.top") as file:
    text = re.sub(r"\\[ cmap \\][^[]*", "", file.read())
with open("without.top", "w") as file:
    file.write(text)
structure = parmed.load_file("without.top", xyz="charmm27.gro")
structure.box = None
structure.save("charmm.psf", overwrite=True)
structure.save("charmm.crd", overwrite=True)
parmed.charmm.CharmmParameterSet.from_structure(structure).write(par="first.par")
with open("first.par") as file:
    text = file.read()
for angle, numbers in (("HA     CT3    HA  ", "5.40 1.802"), ("C      NH1    H   ", "7.0 2.1"), ("HA     CT3    C   ", "30.0 2.163")):
    assert angle in text
    text = re.sub("(?m)^(" + angle + ".*)$", r"\\1 " + numbers, text)
with open("charmm.par", "w") as file:
    file.write(text)
read = parmed.load_file("charmm.psf")
read.coordinates = parmed.load_file("charmm.crd").coordinates
read.load_parameters(parmed.charmm.CharmmParameterSet("charmm.par"))
parmed.gromacs.GromacsTopologyFile.from_structure(read).save("charmm.top", overwrite=True)
print(len(read.urey_bradleys))
"""}
FILES = {"amber": ["amber.prmtop", "amber.rst7"], "charmm": ["charmm.psf", "charmm.crd", "charmm.par"]}


def run(*command, stdin=""):
    done = subprocess.run(command, input=stdin, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        sys.exit("%s: exit status %d: %s" % (" ".join(command), done.returncode, done.stderr[-1500:]))
    return done.stdout


def gmx(*words, stdin=""):
    return run("gmx_d", "-quiet", "-nobackup", *words, stdin=stdin)


def write_gro(name, positions):
    """Positions in nm with nine decimals, in a box that is too large to matter."""
    with open(name + ".gro", "w", encoding="utf-8") as out:
        out.write("%s\n%d\n" % (name, len(positions)))
        for i, x in enumerate(positions):
            out.write("%5d%-5s%5s%5d" % (1, "MOL", "A", i + 1) + "%14.9f%14.9f%14.9f\n" % tuple(x))
        out.write("3000 3000 3000\n")


def make_case(name):
    """Writes NAME.top and NAME.gro: of a force field a dipeptide, at places that are moved at random."""
    draw = random.Random(1)
    if name in SMALL:
        field, text, molecules, positions = SMALL[name]
        with open(name + ".top", "w", encoding="utf-8") as out:
            out.write('#include "%s.ff/forcefield.itp"\n' % field)
            out.write(text if "[" in text else '#include "%s.ff/%s"\n' % (field, text))
            out.write("[ system ]\n%s\n[ molecules ]\n%s\n" % (name, molecules))
    else:
        end, answers = ENDS[name]
        with open("heavy.pdb", "w", encoding="utf-8") as out:
            for i, (atom, residue, *x) in enumerate(DIPEPTIDE):
                united = name == "gromos54a7" and atom == "CH3"
                if not (united and residue == "END"):
                    out.write("ATOM  %5d  %-3s %3s A%4d    %8.3f%8.3f%8.3f\n" % (
                        i + 1, "CA" if united else atom, end if residue == "END" else residue,
                        ["ACE", "ALA", "END"].index(residue) + 1, *x))
        gmx("pdb2gmx", "-f", "heavy.pdb", "-ff", name, "-water", "none", "-ignh", "-o", "first.gro", "-p", name +
            ".top", "-i", name + ".posre.itp", *(["-ter"] if answers else []), stdin=answers)
        with open("first.gro", encoding="utf-8") as file:
            positions = [[float(line[at:at + 8]) for at in (20, 28, 36)] for line in file.readlines()[2:-1]]
    write_gro(name, [[x + draw.gauss(0, 0.004) for x in one] for one in positions])


def theirs(name):
    """The potential energy and the forces of GROMACS, of a topology without its correction maps."""
    with open(name + ".top", encoding="utf-8") as file:
        text = re.sub(r"\[ cmap \][^[]*", "", file.read())
    with open("theirs.top", "w", encoding="utf-8") as out:
        out.write(text)
    with open("run.mdp", "w", encoding="utf-8") as out:
        out.write(RUN)
    gmx("grompp", "-f", "run.mdp", "-c", name, "-p", "theirs", "-o", "run", "-maxwarn", "9")
    gmx("mdrun", "-s", "run", "-rerun", name + ".gro", "-deffnm", "run", "-nt", "1", "-reprod", "-pin", "off")
    gmx("energy", "-f", "run", "-dp", "-o", "potential", stdin="Potential\n\n")
    gmx("traj", "-f", "run.trr", "-s", "run", "-of", "forces", "-fp", stdin="0\n")

    def last(path):
        with open(path, encoding="utf-8") as file:
            return [float(word) for word in file.readlines()[-1].split()[1:]]
    return last("potential.xvg")[0], last("forces.xvg")


def ours(name, files):
    """The potential energy and the forces of Shakedown, the latter from a step of symplectic Euler without the
    rods; the parts of the energy as the converter sums them."""
    parts = run(sys.executable, "-m", "shakedown.molecules", *files, "--without", "cmap")
    with open(name + ".yaml", "w", encoding="utf-8") as out:
        out.write(parts)
    section, free, rods = "", [], []
    for line in parts.splitlines():
        section = line if not line.startswith(" ") else section
        if section != "rods:":
            free.append(line)
        elif line != "rods:":
            rods.append("  - " + re.search(r"\[[^]]*\]", line)[0])
    at = free.index("exclude:") if "exclude:" in free else len(free)
    free[at:at + 1] = ["exclude:"]
    known = set(free)
    free[at + 1:at + 1] = [rod for rod in rods if rod not in known]
    with open("free.yaml", "w", encoding="utf-8") as out:
        out.write("\n".join(free if free[at + 1:] else free[:at]) + "\n")
    rows = run(os.environ.get("SHAKEDOWN", "shakedown"), "simulate", 'particles(file="free.yaml")',
               "symplectic-euler-rattle", "--step", str(STEP), "--until", str(STEP), "--precision", "quad").splitlines()
    first, last = ([float(x) for x in row.split(",")] for row in rows[1:])
    names = rows[0].split(",")
    return first[names.index("energy")], [x / STEP for one, x in zip(names, last) if one[0] == "p"]


def main():
    name = sys.argv[1]
    if name in PARMED:
        print(run(sys.argv[2], "-c", PARMED[name]))
    else:
        make_case(name)
    energy, forces = ours(name, FILES.get(name, [name + ".top", name + ".gro"]))
    if name in PARMED:  # the places that were read
        with open(name + ".yaml", encoding="utf-8") as file:
            write_gro(name, [map(float, one.split(",")) for one in re.findall(r"position: \[([^]]*)\]", file.read())])
    other, others = theirs(name)
    largest = max(map(abs, others))
    worst = max(abs(a - b) for a, b in zip(forces, others)) / largest
    apart = abs(energy - other) / abs(other)
    print("%s: energy %.7g kJ/mol, here and in GROMACS to %.0e; forces up to %.4g kJ/(mol nm), to %.0e" % (
        name, other, apart, largest, worst))
    if not (len(forces) == len(others) and apart <= WITHIN and worst <= WITHIN):
        sys.exit("they differ by more than %g" % WITHIN)


main()
