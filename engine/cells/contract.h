/*
 * Contract checks: requirements on every method, whatever it claims. Each of the four parts is a
 * kind of cell and a part of `plugin check`. A cell records the number of faults as "KIND-faults".
 * Its outcome is ok, with the first fault as the reason; without a fault the reason is a remark
 * without effect on the verdict, or empty.
 *
 *   contract      steps stay within their arrays, read nothing else, write all of the new state and
 *                 nothing of the old one, pass on failures, and leave the process unchanged
 *   stateless     a step depends on its starting state alone
 *   valid-states  a state that is returned as good is finite and satisfies the constraints that the
 *                 method claims to keep; no step is split into shorter ones without a report
 *   smooth        the new state is a smooth function of the step size and of the momenta
 */
#ifndef ENGINE_CELLS_CONTRACT_H
#define ENGINE_CELLS_CONTRACT_H

#include "engine/bind.h"
#include "foundation/checks.h"

enum { SHK_CONTRACT_STATES = 6 };

struct shk_contract {
  struct shk_bound bound;
  struct shk_map map; /* of the bound method, with the step h */
  struct shk_claims claims;
  const struct shk_cell *cell;
  struct shk_checks *checks;
  const char *part; /* begins the names of its checks */
  int n, m;         /* 0: the method is not bound */
  real h;           /* a fiftieth of the time scale, less where the method needs it */
  bool adaptive, quick;
  /* Work space of the part that runs; all zero at first. */
  union {
    struct {
      struct shk_state from, to, before, at, near, work;
    };
    struct shk_state states[SHK_CONTRACT_STATES];
  };
};

/* False if cells of this kind are not contract checks. */
bool shk_contract_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell);
/* Runs all parts, in a few seconds. False with the reason if the method cannot be bound or an
 * ordinary step fails; *applies is false if the method refuses the problem. */
bool shk_contract_audit(const struct shk_context *context, struct shk_checks *checks, bool *applies,
                        const char *problem, const char *integrator, struct shk_message *error);

/* ---- for the parts ---- */

enum {
  SHK_CONTRACT_FLOORS = 1000,       /* a difference of at most this many rounding floors is zero, */
  SHK_CONTRACT_FAR_ABOVE = 1000000, /* one of at least this many is not (families/verdict.h) */
  SHK_CONTRACT_AWAY = 20            /* steps from the start to a second state */
};

/* Adds a check of the part. */
struct shk_check *shk_contract_check(struct shk_contract *contract, const char *what);
/* Marks a check as failed, unless it has failed, with a text formatted as by printf. It follows "a
 * step of h (time scale τ) " unless h is 0. */
void shk_contract_fault(const struct shk_contract *contract, struct shk_check *check, real h,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Binds the method again, as before its first step. */
struct shk_status shk_contract_bind(struct shk_contract *contract);
/* Takes a step of the bound method; false if it fails. */
bool shk_contract_step(const struct shk_contract *contract, struct shk_state *to,
                       const struct shk_state *from, real h);
/* Advances contract->from by SHK_CONTRACT_AWAY steps. */
struct shk_status shk_contract_move_away(struct shk_contract *contract);
/* Raises *floor to r (structure.h), and to the change in *to, the result of a step from *from, when
 * *from is perturbed by a rounding. Overwrites the states near and at. */
struct shk_status shk_contract_floor(struct shk_contract *contract, real *floor,
                                     const struct shk_map *map, const struct shk_state *to,
                                     const struct shk_state *from, real h);
/* Stores the residuals at s in work.lambda (g) and work.mu (hidden), and the velocity in work.q
 * unless the system is a general DAE. */
struct shk_status shk_contract_evaluate(struct shk_contract *contract, const struct shk_state *s);
/* Returns the constraint that the method claims to keep and that contract->to, after a step h, is
 * off, or where it cannot be evaluated. Stores the residuals: g, hidden. */
enum shk_off { SHK_ON, SHK_OFF_CONSTRAINT, SHK_OFF_HIDDEN };
enum shk_off shk_contract_off(struct shk_contract *contract, real residuals[2], real h);

/* The parts. Each adds its checks; a status that is not ok means that they could not be made. */
struct shk_status shk_contract_memory(struct shk_contract *contract);
struct shk_status shk_contract_stateless(struct shk_contract *contract);
struct shk_status shk_contract_valid_states(struct shk_contract *contract);
struct shk_status shk_contract_smooth(struct shk_contract *contract);

#endif
