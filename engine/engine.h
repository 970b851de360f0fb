/*
 * Defines the function table of one precision. Higher layers access the numerical code only through
 * this table.
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

/* The properties of a problem with given options that can be determined without a run. */
struct shk_inspection {
  int n, m;
  unsigned features, undecidable;
  double initial_time, time_scale, horizon;
  bool exact; /* true if an exact solution is known */
  /* True if g(q) has terms of degree three or more. If all terms are quadratic, G(q_½)(q₁ - q₀) = 0
   * holds identically, and difference quotients and symmetric projections look perfect. */
  bool beyond_quadratic;
  /* true if M is diagonal with unequal entries, so that M⁻¹Gᵀ is not along Gᵀ */
  bool unequal_masses;
  int invariant_count;
  char invariant_names[8][48];
  char note[SHK_MESSAGE_SIZE]; /* shk_values_note */
};

/* Maximum number of singular values and dependent rows that a diagnosis lists, and of terms in a
 * dependent row. */
enum { SHK_DIAGNOSIS_VALUES = 24, SHK_DIAGNOSIS_ROWS = 16, SHK_DIAGNOSIS_TERMS = 6 };

/* A row of G that depends on earlier rows, such as "1 row 1 - 0.5 row 2 + …". Rows are counted from
 * 1. */
struct shk_relation {
  int row;
  char text[160];
};

/* Maximum number of joints that a diagnosis lists. */
enum { SHK_DIAGNOSIS_JOINTS = 32 };

/* Description of a joint at the start. A component of the joint's wrench is indeterminate unless it
 * vanishes for every y with Gᵀy = 0, because such a y can be added to lambda (M. Wojtyra, Multibody
 * Syst. Dyn. 14 (2005) 1). */
struct shk_joint_diagnosis {
  char name[120], type[24]; /* longer names are shortened in the middle */
  int first_row, rows;
  int implied; /* number of the joint's rows that depend on earlier rows */
  /* the joints to which these earlier rows belong, for example "A, B, C", or "" if the rows belong
   * only to this joint and to the bodies */
  char by[480];
  /* Force and torque on the second body along the spatial axes [0] and along the joint's own axes
   * [1]. */
  double wrench[2][6];
  bool indeterminate[2][6];
};

/* Maximum number of joint columns that a diagnosis lists (measures/joint_columns.h). */
enum { SHK_DIAGNOSIS_COLUMNS = SHK_DIAGNOSIS_JOINTS * 18 };

struct shk_diagnosis {
  struct shk_inspection inspection;
  double constraint, hidden; /* residuals at the start, in the max norm */
  int rank;                  /* rank of M^(-1/2)Gᵀ with normalized rows; -1 if not computed */
  /* the larger of the ranks at two nearby consistent points (results.h), or -1 if there are no such
   * points */
  int rank_near;
  /* true if the rank is larger only at points that are not on exact solutions (generic_rank.h) */
  bool is_degenerate;
  /* the number of the row whose gradient vanishes on the set g = 0 (results.h), or 0 if there is
   * none */
  int vanishing;
  double sigma_max, sigma_min;
  int value_count; /* number of singular values listed, in descending order */
  double values[SHK_DIAGNOSIS_VALUES];
  /* number of rows that depend on earlier rows, including rows that are not listed */
  int relation_count;
  struct shk_relation relations[SHK_DIAGNOSIS_ROWS];
  struct shk_chain chain;
  char chain_reason[SHK_MESSAGE_SIZE]; /* the reason why the index could not be determined */
  /* Result of Frobenius' test for velocity constraints (mechanics/diagnosis/frobenius.h). */
  int velocity_rank; /* 0 if there are no velocity constraints */
  double twist, velocity_violation;
  bool integrable;
  /* rows of g(q,p) that are affine in the velocity, for example "1, 2"; empty if there are none */
  char velocity_rows[96];
  /* The ranks that are used when a method is bound to the start. If ranks.near is -1, the start is
   * regular or the ranks could not be determined. */
  struct shk_known_start start;
  /* The reason for refusing the problem if it is ill-posed at the start; empty if it is well
   * posed. */
  char ill_posed[SHK_MESSAGE_SIZE];
  bool has_rods; /* true if the system declares rods */
  /* description of what is wrong with the declared rods, or "" if nothing is wrong */
  char rods[96];
  /* For constraints g(q,p), the smallest |eigenvalue| of {{H,g_i},g_j} at the start, and the
   * largest |{g_i,g_j}| at the start divided by the lengths of the gradients. NaN for other
   * constraints. */
  double nondegeneracy, coisotropy;
  int check_count;
  struct shk_derivative_check checks[8];
  /* distance of the start from the exact solution at t0; NaN if there is none */
  double exact_error;
  /* For a mechanism, the total number of joints, the number of joints listed, and the number of
   * rows that belong only to the bodies. */
  int joint_count, joint_listed, body_rows;
  struct shk_joint_diagnosis joints[SHK_DIAGNOSIS_JOINTS];
  /* joint columns at the start, with their names; NaN if they are indeterminate */
  int column_count;
  struct shk_joint_value {
    char name[160];
    bool of_wrench; /* false if the column contains a coordinate or a rate */
    double value;
  } columns[SHK_DIAGNOSIS_COLUMNS];
};

