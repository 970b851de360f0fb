#!/bin/sh
# Work that a method counts itself: in C, in Python and in a program, by a name of its own, in records,
# findings and baselines; and `check` sees forty more factorizations of its own linear algebra.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
cat >counting.c <<'C'
#include <shakedown/plugin.h>

struct counting {
  struct shk_evaluator *evaluator;
  int n, m;
  long more;
  long *factored;
  const char *name;
};

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct counting *const x = method;
  (void)binding;
  return shk_own_work(x->evaluator, &x->factored, x->name);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from, real h)
{
  const struct counting *const x = method;
  (void)h;
  shk_state_copy(to, from);
  *x->factored += 1 + x->more;
  return shk_ok();
}

static const struct shk_option options[] =
    SHK_LIST(SHK_INTEGER(counting, more, "more", "0", "factorizations", .minimum = "0"),
             SHK_TEXT(counting, name, "name", "inner-factorizations", "of the counter"));

static const struct shk_integrator counting = {
    SHK_INTEGRATOR(counting, NULL, bind, step, NULL),
    .info = {.name = "counting", .summary = "stands still, and counts", .options = options}};

SHK_PROVIDE(counting, .integrators = SHK_INTEGRATORS(&counting));
C
cat >counts.py <<'P'
import shakedown


class Counts(shakedown.Integrator):
    "Stands still, and counts."
    options = {"named": "inner-factorizations"}

    def step(self, q, p, t, h):
        self.count(self.named, 3)
        return q, p
P
cat >program.py <<'P'
import sys

name = sys.argv[1]
sys.stdin.readline()
print("shakedown-integrator 1 name=program version=1", flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "bind":
        n, m = int(words[1]), int(words[2])
        print("ready", flush=True)
    else:
        print("work", name, 5, flush=True)
        if sys.stdin.readline().strip() != "values":
            sys.exit(1)
        print("done", *words[3:3 + 2 * n], *["0"] * (2 * m), flush=True)
P
ends 0 "a plug-in is built" plugin build counting.c -o counting.so
options="--plugin ./counting.so --plugin counts.py --allow-external"
make_study st 'problems: [pendulum], steps: [0.1], until: 1, measures: [work], integrators: [counting, counts,
  external(command="python3 program.py inner-factorizations")]'
# shellcheck disable=SC2086 # words of options
ends 0 "methods that count" baseline st.yaml -o base.txt --store st.db $options
# line INTEGRATOR NUMBER
line() {
  holds "$1: $2 in the baseline" grep -qF \
    "$1 | pendulum | double | work-inner-factorizations | $2 | - | 2 % | counted | none" base.txt
}
line counting 10
line counts 30
line 'external("python3 program.py inner-factorizations")' 50
# shellcheck disable=SC2086
shakedown show st.db --records --format csv $options >records
is_text "$(grep -c 'work-inner-factorizations' records)" 3 "records have it"
# shellcheck disable=SC2086
ends 0 "nothing has changed" check st.yaml --baseline base.txt $options
sed -i 's/"more", "0"/"more", "40"/' counting.c
ends 0 "forty more a step" plugin build counting.c -o counting.so
# shellcheck disable=SC2086
ends 1 "... are seen" check st.yaml --baseline base.txt $options
says 'counting on pendulum in double: work-inner-factorizations 10 → 410, regressed' "... and named"
sed 's/"work", name, 5/"work", name, 0.5/' program.py >half.py
ends 3 "half a factorization" simulate pendulum 'external(command="python3 half.py factored")' --allow-external --step 0.1 --until 1
says 'not a whole number: the reported amount of the work factored' "... is none"
# A name that is another's, or none.
make_study bad 'problems: [pendulum], steps: [0.1], until: 1, measures: [work], integrators: [
  counting(name="jacobian"), counting(name="Mine"), counts(named="jacobian"),
  external(command="python3 program.py jacobian")]'
# shellcheck disable=SC2086
ends 3 "names that are taken, or none" run bad.yaml $options
# shellcheck disable=SC2086
shakedown show bad.db --values $options >shown 2>&1
holds "... are refused, with the rule" [ "$(grep "^failed status" shown | grep -c "the name of a counter must have at most 31")" -eq 3 ]
holds "... all four" grep -q "^failed status of counting(name=jacobian) on pendulum, double, and 1 more:" shown
tap_done
