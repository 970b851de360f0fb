/* Integers of 192 bits, modulo 2^192; negative ones as two's complement. */
#ifndef RESULTS_PACK_WIDE_H
#define RESULTS_PACK_WIDE_H

#include <stdbool.h>
#include <stdint.h>

enum { SHK_WIDE_LIMBS = 6, SHK_WIDE_BYTES = 4 * SHK_WIDE_LIMBS };

struct shk_wide {
  uint32_t limb[SHK_WIDE_LIMBS]; /* the lowest first */
};

void shk_wide_add(struct shk_wide *sum, const struct shk_wide *term);
void shk_wide_subtract(struct shk_wide *from, struct shk_wide term);
void shk_wide_negate(struct shk_wide *value);
bool shk_wide_is_negative(const struct shk_wide *value);
bool shk_wide_is_zero(const struct shk_wide *value);

/* Ten times the value and a digit; and back, of one without a sign. */
void shk_wide_push_digit(struct shk_wide *value, unsigned digit);
unsigned shk_wide_pop_digit(struct shk_wide *value);

/* The sign into the lowest bit, so that what is small has few bits; and back. */
void shk_wide_fold(struct shk_wide *value);
void shk_wide_unfold(struct shk_wide *value);

/* How many bits the highest that is set, and all below it, are. */
int shk_wide_bits(const struct shk_wide *value);
unsigned char shk_wide_byte(const struct shk_wide *value, int i);

#endif
