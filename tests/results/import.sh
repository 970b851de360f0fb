#!/bin/sh
# Topologies and coordinates of GROMACS become systems of particles: the energy that the definitions of
# its manual give, summed here; and whatever is not read is refused with its line.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

cat >field.itp <<'EOF'
#define cis_trans 0.0 2.0 1
[ defaults ]
1 2 yes 0.5 0.8333
[ atomtypes ]
; name at.num mass charge ptype sigma epsilon
CT 6 12.011 0.0 A 0.35 0.4
CX CX 6 12.011 0.0 A 0.33 0.3
HC 1 1.008 0.0 A 0.25 0.1
[ bondtypes ]
CT CX 1 0.15 200000
CT HC 1 0.11 300000
[ angletypes ]
HC CT CX 1 109.5 300
CT CX CT 1 112 400
[ dihedraltypes ]
X CT CX X 9 0 1.5 3
X CT CX X 9 180 0.7 2
[ pairtypes ]
HC CT 1 0.29 0.15
EOF
cat >molecule.top <<'EOF'
#include "field.itp"
[moleculetype]
chain 3
[ atoms ]
1 HC 1 M H 1 0.3
2 CT 1 M C1 1 -0.3
3 CX 1 M C2 1 0.1 13.0
4 CT 1 M C3 1 -0.1
[ bonds ]
1 2 1
2 3 1
#ifdef STIFF
3 4 1 0.15 900000
#else
3 4 1
#endif
[ pairs ]
1 4 1
[ angles ]
1 2 3 1
2 3 4 1
[ dihedrals ]
1 2 3 4 9
1 2 3 4 1 cis_trans
1 2 3 4 3 1 2 3 4 5 6
1 2 3 4 2 35 10
[ system ]
a chain
[ molecules ]
chain 1
EOF
cat >molecule.gro <<'EOF'
a chain
    4
    1M        H    1   0.000   0.100   0.000  0.1000  0.0000  0.0000
    1M       C1    2   0.000   0.000   0.000  0.0000  0.0000  0.0000
    1M       C2    3   0.150   0.000   0.000  0.0000  0.0000  0.0000
    1M       C3    4   0.200   0.070   0.120  0.0000  0.2000  0.0000
   2.00000   2.00000   2.00000
EOF
cat >molecule.pdb <<'EOF'
ATOM      1  H     M     1       0.000   1.000   0.000  1.00  0.00
ATOM      2  C1    M     1       0.000   0.000   0.000  1.00  0.00
HETATM    3  C2    M     1       1.500   0.000   0.000  1.00  0.00
ATOM      4  C3    M     1       2.000   0.700   1.200  1.00  0.00
END
EOF
# The same, by the definitions: torsion from the y axis to (0.07, 0.12), lengths and angles by hand.
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
energy_of() {
  shakedown simulate "particles(file=\"$1\")" rattle --step 0.0001 --until 0.0001 |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "energy") at = i } NR == 2 { print $at }'
}
# near A B NAME
near() {
  awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(a != "" && d < 1e-10 && -d < 1e-10) }'
  ok_if $? "$3: $1, by the definitions $2"
}
ends 0 "a topology and a .gro" import molecule.top molecule.gro
cp out molecule.yaml
near "$(energy_of molecule.yaml)" "$(echo "$expected" | awk '{ printf "%.15g", $1 + $2 }')" "its energy"
ends 0 "and a .pdb" import molecule.top molecule.pdb
cp out still.yaml
near "$(energy_of still.yaml)" "$(echo "$expected" | awk '{ printf "%.15g", $1 }')" "at rest"
ends 0 "conditions" import molecule.top molecule.gro --define STIFF
has 'stiffness: 900000' "take what is defined"
ends 0 "bonds of hydrogens as rods" import molecule.top molecule.gro --rigid hydrogens
is_text "$(sed -n '/^rods/,/^springs/p' out | grep -c between) $(sed -n '/^springs/,/^pairs/p' out | grep -c between)" "1 2" "one rod, two springs"
ends 0 "all as rods" import molecule.top molecule.gro --rigid bonds
cp out rods.yaml
ends 0 "which are projected" simulate 'particles(file="rods.yaml",project=yes)' rattle --step 0.001 --until 0.002

