#!/bin/sh
# Engines: the adapters that come with the program, that with an engine in it, and those of LAMMPS
# and OpenMM take the steps of our own methods; wrong adapters are falsified; systems that an engine
# cannot have are refused.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/engines.sh"

# ---- the engine that is an adapter's own ----
# The sweeps of verlet.py leave 1e-15 a rod; what a step rounds grows along unstable motions.
for one in 'pendulum 0.05 5' 'double-pendulum 0.02 2' 'hanging-chain 0.02 2' 'dimers 0.005 0.5' \
  'tethered-water 0.002 0.2'; do
  # shellcheck disable=SC2086
  set -- $one
  agree "$1" "$2" "$3" 'python3 verlet.py' rattle 10
  agree "$1" "$2" "$3" 'python3 verlet.py leap' 'shake(momentum=central)' 10
done
gives 0 '' simulate "$(system pendulum)" "$(engine 'python3 verlet.py')" --allow-external --step -0.05 \
  --until -1

# claims COMMAND: a study of its claims
claims() {
  make_study claims "problems: ['$(system double-pendulum)'], integrators: ['$(engine "$1")'],
    steps: {largest: 0.06, halvings: 3}, until: 0.6, measures: [order, constraint, work]"
}
for mode in '' ' leap'; do
  claims "python3 verlet.py$mode"
  gives 0 ' 0 falsified' run claims.yaml --allow-external
  shakedown show claims.db --values --allow-external >values
  grep -q 'order of q .*held' values && grep -q 'order of p .*held' values
  ok_if $? "verlet.py$mode: the orders of q and p are measured, and held"
  grep -q 'order of lambda ' values && ! grep -q cpu-seconds values
  ok_if $? "... that of its multipliers, too; it does not tell its time, and has none"
done
# start_differs: 0 if the records have the difference of energies at the start, and it is above 1e-6
start_differs() {
  shakedown show claims.db --records --format csv --allow-external |
    awk -F, '/method-energy-difference/ { found = 1; worst = $NF > worst ? $NF : worst }
      END { exit found ? !(worst > 1e-6) : 2 }'
}
start_differs
is_text $? 1 "the engine's energy at the start is ours"

# ---- wrong adapters ----
sed 's/velocities=half //' verlet.py >passed_off.py
claims 'python3 passed_off.py leap'
gives 1 'falsified' run claims.yaml --allow-external
shakedown show claims.db --values --allow-external >values
grep 'order of p ' values | grep -q falsified
ok_if $? "velocities half a step behind, passed off as those of the step, have no order 2"
sed 's/for a in self.terms\["gravity"\]/for a in [[9.81 * x for x in a] for a in self.terms["gravity"]]/' \
  verlet.py >units.py
claims 'python3 units.py'
gives 1 'falsified' run claims.yaml --allow-external
holds "... and the energy at the start is another" start_differs

# spoilt SED FRAGMENT: an adapter that was spoilt ends the cell, with the reason
spoilt() {
  sed "$1" verlet.py >spoilt.py
  cmp -s verlet.py spoilt.py && diag "nothing was spoilt"
  gives 3 "$2" simulate "$(system pendulum)" "$(engine 'python3 spoilt.py')" --allow-external \
    --step 0.05 --until 1
}
spoilt 's/ state\[:n\], / [10 * x for x in state[:n]], /;s/def integrate.*/&\n    pass/' \
  'does not begin at the start that it was given'
spoilt 's/v = \[x + (a - b) .*/&\n        q[0] += steps * 1e-13/' 'is different when it is requested again'
spoilt 's/"state", \*q/"state", *q, *q/' 'its line contains more than expected'
spoilt 's/"state", \*q, \*v,/"state", *q,/' 'too few numbers'
spoilt 's/print("state"/print("status"/' "expected 'state' or 'fail', found status"
spoilt 's/range(1, 10000)/range(1, 2)/' 'the sweeps do not converge'
spoilt 's/multipliers=yes/multipliers=maybe/' 'an unknown key or value: multipliers=maybe'
spoilt 's/shakedown-engine/shakedown-motor/' "expected 'shakedown-engine'"
spoilt 's/shakedown-engine/shakedown-integrator/' 'it is an integrator, not an engine'

# ---- what is refused ----
gives 2 'declare point masses, rods and potential terms' simulate pendulum "$(engine 'python3 verlet.py')" --allow-external \
  --step 0.1 --until 1
gives 2 'use --allow-external' simulate pendulum "$(engine 'python3 verlet.py')" --step 0.1 --until 1
gives 2 '' simulate "$(system pendulum)" "$(engine 'python3 verlet.py')" --allow-external --step 0.1 \
  --until 1 --precision quad
gives 2 'this adapter has no angle' simulate "$(system butane)" "$(engine 'python3 verlet.py')" \
  --allow-external --step 0.001 --until 1
sed 's/"ready"/"refuse no pendulums today"/' verlet.py >spoilt.py
gives 2 'no pendulums today' simulate "$(system pendulum)" "$(engine 'python3 spoilt.py')" \
  --allow-external --step 0.1 --until 1

