/*
 * Contract checks (measures/contract.def) test requirements that every method must meet, whatever
 * it claims. Each check is a kind of cell, and `plugin check` runs the first four. A cell records
 * the number of faults as "KIND-faults" and stops soon after the first fault. The outcome of the
 * cell is ok, and its reason describes the first fault. If there is no fault, the reason is empty
 * or a remark that does not affect the verdict.
 *
 *   contract      steps access only their own arrays, write the entire new state and no part of the
 *                 old one, report failures, and leave the process unchanged
 *   stateless     a step depends only on its starting state
 *   valid-states  a state returned as valid is finite and satisfies the constraints that the method
 *                 claims to keep; no step is split into shorter ones without a report
 *   smooth        the new state is a smooth function of the step size and the momenta
 *
 * One additional check applies to solvers for distance constraints:
 *
 *   solver-tolerance  after a solve that returns ok, no residual exceeds the specified tolerance
 */
#ifndef ENGINE_CELLS_CONTRACT_H
#define ENGINE_CELLS_CONTRACT_H

#include "engine/bind.h"

enum { SHK_CONTRACT_STATES = 6 };

struct shk_contract {
  struct shk_bound bound;
  struct shk_map map; /* the one-step map of the bound method, with step size h */
  struct shk_claims claims;
  const struct shk_cell *cell;
  int n, m;
  real h; /* a fiftieth of the time scale, or less if the method requires it */
  bool adaptive;
  struct shk_floors sizes; /* the sizes and floors of a step, computed with the observer */
  /* 6m numbers: the floors of g and of the hidden constraint, the residuals, and scratch space */
  real *rows;
  int faults;
  /* description of the first fault, or a remark */
  char reason[sizeof((struct shk_outcome *)0)->reason];
  /* Scratch space for the current check, initially zero. */
  union {
    struct {
      struct shk_state from, to, before, at, near, scratch;
    };
    struct shk_state states[SHK_CONTRACT_STATES];
  };
};

/* Returns false if cells of this kind are not contract checks. */
bool shk_contract_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell);
/* ---- for the parts ---- */

enum {
  /* a difference of up to this many rounding floors counts as zero */
  SHK_CONTRACT_FLOORS = 1000,
  /* a difference of at least this many floors counts as nonzero (families/verdict.h) */
  SHK_CONTRACT_FAR_ABOVE = 1000000,
  /* number of steps from the start to the second state tested */
  SHK_CONTRACT_AWAY = 20
};

/* Counts a fault. The description of the first fault, formatted as by printf, becomes the reason.
 * Unless h is 0, it is preceded by "a step of h (time scale τ) ". */
void shk_cell_contract_fault(struct shk_contract *contract, real h, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Binds the method again, restoring the state that it had before its first step. */
struct shk_status shk_cell_contract_bind(struct shk_contract *contract);
/* Takes a step with the bound method. Returns false if the step fails. */
bool shk_cell_contract_step(const struct shk_contract *contract, struct shk_state *to,
                            const struct shk_state *from, real h);
/* Advances contract->from by SHK_CONTRACT_AWAY steps. */
struct shk_status shk_cell_contract_move_away(struct shk_contract *contract);
/* Increases *floor to at least r (structure.h) and at least the change in *to, the result of a step
 * from *from, when *from is perturbed by a rounding error. Overwrites the states `near` and
 * `at`. */
struct shk_status shk_cell_contract_floor(struct shk_contract *contract, real *floor,
                                          const struct shk_map *map, const struct shk_state *to,
                                          const struct shk_state *from, real h);
/* Stores the residuals at s in work.lambda (for g) and work.mu (for the hidden constraint). Unless
 * the system is a general DAE, also stores the velocity in work.q. */
struct shk_status shk_cell_contract_evaluate(struct shk_contract *contract,
                                             const struct shk_state *s);
/* Residuals of g [0] and of the hidden constraint [1]: the largest residual, and the largest
 * residual relative to the floor Σ |∂r/∂z_j| z^_j of its row (mechanics/diagnosis/floors.h). */
struct shk_cell_contract_rows {
  real largest[2], relative[2];
};
/* Computes the largest residuals at the state *s, which is the result of a step from
 * contract->from. Overwrites the same arrays as shk_cell_contract_evaluate. */
struct shk_status shk_cell_contract_residuals(struct shk_contract *contract,
                                              struct shk_cell_contract_rows *rows,
                                              const struct shk_state *s);
/* Stores the residuals of contract->to after a step of length h, and returns the constraint that
 * the state violates even though the method claims to keep it. Also returns SHK_OFF_CONSTRAINT if
 * the constraints cannot be evaluated. */
enum shk_off { SHK_ON, SHK_OFF_CONSTRAINT, SHK_OFF_HIDDEN };
enum shk_off shk_cell_contract_off(struct shk_contract *contract,
                                   struct shk_cell_contract_rows *rows, real h);

/* The individual checks. If one of them returns a status other than ok, its tests could not be
 * carried out. */
struct shk_status shk_cell_contract_memory(struct shk_contract *contract);
struct shk_status shk_cell_contract_stateless(struct shk_contract *contract);
struct shk_status shk_cell_contract_valid_states(struct shk_contract *contract);
struct shk_status shk_cell_contract_smooth(struct shk_contract *contract);
struct shk_status shk_cell_contract_tolerance(struct shk_contract *contract);

#endif
