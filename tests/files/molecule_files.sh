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
made molecule.top molecule.pdb
near "$(energy)" "$(echo "$expected" | awk '{ printf "%.15g", $1 }')" 1e-10 "at rest"
made molecule.top molecule.gro --define STIFF
has 'stiffness: 900000' "conditions take what is defined"
made molecule.top molecule.gro --rigid hydrogens
is_text "$(sed -n '/^rods/,/^springs/p' out | grep -c between) $(sed -n '/^springs/,/^exclude/p' out | grep -c between)" "1 2" "one rod, two springs"
made molecule.top molecule.gro --rigid bonds
ends 0 "all are rods, and projected" simulate 'particles(file="made.yaml",project=yes)' rattle --step 0.001 --until 0.002
made water.top water.gro
is_text "$(grep -c 'length: 0.1[,}]' out) $(grep -c 'length: 0.1633' out)" "4 2" "settles are three rods each"
near "$(sed -n 's/.*sigma: \([^,]*\), epsilon.*/\1/p' out | head -n 1)" \
  "$(awk 'BEGIN { printf "%.15g", exp(log(2.634129e-06 / 0.0026173456) / 6) }')" 1e-10 "sigma from C6 and C12"
ends 0 "they move" simulate 'particles(file="made.yaml",project=yes)' rattle --step 0.001 --until 0.002
sed 's/^3 4 1$/3 4 1 0.15 200000 0.15 200000/' molecule.top >second.top
refuses 'second.top:15: found 4 numbers, expected 2' second.top molecule.gro
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
made molecule.data --rigid hydrogens
is_text "$(grep -c 'length: 0.109}' out) $(grep -c 'stiffness: 224262.4' out)" '1 3' "bonds of hydrogens are rods, others springs"
ends 0 "they move" simulate 'particles(file="made.yaml",project=yes)' rattle --step 1e-4 --until 0.001

# ---- what is refused ----

head -n 5 molecule.gro >short.gro
refuses 'short.gro:5: found 3 atoms, expected as many as the topology has' molecule.top short.gro
refuses 'molecule.itp: .*expected a file' molecule.itp molecule.gro
refuses 'files of AMBER and CHARMM are read by ParmEd' molecule.prmtop molecule.inpcrd
python_with yaml
"$python" "$SHAKEDOWN_SOURCE/tests/files/molecules_refused.py" >log 2>&1
ok_if $? "changed samples are refused with file and line, and mutants read or refused"
diag "$(tail -n 20 log)"
tap_done
