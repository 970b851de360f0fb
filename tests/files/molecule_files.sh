#!/bin/sh
# python3 -m shakedown.molecules, with the standard library of Python alone: files of GROMACS and
# LAMMPS become systems of particles. Their energies are those of the definitions in GROMACS'
# manual, summed here, and those printed by GROMACS and LAMMPS (molecules_codes.sh). Lines that are
# not supported are refused with their number.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/molecules.sh"

# ---- GROMACS ----

# The energy, by the definitions: torsion from the y axis to (0.07, 0.12), lengths and angles by hand.
expected=$(python3 - <<'EOF'
from math import *
turn = pi / 180
length = sqrt(.05**2 + .07**2 + .12**2)
bonds = (300000 * .01**2 + 200000 * (length - .15)**2) / 2
angles = (300 * (90*turn - 109.5*turn)**2 + 400 * (acos(-.05/length) - 112*turn)**2) / 2
phi = atan2(.12, .07)
# positive: clockwise from the front; here from y towards z about x
dihedrals = 1.5*(1 + cos(3*phi)) + .7*(1 + cos(2*phi - pi)) + 2*(1 + cos(phi))
dihedrals += sum((i + 1) * cos(phi - pi)**i for i in range(6)) + 5 * (phi - 35*turn)**2
r = sqrt(.2**2 + .03**2 + .12**2)
pair = .8333 * 138.935457644382 * .3 * -.1 / r + 4*.15*((.29/r)**12 - (.29/r)**6)
kinetic = (1.008 * .01 + 12.011 * .04) / 2
print(repr(bonds + angles + dihedrals + pair), repr(kinetic))
EOF
)
made molecule.top molecule.gro
near "$(energy)" "$(echo "$expected" | awk '{ printf "%.15g", $1 + $2 }')" 1e-10 "its energy"
near "$(energy)" "$(echo "$expected" | awk '{ printf "%.15g", 29.121495150346 + $2 }')" 5e-8 "... as GROMACS has it"
near "$(sed -n 's/^  all: //p' err)" "${expected% *}" 1e-7 "... and the summary, without the kinetic energy"
made molecule.top molecule.pdb
near "$(energy)" "$(echo "$expected" | awk '{ printf "%.15g", $1 }')" 1e-10 "at rest"
made molecule.top molecule.gro --define STIFF
has 'stiffness: 900000' "conditions take what is defined"
made molecule.top molecule.gro --constraints h-bonds
is_text "$(sed -n '/^rods/,/^springs/p' out | grep -c between) $(sed -n '/^springs/,/^exclude/p' out | grep -c between)" "1 2" "one rod, two springs"
is_text "$(sed -n 's/^constraints: //p' err)" "1 rod, 0 of them across rigid angles; 0 hydrogens without a rod" "... which the summary counts"
made molecule.top molecule.gro --constraints all-bonds
ends 0 "all are rods, and projected" simulate 'particles(file="made.yaml",project=yes)' rattle --step 0.001 --until 0.002
sed 's/^2 3 1$/2 3 1 0.15 0/' molecule.top >slack.top
refuses 'slack.top:11: found a force constant of 0, expected a positive one for terms that are not' slack.top molecule.gro
made slack.top molecule.gro --constraints all-bonds
made water.top water.gro
is_text "$(grep -c 'length: 0.1[,}]' out) $(grep -c 'length: 0.1633' out)" "4 2" "settles are three rods each"
near "$(sed -n 's/.*sigma: \([^,]*\), epsilon.*/\1/p' out | head -n 1)" \
  "$(awk 'BEGIN { printf "%.15g", exp(log(2.634129e-06 / 0.0026173456) / 6) }')" 1e-10 "sigma from C6 and C12"
ends 0 "they move" simulate 'particles(file="made.yaml",project=yes)' rattle --step 0.001 --until 0.002

# Other functions of bonds and angles, and a second state that is the first again
sed 's/^3 4 1$/3 4 2 0.16 9e6 0.16 9e6/;s/^1 2 3 1/1 2 3 5 109.5 300 0.2 4000/;s/^2 3 4 1/2 3 4 2 112 500/' \
  molecule.top >functions.top
