/*
 * The table of functions of one precision: the only access of the layers above to the numerics.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "foundation/checks.h"
#include "foundation/message.h"
#include "foundation/specifications/cell.h"
#include "measures/asks.h"
#include "mechanics/diagnosis/results.h"
#include <shakedown/parts/descriptor.h>

struct shk_context;
struct shk_handle;

/* Properties of a problem with given options, found without a run. */
struct shk_inspection {
  int n, m;
  unsigned features, undecidable;
  double initial_time, time_scale, horizon;
  bool exact; /* an exact solution is known */
  /* g(q) has terms of degree three or more. Where all are quadratic, G(q_½)(q₁ - q₀) = 0 holds
   * identically, and difference quotients and symmetric projections look perfect. */
  bool beyond_quadratic;
  bool unequal_masses; /* M is diagonal, and its entries differ: M⁻¹Gᵀ is not along Gᵀ */
  int invariant_count;
  char invariant_names[8][48];
  char note[512]; /* shk_values_note */
};

/* Largest number of singular values that a diagnosis lists, of dependent rows, and of terms in one
 * such row. */
enum { SHK_DIAGNOSIS_VALUES = 24, SHK_DIAGNOSIS_ROWS = 16, SHK_DIAGNOSIS_TERMS = 6 };

/* A row of G that depends on earlier ones, "1 row 1 - 0.5 row 2 + …"; rows are counted from 1. */
struct shk_relation {
  int row;
  char text[160];
};

/* Largest number of joints that a diagnosis lists. */
enum { SHK_DIAGNOSIS_JOINTS = 32 };

/* A joint at the start. A component of its wrench is indeterminate if it does not vanish for every
 * y with Gᵀy = 0, which may be added to lambda (M. Wojtyra, Multibody Syst. Dyn. 14 (2005) 1). */
struct shk_joint_diagnosis {
  char name[120], type[24]; /* a longer name loses its middle */
  int first_row, rows;
  int implied;  /* number of its rows that depend on earlier rows */
  char by[480]; /* joints of these earlier rows: "A, B, C"; empty: its own and the bodies' */
  /* Force and torque on the second body along the axes of space [0], and along the joint's own [1]. */
  double wrench[2][6];
  bool indeterminate[2][6];
};

/* Largest number of columns of joints that a diagnosis lists (measures/joint_columns.h). */
enum { SHK_DIAGNOSIS_COLUMNS = SHK_DIAGNOSIS_JOINTS * 18 };

struct shk_diagnosis {
  struct shk_inspection inspection;
  double constraint, hidden; /* residuals of the start, max norms */
  int rank;                  /* of M^(-1/2)Gᵀ with rows normalized; -1: not computed */
  int rank_near;             /* the largest at two nearby consistent points (results.h); -1: none */
  bool is_degenerate;        /* the rank is larger only off the exact solutions (generic_rank.h) */
  int vanishing;             /* row whose gradient vanishes where g = 0 (results.h); 0: none */
  double sigma_max, sigma_min;
  int value_count; /* singular values listed, descending */
  double values[SHK_DIAGNOSIS_VALUES];
  int relation_count; /* rows that depend on earlier rows; not all may be listed */
  struct shk_relation relations[SHK_DIAGNOSIS_ROWS];
  struct shk_chain chain;
  char chain_reason[SHK_MESSAGE_SIZE]; /* the reason why the index is not decided */
  /* Velocity constraints: Frobenius' test (mechanics/diagnosis/frobenius.h). */
  int velocity_rank; /* 0: there are none */
  double twist, velocity_violation;
  bool integrable;
  char velocity_rows[96]; /* rows of g(q,p) that are affine in the velocity: "1, 2"; empty: none */
  /* For binding a method to the start. ranks.near -1: it is regular, or they were not found. */
  struct shk_known_start start;
  /* The reason for refusing a problem that is ill-posed at the start; empty: it is well posed. */
  char ill_posed[SHK_MESSAGE_SIZE];
  bool has_rods; /* declared */
  char rods[96]; /* fault in the rods that the system declares; empty: none */
  /* Constraints g(q,p), at the start: the least |eigenvalue| of {{H,g_i},g_j}, and the largest
   * |{g_i,g_j}| divided by the lengths of the gradients. NaN for other constraints. */
  double nondegeneracy, coisotropy;
  int check_count;
  struct shk_derivative_check checks[8];
  double exact_error; /* start against the exact solution at t0; NaN without one */
  /* Joints of a mechanism: number of all and of those listed; number of rows of the bodies
   * alone. */
  int joint_count, joint_listed, body_rows;
  struct shk_joint_diagnosis joints[SHK_DIAGNOSIS_JOINTS];
  int column_count; /* columns of joints at the start, by their names; NaN: indeterminate */
  struct shk_joint_value {
    char name[64];
    bool of_wrench; /* else of a coordinate or its rate */
    double value;
  } columns[SHK_DIAGNOSIS_COLUMNS];
};

