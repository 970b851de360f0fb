/*
 * The one table through which everything above reaches the numerics of a precision.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "foundation/checks.h"
#include "foundation/derivative_check.h"
#include "foundation/message.h"
#include "foundation/specifications/cell.h"
#include "measures/asks.h"
#include <shakedown/descriptor.h>

struct shk_context;
struct shk_held;

/* What a problem with given options is, without running anything. */
struct shk_inspection {
  int n, m;
  unsigned features, undecidable;
  double initial_time, time_scale, horizon;
  bool exact; /* an exact solution is known */
  int invariant_count;
  char invariant_names[8][48];
};

/* How many singular values and dependent rows a diagnosis lists, and how many terms of such a
 * row. */
enum { SHK_DIAGNOSIS_VALUES = 24, SHK_DIAGNOSIS_ROWS = 16, SHK_DIAGNOSIS_TERMS = 8 };

/* Row `row` of G is Σ_k coefficients[k] · row rows[k]; rows are counted from 1. `terms` may be more
 * than are listed. */
struct shk_relation {
  int row, terms;
  int rows[SHK_DIAGNOSIS_TERMS];
  double coefficients[SHK_DIAGNOSIS_TERMS];
};

struct shk_diagnosis {
  struct shk_inspection inspection;
  double constraint, hidden; /* residuals of the start, max norms */
  int rank;                  /* of M^(-1/2)Gᵀ with rows normalized; -1: not computed */
  int rank_near;             /* the same at a consistent point near, within 1e-3 of the size of
                                (q,p); -1: none was found */
  bool is_degenerate;        /* and it is larger only off the exact solutions (generic_rank.h) */
  double sigma_max, sigma_min;
  int value_count; /* singular values listed, descending */
  double values[SHK_DIAGNOSIS_VALUES];
  int relation_count; /* rows that depend on those before them; not all may be listed */
  struct shk_relation relations[SHK_DIAGNOSIS_ROWS];
  /* The differentiation index and its chain (mechanics/diagnosis/differentiation_index.h). index 0:
   * the multiplier is never determined, in `undetermined` directions; -1: not found, because of
   * chain_reason. */
  int index, undetermined, chain_last;
  int conditions[8]; /* on (q,p), new with the k-th differentiation of g */
  char coordinates[8][96];
  double moved; /* of the consistent point that the chain was found at, from the start */
  char chain_reason[160];
  /* Velocity constraints: Frobenius' test (mechanics/diagnosis/frobenius.h). */
  int velocity_rank; /* 0: there are none */
  double twist, velocity_violation;
  bool integrable;
  /* Ranks as those who bind a method to the start see them (mechanics/diagnosis/generic_rank.h);
   * near -1: it is regular, or they were not found. */
  struct shk_start_ranks {
    int here, near;
    bool sure;
  } start;
  /* Whether the problem is well posed at the start: empty, or the reason for refusing it. */
  char ill_posed[256];
  bool has_rods; /* declared */
  char rods[96]; /* what is wrong with the rods that the system declares; empty: nothing */
  /* Constraints g(q,p): the least |eigenvalue| of {{H,g_i},g_j} and the largest |{g_i,g_j}| over
   * the lengths of the gradients, at the start. NaN for others. */
  double nondegeneracy, coisotropy;
  int check_count;
  struct shk_derivative_check checks[8];
  double exact_error; /* start against the exact solution at t0; NaN without one */
};

/* A state, evaluated, in the engine's precision; shk_observation_clear frees it. */
struct shk_observation {
  double constraint, hidden;              /* max norms of g and G v + g_t */
  struct shk_vector energy, p, v, lambda; /* lambda by the exact formula */
};

/* What a problem looks like along a run, as its picture (<shakedown/picture.h>) or its rods say, in
 * plain numbers. */
struct shk_scene {
  int dimension, up; /* 2 or 3; in space the axis that is drawn upwards */
  int point_count, dot_count, fixed_count, line_count, curve_count, tracer, state_count;
  /* One array, in this order. */
  double *lines;         /* two points (below zero the fixed point -1 - a), and whether a spring */
  double *fixed, *curve; /* `dimension` numbers a point */
  double *positions;     /* state_count x point_count x dimension; NaN where unknown */
};

/* Takes a row of `simulate`: numbers as text, in the order of the header. */
typedef void shk_row_sink(void *user, int count, char *const *fields);

/* What two vectors a and b differ by. */
struct shk_block_errors {
  double difference, size; /* max norms of a - b and of b */
  /* Largest componentwise errors: |a_i - b_i|/|b_i| over the components with b_i != 0, and
   * |a_i - b_i|/(1 + |b_i|). Their negative decadic logarithms are the digits scd and mescd of the
   * IVP Test Set (Mazzia & Magherini 2008), mescd with equal absolute and relative tolerances. */
  double pure, mixed;
  int count;            /* components */
  int room;             /* of each array of the caller's, which get the first of: */
  double *differences;  /* a_i - b_i */
  double *left, *right; /* a_i and b_i; NULL: nobody asks */
};

/* Specifications are read in the context (engine/context.h). */
struct shk_engine {
  const char *precision; /* "single", "double" or "quad" */
  int bits, digits;
  double epsilon;

  int (*problem_count)(const struct shk_context *context);
  int (*integrator_count)(const struct shk_context *context);
  const struct shk_problem_info *(*problem)(const struct shk_context *context, int index);
  const struct shk_integrator_info *(*integrator)(const struct shk_context *context, int index);
  const struct shk_integrator_info *(*solver)(const struct shk_context *context, int index);