cat >water.top <<'EOF'
[ defaults ]
1 1
[ atomtypes ]
OW 15.9994 -0.8476 A 0.0026173456 2.634129e-06
HW 1.008 0.4238 A 0 0
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW 1
2 HW 1 SOL HW1 1
3 HW 1 SOL HW2 1
[ settles ]
1 1 0.1 0.16330
[ exclusions ]
1 2 3
2 3
3 2
[ system ]
water
[ molecules ]
SOL 2
EOF
cat >water.gro <<'EOF'
two
6
    1SOL     OW    1   0.000   0.000   0.000
    1SOL    HW1    2   0.100   0.000   0.000
    1SOL    HW2    3  -0.033   0.094   0.000
    2SOL     OW    4   0.280   0.000   0.000
    2SOL    HW1    5   0.338   0.000   0.082
    2SOL    HW2    6   0.338   0.000  -0.082
   2.00000   2.00000   2.00000
EOF
ends 0 "settles and a rule of C6 and C12" import water.top water.gro
is_text "$(grep -c 'length: 0.1[,}]' out) $(grep -c 'length: 0.1633' out)" "4 2" "are three rods each"
sigma=$(sed -n 's/.*sigma: \([^,]*\), epsilon.*/\1/p' out | head -n 1)
near "$sigma" "$(awk 'BEGIN { printf "%.15g", exp(log(2.634129e-06 / 0.0026173456) / 6) }')" "sigma"

cp out water.yaml
ends 0 "and move" simulate 'particles(file="water.yaml",project=yes)' rattle --step 0.001 --until 0.002

# refused NAME SED FRAGMENT: the topology with this change
refused() {
  sed "$2" molecule.top >bad.top
  ends 2 "$1 is refused" import bad.top molecule.gro
  says "$3" "and the message says where: $3"
}
refused "an unknown directive" 's/\[ pairs \]/[ cmap ]/' 'bad.top:17: found cmap, expected a directive that is read'
refused "a Morse bond" 's/^2 3 1$/2 3 3/' 'bad.top:11: found 3, expected a function that is read'
refused "an atom that is not there" 's/^1 4 1$/1 5 1/' 'bad.top:18: found 5, expected the number of an atom'
refused "a type that is not there" 's/^4 CT/4 CZ/' 'bad.top:8: found CZ, expected a name of'
refused "a bond without numbers" 's/^3 4 1$/1 3 1/' 'bad.top:15: found a line of \[ bonds \] with 0 numbers, expected'
refused "a file that is not there" 's/field/meadow/' 'meadow.itp'
refused "a file elsewhere" 's/"field/"..\/field/' 'below the folder'
refused "a condition without end" 's/#endif//' 'expected #endif'
refused "a molecule that is not there" 's/^chain 1/train 1/' 'found train, expected the name of'
refused "a pair that is there already" 's/^chain 3/chain 2/' 'expected pairs only where 3 bonds are excluded'
refused "too many" 's/^chain 1/chain 300/' 'expected at most 1000'
refused "a word for a number" 's/ 35 10/ 35 ten/' 'found ten, expected a number'
head -n 5 molecule.gro >short.gro
ends 2 "coordinates that end early" import molecule.top short.gro
says 'short.gro:5: found the end of the file, expected an atom' "are refused"
sed 's/0.070/ 0x7 /' molecule.gro >bad.gro
ends 2 "a coordinate that is none" import molecule.top bad.gro
says 'bad.gro:6: found .*expected a coordinate' "is refused"
sed 1d molecule.pdb >short.pdb
ends 2 "a PDB of fewer atoms" import molecule.top short.pdb
says 'expected as many as the topology has' "is refused"
ends 2 "a word for --rigid" import molecule.top molecule.gro --rigid soft
says 'found --rigid soft, expected none, hydrogens or bonds' "is refused"
tap_done
