/* The precisions that a cell may name, including those that this build lacks. */
#ifndef FOUNDATION_SPECIFICATIONS_PRECISION_H
#define FOUNDATION_SPECIFICATIONS_PRECISION_H

struct shk_precision {
  double epsilon; /* distance from 1 to the next number */
  double cost;    /* approximate cost of an operation, relative to double */
};

enum { SHK_PRECISIONS = 3 };
/* in order of increasing accuracy; the last name is NULL */
extern const char *const shk_precision_names[SHK_PRECISIONS + 1];

/* The names as messages list them. */
#define SHK_PRECISION_WORDS "single, double or quad"

/* Returns the precision with this name, or NULL if there is none. */
const struct shk_precision *shk_precision_named(const char *name);

#endif
