#!/bin/sh
# Plug-ins: `plugin build`, `new` and `check`; sources of the tree built outside of it give the same
# bits; plug-ins of another interface are refused with the reason; a plug-in that crashes or hangs
# costs one run.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
unset CC

# ---- templates ----
gives 0 'wrote my-method.c' plugin new integrator my-method
has '  shakedown plugin build my-method.c' "and what to try next"
gives 2 'my-method.c: File exists' plugin new integrator my-method
gives 0 'wrote my-problem.c' plugin new problem my-problem
gives 2 'the name rattle is already in use' plugin new integrator rattle
gives 2 "found the name '../x', expected at most 48 lower-case letters" plugin new problem ../x
gives 2 "found the name 'My', expected at most 48 lower-case letters" plugin new problem My
gives 2 "found 'method', expected integrator, problem or solver" plugin new method mine
gives 2 "takes 'integrator', 'problem' or 'solver', and a name" plugin new my-method
gives 0 'integrator my-method: ' plugin build my-method.c
gives 0 'problem my-problem: ' plugin build my-problem.c -o lib.so
gives 0 'ok 1 - my-problem in double' plugin check lib.so
gives 0 'Heun' describe my-method --plugin ./my-method.so
gives 0 'my-method' list integrators --plugin my-method.so
gives 0 'a bead on a parabola' list --plugin my-method.so --plugin lib.so
gives 0 '1 of 1: regular' diagnose my-problem --plugin ./lib.so --plugin ./my-method.so
holds "a plug-in's integrator on a plug-in's problem" grep -q 'my-method  *applies' out
gives 0 't,q1,q2' simulate my-problem my-method --plugin ./lib.so --plugin ./my-method.so --step 0.1 \
  --until 1
gives 0 '10.7,q1' reference my-problem --plugin ./lib.so --recompute --format csv --quiet
make_study mine 'problems: [my-problem], integrators: [my-method, rattle], steps: {largest: 0.1,
  halvings: 5}, until: 2, precision: [double, quad], measures: [order, constraint]' 'figures: [order,
  motion]'
gives 2 'my-problem' run mine.yaml
gives 0 ' 0 falsified' run mine.yaml --plugin ./lib.so --plugin ./my-method.so
gives 0 'order of q' show mine.db --values --plugin ./lib.so --plugin ./my-method.so
holds "what the template claims holds" grep -q 'my-method  *quad  *order of q  .*held' out
mv out with
gives 0 '' show mine.db --values
holds "shown without the plug-ins it is the same" cmp -s out with
for plugins in '' '--plugin ./lib.so --plugin ./my-method.so'; do
  # shellcheck disable=SC2086
  gives 0 ' figures in' plot mine.db -o "figures$plugins" --type svg $plugins
done
diff -r figures "figures$plugins" >both
ok_if $? "and so are its figures, motion too$(cat both)"
gives 0 '' report mine.db -o page
gives 0 '' compare mine.db mine.db
python3 -c '
import sqlite3
base = sqlite3.connect("mine.db", isolation_level=None)
base.execute("DELETE FROM said")'
gives 2 "my-problem'" show mine.db
says '--plugin' "a store that does not keep what they said is shown with the plug-ins only"
gives 0 'order of q' show mine.db --plugin ./lib.so --plugin ./my-method.so --values

# ---- the same source in and out of the tree ----
# The method includes only <shakedown/...>, the problem also headers of its kit.
mkdir -p problems/kit
for header in "$SHAKEDOWN_SOURCE"/problems/kit/*.h; do # which include each other from their folder
  sed 's|"problems/kit/|"|' "$header" >"problems/kit/${header##*/}"
done
sed 's/"variational"/"my-variational"/' "$SHAKEDOWN_SOURCE/integrators/variational.c" >method.c
sed 's/"sprung-pendulum"/"my-sprung-pendulum"/' "$SHAKEDOWN_SOURCE/problems/pendulums/sprung_pendulum.c" \
  >sprung.c
gives 0 'integrator my-variational' plugin build method.c
gives 0 'problem my-sprung-pendulum' plugin build sprung.c
# trajectory PROBLEM INTEGRATOR PRECISION
trajectory() {
  "$SHAKEDOWN" simulate "$1" "$2" --precision "$3" --step 0.05 --until 20 \
    --plugin ./method.so --plugin ./sprung.so
}
for precision in double quad; do
  trajectory sprung-pendulum variational $precision >built-in
  ok_if $? "built in: $precision"
  is_text "$(wc -l <built-in)" 402 "all rows"
  for pair in "sprung-pendulum my-variational" "my-sprung-pendulum variational" \
    "my-sprung-pendulum my-variational"; do
    # shellcheck disable=SC2086 # two words
    trajectory $pair $precision >loaded
    cmp built-in loaded >&2
    ok_if $? "the same bits: $pair, $precision"
  done
done

