#!/bin/sh
# python3 -m shakedown.molecules against other codes: the energies of the samples by LAMMPS and
# GROMACS, and the constraints of LAMMPS; energies and forces of molecules on stock force fields by
# GROMACS (force_fields.py), and of files of AMBER and CHARMM, which ParmEd writes and gives to
# GROMACS, and OpenMM reads; files of CHARMM, with numbers of their own; files of OpenMM.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/molecules.sh"

# ---- LAMMPS ----

# Its own energy, in kJ/mol: reads FILE, its style of dihedrals, special bonds, and the rule of combination. With
# the words of fix shake, `moving` then has positions of a hot run with this fix
cat >energy.cpp <<'EOF'
#include <cstdio>
#include <library.h>
int main(int count, char **w)
{
  const char *words[] = {"lammps", "-log", "none", "-screen", "none", "-nocite"};
  void *lammps = lammps_open_no_mpi(6, (char **)words, nullptr);
  char text[800];
  std::snprintf(text, sizeof text,
                "units real\natom_style full\npair_style lj/cut/coul/cut 25\nbond_style harmonic\n"
                "angle_style harmonic\ndihedral_style %s\nimproper_style harmonic\nspecial_bonds lj/coul %s\n"
                "read_data %s\npair_modify mix %s\nrun 0\n",
                w[2], w[3], w[1], w[4]);
  lammps_commands_string(lammps, text);
  std::printf("%.12g\n", 4.184 * (lammps_get_thermo(lammps, "pe") + lammps_get_thermo(lammps, "ke")));
  std::snprintf(text, sizeof text,
                "velocity all create 600 1\ntimestep 0.5\nfix 1 all nve\nfix 2 all shake 1e-10 1000 0 %s\n"
                "dump 1 all custom 20 moving id xu yu zu\ndump_modify 1 sort id format float %%.15g\nrun 100\n",
                count > 5 ? w[5] : "");
  if (count > 5)
    lammps_commands_string(lammps, text);
}
EOF
# The pairs of atoms that keep their distance in `moving` are the rods of made.yaml, with their lengths
cat >moving.py <<'EOF'
import itertools, math, re
frames = [[[float(x) / 10 for x in line.split()[1:]] for line in frame.splitlines()[9:]]
          for frame in open("moving").read().split("ITEM: TIMESTEP")[2:]]
assert len(frames) == 5
theirs = {}
for pair in itertools.combinations(range(len(frames[0])), 2):
    distances = [math.dist(*(frame[i] for i in pair)) for frame in frames]
    if max(distances) - min(distances) < 1e-8:
        theirs[pair] = distances[0]
rods = re.search(r"(?m)^rods:\n(  .*\n)*", open("made.yaml").read())[0]
ours = {tuple(sorted((int(a) - 1, int(b) - 1))): float(length)
        for a, b, length in re.findall(r'-(\d+)", ".*-(\d+)"\], length: (\S+)}', rods)}
assert ours.keys() == theirs.keys(), (ours, theirs)
off = max(abs(ours[pair] - theirs[pair]) for pair in ours)
print("%d rods where LAMMPS has constraints, lengths equal to %.0e nm" % (len(ours), off))
assert off < 1e-10, (ours, theirs)
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
  # The constraints of fix shake: a bond, two, three, and the third side of an angle between two, equal or not
  sed 's/^1 0 1$/1 1000 1/;s/^1 0 109.47/1 100 109.47/' water.data >springy.data
  sed 's/^2 1 2 3$/2 2 2 3/;s/^3 1 3 4$/3 2 2 4/' molecule.data >star.data
  while IFS='|' read -r file style words; do
    rm -f moving
    ./energy "$file" "$style" '0 0 0' geometric "$words" >/dev/null 2>err
    made "$file" --shake "$words"
    python3 moving.py >log 2>&1
    ok_if $? "$file, fix shake $words: $(tail -n 1 log)"
  done <<'EOF'
water.data|none|b 1 a 1
springy.data|none|b 1
springy.data|none|t 2 a 1
springy.data|none|m 1.0
molecule.data|opls|b 2
molecule.data|opls|m 1.008
molecule.data|opls|m 15.95 a 2
star.data|opls|b 2 a 1
EOF
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

