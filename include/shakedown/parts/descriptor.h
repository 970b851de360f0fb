/*
 * Precision-independent descriptors of integrators and problems. The harness, `describe` and the
 * documentation use these descriptors, and specifications are checked against them.
 */
#ifndef SHAKEDOWN_DESCRIPTOR_H
#define SHAKEDOWN_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>

enum shk_option_kind {
  /* a decimal number, stored as a string and parsed in the precision of the cell */
  SHK_OPTION_REAL,
  /* a decimal number in radians, or a decimal number followed by the unit deg or rad */
  SHK_OPTION_ANGLE,
  SHK_OPTION_INTEGER, /* a whole number */
  SHK_OPTION_FLAG,    /* yes or no */
  SHK_OPTION_CHOICE,  /* one of `choices`, which may themselves have options */
  SHK_OPTION_TEXT,    /* a quoted string or a bare word */
  /* specification of an integrator, which becomes part of this specification */
  SHK_OPTION_INTEGRATOR,
  /* quoted path of a file, relative to the directory of the study that names it or, without a
   * study, to the working directory; the file's contents are part of a cell's key */
  SHK_OPTION_FILE,
  SHK_OPTION_PROBLEM /* specification of a problem, which becomes part of this specification */
};

/* Initializes a list of options, choices, claims or arrays, and appends the terminating entry. */
#define SHK_LIST(...)                                                                              \
  {                                                                                                \
    __VA_ARGS__,                                                                                   \
    {                                                                                              \
      0                                                                                            \
    }                                                                                              \
  }

struct shk_option;

/* One alternative of a choice, such as `random(seed=1)` in `chain(start=random(seed=1))`. */
struct shk_choice {
  const char *name; /* NULL terminates a list */
  const char *meaning;
  const struct shk_option *options; /* NULL: none */
};

struct shk_option {
  const char *name; /* NULL terminates a list */
  enum shk_option_kind kind;
  const char *fallback; /* the default, as a string; NULL if the option is required */
  const char *minimum;  /* inclusive bounds, as strings; NULL if unbounded */
  const char *maximum;
  bool positive; /* the value must be greater than zero */
  /* the name can be omitted if the values are given in the order of the list */
  bool positional;
  const struct shk_choice *choices; /* for a choice: its alternatives, terminated by {0} */
  const char *meaning;              /* meaning of the option, including its unit if there is one */
  /* Offset at which the value is stored in the method's or problem's struct, SHK_AT(struct,
   * member), or 0 if it is not stored. A number is stored with the type `real` of this compilation
   * unit. */
  size_t at;
  /* for a choice: offset of a const struct shk_values * that receives the chosen alternative's
   * options */
  size_t nested_at;
  /* For a choice that plug-ins can extend with solvers: offset of a const struct shk_rod_solver *,
   * or 0 if they cannot. If a plug-in's solver is chosen, the index is one past the last choice;
   * otherwise the pointer is NULL. */
  size_t others_at;
};

/* The offset of a member, plus 1 so that 0 can mean "none". SHK_AT_A also checks the member's
 * type. */
#define SHK_AT(type, member) (1 + offsetof(struct type, member))
#ifdef __cplusplus
#define SHK_AT_A(kind, type, member) SHK_AT(type, member)
#else
#define SHK_AT_A(kind, type, member)                                                               \
  (SHK_AT(type, member) + 0 * sizeof(_Generic(((struct type *)0)->member, kind : 1)))
#endif

/* Macros for each kind of option. The arguments are the struct and the member that stores the
 * value, the option's name, its default, its meaning, and any other members of struct
 * shk_option. */
#define SHK_OPTION_(kind_, c_type, type, member, name_, fallback_, meaning_, ...)                  \
  {                                                                                                \
    .name = name_, .kind = kind_, .fallback = fallback_, .meaning = meaning_,                      \
    .at = SHK_AT_A(c_type, type, member), __VA_ARGS__                                              \
  }
