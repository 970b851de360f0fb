#!/bin/sh
# Solvers of plug-ins: the template and the example are certified as choices of RATTLE's option;
# each fault of tests/bad/bad_solver.c falsifies the claims that it must break, and no others.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
unset CC CXX

# full SOLVER: the method as tables name it
full() { echo "rattle(solver=$1)"; }
right_solvers() { echo my-sweep to-and-fro rod-newton bad-solver newton gauss-seidel ilves; }
wrong_rules() {
  for one in last-rod first-rod every-other signed mean squares single sweeps stalls tenfold; do
    echo "bad-solver(fault=$one)"
  done
}

# ---- right ones ----
ends 0 "plugin new solver" plugin new solver my-sweep
ends 0 "plugin build" plugin build my-sweep.c
has 'solver my-sweep: the SHAKE sweep' "the offer names it"
ends 0 "plugin check" plugin check my-sweep.so --quick
grep -q '^ok .*rattle(solver=my-sweep): contract required on alkane in quad: ' out
ok_if $? "it is audited as a choice of RATTLE's"
ends 0 "list solvers" list solvers --plugin ./my-sweep.so
has my-sweep "has it"
ends 0 "describe" describe my-sweep --plugin ./my-sweep.so
cp "$SHAKEDOWN_SOURCE/examples/plugins/rod_newton.c" .
ends 0 "build the example" plugin build rod_newton.c
is_text "$(cat err)" "" "it compiles without a warning"
# Successive over-relaxation, whose residuals oscillate.
sed 's/my-sweep/over-relaxed/; s/my_sweep/over_relaxed/; s|g / own|R(1.3) * g / own|' my-sweep.c >over-relaxed.c
ends 0 "build the sweep with relaxation" plugin build over-relaxed.c
# Forwards and backwards in turn: on a ring its last sweep leaves 2.3 times the tolerance.
sed 's/my-sweep/to-and-fro/; s/my_sweep/to_and_fro/
  s/for (int i = 0; i < task->rods; i++) {/for (int k = 0; k < task->rods; k++) { const int i = sweep % 2 ? task->rods - 1 - k : k;/' \
  my-sweep.c >to-and-fro.c
ends 0 "build the sweep to and fro" plugin build to-and-fro.c
ends 0 "all get their certificates" certify -q --brief --seed 1 'rattle(solver=my-sweep)' \
  'rattle(solver=rod-newton)' 'rattle(solver=over-relaxed)' --plugin ./my-sweep.so --claim symmetric \
  --claim symplectic --claim 'keeps constraint' --claim 'keeps momenta' --claim "Newton's multipliers" \
  --claim 'order of the solve' \
  --plugin ./rod_newton.so --plugin ./over-relaxed.so --format csv
for held in 'my-sweep),order of the solve,1' 'rod-newton),order of the solve,2' \
  'over-relaxed),order of the solve,1' \
  "my-sweep),Newton's multipliers,yes" "rod-newton),Newton's multipliers,yes" \
  'my-sweep),keeps momenta,yes' 'my-sweep),symmetric,yes' 'my-sweep),symplectic,yes' \
  'my-sweep),keeps constraint,yes'; do
  holds "held: $held" grep -q "^rattle(solver=$held.*,held$" out
done
is_text "$(grep -cE ',(falsified|failed|not-shown)$' out)" 0 "nothing is falsified"

# The same to all other methods that solve for multipliers.
ends 0 "under SHAKE" simulate alkane 'shake(solver=rod-newton)' --plugin ./rod_newton.so \
  --step 0.0005 --until 0.005
gives 2 'option solver has no choice "my-sweeps"' simulate alkane 'rattle(solver=my-sweeps)' --plugin ./my-sweep.so \
  --step 0.001 --until 0.01
gives 2 "systems whose constraints are rods" simulate sprung-pendulum 'rattle(solver=my-sweep)' \
  --plugin ./my-sweep.so --step 0.01 --until 0.1

# Codes that return positions only: their displacement gives the kick. In columns: t, q and p.
sed 's/      return k;/      return memset(task->impulse, 0, (size_t)task->rods * sizeof(real)), k;/
  s/rod-newton/positions-only/; s/rod_newton/positions_only/g' rod_newton.c >positions_only.c
ends 0 "a solver that returns no impulses" plugin build positions_only.c
for solver in newton positions-only; do
  "$SHAKEDOWN" simulate alkane "rattle(solver=$solver)" --plugin ./positions_only.so --step 0.0005 \
    --until 0.005 | tail -n 1 | tr ',' '\n' | head -n 25 | xargs printf '%.8f\n' >"$solver.txt"
done
holds "moves as newton does" cmp newton.txt positions-only.txt

# ---- wrong ones ----
cat >wrong.yaml <<'Y'
study: wrong-solvers
runs:
  - problems: [water, alkane]
    integrators:
      - rattle(solver=bad-solver)
      - rattle(solver=bad-solver(fault=unconverged))
      - rattle(solver=bad-solver(fault=wrong-masses))
      - rattle(solver=bad-solver(fault=leak))
      - rattle(solver=bad-solver(fault=asymmetric))
      - rattle(solver=bad-solver(fault=stale))
      - rattle(solver=boasting-solver)
    steps: [0.004, 0.002, 0.001]
    until: 0.1
    precision: quad
    measures: [constraint, momentum, symmetry, newtons-multipliers, convergence, stateless]
Y
ends 1 "wrong solvers" run wrong.yaml -o wrong.db -q --plugin "$SHAKEDOWN_BAD_SOLVER"
"$SHAKEDOWN" show wrong.db --format csv >all
# What is falsified of each, and nothing else of what is named here.
while IFS=: read -r solver wanted; do
  for quantity in constraint momentum-x symmetry newtons-multipliers 'order of the solve' stateless; do
    found=$(grep -F "rattle(solver=$solver),quad," all | grep -E ",(invariant )?$quantity( max)?," |
      grep -c ',falsified,')
    case ",$wanted," in
    *",$quantity,"*)
      holds "$solver: $quantity is falsified" [ "$found" -ge 1 ]
      ;;
    *) is_text "$found" 0 "$solver: $quantity is not" ;;
    esac
  done
