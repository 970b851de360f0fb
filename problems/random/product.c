/*
 * A product system: two problems side by side without interaction, q = (q', q"), g = (g', g"), H =
 * H' + H". Product systems combine small problems with M(q), H(q,p), forces and rheonomic
 * constraints into larger ones, which reveal methods that work only up to a certain size.
 * `transformed` then mixes their coordinates and rows.
 *
 * The two problems must both be separable, both have M(q), or both have H(q,p). A separable problem
 * with forces must have a Hessian. The two times differ by a constant, so that both problems start
 * at their own initial times. If only one of the problems provides a function, that function is
 * taken to be zero for the other. The product has an exact solution if both problems have one.
 * Invariants of the two problems are not included.
 */
#include "problems/kit/problem.h"
#include "problems/kit/transform.h"

static bool are_alike(const struct shk_system *a, const struct shk_system *b)
{
  const unsigned all = a->features | b->features;
  return !a->mass == !b->mass && !a->mass_matrix == !b->mass_matrix &&
         !a->hamiltonian == !b->hamiltonian &&
         (!(all & SHK_FORCES) || a->mass_matrix || (a->hessian && b->hessian));
}

/* Returns the flags in `both` that are set for both parts, and all other flags that are set for at
 * least one part. The flag for one degree of freedom is never set because two parts together
 * have at least two. */
static unsigned undecidable_of(const struct shk_instance *a, const struct shk_instance *b)
{
  const unsigned both = SHK_LINEAR_CONSTRAINTS | SHK_LINEAR_POTENTIAL | SHK_FREE_MOTION;
  return ((a->undecidable & b->undecidable) & both) |
         ((a->undecidable | b->undecidable) & ~(both | SHK_ONE_DEGREE_OF_FREEDOM));
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct shk_transform *s = context;
  const struct shk_instance *const a = &s->parts[0].inner, *const b = &s->parts[1].inner;
  SHK_TRY(shk_transform_part(s, instance, "problem"));
  SHK_TRY(shk_transform_part(s, instance, "other"));
  if (!are_alike(&a->system, &b->system))
    return shk_failure(SHK_BAD_INPUT,
                       "expected two separable problems (with Hessians if there are forces), two "
                       "with M(q), or two with H(q,p)",
                       0, 0);
  SHK_TRY(shk_transform_begin(s, instance->workspace, s->m));
  SHK_TRY(shk_transform_end(s, instance));
  instance->undecidable = undecidable_of(a, b);
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_PART_OPTION("problem", "sprung-pendulum", "the first problem"),
    SHK_PART_OPTION("other", "driven-pendulum", "the second problem"),
    {0}};

SHK_PROVIDE_PROBLEM(product, shk_transform, NULL, .name = "product", .family = "random or derived",
                    .summary = "a product system: two problems side by side, without interaction",
                    .equations = "H = H' + H\", 0 = (g', g\") of the two problems",
                    .citation = "ours", .units = "units of both problems",
                    .coordinates = "q = (q', q\")");
