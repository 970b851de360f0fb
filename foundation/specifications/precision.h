/* The precisions that a cell can name, including those that this build does not support. */
#ifndef FOUNDATION_SPECIFICATIONS_PRECISION_H
#define FOUNDATION_SPECIFICATIONS_PRECISION_H

struct shk_precision {
  double epsilon; /* distance from 1 to the next number */
  double cost;    /* approximate cost of an operation, relative to double */
};

enum { SHK_PRECISIONS = 3 };
/* the precisions, in order of increasing accuracy; the last entry's name is NULL */
extern const char *const shk_precision_names[SHK_PRECISIONS + 1];

/* The names of the precisions, as a list for use in messages. */
#define SHK_PRECISION_WORDS "single, double or quad"

/* Returns the precision with this name, or NULL if there is none. */
const struct shk_precision *shk_precision_named(const char *name);

#endif
