#!/bin/sh
# Data files of LAMMPS become systems of particles: with the energy that LAMMPS itself finds, by style of
# dihedrals, rule of combination and special bonds; and whatever is not read is refused with its line.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

cat >molecule.data <<'EOF'
LAMMPS data file via write_data, version 29 Sep 2021, timestep = 0, units = real

5 atoms
4 atom types
4 bonds
2 bond types
3 angles
2 angle types
2 dihedrals
2 dihedral types
1 impropers
1 improper types

-50 4 xlo xhi
-50 50 ylo yhi
-50 50 zlo zhi

Masses

1 12.011 # CT
2 1.008
3 15.9994
4 14.0067

Pair Coeffs # lj/cut/coul/cut

1 0.066 3.5
2 0.03 2.5
3 0.17 3.12
4 0.11 3.25

Bond Coeffs # harmonic

1 268 1.529
2 340 1.09

Angle Coeffs # harmonic

1 37.5 110.7
2 58.35 112.7

Dihedral Coeffs # opls

1 1.3 -0.05 0.2 0.1
2 0.5 0.7 0 0

Improper Coeffs # harmonic

1 2.5 0

Atoms # full

2 1 1 -0.2 1.5 0.1 0.2 0 0 0
1 1 2 0.1 0.2 0.9 -0.3 0 0 0
3 1 3 -0.3 2.1 1.4 0.5 0 0 0
4 1 4 0.25 3.5 1.3 1.1 0 0 0
5 1 1 0.15 -49.2 2.4 2.0 1 0 0

Velocities

1 0.01 0 0
2 0 0.002 0
3 0 0 -0.003
4 0.001 0.001 0.001
5 0 0 0

Bonds

1 2 1 2
2 1 2 3
3 1 3 4
4 1 4 5

Angles

1 1 1 2 3
2 2 2 3 4
3 1 3 4 5

Dihedrals

1 1 1 2 3 4
2 2 2 3 4 5

Impropers

1 1 2 1 3 4
EOF
# of_style STYLE FIRST SECOND: the same with dihedrals of this style
of_style() {
  sed "s|# opls|# $1|;s/^1 1.3 -0.05 0.2 0.1\$/1 $2/;s/^2 0.5 0.7 0 0\$/2 $3/" molecule.data
}
of_style multi/harmonic '1.3 -0.05 0.2 0.1 0.7' '0.5 0.7 0 0 -0.2' >powers.data
of_style harmonic '1.3 -1 2' '0.5 1 3' >signs.data
of_style charmm '1.3 2 180 0' '0.5 3 45 0' >phases.data

# LAMMPS' own energy, in kJ/mol: reads FILE, its style of dihedrals, special bonds, and the rule of combination
cat >energy.cpp <<'EOF'
#include <cstdio>
#include <library.h>
int main(int, char **w)
{
  const char *words[] = {"lammps", "-log", "none", "-screen", "none", "-nocite"};
  void *lammps = lammps_open_no_mpi(6, (char **)words, nullptr);
  char text[600];
  std::snprintf(text, sizeof text,
                "units real\natom_style full\npair_style lj/cut/coul/cut 25\nbond_style harmonic\n"
                "angle_style harmonic\ndihedral_style %s\nimproper_style harmonic\nspecial_bonds lj/coul %s\n"
                "read_data %s\npair_modify mix %s\nrun 0\n",
                w[2], w[3], w[1], w[4]);
  lammps_commands_string(lammps, text);
  std::printf("%.12g\n", 4.184 * (lammps_get_thermo(lammps, "pe") + lammps_get_thermo(lammps, "ke")));
}
EOF
# energy FILE FLAG...: ours, at the start
energy() {
  shakedown import "$@" >molecule.yaml 2>err || diag "$(head -n 1 err)"
  shakedown simulate 'particles(file="molecule.yaml")' rattle --step 1e-6 --until 1e-6 2>err |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "energy") at = i } NR == 2 { print $at }'
}
# same FILE STYLE SPECIAL MIX FLAG...: both are, but for the eighth digit of Coulomb's constant
same() {
  theirs=$(./energy "$1" "$2" "$3" "$4" 2>err | tail -n 1)
  style=$2
  file=$1
  shift 4
  ours=$(energy "$file" "$@")
  awk -v a="$ours" -v b="$theirs" 'BEGIN { d = a - b; exit !(a > 100 && d < 1e-6 && d > -1e-6) }'
  ok_if $? "$file, dihedrals $style $*: energy $ours here, $theirs in LAMMPS"
}
if c++ -O0 -I/usr/include/lammps -o energy energy.cpp -llammps 2>err; then
  same molecule.data opls '0 0 0' geometric
  same molecule.data opls '0 0 1' arithmetic --excluded 2 --mix arithmetic
  same powers.data multi/harmonic '0 0 0' geometric
  same signs.data harmonic '0 0 0' geometric
  same phases.data charmm '0 0 0' geometric
