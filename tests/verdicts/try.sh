#!/bin/sh
# `shakedown try`: the methods that it accepts, its output for right methods and for methods without
# claims, the claim at which it stops, its exit status, and the likely cause of each planted fault,
# which no other fault has.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
ln -s "$SHAKEDOWN_BAD_RATTLE" bad_rattle.so
cp "$SHAKEDOWN_SOURCE/tests/right/dense_rattle.c" "$SHAKEDOWN_SOURCE/tests/right/dense.h" .
enough='--budget 100'

# lacks FRAGMENT NAME: `out` does not contain it
lacks() {
  ! grep -qF -e "$1" out
  ok_if $? "$2"
}

# ---- right methods ----
# shellcheck disable=SC2086
ends 0 "a built-in method" try rattle $enough
has '  order 2.00(1) in q, 2.00(1) in p, |g| at round-off, Gv at round-off' "... its orders, its constraints"
has '  symplectic, presymplectic, symmetric, reversible, keeps momenta, energy bounded' "... its structure"
is_text "$(tail -n 1 out)" '  shakedown certify rattle' "... and what is next"
# shellcheck disable=SC2086
ends 0 "SHAKE" try shake $enough
has ', 1.00(1) in p, |g| at round-off, Gv = 14 h' "... whose momenta are not projected"
has '  not symplectic, presymplectic, not symmetric, not reversible' "... and are not claimed to be"
lacks 'likely cause' "... which is no cause of anything"
# shellcheck disable=SC2086
ends 0 "a source in C" try dense_rattle.c $enough
has 'shakedown certify dense-rattle --plugin ./dense_rattle.so' "... and what is next"
holds "... leaves nothing behind" [ ! -e dense_rattle.so ]
# shellcheck disable=SC2086
ends 0 "a plug-in" try "$SHAKEDOWN_TWO_STEP_SHAKE" $enough
lacks 'likely cause' "... another SHAKE, without a cause"
# shellcheck disable=SC2086
ends 0 "a program" try "python3 $SHAKEDOWN_SOURCE/examples/engines/verlet.py leap" $enough
lacks 'likely cause' "... leapfrog with velocities of half a step, without a cause"
has --allow-external "... which is named with what it needs"
shakedown try "python3 $SHAKEDOWN_SOURCE/examples/external/sweep.py" --budget 5 >out 2>err
says 'rattle(solver=program("python3 .*sweep.py"))' "a solver is an option of RATTLE"

# No claim falls, of methods of each kind; certificates have the others. Three have a claim of "no", or
# of order 0, that shows on few problems, all of them in certificates.
for method in composition projection penalty spark energy-momentum velocity-impulse ida radau5 hem5; do
  if without libsiconos-numerics-dev && { [ "$method" = radau5 ] || [ "$method" = hem5 ]; }; then
    skip_without libsiconos-numerics-dev "$method: Hairer's codes are not here"
    continue
  fi
  case $method in
  penalty | radau5 | hem5) want=3 ;;
  *) want=0 ;;
  esac
  # shellcheck disable=SC2086
  ends $want "$method" try "$method" $enough
done

# A penalty adds a stiff term to H: what is said of the energy has its condition. Others have none.
for penalty in 'penalty(stiffness=400)' 'penalty(damping=1)'; do
  # shellcheck disable=SC2086
  shakedown try "$penalty" $enough >out 2>err
  grep 'energy not bounded' out | grep -v 'at hω ≥ [0-9.e+]* (ω = ' >unconditional
  holds "$penalty: \"energy not bounded\" has its condition" [ ! -s unconditional ]
done
# shellcheck disable=SC2086
shakedown try velocity-impulse $enough >out 2>err
has 'energy not bounded, drift' "a method without stiff terms has none"
# shellcheck disable=SC2086
shakedown try shake-minimal-displacement $enough >out 2>err
grep -q 'energy not bounded, it dissipates$' out
ok_if $? "an energy that falls ever more slowly has no rate"

# ---- claims that fall ----
bad='bad-rattle(fault=gradient-old)'
# shellcheck disable=SC2086
ends 1 "a force at the wrong place" try "$bad" --plugin ./bad_rattle.so $enough
has "falsified $bad: order of q: 1.0000, not 2, on chain" "... what fell"
lacks energy "... and no further"
has "--claim 'order of q' -o try.db" "... how to draw it"
eval "$(sed -n 's/^  shakedown certify/shakedown certify -q/p' out)" >drawn
shakedown plot try.db -o figures >drawn 2>&1
ls figures/order-chain*.pdf >drawn
ok_if $? "... which draws it"
# shellcheck disable=SC2086
ends 1 "... with all questions" try "$bad" --plugin ./bad_rattle.so --all $enough
has "energy bounded on sprung-pendulum" "... to the last"
has "falsified $bad: order of q: 1.0000 to 1.0003, not 2, on all " "... sentences by claims"
gives 1 'integrator,claim,stated,problem,precision,value,expected,verdict,reason' \
  try "$bad" --plugin ./bad_rattle.so --format csv