#define SHK_REAL(...) SHK_OPTION_(SHK_OPTION_REAL, real, __VA_ARGS__, )
#define SHK_ANGLE(...) SHK_OPTION_(SHK_OPTION_ANGLE, real, __VA_ARGS__, )
#define SHK_INTEGER(...) SHK_OPTION_(SHK_OPTION_INTEGER, long, __VA_ARGS__, )
#define SHK_FLAG(...) SHK_OPTION_(SHK_OPTION_FLAG, bool, __VA_ARGS__, )
#define SHK_TEXT(...) SHK_OPTION_(SHK_OPTION_TEXT, const char *, __VA_ARGS__, )
#define SHK_FILE(...) SHK_OPTION_(SHK_OPTION_FILE, const char *, __VA_ARGS__, )
/* A number greater than zero. */
#define SHK_POSITIVE .minimum = "0", .positive = true
/* An option whose value is one of a list. The member is an int, which receives the index of the
 * value in the list. */
#define SHK_CHOICE(type, member, name_, choices_, fallback_, ...)                                  \
  SHK_OPTION_(SHK_OPTION_CHOICE, int, type, member, name_, fallback_, __VA_ARGS__,                 \
              .choices = choices_)

/* Features that go beyond systems with H = ½ pᵀM⁻¹p + V(q), constant diagonal M and constraints
 * g(q) = 0. An integrator applies to a system if it supports all of its features. */
enum shk_feature {
  SHK_GENERAL_HAMILTONIAN = 1 << 0, /* a Hamiltonian H(q,p) of any other form */
  SHK_RHEONOMIC = 1 << 1,           /* g(q,t) */
  SHK_FORCES = 1 << 2,              /* generalized forces Q(q,p,t) without a potential */
  SHK_MOMENTUM_CONSTRAINT = 1 << 3, /* g(q,p) */
  SHK_VELOCITY_CONSTRAINT = 1 << 4, /* constraints declared in the form A(q) v = 0 */
  SHK_GENERAL_DAE = 1 << 5,         /* not a mechanical system but a semi-explicit DAE */
  SHK_FEATURE_COUNT = 6,
  /* Sets of features. SHK_GENERAL contains those for which methods have implicit parts
   * (shk_is_general). SHK_HOLONOMIC contains those allowed in systems with constraints g(q,t). */
  SHK_GENERAL = SHK_GENERAL_HAMILTONIAN | SHK_FORCES,
  SHK_HOLONOMIC = SHK_GENERAL | SHK_RHEONOMIC
};

/* Reasons why a problem cannot decide a property of a method. undecidable.def contains the
 * corresponding messages. */
enum shk_undecidable {
  SHK_LINEAR_CONSTRAINTS = 1 << 0,
  SHK_FREE_MOTION = 1 << 1,
  SHK_SYMMETRIC_START = 1 << 2,
  SHK_ONE_DEGREE_OF_FREEDOM = 1 << 3, /* "symplectic" only means area-preserving */
  SHK_LINEAR_POTENTIAL = 1 << 4,      /* Verlet, midpoint and Gauss flows coincide */
  SHK_NO_REVERSAL = 1 << 5,           /* H is not even in p */
  SHK_CHAOTIC = 1 << 6,               /* errors grow exponentially beyond the generic horizon */
  /* different multipliers can produce the same constraint force */
  SHK_REDUNDANT_ROWS = 1 << 7,
  /* the system stays in its initial state; Shakedown detects this itself */
  SHK_AT_REST = 1 << 8
};

enum shk_answer { SHK_UNKNOWN = 0, SHK_YES, SHK_NO };

/* The value of an order that is not claimed. Zero is also a claim: it means that the quantity does
 * not converge. */
#define SHK_NO_ORDER (-1)

/* The claims of an integrator are a list terminated by {0}. Claims that are not in the list are not
 * made. */
enum shk_claim {
  SHK_NO_CLAIM,
#define CLAIM(id, field, kind, words, meaning) SHK_CLAIM_##id,
#include <shakedown/claims.def>
#undef CLAIM
};
struct shk_stated {
  enum shk_claim claim;
  /* An order, or a value of enum shk_answer. For KEEPS_CONSTRAINT, it can also be a level between 0
   * and 1, such as the solver tolerance; the claim is then tested at this level instead of at
   * round-off. */
  double value;
};
#define SHK_CLAIM(id, value)                                                                       \
  {                                                                                                \
    SHK_CLAIM_##id, (value)                                                                        \
  }
/* The orders of the error in q and in p after one step. */
#define SHK_LOCAL_ORDERS(q, p) SHK_CLAIM(LOCAL_ORDER_Q, q), SHK_CLAIM(LOCAL_ORDER_P, p)
/* Groups of claims: the orders of a method that eliminates the multiplier and integrates the
 * resulting ODE; the claims about constraints; and the claims about geometric structure. Each group
 * has a single answer. */