/* Bodies of a problem at states of a run, from its picture (struct shk_picture) or its rods. A
 * row is a part of a state: a point (x,y,z), (dx,dy,dz) if it is a line from there, and an enum
 * shk_body_part. Each state has the same parts; the path of the last point is drawn. In space z is
 * upwards; in the plane y is, and z = 0. NaN: unknown. */
enum shk_body_part { SHK_PART_ROD, SHK_PART_SPRING, SHK_PART_GROUND, SHK_PART_POINT };
enum { SHK_PART_NUMBERS = 7 };
struct shk_bodies {
  bool in_space;
  int count, parts; /* states; rows of each */
  double *rows;     /* owned */
};

/* Difference of two vectors a and b. */
struct shk_block_errors {
  double difference, size; /* max norms of a - b and of b */
  /* Largest componentwise errors: |a_i - b_i|/|b_i| over the components with b_i != 0, and
   * |a_i - b_i|/(1 + |b_i|). Their negative decadic logarithms are the digits scd and mescd of the
   * IVP Test Set (Mazzia & Magherini 2008), mescd with equal absolute and relative tolerances. */
  double pure, mixed;
  int count;            /* components */
  int room;             /* length of the caller's arrays; further components are not stored */
  double *differences;  /* a_i - b_i */
  double *left, *right; /* a_i and b_i; NULL: not needed */
};

/* A problem, an integrator or a plug-in's solver (SHK_OPTION_PROBLEM, _INTEGRATOR, _CHOICE). */
struct shk_item {
  const char *name; /* NULL: there is none */
  const struct shk_option *options;
  const void *info;   /* a struct shk_problem_info; otherwise a struct shk_integrator_info */
  const void *itself; /* in the engine's precision; NULL: unknown */
};

/* Types of the functions of an engine, which read specifications in the context (context.h). */

/* Finds the item of this kind with a name. With name NULL finds the *index-th item instead, and
 * reduces *index by one for each item up to there. */
typedef struct shk_item shk_item_call(const struct shk_context *context, enum shk_option_kind kind,
                                      int *index, const char *name);

/* Adds the items of a plug-in's shared object to the context. False with the reason, which names
 * the field that differs or the name that is taken. */
typedef bool shk_load_call(struct shk_context *context, const char *path,
                           struct shk_message *error);

/* Stores the claims of an integrator with given options (canonical specification). False with the
 * reason. */
typedef bool shk_claims_call(const struct shk_context *context, struct shk_claims *claims,
                             const char *integrator, struct shk_message *error);

typedef bool shk_inspect_call(const struct shk_context *context, struct shk_inspection *inspection,
                              const char *problem, struct shk_message *error);

/* Diagnoses a problem at its start; q, p and `project` as in struct shk_cell. False with the
 * reason. */
typedef bool shk_diagnose_call(const struct shk_context *context, struct shk_diagnosis *diagnosis,
                               const char *problem, const char *q, const char *p, bool project,
                               struct shk_message *error);

/* Computes the multiplier at a state of a built-in problem, by the exact formula, at a time since
 * t0. False with the reason; else the caller clears the vector. */