grep -q "^$bad,likely cause,-,.*the second half kick uses the force at the start of the step" out
ok_if $? "... the cause is a row"
holds "... and what it is" grep -q "^$bad,is,,.*order 1.00" out
gives 1 '"claim":"likely cause"' try "$bad" --plugin ./bad_rattle.so --format json
gives 1 'falsified' try 'bad-rattle(fault=modest)' --plugin ./bad_rattle.so --budget 100
lacks 'likely cause' "a right step whose claims fall has no cause"

# ---- likely causes, each of one fault; tests/verdicts/causes.sh has the others ----
while IFS=: read -r fault cause; do
  # shellcheck disable=SC2086
  shakedown try "bad-rattle(fault=$fault)" --plugin ./bad_rattle.so $enough >out 2>err
  is_text "$? $(sed -n "s/^likely cause [^ ]*: \(${cause:-.*}\).*/\1/p" out)" "1 $cause" "cause of $fault"
done <<'END'
unconstrained:the constraints do not act
direction-new:positions are corrected along the bonds at the end
direction-predicted:positions are corrected along the bonds of the predicted
unweighted:corrections of positions are not divided
quotient:velocities are difference quotients
gradient-old:the second half kick uses the force at the start
force-predicted:the second half kick uses the force at the predicted
no-second-kick:a half kick is missing
no-feedback:the correction of the positions does not reach
old-jacobian:velocities are projected with the constraint Jacobian of the old
old-fibre:velocities are corrected along the bonds at the start
no-projection:velocities are not projected
sign-of-step:the sign of the step is ignored
single:all numbers that a step returns are in single
stale-factor:the solve for the multipliers ends too early
damped:
wrong-sequence:
END

# ---- what could be claimed ----
# shellcheck disable=SC2086
ends 3 "a method without claims" try 'bad-rattle(fault=silent)' --plugin ./bad_rattle.so $enough
has '    SHK_CLAIM(ORDER_Q, 2),' "... is shown what it could claim"
has '    SHK_CLAIM(SYMPLECTIC, SHK_YES),' "... by steps with power"
sed -n '/^static const struct shk_stated claims/,/};/p' out >claims
sed '/^static const struct shk_stated claims/,/;$/d' dense_rattle.c >silent.c
sed -i '/^static const struct shk_integrator /e cat claims' silent.c
holds "... to be pasted" grep -q 'SHK_CLAIM(SYMPLECTIC' silent.c
# shellcheck disable=SC2086
ends 0 "... and pasted it is held" try silent.c $enough
gives 3 'symplectic,yes,,,,,could be claimed,' try 'bad-rattle(fault=silent)' \
  --plugin ./bad_rattle.so --budget 100 --format csv

# ---- JUnit ----
# shellcheck disable=SC2086
ends 1 "with a file for JUnit" try "$bad" --plugin ./bad_rattle.so --junit out.xml $enough
python3 - out.xml <<'P'
import sys, xml.etree.ElementTree as tree
suites = tree.parse(sys.argv[1]).getroot()
cases = suites.findall('testsuite/testcase')
failures = [case for case in cases if case.find('failure') is not None]
assert suites.tag == 'testsuites' and len(cases) == int(suites.get('tests')) > 1
assert len(failures) == int(suites.get('failures')) >= 1 and failures[0].get('classname') == 'bad-rattle(fault=gradient-old)'
assert failures[0].get('name').startswith('order of q 2 on chain(')
assert 'the second half kick' in failures[0].find('failure').text
P
ok_if $? "... a test for each claim and problem, with the likely cause"

# ---- an engine of rigid bodies ----
cat >bodies.py <<'P'
import sys
for line in sys.stdin:
    if line.startswith("hello"):
        print("shakedown-engine 1 name=bodies version=1 order-q=1 order-p=1", flush=True)
    elif line.startswith("system"):
        print("refuse not a rigid body on a ball joint", flush=True)
P
ends 3 "an engine that refuses all systems" try 'python3 bodies.py'
has 'nothing was decided, because the method could be measured on no system of `try`' "... decides nothing"
has 'random-mechanism(' "... and is asked about bodies too"
has 'refused engine("python3 bodies.py") on chain(' "... is told what it refused"
has 'the external program: not a rigid body on a ball joint' "... and why"

# ---- bad input ----
gives 2 'gone.c: No such file' try gone.c
gives 2 'did you mean rattle' try ratle
echo 'int x = ;' >no.c
gives 2 'error: expected expression' try no.c
gives 2 "cannot start './nothing'" try './nothing at all'
gives 2 'without a line-protocol greeting' try 'sleep 100' --budget 1
echo 'raise SystemExit' >program.py
gives 2 "to name a program, give its command: 'python3 program.py'" try program.py
gives 2 'WHAT is missing' try
gives 2 'not a whole number above zero' try rattle --budget 0
gives 2 'not a whole number above zero' try rattle --seed 0
gives 2 'offers neither an integrator' try "$SHAKEDOWN_SQUARES"
tap_done
