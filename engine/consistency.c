/*
 * A start is consistent if every residual of g and of the hidden constraint is at most 1000 times
 * the round-off floor of its row (mechanics/diagnosis/floors.h). This floor is the change in the
 * residual when the decimal digits of the start are rounded. The criterion works for any units of
 * length, mass, time and the rows of g. It also works at rest.
 */
#include "engine/bind.h"

#define ROUNDINGS 1000

struct residuals {
  int m;
  /* g and the hidden constraint (m numbers each) at the start, followed by scratch space */
  real *at;
  real *least; /* round-off floors of g and of the hidden constraint */
};

static const char *hidden_name(unsigned features)
{
  return features & SHK_MOMENTUM_CONSTRAINT ? "{g,H}"
         : features & SHK_GENERAL_DAE       ? "g_q q'"
                                            : "G H_p";
}

static enum shk_code judge_consistency(const struct residuals *r, unsigned features,
                                       struct shk_message *error)
{
  bool holds = true;
  for (int i = 0; i < 2 * r->m; i++)
    holds = holds && real_fabs(r->at[i]) <= ROUNDINGS * r->least[i];
  if (holds)
    return SHK_OK;
  shk_message_set(error,
                  "the start is inconsistent: max|g| = %.3g, max|%s| = %.3g; --project "
                  "(project: yes in a study) moves it onto the constraints",
                  (double)real_max_norm(r->at, r->m), hidden_name(features),
                  (double)real_max_norm(r->at + r->m, r->m));
  return SHK_INCONSISTENT;
}

enum shk_code shk_check_consistency(struct shk_bound *bound, struct shk_message *error)
{
  const struct shk_state *const s = &bound->start;
  struct residuals r = {.m = s->m};
  struct shk_floors_of_manifold rows = {bound->manifold, s->m};
  struct shk_status status = shk_reals(bound->instance.workspace, &r.at, 6 * (size_t)s->m);
  r.least = r.at + 4 * r.m;
  if (status.code == SHK_OK)
    status = shk_floors_raise(&bound->floors, r.least, r.at, 2 * r.m, shk_floors_residuals, &rows,
                              s->t, s->q, s->p);
  const enum shk_code code = status.code == SHK_OK
                                 ? judge_consistency(&r, bound->instance.system.features, error)
                                 : shk_bind_fail(error, status);
  if (r.at)
    shk_give_back(r.at);
  return code;
}
