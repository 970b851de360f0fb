#!/bin/sh
# `plugin check`: the path of a beginner (new, edit, build, check) with its certificate; the
# examples in C++ and around an existing function; every breach of the contract in
# tests/bad/bad_plugin.c is found, and correct code is not blamed; the search path.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
unset CC CXX

# whole: `out` is TAP whose plan is the number of its points
whole() {
  is_text "$(tail -n 1 out)" "1..$(grep -cE '^(not )?ok [0-9]+ - ' out)" "$1: the plan is right"
}

# ---- the newcomer's path ----
began=$(date +%s)
ends 0 "plugin new integrator" plugin new integrator my-method
# The edit: another second stage, h/2 away, which is the midpoint rule; of order 2 as well.
sed -i -e 's|+ h \* self->d\([qp]\)0\[i\]|+ h / 2 * self->d\10[i]|' \
  -e 's|h / 2 \* (self->d\([qp]\)0\[i\] + self->d.1\[i\])|h * self->d\11[i]|' \
  -e 's|from->t + h, to->q, to->p))|from->t + h / 2, to->q, to->p))|' my-method.c
is_text "$(grep -c 'h / 2' my-method.c)" 3 "the template has what is to be edited"
ends 0 "plugin build" plugin build my-method.c
ends 0 "plugin check, with the certificate" plugin check my-method.so -j 2
whole "the certificate"
holds "the certificate has the order of q" grep -q '^ok .* my-method: order of q 2 on .* in quad: 2\.0' out
grep -q '^not ok' out
is_text $? 1 "nothing is falsified"
took=$(($(date +%s) - began))
holds "the whole path takes less than five minutes ($took s)" [ "$took" -lt 300 ]
# ---- problems ----
ends 0 "plugin new problem" plugin new problem my-problem
ends 0 "plugin build" plugin build my-problem.c
ends 0 "plugin check" plugin check my-problem.so
whole "the problem"
for point in 'jacobian: its inputs and outputs' 'curvature: is the derivative'; do
  holds "checked: $point" grep -q "^ok .*my-problem in quad: $point" out
done
sed -i 's/out\[0\] = -v\[0\] \* v\[0\];/out[0] = v[0] * v[0];/' my-problem.c
ends 0 "a wrong curvature is built" plugin build my-problem.c
ends 1 "... and found" plugin check my-problem.so
is_text "$(grep -c '^not ok' out)" 1 "one point fails"
holds "... that of the curvature" grep -q '^not ok .*quad: curvature: is the derivative' out

