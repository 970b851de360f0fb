/*
 * Molecules that settle solves in blocks: a molecule's motion does not depend, to the bit, on which
 * others there are or in which order. Failures are those of the molecule that fails.
 */
#include "tests/kit/stepping.h"

#include <shakedown/solve.h>

static void begin(struct shk_drive *d, struct shk_outcome *outcome, const char *problem,
                  const char *integrator, const char *step, bool declared)
{
  if (!begin_drive(d, outcome, problem, integrator, step, NULL)) {
    fprintf(stderr, "%s: %s\n", problem, outcome->reason);
    abort();
  }
  if (declared)
    return;
  d->bound.instance.system.rods = NULL;
  if (shk_bind_method(&d->bound).code != SHK_OK)
    abort();
}

/* ---- independence ---- */

enum { BOX = 5, SITES = 9, RODS = 3, STEPS = 60 };

struct molecule {
  real q[SITES], p[SITES], lambda[RODS];
};

static void put(struct shk_state *s, int at, const struct molecule *m)
{
  memcpy(s->q + SITES * at, m->q, sizeof m->q);
  memcpy(s->p + SITES * at, m->p, sizeof m->p);
  memcpy(s->lambda + RODS * at, m->lambda, sizeof m->lambda);
}

static void take(struct molecule *m, const struct shk_state *s, int at)
{
  memcpy(m->q, s->q + SITES * at, sizeof m->q);
  memcpy(m->p, s->p + SITES * at, sizeof m->p);
  memcpy(m->lambda, s->lambda + RODS * at, sizeof m->lambda);
}

/* The molecules that are named go STEPS steps together. */
static void move(struct molecule *to, const struct molecule *from, const int *which, int count,
                 const char *problem, const char *integrator)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  begin(&d, &outcome, problem, integrator, "0.0007", true);
  for (int i = 0; i < count; i++)
    put(&d.current, i, &from[which[i]]);
  if (d.current.n != SITES * count || go_steps(&d, STEPS).code != SHK_OK)
    abort();
  for (int i = 0; i < count; i++)
    take(&to[which[i]], &d.current, i);
}

static void independence(const char *integrator)
{
  static const int order[BOX] = {0, 1, 2, 3, 4}, other[BOX] = {3, 0, 4, 2, 1};
  struct molecule from[BOX], box[BOX], shuffled[BOX], pair[BOX], alone[BOX];
  DRIVE d = {0};
  OUTCOME outcome = {0};
  begin(&d, &outcome, "water-box(molecules=5,pairs=no)", integrator, "0.0007", true);
  for (int i = 0; i < BOX; i++)
    take(&from[i], &d.current, i);
  /* One that turns so fast that it takes more iterations than the others. */
  for (int k = 0; k < SITES; k++)
    from[1].p[k] *= 30;
  move(box, from, order, BOX, "water-box(molecules=5,pairs=no)", integrator);
  move(shuffled, from, other, BOX, "water-box(molecules=5,pairs=no)", integrator);
  for (int i = 0; i < BOX; i++) {
    const int both[2] = {i, (i + 1) % BOX};
    struct molecule kept[BOX];
    move(kept, from, both, 2, "water-box(molecules=2,pairs=no)", integrator);
    pair[i] = kept[i];
    move(alone, from, &i, 1, "water", integrator);
  }
  tap_ok(memcmp(box, shuffled, sizeof box) == 0, "%s: molecules in another order", integrator);
  tap_ok(memcmp(box, pair, sizeof box) == 0, "%s: molecules by twos", integrator);
  tap_ok(memcmp(box, alone, sizeof box) == 0, "%s: molecules alone", integrator);
}

/* ---- failures ---- */

enum spoilt { ONE_PLACE, IN_A_ROW, TOO_FAST };

/* A step of a box whose molecule 3 is spoilt. */
static struct shk_status fail(const char *integrator, bool declared, enum spoilt how, int *history)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  double residuals[64];
  begin(&d, &outcome, "water-box(molecules=6,pairs=no)", integrator, "0.001", declared);
  real *q = d.current.q + 3 * SITES;
  for (int k = 0; how != TOO_FAST && k < 3; k++) /* both hydrogens at one place, or all in a row */
    q[6 + k] = how == ONE_PLACE ? q[3 + k] : 2 * q[k] - q[3 + k];
  if (how == TOO_FAST) /* sideways: out of reach of any multiplier */
    d.current.p[3 * SITES + 3] = 1e6;
  const struct shk_status status = shk_drive_step(&d, d.bound.step);
  *history = shk_last_residuals(&d.bound.evaluator, residuals, 64);
  return status;
}

static void failures(void)
{
  static const char *const one = "rattle", *const block = "rattle(linear=block)";
  int history, others;
  char text[256];
  struct shk_status status = fail(one, true, IN_A_ROW, &history);
  struct shk_status general = fail(block, false, IN_A_ROW, &others);
  tap_ok(status.code == SHK_SINGULAR && general.code == SHK_SINGULAR,
         "a cluster singular but for round-off");
  status = fail(one, true, ONE_PLACE, &history);
  general = fail(block, false, ONE_PLACE, &others);
  tap_ok(status.code == SHK_SINGULAR && general.code == SHK_SINGULAR, "a singular cluster");
  shk_status_text(text, sizeof text, status);
  tap_ok(strstr(text, "molecule 4 ") != NULL, "... which is named: %s", text);
  status = fail(one, true, TOO_FAST, &history);
  shk_status_text(text, sizeof text, status);
  tap_ok(status.code == SHK_NOT_CONVERGED && history > 0 && strstr(text, "molecule 4 "),
         "a cluster without a solution: %s (%d residuals)", text, history);
  status = fail("rattle(solver=newton,iterations=1)", true, TOO_FAST, &history);
  shk_status_text(text, sizeof text, status);
  tap_ok(status.code == SHK_NOT_CONVERGED && history == 2 &&
             strstr(text, "reached its iteration limit"),
         "the limit of iterations: %s", text);
}

int main(void)
{
  independence("rattle");
  independence("shake");
  independence("rattle(tolerance=1e-6)");
  failures();
  return tap_done();
}