# ---- what does not fit ----
gives 2 'there is already an integrator named variational' plugin build \
  "$SHAKEDOWN_SOURCE/integrators/variational.c" -o double.so
holds "a plug-in that does not load is not left there" [ ! -e double.so ]
printf '#include <shakedown/plugin.h>\nint broken(void) { return oops; }\n' >broken.c
gives 2 'oops' plugin build broken.c
holds "what does not compile leaves nothing" [ ! -e broken.so ]
printf 'int nothing(void);\nint nothing(void) { return 0; }\n' >nothing.c
gives 2 'precision (no symbol shk_plugin_f' plugin build nothing.c
gives 2 'none.c' plugin build none.c
gives 2 'no such plug-in' plugin check none.so
gives 2 'no such plug-in' list --plugin ./none.so
echo text >text.so
gives 2 'text.so' plugin check text.so
gives 2 "plugin: found 'bild', expected new, build or check" plugin bild x.c
CC=compiler-that-is-not-there "$SHAKEDOWN" plugin build my-method.c >out 2>err
is_text $? 2 "a compiler that is not there"
holds "... is named" grep -q compiler-that-is-not-there err

# ---- problems that are wrong ----
sed 's/values\[0\] = -q\[0\];/values[0] = q[0];/; s/"my-problem"/"wrong-jacobian"/' my-problem.c >wrong.c
gives 0 'wrong-jacobian' plugin build wrong.c
gives 1 'WRONG' diagnose wrong-jacobian --plugin ./wrong.so --q 0,0 --p 0.3,0
gives 1 'the start is inconsistent' diagnose wrong-jacobian --plugin ./wrong.so

# ---- single precision, which a plug-in may lack ----
gives 0 't,q1' simulate pendulum my-method --plugin ./my-method.so --step 0.1 --until 1 --precision single
for bits in 64 128; do
  cc -std=gnu17 -O2 -fPIC -DSHK_PLUGIN -D_GNU_SOURCE -ffp-contract=off \
    -I"$SHAKEDOWN_SOURCE/include" -I"$SHAKEDOWN_BUILD/include" \
    -DSHK_PRECISION=$bits -c my-method.c -o "half-$bits.o" &&
    objcopy --wildcard --keep-global-symbol='shk_plugin_*' "half-$bits.o"
done
cc -shared -o halves.so half-64.o half-128.o -lm
gives 0 't,q1' simulate pendulum my-method --plugin ./halves.so --step 0.1 --until 1
gives 2 'in single precision: a plug-in that was built without this precision' simulate pendulum my-method \
  --plugin ./halves.so --step 0.1 --until 1 --precision single

# ---- a solver that works in double only, and refuses fixed points ----
gives 0 'wrote one-precision.c' plugin new solver one-precision
{
  echo '#include <shakedown/plugin.h>'
  echo '#if SHK_PRECISION == 64'
  cat one-precision.c
  echo '#endif'
} >only.c
gives 2 'a plug-in may leave out quad if all its integrators and solvers have .double_only' plugin build only.c
sed 's/\.summary/.double_only = true, &/; s/\.solve = solve/&, .refuses_fixed = true/' only.c >one.c
gives 0 'solver one-precision' plugin build one.c
gives 0 't,q1' simulate alkane 'rattle(solver=one-precision)' --plugin ./one.so --step 0.001 --until 0.01
gives 2 'there is no solver named one-precision in quad precision' simulate alkane \
  'rattle(solver=one-precision)' --plugin ./one.so --step 0.001 --until 0.01 --precision quad
make_study fixed "problems: ['chain(links=3)', alkane], integrators: [rattle(solver=one-precision)],
  steps: [0.001], until: 0.01, precision: [double, quad]"
gives 0 '' run fixed.yaml --plugin ./one.so
shakedown show fixed.db --cells | grep one-precision >cells
holds "refused, with the reason" grep -q 'chain.*refused.*the solver does not accept systems with fixed points' cells
holds "... and where there are none it solves" grep -q 'alkane.*double.* ok' cells
! grep -q quad cells
ok_if $? "nothing is measured in quad" || diag "$(cat cells)"

# ---- what misbehaves ----
gives 0 'integrator hostile' plugin build "$SHAKEDOWN_SOURCE/tests/plugins/hostile.c" -o hostile.so
gives 3 'stopped after 3 rows' simulate pendulum 'hostile(abort)' --plugin ./hostile.so --step 0.1 --until 1
is_text "$(wc -l <out)" 4 "... with the rows that were reached"
gives 3 'not finite' simulate pendulum 'hostile(nan)' --plugin ./hostile.so --step 0.1 --until 1
gives 0 't,q1' simulate pendulum 'hostile(print)' --plugin ./hostile.so --step 0.1 --until 1
is_text "$(wc -l <out)" 12 "what a plug-in prints is not among the rows"
holds "... but on standard error" grep -q '^000000' err
gives 0 'hostile' diagnose pendulum --plugin ./hostile.so
sed 's/my-problem/crashing/; /^static int start/,/^}/s/^{/{ __builtin_abort();/' my-problem.c >crashing.c
gives 0 'problem crashing' plugin build crashing.c
gives 1 '# the process was terminated by signal 6' plugin check crashing.so
gives 3 'crashing: the process was terminated by signal 6' diagnose crashing --plugin ./crashing.so
sed 's/acts, "rest"/acts, "at-once"/; s/"hostile"/"hanging"/' \
  "$SHAKEDOWN_SOURCE/tests/plugins/hostile.c" >hanging.c