#define SHK_ORDERS(p) SHK_CLAIM(ORDER_Q, p), SHK_CLAIM(ORDER_P, p), SHK_CLAIM(ORDER_LAMBDA_STATE, p)
#define SHK_CONSTRAINTS(answer) SHK_CLAIM(KEEPS_CONSTRAINT, answer), SHK_CLAIM(KEEPS_HIDDEN, answer)
#define SHK_GEOMETRY(answer)                                                                       \
  SHK_CLAIM(SYMPLECTIC, answer), SHK_CLAIM(PRESYMPLECTIC, answer), SHK_CLAIM(SYMMETRIC, answer),   \
      SHK_CLAIM(KEEPS_MOMENTA, answer), SHK_CLAIM(ENERGY_BOUNDED, answer)
/* The structure of methods that, like SHAKE, enforce the constraints only on positions and do not
 * project p. */
#define SHK_POSITIONS_ONLY                                                                         \
  SHK_CLAIM(SYMPLECTIC, SHK_NO), SHK_CLAIM(PRESYMPLECTIC, SHK_YES), SHK_CLAIM(SYMMETRIC, SHK_NO),  \
      SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES), SHK_CLAIM(KEEPS_HIDDEN, SHK_NO),                       \
      SHK_CLAIM(ENERGY_BOUNDED, SHK_YES)
/* The orders of a second-order method that, like RATTLE, has a multiplier for each end of a
 * step. */
#define SHK_TWO_MULTIPLIERS                                                                        \
  SHK_CLAIM(ORDER_LAMBDA, 1), SHK_CLAIM(ORDER_MU, 1), SHK_CLAIM(ORDER_LAMBDA_MEAN, 2),             \
      SHK_CLAIM(ORDER_LAMBDA_SUM, 0)

/* Equivariance: steps do not depend on the choice of coordinates, rows and units. */
#define SHK_COORDINATES(answer)                                                                    \
  SHK_CLAIM(AFFINE_EQUIVARIANT, answer), SHK_CLAIM(FORMULATION_INDEPENDENT, answer)

/* The values of all claims. A claim that is not made is represented by SHK_NO_ORDER or
 * SHK_UNKNOWN. */
#define SHK_TYPE_ORDER int
#define SHK_TYPE_ANSWER enum shk_answer
struct shk_claims {
#define CLAIM(id, field, kind, words, meaning) SHK_TYPE_##kind field;
#include <shakedown/claims.def>
#undef CLAIM
  /* The level at which keeps_constraint is claimed, as a bound on | |r| - d | / d for distance
   * constraints and on |g_k| / (|G_k| |q|) for other constraints. 0 means round-off. */
  double constraint_level;
  /* True if the method computes only in double precision, or if a part named by its options (a
   * base, a solver or a program) does. The method is then measured only in double. */
  bool double_only;
};

struct shk_integrator_info {
  const char *name;
  const char *summary;   /* one line */
  const char *equations; /* plain text, several lines */
  const char *citation;  /* author, year, equation */
  const struct shk_option *options;
  unsigned supports; /* a set of enum shk_feature */
  /* true if the integrator has a tolerance; the step is then only the output interval */
  bool adaptive;
  bool double_only;
  /* true if the integrator returns the problem's exact solution instead of integrating */
  bool exact;
  /* with double_only: the method runs in single precision instead, regardless of the precision that
   * a study names */
  bool in_single;
  const struct shk_stated *claims; /* terminated by {0}; NULL if there are no claims */
  /* A claim for methods like SHAKE: the name of a partner, like RATTLE, that differs from this
   * method only along the fibres. If the methods' common options have equal values, k steps
   * followed by a projection onto the hidden constraint produce the same result as k steps of the
   * partner. NULL if this is not claimed. */
  const char *partner;
  const char *family; /* heading under which the method appears in lists; NULL if there is none */
  /* textbook name, with the options that it implies; NULL if it is the same as the name in
   * Shakedown */
  const char *textbook;
};

struct shk_problem_info {
  const char *name;
  const char *summary;
  const char *equations;
  const char *citation;
  const char *units;       /* "dimensionless", "SI" or similar */
  const char *coordinates; /* such as "q = (x, y), y upwards" */
  const struct shk_option *options;
  const char *family; /* heading under which the problem appears in lists; NULL if there is none */
};

#endif
