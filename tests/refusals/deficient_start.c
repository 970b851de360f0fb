/*
 * Starts at which the constraints lose rank: redundant ones are refused to what factors their
 * matrix as it is, with the rank, the rows and the remedy, and taken by what drops rows; singular
 * starts are told from them, refused to what cannot leave them, and left on the right branch by
 * what can. Off the constraints redundant rows count as what they are on them. Ranks that a
 * diagnosis found are those that cells go by to which they are handed down.
 */
#include "engine/cells/cells.h"
#include "tests/kit/adaptive.h"
#include "tests/kit/driving.h"
#include "tests/kit/registered.h"

static void refused(const char *problem, const char *integrator, const char *wanted)
{
  DRIVE d = {0};
  char reason[256] = "";
  const enum shk_code code = begin_at(&d, reason, problem, integrator, "0.001", NULL, NULL, false);
  tap_ok(code == SHK_REFUSED && strstr(reason, wanted), "%s on %s is refused: %s", integrator,
         problem, reason);
}

static void taken(const char *problem, const char *integrator, int rank)
{
  DRIVE d = {0};
  char reason[256] = "";
  const enum shk_code code = begin_at(&d, reason, problem, integrator, "0.001", NULL, NULL, false);
  tap_ok(code == SHK_OK && d.bound.evaluator.counters.steps == 0 &&
             d.bound.evaluator.rank == rank && advance(&d, 10),
         "%s on %s is not: %s", integrator, problem, reason);
}

/* By default an integrator takes a redundant start, or it is refused with what is the matter. */
static void refused_or_taken(const char *problem, const char *integrator, const char *wanted)
{
  DRIVE d = {0};
  char reason[256] = "";
  const enum shk_code code = begin_at(&d, reason, problem, integrator, "0.001", NULL, NULL, false);
  tap_ok(
      code == SHK_OK ? d.bound.evaluator.rank == 2 : code == SHK_REFUSED && strstr(reason, wanted),
      "%s on %s knows what it meets: %s", integrator, problem, code == SHK_OK ? "taken" : reason);
}

static void test_redundant(void)
{
  static const char beads[] = "beads-on-line(redundant=yes)";
  const struct shk_integrator_info *info;
  struct shk_claims claims;
  for (int i = 0; (info = next_integrator(&i, NULL, &claims)) != NULL;)
    if (!info->double_only || can_try(info->name))
      refused_or_taken(beads, info->name, "(row 3 = 1 row 1 + 1 row 2)");
  static const char *const plain[] = {
      "rattle",     "rattle(linear=lu)",        "rattle(linear=cholesky)",
      "projection", "composition(base=rattle)", "step-halving(base=rattle)"};
  refused(beads, "rattle", "redundant, rank 2 of 3 at the start and 2 near it, and the first step");
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
    refused(beads, plain[i], "(row 3 = 1 row 1 + 1 row 2)");
    refused(beads, plain[i], "linear=qr and linear=svd");
  }
  taken(beads, "rattle(linear=qr)", 2);
  taken(beads, "rattle(linear=svd)", 2);
  taken(beads, "rattle(linear=tikhonov)", 2);
  taken(beads, "composition(base=rattle(linear=svd))", 2);
  refused("duplicate(index-one)", "rattle", "redundant, rank 1 of 2 at the start and 1 near it");
  refused("duplicate(pendulum)", "spark(stages=3)", "redundant, rank 1 of 2");
  if (SHK_PRECISION == 64 && can_try("ida"))
    refused("duplicate(pendulum)", "ida", "redundant, rank 1 of 2");
  taken("double-pendulum", "rattle", 0);
}

/* A rank that this precision does not decide is nobody's refusal. */
static void test_doubt(void)
{
  DRIVE d = {0};
  const char *problem =
      SHK_PRECISION == 64 ? "near-parallel(epsilon=1e-9)" : "near-parallel(epsilon=1e-28)";
  char reason[256] = "";
  const enum shk_code code =
      begin_at(&d, reason, problem, "rattle(linear=lu)", "0.01", NULL, NULL, false);
  tap_ok(code == SHK_OK && !d.bound.ranks.sure && d.bound.ranks.near >= 0,
         "%s: a rank that is not clear is left to the run %s", problem, reason);
  if (code == SHK_OK)
    tap_ok(shk_drive_step(&d, R(0.01)).code == SHK_SINGULAR, "which then says so");
}