done <<'END'
bad-solver:
bad-solver(fault=unconverged):constraint,newtons-multipliers
bad-solver(fault=wrong-masses):momentum-x,symmetry,newtons-multipliers
bad-solver(fault=leak):momentum-x
bad-solver(fault=asymmetric):symmetry,newtons-multipliers
bad-solver(fault=stale):newtons-multipliers,stateless
boasting-solver:order of the solve
END

# ---- wrong rules of when to stop ----
{
  printf 'study: rules\nruns:\n  - problems: [%s]\n' \
    "'chain(links=8,spring=2,start=zigzag)', 'random-system(shape=tree,seed=70065613)', 'random-system(shape=ring)', 'random-system(shape=ring,seed=109)'"
  printf '    until: 1\n    steps: [1]\n    measures: [solver-tolerance]\n    integrators:\n'
  for one in $(right_solvers) $(wrong_rules); do
    printf '      - rattle(solver=%s)\n' "$one"
  done
  # Many rows: the mean of few residuals is near the largest of them.
  printf '  - problems: ["random-system(shape=ring,size=huge)"]\n    precision: double\n'
  printf '    until: 1\n    steps: [1]\n    measures: [solver-tolerance]\n    integrators:\n'
  for one in my-sweep 'bad-solver(fault=mean)' 'bad-solver(fault=stalls)'; do
    printf '      - rattle(solver=%s)\n' "$one"
  done
} >rules.yaml
ends 1 "wrong rules" run rules.yaml -o rules.db -q --plugin "$SHAKEDOWN_BAD_SOLVER" \
  --plugin ./my-sweep.so --plugin ./to-and-fro.so --plugin ./rod_newton.so
"$SHAKEDOWN" show rules.db --format csv >all
for rule in $(wrong_rules); do
  grep -F "rattle(solver=$rule)," all | grep -q ',falsified,.*stops before all rows are within the tolerance'
  ok_if $? "$rule is falsified, by its residual"
done
for solver in $(right_solvers); do
  is_text "$(grep -F ",$(full "$solver")," all | grep -v huge |
    grep -c ',solver-tolerance.*,held,')" 4 "$solver keeps every tolerance, on four systems"
done
grep 'huge.*my-sweep' all | grep -q ',solver-tolerance.*,held,'
ok_if $? "... and on many rods"
tap_done