gives 0 'integrator hanging' plugin build hanging.c
began=$(date +%s)
gives 0 'no answer: stopped at the time limit of 1 s' diagnose pendulum --precision double \
  --trial-seconds 1 --plugin ./hanging.so --plugin ./hostile.so
[ $(($(date +%s) - began)) -lt 10 ]
ok_if $? "a trial step that never ends costs its limit"
holds "... and is the one that has no answer" grep -q '^ *hanging  *no answer: stopped' out
holds "... and the next integrator is tried" grep -q '^ *hostile  *applies' out

# ---- several sources, flags, problems ----

mkdir inc
printf '#include <shakedown/plugin.h>\nreal helper_half(real x);\n' >inc/helper.h
cat >helper.c <<'C'
#include "helper.h"
#ifndef WANTED
#error "CFLAGS are not taken"
#endif
real helper_half(real x)
{
  return x / 2;
}
C
{
  echo '#include "helper.h"'
  sed 's|h / 2 \*|helper_half(h) *|' my-method.c
} >divided.c
unset CFLAGS
gives 2 'helper.h: No such file' plugin build divided.c helper.c -o divided.so
CFLAGS=-Iinc
export CFLAGS
gives 2 'CFLAGS are not taken' plugin build divided.c helper.c -o divided.so
CFLAGS='-Iinc -DWANTED'
gives 2 'undefined symbol: helper_half' plugin build divided.c -o divided.so
LDFLAGS=-lnothing-there
export LDFLAGS
gives 2 'cannot find -lnothing-there' plugin build divided.c helper.c -o divided.so
unset LDFLAGS
gives 2 'absent.c: No such file' plugin build divided.c absent.c -o divided.so
gives 0 'integrator my-method: ' plugin build divided.c helper.c -o divided.so
unset CFLAGS
gives 0 't,q1,q2' simulate pendulum my-method --plugin ./divided.so --step 0.1 --until 1 --precision quad
cp out divided
gives 0 't,q1,q2' simulate pendulum my-method --plugin ./my-method.so --step 0.1 --until 1 --precision quad
holds "of two sources it is the same method" cmp -s out divided
cp "$SHAKEDOWN_SOURCE/studies/systems/linkage.yaml" .
gives 0 'ok 1 - my-method' plugin check divided.so --quick --problem linkage.yaml
gives 2 "there is no problem named 'nothing'" certify rattle --study --problem nothing
gives 0 "- 'particles(file=\"linkage.yaml\")'" certify rattle --study --problem linkage.yaml
named=$(grep -c linkage out)
gives 0 'study: certificates' certify rattle --study --problem linkage.yaml --problem pendulum
[ "$named" -ge 3 ] && grep -q "^      - 'pendulum'" out
ok_if $? "problems that are named are asked for courses, energy and structure"

# ---- a method that needs what few problems have ----
sed 's/my-method/rod-method/; s/my_method/rod_method/
  s/^  return shk_bind_manifold/  if (!binding->instance->system.rods)\
    return shk_failure(SHK_REFUSED, "wants rods", 0, 0);\
&/' my-method.c >rod-method.c
gives 0 'integrator rod-method: ' plugin build rod-method.c
asked() { # the problems of runs with this measure
  awk -v measure="$1" '/^  - problems/ { getline; problem = $2 } /measures/ && index($0, measure) { print problem }' out | sort -u
}
gives 0 'study: certificates' certify rod-method --plugin ./rod-method.so --study --brief
is_text "$(asked energy)" "$(printf "'alkane'\n'chain(links=3,spring=2,start=zigzag)'\n'water(field=2)'")" \
  "it is asked for the energy of problems that it takes"
is_text "$(asked symmetry | grep -c pendulum)" 0 "and for the structure of these alone"
gives 0 'study: certificates' certify my-method --plugin ./my-method.so --study --brief
! asked energy | grep -q alkane
ok_if $? "one that takes them all is asked what all are"
gives 0 'on pendulum(angle=0.7,rate=1.1), and' \
  certify rod-method --plugin ./rod-method.so --brief -q
has 'more: wants rods' "a refusal is told once"
is_text "$(grep -c 'energy bounded: no *held' out)" 1 "and what it claims is decided"
tap_done