else
  skip_without liblammps-dev "no LAMMPS: $(head -n 1 err)"
fi
one=$(energy molecule.data --excluded 2) two=$(energy molecule.data --excluded 2 --mix arithmetic)
three=$(energy molecule.data)
[ "$one" != "$two" ] && [ "$one" != "$three" ]
ok_if $? "the rule of combination and what is excluded are seen: $one, $two, $three"
shakedown import molecule.data --rigid hydrogens >rigid.yaml
is_text "$(grep -c 'length: 0.109}' rigid.yaml) $(grep -c 'stiffness: 224262.4' rigid.yaml)" '1 3' \
  "bonds of hydrogens are rods, others springs"
ends 0 "... and it runs" simulate 'particles(file="rigid.yaml",project=yes)' rattle --step 1e-4 --until 0.001

# refused NAME SED FRAGMENT: the file with this change
refused() {
  sed "$2" molecule.data >bad.data
  ends 2 "$1 is refused" import bad.data
  says "$3" "and the message says where: $3"
}
refused "another unit" 's/units = real/units = lj/' 'bad.data:1: found units = lj, expected units = real'
refused "atoms without a style" 's/Atoms # full/Atoms/' 'bad.data:51: found no style, expected the style of atoms'
refused "an unknown section" 's/^Bonds/BondBond Coeffs/' 'bad.data:67: found BondBond, expected the number of an atom'
refused "an unknown line of the header" 's/^5 atoms/5 ellipsoids/' 'bad.data:3: found 5, expected a line of the header'
refused "a Morse bond" 's/Bond Coeffs # harmonic/Bond Coeffs # morse/' 'found 2, expected a type of style harmonic'
refused "an improper that is not about 0" 's/^1 2.5 0$/1 2.5 35/' 'expected an improper about 0'
refused "a dihedral of another style" 's/# opls/# helix/' 'expected a type of style opls'
refused "an atom that is not there" 's/^4 1 4 5$/4 1 4 6/' 'bad.data:72: found 6, expected the number of an atom'
refused "an atom twice" 's/^5 1 1 0.15/4 1 1 0.15/' 'expected each atom once'
refused "an atom left out" '/^5 1 1 0.15/d;/^5 0 0 0$/d' 'found fewer atoms, expected as many as the header has'
refused "a type without a mass" '/^4 14.0067/d' 'expected a type that has a mass before'
refused "a type without coefficients" '/^2 340/d' 'found 2, expected a type that has coefficients before'
refused "an image of a tilted box" 's/^-50 50 zlo.*/&\n1 0 0 xy xz yz/' 'expected image 0 in a box that is not'
refused "that, with more of the header after it" \
  's/^-50 50 zlo.*/&\n1 0 0 xy xz yz\n2 extra bond per atom/' 'expected image 0 in a box that is not'
refused "a type without pair coefficients" '/^4 0.11 3.25/d' 'found 4, expected a type that has pair coefficients'
refused "pairs of another style" 's|lj/cut/coul/cut|buck|' 'expected a type that has pair coefficients before, of a style lj/'
refused "a velocity before its atom" 's/^Masses/Velocities\n\n1 0 0 0\n\nMasses/' 'expected an atom that has a place before'
refused "too many" 's/^5 atoms/1001 atoms/' 'of atoms and types at most 1000'
refused "a word for a number" 's/0.25 3.5 1.3/0.25 far 1.3/' 'found far, expected a coordinate'
ends 2 "an unknown rule" import molecule.data --mix sixthpower
says 'found --mix sixthpower, expected geometric or arithmetic' "... is refused"
tap_done
