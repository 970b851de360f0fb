/*
 * What `diagnose` finds out of a problem: rank, dependent rows, the differentiation index with its
 * chain of hidden constraints, Frobenius' test, and whether it is well posed.
 */
#include "engine/cells/cells.h"
#include "engine/engine.h"
#include "mechanics/diagnosis/differentiation_index.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"

#include <string.h>

static bool diagnose(struct shk_diagnosis *d, const char *problem)
{
  struct shk_message error = {.text = ""};
  const bool ok = shk_diagnose_problem(&test_context, d, problem, NULL, NULL, false, &error);
  if (!ok)
    tap_diag("%s: %s", problem, error.text);
  return ok;
}

/* conditions: new with each differentiation, up to the last. */
static void test_index(const char *problem, int index, const char *conditions)
{
  struct shk_diagnosis d;
  char found[SHK_CHAIN_LEVELS + 2] = "";
  if (!tap_ok(diagnose(&d, problem), "%s is diagnosed", problem))
    return;
  if (SHK_PRECISION == 64) {
    tap_ok(d.chain.index == -1 && strstr(d.chain_reason, "quadruple"),
           "%s: the index is left to quad: %s", problem, d.chain_reason);
    return;
  }
  for (int k = 0; k <= d.chain.last; k++)
    found[k] = (char)('0' + d.chain.conditions[k]);
  tap_is_int(d.chain.index, index, "%s: index %s", problem, d.chain_reason);
  tap_is_text(found, conditions, "%s: new conditions by each differentiation", problem);
  tap_ok(index == 5 || d.chain.moved < 1e-12, "%s: at its start (%.1e)", problem, d.chain.moved);
}

static void test_index_five(void)
{
  struct shk_diagnosis d;
  static const char *const chain[] = {"q2", "q1", "p1", "p2"};
  if (!tap_ok(diagnose(&d, "index-five"), "index-five is diagnosed"))
    return;
  for (int k = 0; k < 4 && SHK_PRECISION == 128; k++)
    tap_is_text(d.chain.coordinates[k], chain[k], "index-five: hidden constraint %d", k);
  tap_ok(d.ill_posed[0] != '\0', "index-five is ill posed: %s", d.ill_posed);
  static const char *const undetermined[] = {"gauge", "energy-surface",
                                             "lifted-rotation(asymmetry=0,kinetic=0)"};
  for (int i = 0; i < 3; i++)
    if (diagnose(&d, undetermined[i]))
      tap_ok(d.ill_posed[0] != '\0' &&
                 (SHK_PRECISION == 64 || (d.chain.index == 0 && d.chain.undetermined == 1)),
             "%s: the multiplier is never determined: %s", undetermined[i], d.ill_posed);
}

static void test_redundancy(void)
{
  struct shk_diagnosis d;
  if (diagnose(&d, "beads-on-line(redundant=yes)")) {
    const struct shk_relation *r = &d.relations[0];
    tap_ok(d.rank == 2 && d.rank_near == 2 && d.relation_count == 1,
           "beads: rank 2 of 3, near too");
    tap_ok(r->row == 3 && strcmp(r->text, "1 row 1 + 1 row 2") == 0, "row 3 = %s", r->text);
  }
  if (diagnose(&d, "double-pendulum"))
    tap_ok(d.rank == 2 && d.relation_count == 0 && d.ill_posed[0] == '\0' && d.value_count == 2,
           "double-pendulum: regular, nothing depends, well posed");
  if (diagnose(&d, "four-bar(loops=2,angle=90deg)"))
    tap_ok(d.rank == 7 && d.rank_near > 7 && d.relation_count == 2 && d.chain.index == -1,
           "four-bar in line: rank %d of 9, %d relations", d.rank, d.relation_count);
}

static void test_velocities(void)
{
  struct shk_diagnosis d;
  if (tap_ok(diagnose(&d, "knife-edge"), "knife-edge is diagnosed"))
    tap_ok(d.velocity_rank == 1 && !d.integrable && d.twist > 0.1 &&
               strstr(d.ill_posed, "nonholonomic"),
           "knife-edge: nonholonomic, by Frobenius' test");
}

int main(void)
{
  test_index("pendulum", 3, "11");
  test_index("double-pendulum", 3, "22");
  test_index("duplicate(double-pendulum,row=2)", 3, "22");
  test_index("index-one", 3, "11");
  test_index("harmonic-sphere", 3, "11");
  test_index("harmonic-sphere(dimension=3)", 3, "11");
  test_index("coupled-spheres(oval=0.2)", 3, "22");
  test_index("lifted-rotation", 3, "11");
  test_index("zero-angular-momentum", 3, "33");
  test_index("rotating-hoop", 3, "22");
  test_index("vertical-plane(rotation=1.3)", 3, "11");
  test_index("vertical-plane", 3,
             "11"); /* that of the g it states: y x' - x y' = 0 follows from it */
  test_index("jay(index=2)", 2, "1");
  test_index("jay(index=3)", 3, "11");
  test_index("index-five", 5, "1111");
  test_index_five();
  test_redundancy();
  test_velocities();
  return tap_done();
}
