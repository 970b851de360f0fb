/*
 * Products, sums and differences in quad (mechanics/algebra/quad.c) against the compiler's, bit by
 * bit: numbers of all sizes, close ones, those of few bits, whose results are halfway between two
 * numbers, and all that is no normal number.
 */
#include "tests/kit/tap.h"

#include <stdint.h>
#include <string.h>

#ifdef __x86_64__
__extension__ typedef __float128 quad;
__extension__ typedef unsigned __int128 wide;

/* Where the linker does not wrap them, they do not exist. */
quad library_multiply(quad, quad) __asm__("__real___multf3") __attribute__((weak));
quad library_add(quad, quad) __asm__("__real___addtf3") __attribute__((weak));
quad library_subtract(quad, quad) __asm__("__real___subtf3") __attribute__((weak));

static uint64_t generator;

static uint64_t draw(void)
{
  generator ^= generator << 13;
  generator ^= generator >> 7;
  generator ^= generator << 17;
  return generator;
}

static quad number_of(wide bits)
{
  quad x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static wide bits_of(quad x)
{
  wide bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* Few bits set, few not set, or any. */
static wide draw_mantissa(void)
{
  const wide any = (wide)draw() << 64 | draw();
  switch (draw() % 6) {
  case 0:
    return 0;
  case 1:
    return (wide)1 << draw() % 112;
  case 2:
    return ~(wide)0 << draw() % 112;
  case 3:
    return ((wide)1 << draw() % 112) - 1;
  case 4:
    return any << draw() % 112;
  default:
    return any;
  }
}

static quad draw_number(int exponent)
{
  const wide mantissa = draw_mantissa() & (((wide)1 << 112) - 1);
  return number_of((wide)(draw() & 1) << 127 | (wide)(unsigned)exponent << 112 | mantissa);
}

enum { LARGEST = 0x7fff, BIAS = 16383 };

static int clamped(int exponent)
{
  return exponent < 0 ? 0 : exponent > LARGEST ? LARGEST : exponent;
}

/* Two exponents: any, close, or such that the product is near the least or the largest number. */
static void draw_exponents(int *a, int *b)
{
  const int near = (int)(draw() % 260) - 130;
  *a = (int)(draw() % (LARGEST + 1));
  switch (draw() % 8) {
  case 0:
    *b = (int)(draw() % (LARGEST + 1));
    break;
  case 1:
    *b = clamped(BIAS - *a + near);
    break;
  case 2:
    *b = clamped(BIAS + LARGEST - *a + near / 32);
    break;
  case 3:
    *a = clamped(near < 0 ? -near / 32 : LARGEST - near / 32);
    *b = clamped(*a + near / 16);
    break;
  case 4:
    *b = clamped(*a + near / 64);
    break;
  default:
    *b = clamped(*a + near);
  }
}

/* One in 20 is the other number, its negative, or a neighbour. */
static quad draw_partner(quad x, int exponent)
{
  const uint64_t kind = draw() % 60;
  if (kind < 3)
    return number_of(bits_of(x) ^ (wide)(kind == 1) << 127 ^ (wide)(kind == 2));
  return draw_number(exponent);
}

typedef quad operation(quad, quad);

static quad multiply(quad x, quad y)
{
  return x * y;
}

static quad add(quad x, quad y)
{
  return x + y;
}

static quad subtract(quad x, quad y)
{
  return x - y;
}

static void compare(operation *ours, operation *library, const char *name)
{
  enum { PAIRS = 2000000 };
  int different = 0;
  for (int i = 0; i < PAIRS; i++) {
    int a, b;
    draw_exponents(&a, &b);
    const quad x = draw_number(a), y = draw_partner(x, b);
    const wide got = bits_of(ours(x, y)), want = bits_of(library(x, y));
    if (got == want)
      continue;
    if (different++ < 5)
      tap_diag("%s: %016llx %016llx, %016llx %016llx", name, (unsigned long long)(bits_of(x) >> 64),
               (unsigned long long)bits_of(x), (unsigned long long)(bits_of(y) >> 64),
               (unsigned long long)bits_of(y));
  }
  tap_ok(different == 0, "%s of %d pairs: the same bits", name, PAIRS);
}

int main(void)
{
  generator = tap_seed(1);
  if (!library_multiply) {
    tap_skip_without("--wrap", "the compiler's own arithmetic");
    return tap_done();
  }
  compare(multiply, library_multiply, "products");
  compare(add, library_add, "sums");
  compare(subtract, library_subtract, "differences");
  return tap_done();
}
#else
int main(void)
{
  tap_skip("no __float128 without a processor's arithmetic");
  return tap_done();
}
#endif
