/*
 * What a method must not do, whatever it claims: four parts, each in a cell of a kind of its own
 * and a part of `plugin check`. A cell records how many faults there are, as "KIND-faults", and the
 * first as the reason of an outcome that is ok; without one, what there is to say of what decides
 * nothing.
 *
 *   contract     steps stay within their arrays, read nothing else, write all of the new state and
 *                nothing of the old one, pass on what fails, and leave the process as it was
 *   same-map     a step depends on the state it starts from and on nothing else: taken again from
 *                states of a run, out of order, by another instance, between the steps of another
 *                one, after a failure, at another time, in another process, it leads to the same
 *   good-states  what is returned as good is good: at steps from a hundred-millionth of the time
 *                scale to a million of it, states are finite and on the constraints that the method
 *                claims to keep, and a step is not a few of a part of its length
 *   smooth       where a step leads is a smooth function of its length and of the momenta
 */
#ifndef ENGINE_CELLS_CONDUCT_H
#define ENGINE_CELLS_CONDUCT_H

#include "engine/bind.h"
#include "foundation/checks.h"
#include "measures/structure.h"

enum { SHK_CONDUCT_STATES = 5 };

struct shk_conduct {
  struct shk_bound bound;
  struct shk_claims claims;
  const struct shk_cell *cell;
  struct shk_checks *checks;
  real h; /* a fiftieth of the time scale, less where the method knows that it must be */
  bool quick;
  struct shk_state states[SHK_CONDUCT_STATES]; /* for the part that looks, at any values */
};

/* Whether cells of this kind are run here. */
bool shk_conduct_kind(const char *kind);
void shk_conduct_cell(const struct shk_context *context, struct shk_outcome *outcome,
                      const struct shk_cell *cell);
/* All of them, in seconds. False with the reason where the method cannot be bound or an ordinary
 * step fails; *applies is false where it refuses the problem. */
bool shk_conduct_audit(const struct shk_context *context, struct shk_checks *checks, bool *applies,
                       const char *problem, const char *integrator, struct shk_message *error);

/* ---- the parts ---- */

/* The method as a map, for scales and distances. */
struct shk_map shk_conduct_map(const struct shk_conduct *conduct);
/* A step whose new state is finite, at its time. */
struct shk_status shk_conduct_step(const struct shk_conduct *conduct, struct shk_state *to,
                                   const struct shk_state *from, real h);

/* Each adds its checks. Not ok: it could not be done. */
struct shk_status shk_conduct_contract(struct shk_conduct *conduct);
struct shk_status shk_conduct_same_map(struct shk_conduct *conduct);
struct shk_status shk_conduct_good_states(struct shk_conduct *conduct);
struct shk_status shk_conduct_smooth(struct shk_conduct *conduct);

#endif