/* The bodies of a problem at several states of a run. They are obtained from the problem's picture
 * (struct shk_picture) or its rods. Each row describes one part of a body at one state: a point
 * (x,y,z), the vector (dx,dy,dz) if the part is a line from this point, and an enum shk_body_part.
 * All states have the same parts, and the path of the last point is drawn. In space, z points
 * upwards; in the plane, y points upwards and z = 0. Unknown numbers are NaN. */
enum shk_body_part { SHK_PART_ROD, SHK_PART_SPRING, SHK_PART_GROUND, SHK_PART_POINT };
enum { SHK_PART_NUMBERS = 7 };
struct shk_bodies {
  bool in_space;
  int count, parts; /* the number of states, and the number of rows per state */
  double *rows;     /* owned */
};

/* The difference between two vectors a and b. */
struct shk_block_errors {
  double difference, size; /* max norms of a - b and of b */
  /* The largest componentwise errors: |a_i - b_i|/|b_i| over the components with b_i != 0, and |a_i
   * - b_i|/(1 + |b_i|). Their negative base-10 logarithms are the numbers of digits that the IVP
   * Test Set (Mazzia & Magherini 2008) calls scd and mescd. Here, mescd assumes that the absolute
   * and relative tolerances are equal. */
  double pure, mixed;
  int count; /* components */
  /* length of the caller's arrays; components beyond this length are not stored */
  int room;
  double *differences;  /* a_i - b_i */
  double *left, *right; /* a_i and b_i; NULL if not needed */
};

/* A problem, an integrator or a plug-in's solver (SHK_OPTION_PROBLEM, _INTEGRATOR, _CHOICE). */
struct shk_item {
  const char *name; /* NULL if there is no such item */
  const struct shk_option *options;
  /* a struct shk_problem_info for problems, otherwise a struct shk_integrator_info */
  const void *info;
  const void *itself; /* the item in the engine's precision; NULL if unknown */
};

/* Types of the functions of an engine. Specifications are read in the given context (context.h). */

/* Finds the item of this kind with a given name. If the name is NULL, finds the *index-th item
 * instead, and decrements *index once for each item up to that one. */
typedef struct shk_item shk_item_call(const struct shk_context *context, enum shk_option_kind kind,
                                      int *index, const char *name);

/* Adds the items of a plug-in's shared object to the context. On failure, returns false and sets
 * the reason, which names the field that differs or the name that is already in use. */
typedef bool shk_load_call(struct shk_context *context, const char *path,
                           struct shk_message *error);

/* Stores the claims of an integrator with given options (a canonical specification). On failure,
 * returns false and sets the reason. */
typedef bool shk_claims_call(const struct shk_context *context, struct shk_claims *claims,
                             const char *integrator, struct shk_message *error);

typedef bool shk_inspect_call(const struct shk_context *context, struct shk_inspection *inspection,
                              const char *problem, struct shk_message *error);

/* Diagnoses a problem at its start; q, p and `project` are as in struct shk_cell. On failure,
 * returns false and sets the reason. */
typedef bool shk_diagnose_call(const struct shk_context *context, struct shk_diagnosis *diagnosis,
                               const char *problem, const char *q, const char *p, bool project,
                               struct shk_message *error);