if command -v gmx_d >/dev/null && [ -d /usr/share/gromacs/top ]; then
  for case in amber99sb-ildn amber03 charmm27 gromos54a7 oplsaa water-amber water-charmm water-gromos water-opls \
    methanol butane; do
    PYTHONPATH=$SHAKEDOWN_SOURCE/python python3 -B "$SHAKEDOWN_SOURCE/tests/numbers/force_fields.py" "$case" >log 2>&1
    ok_if $? "$(tail -n 1 log)"
  done

  # Certificates of RATTLE on three of them, with velocities; bonds, all bonds, and angles are rigid
  for one in 'amber99sb-ildn h-bonds' 'butane all-bonds' 'methanol h-angles'; do
    name=${one% *}
    made "$name.top" "$name.gro" --constraints "${one#* }" --kick 1
    certified made.yaml
  done
fi

# ---- AMBER, CHARMM and OpenMM ----

for writer in python3 /usr/bin/python3; do
  "$writer" -c 'import parmed' 2>err && break
done
for python in python3 /usr/bin/python3 "${SHAKEDOWN%/*}/python/bin/python3" "${SHAKEDOWN_PYTHON:-python3}"; do
  "$python" -c 'import openmm' 2>>err && break
done
if "$writer" -c 'import parmed' 2>err && "$python" -c 'import openmm' 2>>err; then
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
  "$writer" write.py 2>err
  ok_if $? "ParmEd writes them"
  made molecule.top molecule.pdb
  ours=$(energy)
  made molecule.prmtop molecule.rst7
  near "$(energy)" "$ours" 1e-6 "AMBER: the energy, and that of GROMACS' files"
  is_text "$(molecules molecule.prmtop molecule.rst7 --constraints h-bonds 2>err | grep -c 'length: 0.11}')" 1 "a rod"

  # A dipeptide on a force field of AMBER and on one of CHARMM: ParmEd writes the files, and a topology from what
  # it reads of them, of which GROMACS computes energy and forces
  for case in amber charmm; do
    if command -v gmx_d >/dev/null && [ -f amber99sb-ildn.top ]; then
      PYTHONPATH=$SHAKEDOWN_SOURCE/python "$python" -B "$SHAKEDOWN_SOURCE/tests/numbers/force_fields.py" "$case" "$writer" \
        >log 2>&1
      ok_if $? "$(tail -n 1 log)"
    fi
  done

  # OpenMM's own files: a system of its force field, and as XML; its energies are OpenMM's
  cat >write.py <<'EOF'
import openmm
from openmm import app, unit
pdb = app.PDBFile("dipeptide.pdb")
system = app.ForceField("amber99sb.xml").createSystem(pdb.topology)
with open("system.xml", "w") as out:
    out.write(openmm.XmlSerializer.serialize(system))
maps = openmm.XmlSerializer.clone(system)
force = openmm.CMAPTorsionForce()
force.addMap(3, [1, 2, 3, 4, 5, 6, 7, 8, 9])
force.addTorsion(0, 4, 6, 8, 14, 6, 8, 14, 16)
maps.addForce(force)
with open("maps.xml", "w") as out:
    out.write(openmm.XmlSerializer.serialize(maps))
context = openmm.Context(system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName("Reference"))
context.setPositions(pdb.positions)
print(context.getState(getEnergy=True).getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole))
EOF
  if [ -f amber.pdb ]; then
    cp amber.pdb dipeptide.pdb
    theirs=$("$python" write.py 2>err | tail -n 1)
    made dipeptide.pdb amber99sb.xml
    near "$(energy)" "$theirs" 1e-5 "OpenMM: the energy of a PDB file with a force field, here and there"
    made system.xml dipeptide.pdb
    near "$(energy)" "$theirs" 1e-5 "... and of system.xml"
    made dipeptide.pdb amber99sb.xml --constraints h-angles
    ours=$(grep '^constraints' err)
    made amber99sb-ildn.top amber99sb-ildn.gro --constraints h-angles
    is_text "$(grep '^constraints' err)" "$ours" "h-angles: the rods that OpenMM makes, and those of GROMACS' files"
    refuses 'system.xml: found h-bonds, expected' system.xml dipeptide.pdb --constraints h-bonds
    refuses 'maps.xml: found the force CMAPTorsionForce, expected .*--without cmap' maps.xml dipeptide.pdb
    made maps.xml dipeptide.pdb --without cmap
    near "$(energy)" "$theirs" 1e-5 "... without its maps"
  fi

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
  refuses 'molecule.psf: OpenMM: ' molecule.psf molecule.crd molecule.gro
  is_text "$(molecules molecule.psf molecule.crd molecule.par --constraints all-bonds 2>err | grep -c 'stiffness: 16736, length: 0.21}')" 1 \
    "a spring where Urey and Bradley have one"
else
  skip_without python3-parmed "no ParmEd or OpenMM: $(tail -n 1 err)"
fi
tap_done
