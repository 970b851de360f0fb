#!/bin/sh
# Each addition is one new file and one line, or one line: the recipes of
# docs/reference/architecture.md are followed in a copy of the tree, which is built once, without
# optimization; the additions are then used. Prints the cost of each recipe.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
copy=$top/copy
mkdir "$copy" "$top/costs"
(cd "$SHAKEDOWN_SOURCE" && tar cf - --exclude='./build*' --exclude=./.git .) | tar xf - -C "$copy"

# A recipe is what `file` and `line` are called for with its kind; nothing else changes the copy.
# file KIND PATH: a new file, with what is on standard input
file() {
  [ ! -e "$copy/$2" ] || diag "$2 was there already"
  cat >"$copy/$2"
  echo "file $2 $(grep -c . "$copy/$2")" >>"$top/costs/$1"
}
# line KIND LIST LINE: at the end of the list
line() {
  printf '%s\n' "$3" >>"$copy/$2"
  echo "line $2 1" >>"$top/costs/$1"
}

# ---- the recipes ----
"$SHAKEDOWN" plugin new integrator grown-method >out 2>err &&
  sed 's/SHK_CLAIM(SYMMETRIC, SHK_NO),/& SHK_CLAIM(REPEATABLE, SHK_YES),/' grown-method.c |
  file integrator integrators/grown_method.c
line integrator integrators/list.h 'SHK_LISTED(grown_method)'

"$SHAKEDOWN" plugin new problem grown-problem >out 2>err &&
  file problem problems/pendulums/grown_problem.c <grown-problem.c
line problem problems/list.h 'SHK_LISTED(grown_problem)'

file 'run measure' measures/farthest.c <<'EOF'
/* The largest |q_i| of a run: "farthest". */
#include "measures/measure.h"

static struct shk_status farthest_observe(void *state, const struct shk_state *at)
{
  double *largest = state;
  const double here = (double)real_max_norm(at->q, at->n);
  *largest = here > *largest ? here : *largest;
  return shk_ok();
}

static void farthest_finish(void *state, struct shk_outcome *outcome)
{
  shk_outcome_add_scalar(outcome, "farthest", *(const double *)state);
  outcome->clearance = 10 - *(const double *)state;
}

const struct shk_measure shk_measure_farthest = {
    .size = sizeof(double), .observe = farthest_observe, .finish = farthest_finish};
EOF
meaning='.scalar = "farthest", OF(ANY), SAME("largest |q|"), "of a run"'
line 'run measure' measures/run.def "RUN_MEASURE(farthest, QUANTITY(FARTHEST, $meaning))"

file 'structure measure' measures/repeatability.c <<'EOF'
/* Whether a step that is taken twice is the same step. */
#include "measures/structure.h"

static struct shk_status measure(struct shk_trial *trial)
{
  const struct shk_map *const map = trial->map;
  SHK_TRY(shk_map_step(map, &trial->state[0], map->start, map->step));
  SHK_TRY(shk_map_step(map, &trial->state[1], map->start, map->step));
  shk_trial_add(trial, "defect", shk_map_distance(map, &trial->state[0], &trial->state[1], false));
  shk_trial_add(trial, "floor", shk_map_rounding(map, map->step));
  return shk_ok();
}

const struct shk_structure shk_structure_repeatability = {.states = 2, .measure = measure};
EOF
line 'structure measure' measures/structure.def \
  'STRUCTURE(REPEATABILITY, repeatability, "repeatability", REPEATABLE, "distance of two same steps")'
line claim include/shakedown/claims.def \
  'CLAIM(REPEATABLE, repeatable, ANSWER, "repeatable", "a step taken twice is the same step")'

file finding harness/analysis/finished.c <<'EOF'
/* How many cells of a family finished. */
#include "harness/analysis/report.h"

#include <math.h>

static void report(struct shk_reporter *c)
{
  int finished = 0;
  for (int i = 0; i < c->family->count; i++)
    finished += shk_record_finished(c->family->records[i]);
  shk_report(c, SHK_QUANTITY_FINISHED, NULL, finished, NAN);
}

const struct shk_finder shk_finder_finished = {.in = SHK_IN_RUNS, .report = report};
EOF
meaning='.finding = "cells finished", OF(ANY), SAME("finished"), "cells with a result"'
line finding measures/findings.def "FINDER(finished, QUANTITY(FINISHED, $meaning))"

line 'record field' foundation/specifications/outcome.def \
  'OUTCOME_FIELD(REAL, clearance, "clearance", LEAST, false)'
line counter include/shakedown/counters.def \
  'COUNTER(PROBES, probes, 12, PLAIN("probes"), "probes of the system")'

file 'figure kind' plots/kinds/momenta.c <<'EOF'
/* p2 against p1 at the sample times. */
#include "plots/kinds/kinds.h"

const struct shk_figure_kind shk_figure_kind_momenta = {
    .title = "Momenta",
    .template = "path",
    .only_by_name = true,
    .draw = shk_draw_portrait,
    .portrait = {.axes = {"p1", "p2"}}};
EOF
line 'figure kind' harness/study/figure_kinds.def 'SHK_FIGURE_KIND(momenta, "momenta", "")'

file command cli/commands/greet.c <<'EOF'
/* shakedown greet: a friendly word. */
#include "cli/shared/options.h"

#include <stdio.h>

static int run(void *self)
{
  const struct shk_arguments *arguments = self;
  printf("good day, %s\n", arguments->words[0]);
  return SHK_EXIT_HELD;
}

const struct shk_command shk_command_greet = {.name = "greet",
                                              .synopsis = "WHOM",
                                              .summary = "Says a friendly word",
                                              .line = {.least = 1, .most = 1},
                                              .does = {sizeof(struct shk_arguments), run}};
