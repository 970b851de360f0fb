/*
 * What an integrator or a problem says about itself. Nothing here depends on the precision: the
 * harness, `describe`, the documentation and the checks of a specification all read these.
 */
#ifndef SHAKEDOWN_DESCRIPTOR_H
#define SHAKEDOWN_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>

enum shk_option_kind {
  SHK_OPTION_REAL,       /* a decimal number; kept as text and read in the cell's precision */
  SHK_OPTION_ANGLE,      /* the same, in radians, or with the unit deg or rad */
  SHK_OPTION_INTEGER,    /* a whole number */
  SHK_OPTION_FLAG,       /* yes or no */
  SHK_OPTION_CHOICE,     /* one of `heads`, which may have options of their own */
  SHK_OPTION_TEXT,       /* a quoted string or a bare word */
  SHK_OPTION_INTEGRATOR, /* the specification of an integrator, which becomes a part of this one */
  SHK_OPTION_FILE,   /* a file's path, quoted, which leads down from the folder of the study that
                        names it, or else from the working directory; what stands in the file is
                        part of a cell's key */
  SHK_OPTION_PROBLEM /* the specification of a problem, which becomes a part of this one */
};

struct shk_option;

/* One alternative of a choice: `random(seed=1)` in `chain(start=random(seed=1))`. */
struct shk_head {
  const char *name; /* NULL ends a list */
  const char *meaning;
  const struct shk_option *options; /* NULL if it has none */
};

struct shk_option {
  const char *name; /* NULL ends a list */
  enum shk_option_kind kind;
  const char *fallback; /* the default, as text; NULL: must be given */
  const char *minimum;  /* inclusive bounds as text, NULL if none */
  const char *maximum;
  bool positive;   /* zero is excluded as well as what is below `minimum` */
  bool positional; /* may be given without its name, in the order of the list */
  const struct shk_head *heads;
  const char *meaning; /* with the unit where there is one */
};

/* What a system has beyond H = ½ pᵀM⁻¹p + V(q) with constant diagonal M and constraints g(q) = 0.
 * An integrator applies where it supports every feature of the system. */
enum shk_feature {
  SHK_GENERAL_HAMILTONIAN = 1 << 0, /* H(q,p) that is not of that form */
  SHK_RHEONOMIC = 1 << 1,           /* g(q,t) */
  SHK_FORCES = 1 << 2,              /* generalized forces Q(q,p,t) that no potential has */
  SHK_MOMENTUM_CONSTRAINT = 1 << 3, /* g(q,p) */
  SHK_VELOCITY_CONSTRAINT = 1 << 4, /* A(q) v = 0, declared as such */
  SHK_GENERAL_DAE = 1 << 5,         /* not mechanical: semi-explicit DAE */
  SHK_FEATURE_COUNT = 6
};

/* What a problem is unable to decide about an integrator, and why. */
enum shk_undecidable {
  SHK_LINEAR_CONSTRAINTS = 1 << 0,
  SHK_FREE_MOTION = 1 << 1,
  SHK_SYMMETRIC_START = 1 << 2,
  SHK_ONE_DEGREE_OF_FREEDOM = 1 << 3, /* symplectic is only area */
  SHK_LINEAR_POTENTIAL = 1 << 4,      /* Verlet, midpoint and Gauss flows coincide */
  SHK_NO_REVERSAL = 1 << 5,           /* H is not even in p */
  SHK_CHAOTIC = 1 << 6                /* beyond the generic horizon errors grow exponentially */
};

enum shk_answer { SHK_UNKNOWN = 0, SHK_YES, SHK_NO };

/* An order that is not claimed. Zero is a claim: the quantity does not converge. */
#define SHK_NO_ORDER (-1)

/*
 * The multipliers of a step from t_n to t_{n+1}: `lambda` acted at q_n so that g(q_{n+1}) = 0, `mu`
 * acted at q_{n+1} so that the hidden constraint holds there (zero if the method has no such
 * kick). At t_n, then: lambda_n of the step that begins and mu_{n-1} of the one that ended.
 */
struct shk_claims {
  int order_q, order_p;       /* of the states that the method carries */
  int order_lambda;           /* of lambda_n against lambda(t_n) */
  int order_mu;               /* of mu_{n-1} against lambda(t_n) */
  int order_lambda_mean;      /* of (lambda_n + mu_{n-1})/2 */
  int order_lambda_sum;       /* of lambda_n + mu_{n-1} */
  int order_lambda_state;     /* of the multiplier computed from (q_n, p_n) by the exact formula */
  enum shk_answer symplectic; /* on T M^H */
  enum shk_answer presymplectic;    /* on T M */
  enum shk_answer symmetric;        /* psi_{-h} psi_h = id */
  enum shk_answer keeps_constraint; /* g = 0 to round-off */
  enum shk_answer keeps_hidden;     /* g_q H_p = 0 to round-off */
  enum shk_answer keeps_momenta;    /* invariants linear or quadratic in (q,p) that point
                                       symmetries of H and g give */
  enum shk_answer energy_bounded;   /* over long runs at fixed step, on problems that allow it */
  enum shk_answer reversible; /* rho psi_h rho psi_h = id with rho(q,p) = (q,-p), where H and g
                                 are even in p. Left unknown it is as `symmetric`: the two are
                                 the same for every method that commutes with rho up to the
                                 sign of h, as those do that treat p and -p alike */
};

struct shk_integrator_info {
  const char *name;
  const char *summary;   /* one line */
  const char *equations; /* plain text, several lines */
  const char *citation;  /* author, year, equation */
  const struct shk_option *options;
  unsigned supports; /* enum shk_feature */
  bool adaptive;     /* driven by a tolerance; a step is only the output spacing */
  bool double_only;
  bool exact; /* gives the problem's exact solution, not an integration */
  struct shk_claims claims;
  /* Of a SHAKE method: the RATTLE method with the same options, which differs from it along the
   * fibres only, so that the hidden projection of k of its steps is k steps of that one. NULL: none
   * is claimed. */
  const char *partner;
};

struct shk_problem_info {
  const char *name;
  const char *summary;
  const char *equations;
  const char *citation;
  const char *units;       /* "dimensionless" or "SI" or the like */
  const char *coordinates; /* "q = (x, y), y upwards" */
  const struct shk_option *options;
};

#endif