  /* Adds to the context what a plug-in's shared object offers; false with the reason, which names
   * the field that differs or the name that is taken. */
  bool (*load_plugin)(struct shk_context *context, const char *path, struct shk_message *error);

  /* Claims of an integrator at given options (canonical specification). */
  bool (*claims)(const struct shk_context *context, struct shk_claims *claims,
                 const char *integrator, struct shk_message *error);
  bool (*inspect)(const struct shk_context *context, struct shk_inspection *inspection,
                  const char *problem, struct shk_message *error);
  bool (*diagnose)(const struct shk_context *context, struct shk_diagnosis *diagnosis,
                   const char *problem, const char *q, const char *p, bool project,
                   struct shk_message *error);

  /* A state of a problem that is built in, at a time since t0: q, and p or v = H_p (the other one
   * NULL). False with the reason; shk_observation_clear must follow either way. */
  bool (*observe)(const struct shk_context *context, struct shk_observation *observation,
                  const char *problem, const char *since, const struct shk_vector *q,
                  const struct shk_vector *p, const struct shk_vector *v,
                  struct shk_message *error);

  /* Whether the functions of a problem, or the steps of an integrator on it, keep their contract
   * (engine/cells/cells.h and contract.h). Canonical specifications. *applies is false, with the
   * reason in `error`, where the integrator refuses the problem. */
  bool (*audit_problem)(const struct shk_context *context, struct shk_checks *checks,
                        const char *problem, struct shk_message *error);
  bool (*audit_integrator)(const struct shk_context *context, struct shk_checks *checks,
                           bool *applies, const char *problem, const char *integrator,
                           struct shk_message *error);

  /* The points of a problem at `count` states: times since t0, and the `n` numbers of each q. False
   * with the reason, which begins as a predicate of the problem where it has no picture;
   * shk_scene_clear must follow either way. */
  bool (*scene)(const struct shk_context *context, struct shk_scene *scene, const char *problem,
                int count, const double *times, int n, const double *q, struct shk_message *error);

  /* Integrates a cell, whose texts are assumed checked. Every failure is in the outcome.
   */
  void (*run)(const struct shk_context *context, struct shk_outcome *outcome,
              const struct shk_cell *cell);
  /* The same, one row for the start, every `every`-th step and the last. */
  void (*simulate)(const struct shk_context *context, struct shk_outcome *outcome,
                   const struct shk_cell *cell, long every, shk_row_sink *sink, void *user);
  /* What a measure of structure asks for, by its name; NULL: there is none. */
  const struct shk_structure_asks *(*structure_asks)(const char *kind);

  /* Max norms of a - b and of b for two vectors of any precision, computed in this one. False if
   * their lengths differ or a number is not finite. */
  bool (*difference)(double *difference, double *size, const struct shk_vector *a,
                     const struct shk_vector *b);
  /* The components of a - b, or of a if b is NULL, the first `room` of them; returns how many there
   * are, -1 if their lengths differ or one is not finite. */
  int (*differences)(double *differences, int room, const struct shk_vector *a,
                     const struct shk_vector *b);
  /* All of it at once. `comparison` has the caller's room. False as `difference`. */
  bool (*compare)(struct shk_block_errors *comparison, const struct shk_vector *a,
                  const struct shk_vector *b);
  /* Numbers in decimals, separated by blanks. False if one does not read; otherwise the caller
   * clears the vector. */
  bool (*read)(struct shk_vector *vector, const char *text);
  /* A vector of this precision as such a text, which reads back to the same bits; the caller frees
   * it. */
  char *(*text)(const struct shk_vector *vector);
  const struct shk_held *held; /* for clients (engine/surface/held.h) */
};

void shk_observation_clear(struct shk_observation *observation);
/* A vector in decimals, by the engine of its precision; NULL where this build has none. The caller
 * frees it. */
char *shk_vector_text(const struct shk_vector *vector);
void shk_scene_clear(struct shk_scene *scene);
/* Makes the array of a scene of these sizes, all zero. False with the reason if they cannot be
 * drawn, or need more than `most` numbers. */
bool shk_scene_make(struct shk_scene *scene, size_t most, struct shk_message *error);
size_t shk_scene_numbers(const struct shk_scene *scene);
/* Whether its lines join existing points; false with the reason. */
bool shk_scene_is_joined(const struct shk_scene *scene, struct shk_message *error);

/* Adds to the reason for refusing a degenerate system what the chain of hidden constraints says: an
 * index above three, or that the multiplier is undetermined. Leaves it as it is where neither
 * holds. Arguments as in struct shk_cell; the chain is always computed in quad, which alone has the
 * digits. */
void shk_explain(const struct shk_context *context, struct shk_message *reason, const char *problem,
                 const char *q, const char *p, bool project);

/* The one of the precision of the compilation. */
#define SHK_ENGINE SHK_PASTE(shk_engine_f, SHK_PRECISION)
/* Double precision is always there. */
extern const struct shk_engine shk_engine_f64;
/* Those of this build, the most accurate last, ended by NULL. */
extern const struct shk_engine *const shk_engines[];
const struct shk_engine *shk_finest_engine(void);

/* NULL with the reason: there is none of that name, or it is not in this build. */
const struct shk_engine *shk_engine_named(const char *precision, struct shk_message *error);

#endif