# ---- examples ----
cp "$SHAKEDOWN_SOURCE"/examples/plugins/* .
for example in kutta.cpp wrapped_step.c; do
  ends 0 "build $example" plugin build "$example"
  is_text "$(cat err)" "" "$example compiles without a warning"
done
ends 0 "check the example in C++" plugin check kutta.so --quick
ends 0 "check the example around step(q,p,h), with its certificate" plugin check wrapped_step.so -j 2
holds "the existing function has order 2" grep -q '^ok .* wrapped-step: order of q 2 on .* in double: ' out
# A claim that is wrong is told.
sed 's/SHK_ORDERS(2)/SHK_CLAIM(ORDER_Q, 3)/; s/"wrapped-step"/"wrong-claim"/' wrapped_step.c >claim.c
ends 0 "a wrong claim is built" plugin build claim.c
ends 1 "... and falsified" certify wrong-claim --plugin ./claim.so --brief --claim 'order of q' --format tap
holds "... by name" grep -q '^not ok .* wrong-claim: order of q 3' out
make_study kutta 'problems: [sprung-pendulum], integrators: [projected-kutta3], steps: {largest: 0.1,
  halvings: 4}, until: 2, precision: quad, measures: [order]'
ends 0 "the order of the example in C++" run kutta.yaml --plugin ./kutta.so
grep -q ' 0 falsified' out && ! grep -q '^0 held' out
ok_if $? "... is 3"

# ---- what breaks the contract ----
ends 1 "plug-ins that break the contract" plugin check "$SHAKEDOWN_BAD_PLUGIN" --quick
whole "the breaches"
# found NAME POINT DETAIL: in both precisions, and nothing else of that name
found() {
  for precision in double quad; do
    grep -A 1 -F "$1 in $precision: $2" out | tr '\n' ' ' | grep -q "^not ok .*# $3"
    ok_if $? "$1 in $precision: $3"
  done
  is_text "$(grep "^not ok .* $1 in" out | grep -vc 'is the derivative')" 2 "$1: nothing else fails"
}
found wrong-adds 'gradient: its inputs' 'it does not write entry 2 of its output, or adds to it'
found wrong-unwritten 'jacobian: its inputs' 'it does not write entry 2 of its output'
found wrong-beyond 'curvature: its inputs' 'it writes past the end of its output of 1 entries'
found wrong-input 'constraint: its inputs' 'it writes through its input 1'
found wrong-memory 'potential: its inputs' 'it gives different outputs for the same inputs'
found wrong-rod 'rods: agree with the constraints' 'the value of constraint 1 is not that of its rod'
found wrong-end 'rods: agree with the constraints' 'an end of a rod is not a point of the system'
found wrong-count 'rods: agree with the constraints' 'there are more or fewer rods than constraints'
cp out breaches
for wrong in wrong-rod wrong-end; do
  ends 1 "diagnose $wrong" diagnose $wrong --plugin "$SHAKEDOWN_BAD_PLUGIN"
  holds "... says that its rods are wrong" grep -q 'declared.*WRONG' out
done
mv breaches out
found wrong-invariant 'angular momentum: an invariant' 'it changes along the motion'
# falsified METHOD REQUIREMENT DETAIL: in both precisions
falsified() {
  for precision in double quad; do
    grep -A 1 "^not ok .* $1: $2 required on .* in $precision: " out | grep -q "^# falsified: $3"
    ok_if $? "$1 in $precision: $3"
  done
}
falsified wrong-mu contract 'a step does not write all of mu'
falsified wrong-carry contract 'a step does not write all of p_carry'
falsified wrong-touches contract 'a step writes into the state'
holds "a start that is not written" grep -q '^not ok .*wrong-start in double: start: its outputs' out
is_text "$(grep -c '^not ok .* sound: ' out)" 0 "the sound one is not blamed"
is_text "$(grep -c '^ok .* sound: ' out)" 8 "... and was looked at"

# ---- what no method must do, whatever it claims: all faults are in tests/verdicts/contract.c ----
# wrong FAULT POINT DETAIL: a plug-in that has it is found at once
wrong() {
  cp "$SHAKEDOWN_SOURCE/tests/bad/bad_contract.c" wrong.c
  sed "s/faults, \"none\"/faults, \"$1\"/" "$SHAKEDOWN_SOURCE/tests/bad/faults.h" >faults.h
  ends 0 "$1 is built" plugin build wrong.c
  ends 1 "... and found" plugin check wrong.so --quick
  whole "$1"
  grep -A 1 "^not ok .* bad-contract: $2 required on .* in double: " out | grep -q "^# falsified: $3"
  ok_if $? "... $3"
}
ends 0 "a sound one passes" plugin check "$SHAKEDOWN_BAD_CONTRACT" --quick
wrong leaks contract 'the memory in use grows'
wrong reads-beyond contract 'a step fails or has a different result if there are NaNs'
wrong last-step stateless 'step 2 of [0-9]* .* look for data that is kept'
wrong prints contract 'something has been printed'
wrong tiny "valid states" 'a step of .* returns ok and a state with max'

# ---- the search path ----
mkdir one two
mv kutta.so two/
ends 2 "without a search path" describe projected-kutta3 --plugin kutta
SHAKEDOWN_PLUGIN_PATH=$top/none:$top/one:$top/two
export SHAKEDOWN_PLUGIN_PATH
ends 0 "by its name" describe projected-kutta3 --plugin kutta
ends 0 "by its file name" describe projected-kutta3 --plugin kutta.so
ends 2 "a path is not searched for" describe projected-kutta3 --plugin ./kutta.so
ends 2 "what is not there" describe projected-kutta3 --plugin kuta
holds "... is named" grep -q 'kuta: no such plug-in' err

# ---- what does not fit ----
# shellcheck disable=SC2016 # a C field
version=$(sed -n 's/^#define SHK_ABI_VERSION //p' "$SHAKEDOWN_SOURCE/include/shakedown/plugin.h")
for field in "abi_version=$((version + 1)):ABI version is $((version + 1))" 'abi_version=1:ABI version is 1' \
  "abi_version=$((version - 1)):ABI version is $((version - 1))" \
  'real_size=4:size of a real is 4' \
  'precision=32:precision is 32' 'system_size=8:size of struct shk_system is 8' \
  'instance_size=8:size of struct shk_instance is 8' 'option_size=8:size of struct shk_option is 8' \
  'claims_size=8:size of struct shk_claims is 8' \
  'integrator_size=8:size of struct shk_integrator is 8' \
  'problem_size=8:size of struct shk_problem is 8'; do
  member=${field%%:*}
  sed "s/^SHK_PROVIDE(\(.*\));/SHK_PROVIDE(\1, .$member);/; s/my-method/misfit/" my-method.c >misfit.c
  "$SHAKEDOWN" plugin build misfit.c >out 2>err
  is_text $? 2 "$member does not load"
  holds "... because the ${field#*:}" grep -qF "${field#*:}" err
done
tap_done
