/*
 * The options of a specification after checking: every option of the descriptor has a value, given
 * or default. Asking for an option that the descriptor does not have is a programming error and
 * aborts.
 */
#ifndef SHAKEDOWN_VALUES_H
#define SHAKEDOWN_VALUES_H

#include <shakedown/descriptor.h>
#include <shakedown/real.h>

struct shk_values; /* opaque; owned by whoever parsed the specification */

/* The value's text: a number, a word, the text of a nested specification (canonical). */
const char *shk_values_text(const struct shk_values *values, const char *option);
long shk_values_integer(const struct shk_values *values, const char *option);
bool shk_values_flag(const struct shk_values *values, const char *option);
/* The index of the chosen head in the option's list, and its own options; for an integrator that an
 * option names, only its options. */
int shk_values_choice(const struct shk_values *values, const char *option);
const struct shk_values *shk_values_nested(const struct shk_values *values, const char *option);
/* The integrator, problem or plug-in's solver itself that such an option names, a struct
 * shk_integrator, shk_problem or shk_rod_solver of the precision that the values are used in; NULL:
 * unknown. */
const void *shk_values_part(const struct shk_values *values, const char *option);
/* Whether the specification gave it (even if it gave the default). */
bool shk_values_given(const struct shk_values *values, const char *option);

/* A number in the precision of the compilation; angles in radians. */
#define shk_values_real SHK_NAME(shk_values_real)
real shk_values_real(const struct shk_values *values, const char *option);

#endif