/* Uses the exact formula to compute the multiplier at a state of a built-in problem, at a time
 * relative to t0. The caller must clear the vector. On failure, returns false and sets the
 * reason. */
typedef bool shk_multiplier_call(const struct shk_context *context, struct shk_vector *lambda,
                                 const char *problem, const char *since, const struct shk_vector *q,
                                 const struct shk_vector *p, struct shk_message *error);

/* Checks that the functions of a problem fulfil their contract (engine/cells/cells.h). */
typedef bool shk_audit_call(const struct shk_context *context, struct shk_checks *checks,
                            const char *problem, struct shk_message *error);

/* Computes the positions of a problem's bodies at `count` states. Each state is given by a time
 * relative to t0 and by q, which consists of `n` numbers. The caller must always free the rows.
 * Returns false if this fails or if the problem has no picture; the reason is then a predicate
 * whose subject is the problem. */
typedef bool shk_bodies_call(const struct shk_context *context, struct shk_bodies *bodies,
                             const char *problem, int count, const double *times, int n,
                             const double *q, struct shk_message *error);

/* Converts a problem with masses, rods and springs, or with bodies and joints, to the contents of a
 * file for `particles` or `mechanism`. The caller must free the returned string. On failure,
 * returns NULL and sets the reason. */
typedef char *shk_file_call(const struct shk_context *context, const char *problem,
                            struct shk_message *error);

/* Runs a cell of any kind. The cell's strings must have been checked. The outcome reports every
 * failure. */
typedef void shk_run_call(const struct shk_context *context, struct shk_outcome *outcome,
                          const struct shk_cell *cell);

/* The functions of an engine for one precision. */
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

  /* Returns the requirements of the structure measure with this name, or NULL if there is none. */
  const struct shk_structure_asks *(*structure_asks)(const char *kind);
  /* Computes all fields of *comparison, whose arrays belong to the caller, for vectors of any
   * precision. Components that are NaN in both vectors are ignored. Returns false if the lengths
   * differ or a number is not finite. */
  bool (*compare)(struct shk_block_errors *comparison, const struct shk_vector *a,
                  const struct shk_vector *b);
  /* Reads decimal numbers separated by spaces. The caller must clear the vector. Returns false if
   * one of the numbers is malformed. */
  bool (*read)(struct shk_vector *vector, const char *text);
  /* Formats a vector of this precision as decimal numbers separated by spaces. Reading the string
   * back restores the same bits. The caller must free the string. */
  char *(*text)(const struct shk_vector *vector);
  const struct shk_handle *held; /* for clients (engine/surface/handle.h) */
};

/* Stores the max norms of a - b and of b, computed in the most accurate precision. Returns false if
 * `compare` would return false. */
bool shk_difference(double *difference, double *size, const struct shk_vector *a,
                    const struct shk_vector *b);
/* Formats a vector as decimal numbers, using the engine of its precision. Returns NULL if this
 * build does not include that engine. The caller must free the string. */
char *shk_vector_text(const struct shk_vector *vector);

static inline size_t shk_bodies_numbers(const struct shk_bodies *bodies)
{
  return (size_t)bodies->count * (size_t)bodies->parts * SHK_PART_NUMBERS;
}

/* Adds the chain of hidden constraints to the reason if a system is refused because its index is
 * above three or its multiplier is undetermined. Other reasons remain unchanged. The chain is
 * computed in quad, because no other precision has enough digits. The arguments have the same
 * meaning as in struct shk_cell. */
void shk_explain(const struct shk_context *context, struct shk_message *reason, const char *problem,
                 const char *q, const char *p, bool project);

/* The engine for the precision for which the current file is compiled. */
#define SHK_ENGINE SHK_PASTE(shk_engine_f, SHK_PRECISION)
/* Every build includes double precision. */
extern const struct shk_engine shk_engine_f64;
/* The engines in this build, from the least to the most accurate, followed by NULL. */
extern const struct shk_engine *const shk_engines[];
const struct shk_engine *shk_finest_engine(void);

/* Returns the engine with this name. Returns NULL and sets the reason if the engine does not exist
 * or is not included in this build. */
const struct shk_engine *shk_engine_named(const char *precision, struct shk_message *error);

#endif