static void test_singular(void)
{
  static const char flat[] = "four-bar(loops=2,angle=90deg)";
  static const char *const none[] = {"rattle", "rattle(linear=svd)", "rattle(linear=qr)",
                                     "projection"};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    refused(flat, none[i], "a singular configuration, rank 7 of 9 there and 9 near it");
    refused("lemniscate(position=0)", none[i], "a singular configuration, rank 0 of 1 there and 1");
  }
  static const char *const leave[] = {"projection(linear=svd)", "projection(linear=qr)"};
  for (size_t i = 0; i < sizeof leave / sizeof leave[0]; i++) {
    struct shk_drive d, exact;
    const bool ok = begin_at(&d, NULL, flat, leave[i], "0.005", NULL, NULL, false) == SHK_OK &&
                    begin_at(&exact, NULL, flat, "exact", "0.005", NULL, NULL, false) == SHK_OK &&
                    advance(&d, 100) && advance(&exact, 100);
    const real apart = difference(&d.current, &exact.current);
    tap_ok(ok && apart < R(1e-3) && d.bound.evaluator.rank == 0,
           "%s leaves %s on the right branch (%.1e)", leave[i], flat, (double)apart);
    shk_drive_end(&d);
    shk_drive_end(&exact);
  }
  taken("lemniscate(position=0)", "exact", 0);
}

/* Off the constraints the 33 rows of Bricard's mechanism are independent, by as much as the
 * distance from them. What divides by that leaves: rank 32 is known from the start. */
static void test_off_constraints(void)
{
  static const char *const methods[] = {"projection(linear=svd)", "projection(linear=qr)",
                                        "baumgarte(linear=svd)"};
  real fine = 0;
  struct shk_drive d;
  if (begin_at(&d, NULL, "bricard", "projection(linear=svd)", "0.02", NULL, NULL, false) ==
          SHK_OK &&
      advance(&d, 50))
    fine = d.current.q[0];
  shk_drive_end(&d);
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
    char reason[256] = "";
    const enum shk_code code =
        begin_at(&d, reason, "bricard", methods[i], "0.1", NULL, NULL, false);
    const bool ok = code == SHK_OK && d.bound.evaluator.rank == 32 && advance(&d, 10);
    tap_ok(ok && real_fabs(d.current.q[0] - fine) < R(5e-3),
           "bricard, %s: a large step stays near (%.1e) %s", methods[i],
           ok ? (double)real_fabs(d.current.q[0] - fine) : (double)NAN, reason);
    shk_drive_end(&d);
  }
}

/* Told other ranks than there are, a cell says those: it has not found them again. */
static void test_handed_down(void)
{
  static const char beads[] = "beads-on-line(redundant=yes)";
  struct shk_diagnosis d;
  struct shk_message error;
  tap_ok(shk_diagnose_problem(&test_context, &d, beads, NULL, NULL, false, &error) &&
             d.start.ranks.here == 2 && d.start.ranks.near == 2 && d.start.ranks.sure,
         "a diagnosis has the ranks of the start");
  d.start.ranks.near = 3;
  test_context.known = &d.start;
  refused(beads, "rattle", "a singular configuration, rank 2 of 3 there and 3 near it");
  taken("double-pendulum", "rattle", 0);
  test_context.known = NULL;
}

static void test_large(void)
{
  /* More constraints than are solved as svd does without being asked to. */
  refused("duplicate(alkane(carbons=40),row=3)", "rattle", "(row 78 = 1 row 3)");
  taken("duplicate(alkane(carbons=40),row=3)", "rattle(linear=svd)", 77);
}

int main(void)
{
  test_redundant();
  test_doubt();
  test_singular();
  test_handed_down();
  if (SHK_PRECISION == 64) { /* the same code, and a minute, in quad */
    test_large();
    test_off_constraints();
  }
  return tap_done();
}
