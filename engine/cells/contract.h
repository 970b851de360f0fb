/*
 * What a method must not do, whatever it claims: four parts, each in a cell of a kind of its own
 * and a part of `plugin check`. A cell records how many faults there are, as "KIND-faults", and the
 * first as the reason of an outcome that is ok; without one, what there is to say of what decides
 * nothing.
 *
 *   contract     steps stay within their arrays, read nothing else, write all of the new state and
 *                nothing of the old one, pass on what fails, and leave the process as it was
 *   stateless     a step depends on the state it starts from and on nothing else: taken again from
 *                states of a run, out of order, by another instance, between the steps of another
 *                one, after a failure, at another time, in another process, it leads to the same
 *   valid-states  what is returned as good is good: at steps from a hundred-millionth of the time
 *                scale to a million of it, states are finite and on the constraints that the method
 *                claims to keep, and a step is not a few of a part of its length
 *   smooth       where a step leads is a smooth function of its length and of the momenta
 */
#ifndef ENGINE_CELLS_CONTRACT_H
#define ENGINE_CELLS_CONTRACT_H

#include "engine/bind.h"
#include "foundation/checks.h"
#include "measures/structure.h"

enum { SHK_CONTRACT_STATES = 5 };

struct shk_contract {
  struct shk_bound bound;
  struct shk_claims claims;
  const struct shk_cell *cell;
  struct shk_checks *checks;
  real h; /* a fiftieth of the time scale, less where the method knows that it must be */
  bool quick;
  struct shk_state states[SHK_CONTRACT_STATES]; /* for the part that looks, at any values */
};

/* Whether cells of this kind are run here. */
bool shk_contract_kind(const char *kind);
void shk_contract_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell);
/* All of them, in seconds. False with the reason where the method cannot be bound or an ordinary
 * step fails; *applies is false where it refuses the problem. */
bool shk_contract_audit(const struct shk_context *context, struct shk_checks *checks, bool *applies,
                        const char *problem, const char *integrator, struct shk_message *error);

/* ---- the parts ---- */

/* The method as a map, for scales and distances. */
struct shk_map shk_contract_map(const struct shk_contract *contract);
/* A step whose new state is finite, at its time. */
struct shk_status shk_contract_step(const struct shk_contract *contract, struct shk_state *to,
                                    const struct shk_state *from, real h);

/* Each adds its checks. Not ok: it could not be done. */
struct shk_status shk_contract_memory(struct shk_contract *contract);
struct shk_status shk_contract_stateless(struct shk_contract *contract);
struct shk_status shk_contract_valid_states(struct shk_contract *contract);
struct shk_status shk_contract_smooth(struct shk_contract *contract);

#endif
