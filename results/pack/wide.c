/* Integers of 192 bits. See wide.h. */
#include "results/pack/wide.h"

void shk_wide_add(struct shk_wide *sum, const struct shk_wide *term)
{
  uint64_t carry = 0;
  for (int i = 0; i < SHK_WIDE_LIMBS; i++, carry >>= 32)
    sum->limb[i] = (uint32_t)(carry += (uint64_t)sum->limb[i] + term->limb[i]);
}

void shk_wide_negate(struct shk_wide *value)
{
  uint64_t carry = 1;
  for (int i = 0; i < SHK_WIDE_LIMBS; i++, carry >>= 32)
    value->limb[i] = (uint32_t)(carry += (uint32_t)~value->limb[i]);
}

void shk_wide_subtract(struct shk_wide *from, struct shk_wide term)
{
  shk_wide_negate(&term);
  shk_wide_add(from, &term);
}

void shk_wide_push_digit(struct shk_wide *value, unsigned digit)
{
  uint64_t carry = digit;
  for (int i = 0; i < SHK_WIDE_LIMBS; i++, carry >>= 32)
    value->limb[i] = (uint32_t)(carry += 10 * (uint64_t)value->limb[i]);
}

unsigned shk_wide_pop_digit(struct shk_wide *value)
{
  uint64_t rest = 0;
  for (int i = SHK_WIDE_LIMBS; i-- > 0;) {
    rest = rest << 32 | value->limb[i];
    value->limb[i] = (uint32_t)(rest / 10);
    rest %= 10;
  }
  return (unsigned)rest;
}

bool shk_wide_is_negative(const struct shk_wide *value)
{
  return value->limb[SHK_WIDE_LIMBS - 1] >> 31;
}

bool shk_wide_is_zero(const struct shk_wide *value)
{
  uint32_t any = 0;
  for (int i = 0; i < SHK_WIDE_LIMBS; i++)
    any |= value->limb[i];
  return !any;
}

unsigned char shk_wide_byte(const struct shk_wide *value, int i)
{
  return (unsigned char)(value->limb[i / 4] >> 8 * (i % 4));
}

void shk_wide_fold(struct shk_wide *value)
{
  const bool negative = shk_wide_is_negative(value);
  struct shk_wide twice = *value;
  shk_wide_add(&twice, value);
  for (int i = 0; i < SHK_WIDE_LIMBS; i++)
    value->limb[i] = negative ? ~twice.limb[i] : twice.limb[i];
}

void shk_wide_unfold(struct shk_wide *value)
{
  const bool negative = value->limb[0] & 1;
  for (int i = 0; i < SHK_WIDE_LIMBS; i++) {
    const uint32_t above = i + 1 < SHK_WIDE_LIMBS ? value->limb[i + 1] << 31 : 0;
    value->limb[i] = (value->limb[i] >> 1 | above) ^ (negative ? UINT32_MAX : 0);
  }
}

int shk_wide_bits(const struct shk_wide *value)
{
  for (int i = SHK_WIDE_LIMBS; i-- > 0;)
    if (value->limb[i])
      return 32 * i + 32 - __builtin_clz(value->limb[i]);
  return 0;
}
