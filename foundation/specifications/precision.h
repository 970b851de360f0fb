/* The precisions that a cell may ask for, whether or not this build has them. */
#ifndef FOUNDATION_SPECIFICATIONS_PRECISION_H
#define FOUNDATION_SPECIFICATIONS_PRECISION_H

struct shk_precision {
  double epsilon; /* the distance of 1 from the next number */
  double cost;    /* of an operation, about, in those of double */
};

enum { SHK_PRECISIONS = 3 };
/* The most accurate last; ended by NULL. */
extern const char *const shk_precision_names[SHK_PRECISIONS + 1];

/* What is expected where one is missing: "single, double or quad". */
#define SHK_PRECISION_WORDS "single, double or quad"

/* NULL: there is none of that name. */
const struct shk_precision *shk_precision_named(const char *name);
/* Of a precision that has been checked. */
double shk_precision_epsilon(const char *name);

#endif
