#!/bin/sh
# What a person reads when something is wrong, and does next: the words of a crash, the commands that
# are printed, and advice that fits the cause.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
mkdir 'a folder' && cd 'a folder' || exit 1

# ---- a crash in its own words ----
cat >'it crashes.c' <<'C'
/* A step that prints something and ends its process. */
#include <shakedown/plugin.h>

#include <stdio.h>
#include <stdlib.h>

struct method {
  struct shk_evaluator *evaluator;
  int n, m, how;
};

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from, real h)
{
  const struct method *self = method;
  (void)to, (void)from, (void)h;
  puts("step 1 of 7");
  if (self->how == 0)
    fputs("bonds: table of 0 entries, 3 wanted\n------\n", stderr);
  if (self->how == 1)
    fputs("licence expired\n\n", stderr);
  fflush(NULL);
  if (self->how == 1)
    exit(9);
  if (self->how == 3)
    *(volatile int *)16 = 1;
  abort();
}

static const struct shk_choice choices[] = {
    {.name = "aborts"}, {.name = "exits"}, {.name = "progress"}, {.name = "segfaults"}, {0}};
static const struct shk_option options[] = {
    SHK_CHOICE(method, how, "how", choices, "aborts", "how it ends", .positional = true), {0}};
static const struct shk_stated claims[] = {
    {SHK_CLAIM_ORDER_Q, 2}, {SHK_CLAIM_SYMPLECTIC, SHK_YES}, {SHK_CLAIM_KEEPS_CONSTRAINT, SHK_YES}, {0}};
static const struct shk_integrator it_crashes = {
    .struct_size = sizeof(struct shk_integrator), SHK_METHOD(method), .step = step,
    .info = {.name = "it-crashes", .summary = "ends its process", .options = options, .claims = claims}};
SHK_PROVIDE(it_crashes, .integrators = SHK_INTEGRATORS(&it_crashes));
C
gives 0 'integrator it-crashes' plugin build 'it crashes.c'
is_text "$(tail -n 1 out)" "  shakedown try './it crashes.so'" "the next command is one for a shell"
while IFS=: read -r how words; do
  shakedown try "it-crashes($how)" --plugin './it crashes.so' --budget 60 >out 2>err
  has "$words" "try, $how: the reason"
  is_text "$(grep -c "^failed" out)" 1 "... once for all claims"
  shakedown certify "it-crashes($how)" --plugin './it crashes.so' --with try --claim 'order of q' >out 2>err
  has "$words" "certify, $how: the reason"
  shakedown certify "it-crashes($how)" --plugin './it crashes.so' --with try --claim contract >out 2>err
  has "$words" "where printed output is examined, $how: the reason"
done <<'END'
aborts:signal 6 (SIGABRT), after it printed: bonds: table of 0 entries, 3 wanted
exits:exit code 9 and without a result, after it printed: licence expired
progress:signal 6 (SIGABRT), after it printed: step 1 of 7
segfaults:signal 11 (SIGSEGV), after it printed: step 1 of 7
END

# ---- a name that cannot be one ----
for name in It_Crashes it--crashes; do
  sed "s/\"it-crashes\"/\"$name\"/" 'it crashes.c' >named.c
  gives 2 "the name of an integrator \"$name\" does not consist of at most 48 lower-case letters" plugin build named.c
done

# ---- the commands that are printed ----
# works NAME: each command that `out` prints is one; those of certificates print their study only
works() {
  sed -n 's/^  \(shakedown certify .*\)/\1 --study/p; s/^  \(shakedown [a-z]* .*\)/\1/p' out >commands
  [ -s commands ] || diag "no command in: $(cat out)"
  (set -e && . ./commands) >log 2>&1 </dev/null
  ok_if $? "$1: $(tail -n 1 commands)" || diag "$(cat commands log)"
}
"$SHAKEDOWN" plugin build 'it crashes.c' >out
sed -i '/shakedown try/d' out
mkdir sources
sed 's/it-crashes/off-course/; s/  if (self->how == 0)/  for (int i = 0; i < self->n; i++)\n    to->q[i] = from->q[i], to->p[i] = from->p[i];\n  if (self->how >= 0)\n    return shk_ok();\n  if (self->how == 0)/' \
  'it crashes.c' >'sources/off course.c'
shakedown try "$PWD/sources/off course.c" --budget 60 >out 2>err
has 'falsified' "a source in a folder with a blank"
holds "... of which nothing is left behind" [ ! -e 'sources/off course.so' ]
sed -i '/shakedown plot/d; s/ -o try.db//' out
works "... its next commands"
holds "... which make the plug-in beside its source" [ -e 'sources/off course.so' ]
shakedown try 'off-course(how=exits)' --plugin 'sources/off course.so' --budget 60 >out 2>err
sed -i '/shakedown plot/d; s/ -o try.db//' out
works "a plug-in with options, named by a path with a blank"
cat >'my method.py' <<'P'
print("greeting", flush=True)
P
shakedown try "python3 'my method.py'" --budget 5 >out 2>err
holds "a command with quotes reaches its program: $(head -n 1 err)" grep -q "my method.py" err
cat >'my study.yaml' <<'Y'
study: mine
purpose: a store in a file with a blank in its name
runs:
  - {problems: [pendulum], integrators: [rattle], steps: [0.1], until: 1, measures: [constraint]}
Y
gives 0 'try next' run 'my study.yaml' -o 'my store.db'
sed -n 's/^try next: \(.*\); shakedown plot.*/  \1/p' out >next
mv next out
works "a store with a blank in its name"

# ---- advice that fits ----
# A nearly straight molecule, whose bonds and angle are almost dependent: sweeps converge at no step.
cat >straight.yaml <<'Y'
particles:
  - {name: a, mass: 16, position: [-0.12, 0.0003, 0], velocity: [0, 0, 0.5]}
  - {name: b, mass: 12, position: [0, 0, 0]}
  - {name: c, mass: 14, position: [0.11, 0.0003, 0], velocity: [0, 0, -0.4]}
rods:
  - {between: [a, b]}
  - {between: [b, c]}
  - {between: [a, c]}
Y
for step in 0.001 0.00001; do
  gives 3 'solver=newton' simulate 'particles(file="straight.yaml",project=yes)' \
    'rattle(solver=gauss-seidel)' --step $step --until $step
  ! grep -q 'smaller step' both
  ok_if $? "... and no smaller step"
done
gives 3 'try a smaller step' simulate pendulum 'rattle(solver=newton)' --step 5 --until 5
gives 3 'try a smaller step' simulate pendulum 'spark(stages=2)' --step 9 --until 9
tap_done
