/*
 * Descriptors of integrators and problems, independent of the precision. The harness, `describe`,
 * the documentation and the checks of specifications read them.
 */
#ifndef SHAKEDOWN_DESCRIPTOR_H
#define SHAKEDOWN_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>

enum shk_option_kind {
  SHK_OPTION_REAL,       /* a decimal number, kept as text and read in the cell's precision */
  SHK_OPTION_ANGLE,      /* a decimal number in radians, or with the unit deg or rad */
  SHK_OPTION_INTEGER,    /* a whole number */
  SHK_OPTION_FLAG,       /* yes or no */
  SHK_OPTION_CHOICE,     /* one of `choices`, which may themselves have options */
  SHK_OPTION_TEXT,       /* a quoted string or a bare word */
  SHK_OPTION_INTEGRATOR, /* specification of an integrator, which becomes a part of this one */
  /* path of a file, in quotes, relative to the folder of the study that names it or, without a
   * study, to the working directory; the contents are part of a cell's key */
  SHK_OPTION_FILE,
  SHK_OPTION_PROBLEM /* specification of a problem, which becomes a part of this one */
};

/* Initializes a list of options, choices, claims or arrays, and adds the entry that ends it. */
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
  const char *name; /* NULL ends a list */
  const char *meaning;
  const struct shk_option *options; /* NULL: none */
};

struct shk_option {
  const char *name; /* NULL ends a list */
  enum shk_option_kind kind;
  const char *fallback; /* the default, as text; NULL if the option must be given */
  const char *minimum;  /* inclusive bounds, as text; NULL if there are none */
  const char *maximum;
  bool positive;                    /* the value must be above zero */
  bool positional;                  /* may be given without its name, in the order of the list */
  const struct shk_choice *choices; /* for a choice: its alternatives, ended by {0} */
  const char *meaning;              /* including the unit, if there is one */
  /* Offset at which the value is stored in the struct of the method or problem, SHK_AT(struct,
   * member), or 0 if it is not stored. A number has the type `real` of this compilation unit. */
  size_t at;
  /* for a choice: offset of a const struct shk_values * that receives the options of the
   * alternative */
  size_t nested_at;
  /* For a choice to which plug-ins add solvers: offset of a const struct shk_rod_solver *, or 0 if
   * none are added. If such a solver is chosen, the index is the one after the last choice;
   * otherwise the pointer is NULL. */
  size_t others_at;
};

/* Offset of a member, plus 1. SHK_AT_A also checks the member's type. */
#define SHK_AT(type, member) (1 + offsetof(struct type, member))
#ifdef __cplusplus
#define SHK_AT_A(kind, type, member) SHK_AT(type, member)
#else
#define SHK_AT_A(kind, type, member)                                                               \
  (SHK_AT(type, member) + 0 * sizeof(_Generic(((struct type *)0)->member, kind : 1)))
#endif

/* Options by kind. The arguments are the struct and the member that stores the value, the option's
 * name, its default and meaning, and then any other members of struct shk_option. */
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
/* A number above zero. */
#define SHK_POSITIVE .minimum = "0", .positive = true
/* An option whose value is one of a list. The member is an int, which receives the index in the
 * list. */
#define SHK_CHOICE(type, member, name_, choices_, fallback_, ...)                                  \
  SHK_OPTION_(SHK_OPTION_CHOICE, int, type, member, name_, fallback_, __VA_ARGS__,                 \
              .choices = choices_)

/* Features of a system beyond H = ½ pᵀM⁻¹p + V(q) with constant diagonal M and constraints
 * g(q) = 0. An integrator applies if it supports every feature of the system. */
enum shk_feature {
  SHK_GENERAL_HAMILTONIAN = 1 << 0, /* H(q,p) of any other form */
  SHK_RHEONOMIC = 1 << 1,           /* g(q,t) */
  SHK_FORCES = 1 << 2,              /* generalized forces Q(q,p,t) without a potential */
  SHK_MOMENTUM_CONSTRAINT = 1 << 3, /* g(q,p) */
  SHK_VELOCITY_CONSTRAINT = 1 << 4, /* A(q) v = 0, declared as such */
  SHK_GENERAL_DAE = 1 << 5,         /* not mechanical: semi-explicit DAE */
  SHK_FEATURE_COUNT = 6,
  /* Sets of features: those with which methods have implicit parts (shk_is_general), and those that
   * systems with constraints g(q,t) may have. */
  SHK_GENERAL = SHK_GENERAL_HAMILTONIAN | SHK_FORCES,
  SHK_HOLONOMIC = SHK_GENERAL | SHK_RHEONOMIC
};

/* Reasons why a problem cannot decide a property of a method. undecidable.def has the sentences. */
enum shk_undecidable {
  SHK_LINEAR_CONSTRAINTS = 1 << 0,
  SHK_FREE_MOTION = 1 << 1,
  SHK_SYMMETRIC_START = 1 << 2,
  SHK_ONE_DEGREE_OF_FREEDOM = 1 << 3, /* symplectic only means area-preserving */
  SHK_LINEAR_POTENTIAL = 1 << 4,      /* Verlet, midpoint and Gauss flows coincide */
  SHK_NO_REVERSAL = 1 << 5,           /* H is not even in p */
  SHK_CHAOTIC = 1 << 6,               /* errors grow exponentially beyond the generic horizon */
  SHK_REDUNDANT_ROWS = 1 << 7,        /* several multipliers have the same force */
  /* nothing moves from the start; Shakedown finds this out itself */
  SHK_AT_REST = 1 << 8
};

