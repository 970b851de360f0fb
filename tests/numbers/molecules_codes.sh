#!/bin/sh
# python3 -m shakedown.molecules against other codes: the energies of the samples by LAMMPS and
# GROMACS; files of AMBER, made from one of the samples by ParmEd; files of CHARMM, with numbers of
# their own.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/molecules.sh"

# ---- LAMMPS ----

# Its own energy, in kJ/mol: reads FILE, its style of dihedrals, special bonds, and the rule of combination
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
# same FILE STYLE SPECIAL MIX FLAG...: both are, but for the eighth digit of Coulomb's constant
same() {
  theirs=$(./energy "$1" "$2" "$3" "$4" 2>err | tail -n 1)
  file=$1
  shift 4
  made "$file" "$@"
  near "$(energy)" "$theirs" 5e-8 "$file $*: the energy, here and in LAMMPS"
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

# ---- GROMACS ----

# A box that is too large to matter; of the energy at the start, potential and total
cat >run.mdp <<'EOF'
integrator = md
dt = 1e-6
nsteps = 1
comm-mode = None
nstcalcenergy = 1
nstenergy = 1
continuation = yes
nstlist = 1000000
verlet-buffer-tolerance = -1
rlist = 1000
rcoulomb = 1000
rvdw = 1000
coulombtype = Cut-off
coulomb-modifier = None
vdw-modifier = None
EOF
if command -v gmx_d >/dev/null; then
  sed '$s/.*/3000 3000 3000/' molecule.gro >boxed.gro
  export GMX_DISABLE_MODULAR_SIMULATOR=1
  gmx_d -quiet -nobackup grompp -f run.mdp -c boxed -p molecule -o run -maxwarn 9 >log 2>&1 &&
    gmx_d -quiet -nobackup mdrun -deffnm run -nt 1 -reprod -pin off >log 2>&1
  printf 'Potential\n\n' | gmx_d -quiet -nobackup energy -f run -dp -o potential >log 2>&1
  theirs=$(awk '!/^[#@]/ { print $2; exit }' potential.xvg)
  made molecule.top molecule.gro
  near "$(energy | awk '{ printf "%.15g", $1 - (1.008 * .01 + 12.011 * .04) / 2 }')" "$theirs" 5e-8 \
    "molecule.top: the potential, here and in GROMACS"
else
  skip_without gromacs "no gmx_d"
fi

# ---- AMBER and CHARMM ----

for python in python3 /usr/bin/python3; do
  "$python" -c 'import parmed' 2>err && break
done
if "$python" -c 'import parmed' 2>err; then
  # Without what these cannot have: pairs of types, powers of cosines, impropers (of AMBER) and velocities
  sed -i '/pairtypes/d;/^HC CT 1 0.29/d' field.itp
  sed -i '/^1 2 3 4 3 /d;/^1 2 3 4 2 /d' molecule.top
  cat >write.py <<'EOF'
import parmed
structure = parmed.gromacs.GromacsTopologyFile("molecule.top", xyz="molecule.pdb")
structure.box = None
structure.save("molecule.psf")
structure.save("molecule.crd")
parmed.amber.AmberParm.from_structure(structure.copy(parmed.Structure)).save("molecule.prmtop")
structure.save("molecule.rst7")
EOF
  "$python" write.py 2>err
  ok_if $? "ParmEd writes them"
  made molecule.top molecule.pdb
  ours=$(energy)
  made molecule.prmtop molecule.rst7
  near "$(energy)" "$ours" 1e-6 "AMBER: the energy, and that of GROMACS' files"
  is_text "$(molecules molecule.prmtop molecule.rst7 --rigid hydrogens | grep -c 'length: 0.11}')" 1 "a rod"

  # An angle of Urey and Bradley, impropers, and pairs that have numbers of their own
  cat >molecule.par <<'EOF'
* by hand
*
ATOMS
MASS     1 HC       1.00800
MASS     2 CT      12.01100
MASS     3 CX      12.01100

BONDS
HC     CT      358.5     1.1
CT     CX      239.0     1.5

ANGLES
HC     CT     CX       35.8   109.5   20.0   2.1
CT     CX     CT       47.8   112.0

DIHEDRALS
HC     CT     CX     CT          0.36  3     0.00
HC     CT     CX     CT          0.17  2   180.00

NONBONDED  nbxmod  5 atom cdiel fshift vatom vdistance vfswitch -
cutnb 14.0 ctofnb 12.0 ctonnb 10.0 eps 1.0 e14fac 1.0 wmin 1.5

HC           0.000000  -0.024       1.40
CT           0.000000  -0.096       1.96  0.000000  -0.01       1.9
CX           0.000000  -0.072       1.85

END
EOF
  made molecule.psf molecule.crd molecule.par
  near "$(energy)" "$(python3 - <<'EOF'
from math import *
turn = pi / 180
length = sqrt(.5**2 + .7**2 + 1.2**2)
r, between = sqrt(2**2 + .3**2 + 1.2**2), sqrt(1 + 1.5**2)
energy = 358.5 * .1**2 + 239 * (length - 1.5)**2 + 20 * (between - 2.1)**2
energy += 35.8 * (19.5 * turn)**2 + 47.8 * (acos(-.5 / length) - 112*turn)**2
phi = atan2(1.2, .7)
energy += .36 * (1 + cos(3*phi)) + .17 * (1 + cos(2*phi - pi))
s6 = ((1.4 + 1.9) / r)**6
energy += sqrt(.024 * .01) * (s6**2 - 2*s6)
print(repr(4.184 * energy + 1389.35457644382 * .3 * -.1 / r))
EOF
)" 1e-9 "CHARMM: the energy, by the definitions"
  refuses 'molecule.psf: ParmEd: ' molecule.psf molecule.crd molecule.gro
  is_text "$(molecules molecule.psf molecule.crd molecule.par --rigid bonds | grep -c 'stiffness: 16736, length: 0.21}')" 1 \
    "a spring where Urey and Bradley have one"
else
  skip_without python3-parmed "no ParmEd: $(tail -n 1 err)"
fi
tap_done
