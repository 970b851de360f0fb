/*
 * Contract checks (measures/contract.def): requirements on every method, whatever it claims. Each
 * part is a kind of cell; the first four are points of `plugin check`. A cell records the number of
 * faults as "KIND-faults" and stops soon after the first. Its outcome is ok, with the first fault
 * as the reason; without a fault the reason is a remark that has no effect on the verdict, or
 * empty.
 *
 *   contract      steps stay within their arrays, read nothing else, write all of the new state and
 *                 nothing of the old one, pass on failures, and leave the process unchanged
 *   stateless     a step depends on its starting state alone
 *   valid-states  a state that is returned as good is finite and satisfies the constraints that the
 *                 method claims to keep; no step is split into shorter ones without a report
 *   smooth        the new state is a smooth function of the step size and of the momenta
 *
 * and of solvers for distance constraints:
 *
 *   solver-tolerance  a solve that returns ok has no residual above the tolerance that was set
 */
#ifndef ENGINE_CELLS_CONTRACT_H
#define ENGINE_CELLS_CONTRACT_H

#include "engine/bind.h"

enum { SHK_CONTRACT_STATES = 6 };

struct shk_contract {
  struct shk_bound bound;
  struct shk_map map; /* of the bound method, with the step h */
  struct shk_claims claims;
  const struct shk_cell *cell;
  int n, m;
  real h; /* a fiftieth of the time scale, less where the method needs it */
  bool adaptive;
  struct shk_floors sizes; /* of a step, on the observer */
  real *rows;              /* 6m: floors of g and of the hidden constraint; residuals; work space */
  int faults;
  char reason[sizeof((struct shk_outcome *)0)->reason]; /* the first fault, or a remark */
  /* Work space of the part that runs; all zero at first. */
  union {
    struct {
      struct shk_state from, to, before, at, near, scratch;
    };
    struct shk_state states[SHK_CONTRACT_STATES];
  };
};

/* False if cells of this kind are not contract checks. */
bool shk_contract_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell);
/* ---- for the parts ---- */

enum {
  SHK_CONTRACT_FLOORS = 1000,       /* a difference of at most this many rounding floors is zero, */
  SHK_CONTRACT_FAR_ABOVE = 1000000, /* one of at least this many is not (families/verdict.h) */
  SHK_CONTRACT_AWAY = 20            /* steps from the start to a second state */
};

/* Counts a fault. The first one is the reason: a text formatted as by printf, which follows "a step
 * of h (time scale τ) " unless h is 0. */
void shk_cell_contract_fault(struct shk_contract *contract, real h, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Binds the method again, as before its first step. */
struct shk_status shk_cell_contract_bind(struct shk_contract *contract);
/* Takes a step of the bound method; false if it fails. */
bool shk_cell_contract_step(const struct shk_contract *contract, struct shk_state *to,
                            const struct shk_state *from, real h);
/* Advances contract->from by SHK_CONTRACT_AWAY steps. */
struct shk_status shk_cell_contract_move_away(struct shk_contract *contract);
/* Raises *floor to r (structure.h), and to the change of *to, the result of a step from *from, when
 * *from is perturbed by a rounding. Overwrites the states `near` and `at`. */
struct shk_status shk_cell_contract_floor(struct shk_contract *contract, real *floor,
                                          const struct shk_map *map, const struct shk_state *to,
                                          const struct shk_state *from, real h);
/* Stores the residuals at s in work.lambda (g) and work.mu (hidden), and the velocity in work.q
 * unless the system is a general DAE. */
struct shk_status shk_cell_contract_evaluate(struct shk_contract *contract,
                                             const struct shk_state *s);
/* Residuals of g and of the hidden constraint: the largest, and the largest relative to Σ |∂r/∂z_j|
 * z^_j of its row (mechanics/diagnosis/floors.h). */
struct shk_cell_contract_rows {
  real largest[2], relative[2];
};
/* Stores them for a state *s that a step from contract->from leads to. Overwrites as
 * shk_cell_contract_evaluate does. */
struct shk_status shk_cell_contract_residuals(struct shk_contract *contract,
                                              struct shk_cell_contract_rows *rows,
                                              const struct shk_state *s);
/* Returns the constraint that contract->to, after a step h, violates although the method claims to
 * keep it; SHK_OFF_CONSTRAINT also if it cannot be evaluated. Stores the residuals. */
enum shk_off { SHK_ON, SHK_OFF_CONSTRAINT, SHK_OFF_HIDDEN };
enum shk_off shk_cell_contract_off(struct shk_contract *contract,
                                   struct shk_cell_contract_rows *rows, real h);

/* The parts. A status that is not ok means that the tests could not be made. */
struct shk_status shk_cell_contract_memory(struct shk_contract *contract);
struct shk_status shk_cell_contract_stateless(struct shk_contract *contract);
struct shk_status shk_cell_contract_valid_states(struct shk_contract *contract);
struct shk_status shk_cell_contract_smooth(struct shk_contract *contract);
struct shk_status shk_cell_contract_tolerance(struct shk_contract *contract);

#endif
