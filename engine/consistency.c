/*
 * A start is consistent when each residual r_i, of g or of the hidden constraint, is at most
 *
 *     1000 ε max_k |r_i(start + δ d_k) - r_i(start)| / δ,      δ = √ε,
 *
 * over four random directions d_k. The components of d_k are at most the size of the coordinates
 * for q, the component itself for p, and the time scale for t, and at least half of that. The bound
 * is 1000 times the change of r_i by a rounding of the decimals, in any units of lengths, masses,
 * times and the rows of g.
 */
#include "engine/bind.h"

#include <shakedown/random.h>

enum { DIRECTIONS = 4 };

struct residuals {
  int m;
  real *at;      /* g and the hidden constraint (m each) at the start */
  real *moved;   /* the same at a displaced state */
  real *allowed; /* bounds by rounding */
};

static struct shk_status evaluate(real *r, struct shk_bound *bound, const struct shk_state *s)
{
  return shk_manifold_residuals(bound->manifold, r, r + s->m, s->t, s->q, s->p);
}

/* Returns a random number between x/2 and x, of either sign. It is not near zero, so that the
 * contributions of two coordinates to a row do not cancel in every direction. */
static real draw(uint64_t *random, real x)
{
  const real part = x * (1 + shk_random_uniform(random)) / 2;
  return shk_random_next(random) & 1 ? part : -part;
}

static void move(struct shk_state *moved, const struct shk_state *s, real size, real time_scale,
                 uint64_t *random)
{
  const real step = real_sqrt(REAL_EPSILON);
  moved->t = s->t + draw(random, step * time_scale);
  for (int i = 0; i < s->n; i++) {
    moved->q[i] = s->q[i] + draw(random, step * size);
    moved->p[i] = s->p[i] + draw(random, step * s->p[i]);
  }
}

/* Stores the bounds by rounding. Directions in which the problem cannot be evaluated are skipped;
 * at least one must succeed. */
static struct shk_status find_allowed(struct residuals *r, struct shk_bound *bound,
                                      struct shk_state *moved, real size)
{
  const real roundings = 1000 * real_sqrt(REAL_EPSILON);
  uint64_t random = 1;
  int evaluated = 0;
  struct shk_status status = shk_ok();
  for (int k = 0; k < DIRECTIONS; k++) {
    move(moved, &bound->start, size, bound->instance.time_scale, &random);
    const struct shk_status beside = evaluate(r->moved, bound, moved);
    if (beside.code != SHK_OK) {
      status = beside;
      continue;
    }
    evaluated++;
    for (int i = 0; i < 2 * r->m; i++)
      r->allowed[i] = real_max(r->allowed[i], roundings * real_fabs(r->moved[i] - r->at[i]));
  }
  return evaluated > 0 ? shk_ok() : status;
}

static const char *hidden_name(unsigned features)
{
  return features & SHK_MOMENTUM_CONSTRAINT ? "{g,H}"
         : features & SHK_GENERAL_DAE       ? "g_q q'"
                                            : "G H_p";
}

static enum shk_code judge(const struct residuals *r, unsigned features, struct shk_message *error)
{
  bool holds = true;
  for (int i = 0; i < 2 * r->m; i++)
    holds = holds && real_fabs(r->at[i]) <= r->allowed[i];
  if (holds)
    return SHK_OK;
  shk_message_set(error,
                  "the start is inconsistent: max|g| = %.3g, max|%s| = %.3g; --project "
                  "(project: yes in a study) moves it onto the constraints",
                  (double)real_max_norm(r->at, r->m), hidden_name(features),
                  (double)real_max_norm(r->at + r->m, r->m));
  return SHK_INCONSISTENT;
}

enum shk_code shk_check_consistency(struct shk_bound *bound, real size, struct shk_message *error)
{
  const struct shk_state *s = &bound->start;
  struct residuals r = {.m = s->m};
  struct shk_state moved = {0};
  struct shk_status status = shk_reals(bound->instance.workspace, &r.at, 6 * (size_t)s->m);
  r.moved = r.at + 2 * r.m;
  r.allowed = r.moved + 2 * r.m;
  if (status.code == SHK_OK && !shk_state_init_like(&moved, s))
    status = shk_no_memory();
  if (status.code == SHK_OK)
    status = evaluate(r.at, bound, s);
  if (status.code == SHK_OK)
    status = find_allowed(&r, bound, &moved, real_max(size, real_max_norm(s->q, s->n)));
  shk_state_clear(&moved);
  return status.code == SHK_OK ? judge(&r, bound->instance.system.features, error)
                               : shk_bind_fail(error, status);
}