typedef bool shk_multiplier_call(const struct shk_context *context, struct shk_vector *lambda,
                                 const char *problem, const char *since, const struct shk_vector *q,
                                 const struct shk_vector *p, struct shk_message *error);

/* Checks that the functions of a problem keep their contract (engine/cells/cells.h). */
typedef bool shk_audit_call(const struct shk_context *context, struct shk_checks *checks,
                            const char *problem, struct shk_message *error);

/* Places the bodies of a problem at `count` states: times since t0, and the `n` numbers of each
 * q. False with the reason, which is a predicate of the problem if it has no picture; the caller
 * frees the rows either way. */
typedef bool shk_bodies_call(const struct shk_context *context, struct shk_bodies *bodies,
                             const char *problem, int count, const double *times, int n,
                             const double *q, struct shk_message *error);

/* Returns a problem of masses, rods and springs, or of bodies and joints, as the text of a file of
 * `particles` or `mechanism`, which the caller frees. NULL with the reason. */
typedef char *shk_file_call(const struct shk_context *context, const char *problem,
                            struct shk_message *error);

/* Runs a cell of any kind, whose texts are assumed checked. Every failure is in the outcome. */
typedef void shk_run_call(const struct shk_context *context, struct shk_outcome *outcome,
                          const struct shk_cell *cell);

/* The functions of a precision. */
struct shk_engine {
  const char *precision; /* "single", "double" or "quad" */
  int bits, digits;
  double epsilon;

  shk_item_call *item;
  shk_load_call *load_plugin;
  shk_claims_call *claims;
  shk_inspect_call *inspect;
  shk_diagnose_call *diagnose;
  shk_multiplier_call *multiplier;
  shk_audit_call *audit_problem;
  shk_bodies_call *bodies;
  shk_file_call *file;
  shk_run_call *run;

  /* Requirements of a measure of structure, by its name; NULL: there is none. */
  const struct shk_structure_asks *(*structure_asks)(const char *kind);
  /* Computes all fields of *comparison, whose arrays belong to the caller, for vectors of any
   * precision. False if their lengths differ or a number is not finite; components that are NaN in
   * both are left out. */
  bool (*compare)(struct shk_block_errors *comparison, const struct shk_vector *a,
                  const struct shk_vector *b);
  /* Reads decimal numbers separated by blanks. False if one is malformed; otherwise the caller
   * clears the vector. */
  bool (*read)(struct shk_vector *vector, const char *text);
  /* Writes a vector of this precision as such a text, which reads back to the same bits; the caller
   * frees it. */
  char *(*text)(const struct shk_vector *vector);
  const struct shk_handle *held; /* for clients (engine/surface/handle.h) */
};

/* Max norms of a - b and of b, computed in the finest precision. False as `compare`. */
bool shk_difference(double *difference, double *size, const struct shk_vector *a,
                    const struct shk_vector *b);
/* Writes a vector in decimals, by the engine of its precision; NULL if this build has none. The
 * caller frees it. */
char *shk_vector_text(const struct shk_vector *vector);

static inline size_t shk_bodies_numbers(const struct shk_bodies *bodies)
{
  return (size_t)bodies->count * (size_t)bodies->parts * SHK_PART_NUMBERS;
}

/* Adds the chain of hidden constraints to the reason for refusing a system of index above three or
 * with an undetermined multiplier; no change for others. The chain is computed in quad, since no
 * other precision has enough digits. Arguments as in struct shk_cell. */
void shk_explain(const struct shk_context *context, struct shk_message *reason, const char *problem,
                 const char *q, const char *p, bool project);

/* The engine of the precision of the compilation. */
#define SHK_ENGINE SHK_PASTE(shk_engine_f, SHK_PRECISION)
/* Double precision is in every build. */
extern const struct shk_engine shk_engine_f64;
/* The engines of this build, the most accurate last, ended by NULL. */
extern const struct shk_engine *const shk_engines[];
const struct shk_engine *shk_finest_engine(void);

/* NULL with the reason: there is no engine of that name, or it is not in this build. */
const struct shk_engine *shk_engine_named(const char *precision, struct shk_message *error);

#endif
