/*
 * What `diagnose` finds out of a problem: rank, dependent rows, the differentiation index with its
 * chain of hidden constraints, Frobenius' test, and whether it is well posed.
 */
#include "engine/cells/cells.h"
#include "engine/engine.h"
#include "mechanics/diagnosis/differentiation_index.h"
#include "tests/kit/scratch_file.h"
#include "tests/kit/test_plugin.h"

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

/* The same index in units of small and large lengths, masses and times. */
static void test_units(void)
{
  static const char *const units[] = {"length=1e-9", "length=1e6,mass=1e6",
                                      "length=1e-6,mass=1e-6,time=1e3"};
  static const char *const known[][2] = {
      {"double-pendulum", "22"}, {"charged-pendulum", "11"}, {"slider-crank", "33"}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
      char problem[120];
      snprintf(problem, sizeof problem, "transformed(%s,%s)", known[i][0], units[k]);
      test_index(problem, 3, known[i][1]);
    }
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

/* Conditions whose gradient vanishes wherever they hold, one that vanishes at the start only, and
 * one that does not vanish. */
static void test_squares(void)
{
  static const struct {
    const char *form;
    bool degenerate, regular;
  } cases[] = {{"square", true, false},   {"fourth", true, false},    {"bead", true, false},
               {"weighted", true, false}, {"crossing", false, false}, {"plane", false, true}};
  struct shk_diagnosis d;
  if (!load_test_plugin("SHAKEDOWN_SQUARES"))
    return;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char problem[32];
    snprintf(problem, sizeof problem, "squares(%s)", cases[i].form);
    /* In double y⁴ is at round-off before its gradient has become small. */
    if (SHK_PRECISION == 64 && strcmp(cases[i].form, "fourth") == 0)
      continue;
    if (!tap_ok(diagnose(&d, problem), "%s is diagnosed", problem))
      continue;
    tap_ok(d.is_degenerate == cases[i].degenerate && d.vanishing == (int)cases[i].degenerate &&
               (d.rank == 2) == cases[i].regular,
           "%s: rank %d, near %d, row %d vanishes", problem, d.rank, d.rank_near, d.vanishing);
  }
}

/* Rows of g(q,p) that are velocity constraints in form, though not by what they are. */
static void test_disguised(void)
{
  static const char *const cases[][2] = {{"zero-angular-momentum", "1, 2, 3"},
                                         {"lifted-rotation", "1"},
                                         {"harmonic-sphere", ""},
                                         {"index-one", ""}};
  struct shk_diagnosis d;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    if (diagnose(&d, cases[i][0]))
      tap_is_text(d.velocity_rows, cases[i][1], "%s: rows that are A(q) v + a(q)", cases[i][0]);
}

/* Two rigid molecules with charges: the index is that of the rods, whatever the forces are. */
static void test_charged(void)
{
  static const double strengths[] = {0.5, 60, 4000};
  for (size_t i = 0; i < sizeof strengths / sizeof strengths[0]; i++) {
    char text[1024], path[] = "charged-XXXXXX", problem[64];
    if (!make_scratch_file(path))
      return;
    snprintf(problem, sizeof problem, "particles(file=\"%s\")", path);
    snprintf(text, sizeof text,
             "coulomb: %g\nparticles:\n"
             "  - {name: a, mass: 14, charge: -0.9, position: [0, 0, 0], velocity: [0, 0.3, 0]}\n"
             "  - {name: b, mass: 1, charge: 0.5, position: [0.11, 0, 0], velocity: [0, 0.3, 0]}\n"
             "  - {name: c, mass: 2, charge: 0.4, position: [0, 0.12, 0], velocity: [0, 0.3, 0]}\n"
             "  - {name: d, mass: 9, charge: 0.7, position: [0.4, 0.1, 0.2]}\n"
             "  - {name: e, mass: 12, charge: -0.7, position: [0.4, 0.1, 0.35]}\n"
             "rods:\n  - [a, b]\n  - [a, c]\n  - [b, c]\n  - [d, e]\n",
             strengths[i]);
    FILE *const file = fopen(path, "w");
    if (file) {
      fputs(text, file);
      fclose(file);
    }
    test_index(problem, 3, "44");
    remove(path);
  }
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
  test_units();
  test_redundancy();
  test_squares();
  test_disguised();
  test_charged();
  return tap_done();
}
