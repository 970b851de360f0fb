/*
 * Any problem with constraints g(q) or g(q,t) in disguise (problems/kit/disguise.h): coordinates and
 * rows in another order and turned, rows scaled or written as another function of the same
 * constraint, other units, another time of the start. The motion is that of the problem, and what
 * is known of it, exact solutions and invariants included, is handed on.
 */
#include "problems/kit/disguise.h"
#include "problems/kit/disguise_drawn.h"
#include <shakedown/plugin.h>

struct disguised {
  struct shk_disguise_choice choice;
  struct shk_wrapped wrapped;
};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct disguised *s = context;
  SHK_TRY(shk_wrapped_create(&s->wrapped, instance));
  return shk_disguise_make(instance, &s->wrapped, &s->choice);
}

static const struct shk_option options[] = {
    SHK_WRAPPED_OPTION("sprung-pendulum"),
    SHK_INTEGER(disguised, choice.seed, "seed", "1", "seed of the generator", .minimum = "0"),
    SHK_FLAG(disguised, choice.reorder, "reorder", "yes", "coordinates and rows in another order"),
    SHK_FLAG(disguised, choice.turn, "turn", "yes",
             "space turned, or coordinates of equal mass, up to three together"),
    SHK_FLAG(disguised, choice.scale, "scale", "yes",
             "rows times numbers from 1/16 to 16, of either sign"),
    SHK_FLAG(disguised, choice.rewrite, "rewrite", "no",
             "rows g + a g^2, with a as large as g changes"),
    SHK_REAL(disguised, choice.length, "length", "1", "unit of length", SHK_POSITIVE),
    SHK_REAL(disguised, choice.mass, "mass", "1", "unit of mass", SHK_POSITIVE),
    SHK_REAL(disguised, choice.time, "time", "1", "unit of time", SHK_POSITIVE),
    SHK_REAL(disguised, choice.shift, "shift", "0", "what is added to the time"),
    {0}};

static const struct shk_problem disguised = {
    .struct_size = sizeof disguised,
    .info = {.name = "disguised",
             .summary = "another problem in other coordinates, rows and units: the same motion",
             .equations = "the problem's, with q~ = L T q, p~ = (m L/τ) T p, t~ = τ t + t_0,\n"
                          "g~_i = c_i (g_k + a_i g_k²), λ~_i = (m L²/τ²) λ_k/c_i, T orthogonal",
             .citation = "ours",
             .units = "those that the options say, as multiples of the problem's",
             .coordinates = "the problem's, in another order and turned",
             .options = options},
    SHK_CONTEXT(disguised),
    .set_up = set_up,
};

SHK_PROVIDE(disguised, .problems = SHK_PROBLEMS(&disguised));
