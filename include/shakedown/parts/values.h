/*
 * Checked options of a specification: every option of the descriptor has a value, given or default.
 * Asking for an option that the descriptor does not have is a programming error. The answer is then
 * an empty text or zero, and Shakedown refuses the method or problem once it is bound.
 */
#ifndef SHAKEDOWN_VALUES_H
#define SHAKEDOWN_VALUES_H

#include <shakedown/parts/descriptor.h>
#include <shakedown/parts/real.h>

struct shk_values; /* opaque; owned by the parser's caller */

/* Returns the value as text: a number, a string without quotes, or the canonical text of a nested
 * specification. */
const char *shk_values_text(const struct shk_values *values, const char *option);
long shk_values_integer(const struct shk_values *values, const char *option);
bool shk_values_flag(const struct shk_values *values, const char *option);
/* shk_values_choice returns the index of a choice in the option's list; a plug-in's solver has the
 * index after the last. shk_values_nested returns the options of the choice, integrator or problem
 * that the option names, or NULL for numbers and texts. */
int shk_values_choice(const struct shk_values *values, const char *option);
const struct shk_values *shk_values_nested(const struct shk_values *values, const char *option);
/* Returns the object that the option names, in the precision in which the values are used: a struct
 * shk_integrator, a struct shk_problem or, for a plug-in's solver, a struct shk_rod_solver. Returns
 * NULL for a built-in choice, and if the object is not available. */
const void *shk_values_part(const struct shk_values *values, const char *option);
/* Returns `values` if they have this option, else NULL. `values` may be NULL. */
const struct shk_values *shk_values_with(const struct shk_values *values, const char *option);
/* Returns true if the specification gave the option, even with the default value. */
bool shk_values_given(const struct shk_values *values, const char *option);

/* Returns an option's number in the precision of this compilation. Angles are in radians. */
real shk_values_real(const struct shk_values *values, const char *option);

#endif