EOF
line command cli/commands/commands.def 'SHK_LISTED(greet)'

file 'multiplier solver' mechanics/solvers/old_point.c <<'EOF'
/* solver=old-point: the matrix of the old point, factored once a solve. */
#include "mechanics/solvers/kit/direct.h"

struct shk_status shk_old_point_solver_create(struct shk_solver *solver,
                                               const struct shk_binding *b)
{
  SHK_TRY(shk_direct_create(solver, sizeof(struct shk_direct), b, SHK_LINEAR_OF_OPTIONS));
  ((struct shk_direct *)solver->self)->old_point = true;
  return shk_ok();
}
EOF
line 'multiplier solver' mechanics/solvers/kit/solvers.def \
  'SHK_SOLVER(OLD_POINT, old_point, "old-point", 0, NULL, "the matrix of the old point")'

file factorization mechanics/algebra/factorizations/dense_again.c <<'EOF'
/* linear=dense-again: dense LU. */
#include "mechanics/algebra/factorizations/dense_matrix.h"
#include "mechanics/algebra/factorizations/factorization.h"

const struct shk_factorization shk_dense_again_factorization = {
    .create = shk_dense_create, .factor = shk_dense_factor_lu, .solve = shk_dense_solve_lu};
EOF
line factorization mechanics/algebra/factorizations/factorizations.def \
  'SHK_FACTORIZATION(DENSE_AGAIN, dense_again, "dense-again", 0, NULL, "dense LU once more")'

# ---- what they cost ----
for kind in "$top"/costs/*; do
  awk '$1 == "file" { files++; size = $3 } $1 == "line" { lines++ }
    END { exit !(files <= 1 && lines <= 1) }' "$kind"
  ok_if $? "$(basename "$kind"): no more than one file and one line"
  diag "$(awk '{ printf "  %s %s%s", ($1 == "file" ? "new file" : "one line in"), $2,
    ($1 == "file" ? " (" $3 " lines);" : "\n") }' "$kind")"
done

# ---- built once ----
began=$(date +%s)
env -u DESTDIR meson setup "$copy/grown" "$copy" -Dtests=false --buildtype=plain -Doptimization=0 \
  -Dsundials=disabled >setup 2>&1 && ninja -C "$copy/grown" shakedown >built 2>&1
grown=$?
ok_if $grown "a tree with all of them builds"
diag "in $(($(date +%s) - began)) s"
if [ $grown -ne 0 ]; then
  diag "$(tail -n 20 setup built)"
  tap_done
fi
is_text "$(grep -E '(grown_|farthest|repeatab|momenta|greet|old_point|dense_again)[a-z_]*\.c:.*warning:' built)" "" \
  "without a warning of what is new"
printf 'study: before\nruns:\n  - {problems: [pendulum], integrators: [rattle], steps: [0.1], until: 1}\n' \
  >before.yaml
ends 0 "a study is run by the program without them" run before.yaml --quiet -o before.db
SHAKEDOWN=$copy/grown/shakedown

# ---- and used ----
cat >grown.yaml <<'EOF'
study: grown
runs:
  - problems: [grown-problem]
    integrators: [grown-method, rattle]
    steps: [0.1, 0.05]
    until: 1
  - problems: [grown-problem]
    integrators: [grown-method]
    steps: [0.1, 0.05]
    until: 1
    measures: [repeatability]
figures:
  - momenta
EOF
ends 0 "the integrator runs on the problem, in a study" run grown.yaml --quiet -o grown.db
ends 0 "the measure is in the records" show grown.db --records --format csv
is_text "$(grep -c ',grown-method,double,.*,ok,farthest,[0-9]' out)" 2 "of each run"
is_text "$(grep -c ',grown-method,double,.*,work-probes,0' out)" 2 "and so is the counter"
python3 "$SHAKEDOWN_SOURCE/scripts/dump_records.py" grown.db >out 2>err
says '    clearance [1-9]' "the field went from the cell to the store"
ends 2 "a store that does not have the field" show before.db --records
says 'unknown object' "is one of another program"
ends 0 "the finding is in the analysis" show grown.db --format csv --quantity 'cells finished'
is_text "$(grep -c ',cells finished,2.0' out)" 2 "of each method"
ends 0 "the measure of structure" show grown.db --format csv --quantity repeatability
says 'repeatability,0.*,held' "decides its claim"
ends 0 "which the integrator" describe grown-method
has 'repeatable' "is seen to make"
ends 0 "the integrator is listed" list integrators
has grown-method "by name"
ends 0 "the problem is diagnosed" diagnose grown-problem
ends 0 "the figure is drawn" plot grown.db -o figures --type svg
ls figures >out
has momenta "by its kind"
ends 0 "the solver and the factorization solve" simulate grown-problem \
  'rattle(solver=old-point,linear=dense-again)' --step 0.1 --until 1
ends 0 "they are described" describe rattle
has 'old-point' "the solver"
has 'dense-again' "the factorization"
ends 0 "the command does what it does" greet reader
has 'good day, reader' "as it says"
ends 0 "the overview" --help
has '  greet ' "has the command"
# ---- without SUNDIALS ----
ends 0 "this tree was built without SUNDIALS" --version
says 'SUNDIALS none' "and says so"
ends 0 "its solvers are listed" list integrators
says '^ *ida .*does not include SUNDIALS$' "as those that are not there"
ends 2 "and refuse" simulate pendulum cvode --step 0.1 --until 1
holds "with the reason" grep -q 'built without SUNDIALS' err
tap_done
