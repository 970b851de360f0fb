/*
 * The checked options of a specification. Every option in the descriptor has a value, either given
 * or default. Requesting an option that is not in the descriptor is a programming error: the result
 * is an empty string or zero, and Shakedown refuses the method or problem once it is bound.
 */
#ifndef SHAKEDOWN_VALUES_H
#define SHAKEDOWN_VALUES_H

#include <shakedown/parts/descriptor.h>
#include <shakedown/parts/real.h>

struct shk_values; /* opaque type; owned by the caller of the parser */

/* Returns the value as a string. It is a number, a string without quotes, or the canonical form of
 * a nested specification. */
const char *shk_values_text(const struct shk_values *values, const char *option);
long shk_values_integer(const struct shk_values *values, const char *option);
bool shk_values_flag(const struct shk_values *values, const char *option);
/* shk_values_choice returns the index of the chosen alternative in the option's list; for a
 * plug-in's solver, it returns one past the last index. shk_values_nested returns the options of
 * the choice, integrator or problem that the option names, or NULL for numbers and strings. */
int shk_values_choice(const struct shk_values *values, const char *option);
const struct shk_values *shk_values_nested(const struct shk_values *values, const char *option);
/* Returns the object that the option names, in the precision in which the values are used: a struct
 * shk_integrator, a struct shk_problem or, for a plug-in's solver, a struct shk_rod_solver. Returns
 * NULL for a built-in choice, or if the object is not available. */
const void *shk_values_part(const struct shk_values *values, const char *option);
/* Returns `values` if they contain this option, and NULL otherwise. `values` may be NULL. */
const struct shk_values *shk_values_with(const struct shk_values *values, const char *option);
/* Returns true if the specification sets the option explicitly, even to its default value. */
bool shk_values_given(const struct shk_values *values, const char *option);

/* Returns the number given for an option, in the precision of this compilation. Angles are in
 * radians. */
real shk_values_real(const struct shk_values *values, const char *option);

#endif