made functions.top molecule.pdb
near "$(sed -n 's/^  all: //p' err)" "$(python3 - "${expected% *}" <<'EOF'
from math import *
import sys
turn = pi / 180
square = .05**2 + .07**2 + .12**2
cosine = -.05 / sqrt(square)
more = 9e6 * (square - .16**2)**2 / 4 - 200000 * (sqrt(square) - .15)**2 / 2
more += 4000 * (sqrt(.15**2 + .1**2) - .2)**2 / 2
more += 500 * (cosine - cos(112*turn))**2 / 2 - 400 * (acos(cosine) - 112*turn)**2 / 2
print(repr(float(sys.argv[1]) + more))
EOF
)" 1e-7 "bonds of function 2, angles of functions 2 and 5"
near "$(energy)" "$(sed -n 's/^  all: //p' err)" 1e-7 "... here, too"

# What grompp takes: a force field in a folder of its own, stars, names in any case and with _, continued
# lines, macros in macros, types that no molecule uses, and molecules that are not listed
mkdir lib.ff
sed 's/^\[ bondtypes \]/[ Bond_Types ]/;/^CT CX 1 0.15/s/0.15 200000/SHORT/' field.itp >lib.ff/bonded.itp
cat >lib.ff/forcefield.itp <<'EOF'
* A comment  *
#define SHORT 0.15 STRONG
#define STRONG 200000
#include "bonded.itp"
[ atomtypes ]
MW 0 0 0 D 0 0
odd 1 1.0 0 A -1 2
[ angletypes ]
MW MW MW 8 1 2
EOF
sed '1s/.*/#include <lib.ff\/forcefield.itp>/;s/moleculetype/molecule_type/;s/^2 3 1$/2 3 \\\
1/;s/^chain 1/Chain 1/;s/\[ system/[ moleculetype ]\nother 1\n[ atoms ]\n1 MW 1 M W 1\n[ virtual_sites2 ]\n1 2 3 1 1\n&/' \
  molecule.top >taken.top
made taken.top molecule.pdb
near "$(energy)" "$(echo "$expected" | awk '{ printf "%.15g", $1 }')" 1e-10 "all of it is read as grompp reads it"
mkdir elsewhere
mv lib.ff elsewhere
refuses 'taken.top:1: found lib.ff/forcefield.itp, expected a file beside' taken.top molecule.pdb
GMXLIB=$PWD/elsewhere
export GMXLIB
made taken.top molecule.pdb
sed 's/^. pairs .$/[ cmap ]/' molecule.top >map.top
made map.top molecule.pdb --without cmap
# has_summary TEXT
has_summary() {
  grep -qF "$1" err
  ok_if $? "the summary has: $1" || diag "$(cat err)"
}
has_summary 'left out: the box and every cut-off, 1 correction map'
refuses 'found 3 files, expected a GROMACS topology' molecule.top molecule.gro molecule.gro
refuses 'found --shake with a GROMACS file, expected it only with LAMMPS' molecule.top molecule.gro --shake 'b 1'
refuses 'found --define with a LAMMPS file, expected it only with GROMACS' molecule.data --define STIFF
sed 's/0.200   0.070/1.900   0.070/' molecule.gro >cut.gro
refuses 'C2-3 and C3-4: found a distance of 1.76 nm, expected the length of a bond, 0.15 nm' molecule.top cut.gro
for function in 1 2; do
  sed "/^. settles/,/^3 2/d;s/^. system/[ constraints ]\\n1 2 $function 0.1\\n1 3 $function 0.1\\n&/" water.top >loose.top
  made loose.top water.gro
  grep -qF '["HW1-2", "HW2-3"]' out
  is_text "$?" "$((function - 1))" "constraints of function $function: exclusions count them, if it is 1"
done

# ---- LAMMPS ----

# What it prints, by style of dihedrals, rule of combination and special bonds
while IFS='|' read -r file flags theirs; do
  # shellcheck disable=SC2086 # a word each
  made "$file" $flags
  near "$(energy)" "$theirs" 5e-8 "$file $flags: the energy, as LAMMPS has it"
done <<'EOF'
molecule.data||633.653835984
molecule.data|--excluded 2 --mix arithmetic|633.432617735
powers.data||640.954056179
signs.data||633.94922801
phases.data||633.491107832
EOF
made molecule.data --constraints h-bonds
is_text "$(grep -c 'length: 0.109}' out) $(grep -c 'stiffness: 224262.4' out)" '1 3' "bonds of hydrogens are rods, others springs"
ends 0 "they move" simulate 'particles(file="made.yaml",project=yes)' rattle --step 1e-4 --until 0.001