enum shk_answer { SHK_UNKNOWN = 0, SHK_YES, SHK_NO };

/* Value of an order that is not claimed. Zero is a claim: that the quantity does not converge. */
#define SHK_NO_ORDER (-1)

/* The claims of an integrator are a list ended by {0}. It does not make claims that are not in the
 * list. */
enum shk_claim {
  SHK_NO_CLAIM,
#define CLAIM(id, field, kind, words, meaning) SHK_CLAIM_##id,
#include <shakedown/claims.def>
#undef CLAIM
};
struct shk_stated {
  enum shk_claim claim;
  /* An order, or enum shk_answer. For KEEPS_CONSTRAINT it may also be a level between 0 and 1, such
   * as the tolerance of the solves. The claim is then judged at this level and not at round-off. */
  double value;
};
#define SHK_CLAIM(id, value)                                                                       \
  {                                                                                                \
    SHK_CLAIM_##id, (value)                                                                        \
  }
/* Orders of the error of one step, in q and in p. */
#define SHK_LOCAL_ORDERS(q, p) SHK_CLAIM(LOCAL_ORDER_Q, q), SHK_CLAIM(LOCAL_ORDER_P, p)
/* Claims that go together: the orders of a method that eliminates the multiplier and integrates the
 * resulting ODE; constraints and geometry, which are kept or lost as a whole. */
#define SHK_ORDERS(p) SHK_CLAIM(ORDER_Q, p), SHK_CLAIM(ORDER_P, p), SHK_CLAIM(ORDER_LAMBDA_STATE, p)
#define SHK_CONSTRAINTS(answer) SHK_CLAIM(KEEPS_CONSTRAINT, answer), SHK_CLAIM(KEEPS_HIDDEN, answer)
#define SHK_GEOMETRY(answer)                                                                       \
  SHK_CLAIM(SYMPLECTIC, answer), SHK_CLAIM(PRESYMPLECTIC, answer), SHK_CLAIM(SYMMETRIC, answer),   \
      SHK_CLAIM(KEEPS_MOMENTA, answer), SHK_CLAIM(ENERGY_BOUNDED, answer)
/* Structure of methods that constrain positions only and carry p unprojected, like SHAKE. */
#define SHK_POSITIONS_ONLY                                                                         \
  SHK_CLAIM(SYMPLECTIC, SHK_NO), SHK_CLAIM(PRESYMPLECTIC, SHK_YES), SHK_CLAIM(SYMMETRIC, SHK_NO),  \
      SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES), SHK_CLAIM(KEEPS_HIDDEN, SHK_NO),                       \
      SHK_CLAIM(ENERGY_BOUNDED, SHK_YES)
/* Orders of a second-order method with a multiplier for each end of a step, like RATTLE. */
#define SHK_TWO_MULTIPLIERS                                                                        \
  SHK_CLAIM(ORDER_LAMBDA, 1), SHK_CLAIM(ORDER_MU, 1), SHK_CLAIM(ORDER_LAMBDA_MEAN, 2),             \
      SHK_CLAIM(ORDER_LAMBDA_SUM, 0)

/* Equivariance: steps do not depend on the coordinates, rows and units of the problem. */
#define SHK_COORDINATES(answer)                                                                    \
  SHK_CLAIM(AFFINE_EQUIVARIANT, answer), SHK_CLAIM(FORMULATION_INDEPENDENT, answer)

/* All claims, each with a value. The value is SHK_NO_ORDER or SHK_UNKNOWN if the claim is not
 * made. */
#define SHK_TYPE_ORDER int
#define SHK_TYPE_ANSWER enum shk_answer
struct shk_claims {
#define CLAIM(id, field, kind, words, meaning) SHK_TYPE_##kind field;
#include <shakedown/claims.def>
#undef CLAIM
  /* The level to which keeps_constraint is claimed: of | |r| - d | / d for distance constraints,
   * and of |g_k| / (|G_k| |q|) for others. 0 means round-off. */
  double constraint_level;
  /* True if the method, or a part that its options name (a base, a solver, a program), computes in
   * double precision only. It is then measured only in double. */
  bool double_only;
};

struct shk_integrator_info {
  const char *name;
  const char *summary;   /* one line */
  const char *equations; /* plain text, several lines */
  const char *citation;  /* author, year, equation */
  const struct shk_option *options;
  unsigned supports; /* a set of enum shk_feature */
  /* true if it has a tolerance; the step is then only the time between outputs */
  bool adaptive;
  bool double_only;
  bool exact;     /* true if it returns the problem's exact solution and does not integrate */
  bool in_single; /* with double_only: runs in single precision instead, whatever a study names */
  const struct shk_stated *claims; /* ended by {0}; NULL: no claims */
  /* A claim of a method like SHAKE: the name of a method like RATTLE that differs from it only
   * along the fibres. k steps and a projection onto the hidden constraint give the result of k
   * steps of the partner, with the options that both have. NULL if this is not claimed. */
  const char *partner;
  const char *family;   /* heading that lists of methods use; NULL if there is none */
  const char *textbook; /* what textbooks call it, and with which options; NULL: the same */
};

struct shk_problem_info {
  const char *name;
  const char *summary;
  const char *equations;
  const char *citation;
  const char *units;       /* "dimensionless", "SI" or similar */
  const char *coordinates; /* such as "q = (x, y), y upwards" */
  const struct shk_option *options;
  const char *family; /* heading that lists of problems use; NULL if there is none */
};

#endif