# ---- LAMMPS ----
if built lammps; then
  # Rods enough for a long line of types.
  awk 'BEGIN {
    print "particles:"
    for (i = 0; i < 400; i++)
      printf "  - {name: A%d, mass: 1, position: [%g, 0, 0], velocity: [0, 0, 0.%d]}\n" \
        "  - {name: B%d, mass: 2, position: [%g, 1, 0], velocity: [0.%d, 0, 0]}\n", i, i / 100, i % 7, i, i / 100, i % 5
    print "rods:"
    for (i = 0; i < 400; i++) print "  - [A" i ", B" i "]"
  }' >systems/many-dimers.yaml
  # Both solve to round-off; the tolerance of fix shake is 1e-14 of the square of a length.
  for one in 'pendulum 0.05 5' 'double-pendulum 0.02 2' 'dimers 0.005 2' 'tethered-water 0.002 0.4' \
    'many-dimers 0.01 0.52'; do
    # shellcheck disable=SC2086
    set -- $one
    agree "$1" "$2" "$3" './lammps shake' 'shake(momentum=central)' 12
    agree "$1" "$2" "$3" './lammps rattle' rattle 12
  done
  gives 2 'clusters of at most four atoms' simulate "$(system hanging-chain)" \
    "$(engine './lammps shake')" --allow-external --step 0.1 --until 1
  # Three equal rods in a row are no triangle: two from one point, and a third that does not close it.
  gives 2 'clusters of at most four atoms' simulate 'chain(links=3)' "$(engine './lammps rattle')" \
    --allow-external --step 0.1 --until 1
else
  skip_without liblammps-dev "no LAMMPS: $(head -n 1 err)"
fi

# ---- OpenMM ----
# left LEAST MOST SYSTEM STEP UNTIL: the largest |g| with OpenMM is between these
left() {
  shakedown simulate "$(system "$3")" "$(engine './openmm velocity-verlet')" --allow-external \
    --step "$4" --until "$5" --every 1 2>err |
    awk -F, -v least="$1" -v most="$2" '
      NR > 1 && $(NF - 1) > worst { worst = $(NF - 1) }
      END { print "# |g| " worst; exit !(worst >= least + 0 && worst <= most + 0) }'
  ok_if $? "$3: OpenMM leaves a |g| between $1 and $2"
}
if built openmm; then
  # Its tolerance is 1e-14 of the square of a length, at each step.
  for one in 'pendulum 0.05 5' 'double-pendulum 0.02 2' 'dimers 0.005 2' 'rounded-water 0.002 0.4'; do
    # shellcheck disable=SC2086
    set -- $one
    agree "$1" "$2" "$3" './openmm verlet' 'shake(momentum=central)' 10
    agree "$1" "$2" "$3" './openmm velocity-verlet' rattle 10
  done
  claims './openmm velocity-verlet'
  gives 0 ' 0 falsified' run claims.yaml --allow-external
  shakedown show claims.db --values --allow-external >values
  grep -q cpu-seconds values && ! grep -q 'order of lambda ' values
  ok_if $? "OpenMM's time is told, and it has no multipliers to measure"
  # Angles and torsions; the sums of some ten forces at an atom round by 1e-14 of them.
  agree butane 0.002 0.4 './openmm velocity-verlet' rattle 9
  agree decane 0.002 0.4 './openmm verlet' 'shake(momentum=central)' 9
  agree ethanol 0.001 0.1 './openmm velocity-verlet' rattle 8
  sed 's/cosines: .*/stiffness: 3, multiplicity: 2, phase: 1}/' systems/butane.yaml >systems/periodic.yaml
  agree periodic 0.002 0.4 './openmm velocity-verlet' rattle 9
  # Certificates are made on what engines can have: chains and molecules.
  certified() {
    gives "$1" "$2" certify "$(engine "$3")" --allow-external --brief --claim "$4"
  }
  certified 3 '2 held, 0 falsified' './openmm velocity-verlet' 'order of p'
  sed 's/0.5\*dt\*f\/m+(x-x1)/0.5*dt*f\/m*1.001+(x-x1)/;s/-o openmm openmm.cpp/-o spoilt spoilt.cpp/' openmm.cpp >spoilt.cpp
  built spoilt || diag "$(head -n 3 err)"
  certified 1 'falsified engine("./spoilt velocity-verlet"): order of p' './spoilt velocity-verlet' 'order of p'
  # ... where its CCMA returns what it has after 150 iterations.
  certified 1 'returns ok and a state with max|g|' './openmm velocity-verlet' 'valid states'
  # SETTLE rounds lengths to single precision: ½ (0.16329932213² - 0.16329931619²) = 9.7045e-10.
  left 9.704e-10 9.705e-10 tethered-water 0.002 0.2
  # CCMA gives up after 150 iterations and says nothing.
  left 1e-9 1e-7 hanging-chain 0.02 2
else
  skip_without libopenmm-dev "no OpenMM: $(head -n 1 err)"
fi
tap_done