# rods NUMBER ARGUMENT...: so many rods are made
rods() {
  number=$1
  shift
  made "$@"
  is_text "$(sed -n '/^rods/,/^[e-qs-z]/p' out | grep -c length)" "$number" "... with $number rods"
}
# The constraints of `fix shake`, as LAMMPS makes them (molecules_codes.sh)
sed 's/^1 0 1$/1 1000 1/;s/^1 0 109.47/1 100 109.47/' water.data >springy.data
rods 6 water.data --shake 'b 1 a 1'
has_summary '6 rods, 2 of them across rigid angles; 0 hydrogens without a rod'
has_summary '2 of T1 H2 H2 (3)'
is_text "$(grep -c 'length: 0.1632[0-9]*}' out) $(grep -c angles: out)" '2 0' "... of which two are across the angles"
rods 4 springy.data --shake 'm 1.0'
rods 4 springy.data --shake 't 2'
rods 6 springy.data --constraints h-angles
rods 4 springy.data --constraints all-bonds
refuses 'water.data:29: found a force constant of 0, expected a positive one for terms that are not' water.data --constraints all-bonds
refuses 'water.data:25: found a force constant of 0, expected a positive one for terms that are not' water.data --shake 'a 1'
refuses 'shake:1: found 2, expected the number of one of the bond types' water.data --shake 'b 2'
refuses 'shake:1: found 1, expected b, a, t or m' water.data --shake '1'
refuses 'found atom [0-9] in a cluster of more than four atoms' molecule.data --shake 'b 1 2'
# Heavy hydrogens
sed 's/^2 1.008/2 3.024/' springy.data >heavy.data
refuses 'heavy.data:16: found 3.024, expected a name' heavy.data --constraints h-bonds
sed -i 's/^2 3.024/& # HW/' heavy.data
rods 4 heavy.data --constraints h-bonds
made heavy.data
has_summary '4 hydrogens without a rod'
# Velocities that keep the rods, the same for the same seed
cp "$SHAKEDOWN_SOURCE/python/shakedown/molecules.py" converter.py
python3 -S -B - <<'EOF' >out 2>&1
import converter
def kicked(seed):
    system = converter.read_lammps("water.data", "none", 3, "geometric", "b 1 a 1")
    system.kick(seed)
    worst = 0
    for (a, b), _ in system.terms["rods"]:
        one, other = system.particles[a], system.particles[b]
        r, v = (converter.minus(one[key], other[key]) for key in ("position", "velocity"))
        worst = max(worst, abs(converter.dot(r, v)))
    speeds = [x for one in system.particles for x in one["velocity"]]
    assert worst < 1e-13 and 0.1 < max(map(abs, speeds)) < 10, (worst, speeds)
    return speeds
assert kicked(1) == kicked(1) != kicked(2)
EOF
ok_if $? "--kick: velocities along the rods are equal, and those of the seed" || diag "$(cat out)"
made water.data --shake 'b 1 a 1'
"$SHAKEDOWN" simulate 'particles(file="made.yaml",project=yes)' rattle --step 1e-6 --until 1e-6 --kick 1 >out 2>err
python3 -S -B - <<'EOF' >log 2>&1
import converter, csv
system = converter.read_lammps("water.data", "none", 3, "geometric", "b 1 a 1")
assert not any("velocity" in one for one in system.particles)
system.kick(1)
ours = [one["mass"] * x for one in system.particles for x in one["velocity"]]
with open("out", newline="") as file:
    row = next(csv.DictReader(file))
theirs = [float(row[name]) for name in row if name and name[0] == "p" and name[1:].isdigit()]
assert len(ours) == len(theirs), (len(ours), len(theirs))
scale = max(map(abs, theirs)) / max(map(abs, ours))
assert max(abs(a * scale - b) for a, b in zip(ours, theirs)) < 1e-6 * max(map(abs, theirs)), (ours, theirs)
EOF
ok_if $? "--kick of the program: the same velocities, to a factor" || diag "$(cat log err)"
# A certificate on the file alone, where RATTLE is right, and wrong variants are not
made water.data --shake 'b 1 a 1' --kick 1
certified made.yaml
gives 2 'the start is inconsistent' certify rattle --with system --problem made.yaml

# ---- what is refused ----

head -n 5 molecule.gro >short.gro
refuses 'short.gro:5: found 3 atoms, expected as many as in the topology' molecule.top short.gro
refuses 'molecule.itp: .*expected a file' molecule.itp molecule.gro
refuses 'AMBER, CHARMM and OpenMM files are read by OpenMM' molecule.prmtop molecule.inpcrd
python_with yaml
"$python" "$SHAKEDOWN_SOURCE/tests/files/molecules_refused.py" >log 2>&1
ok_if $? "changed samples are refused with file and line, and mutants read or refused"
diag "$(tail -n 20 log)"
tap_done
