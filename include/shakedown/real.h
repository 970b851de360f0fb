/*
 * The number type, and how one source serves two precisions.
 *
 * Every numeric source is compiled twice: with SHK_PRECISION 64 (IEEE double) and 128 (IEEE quad,
 * __float128). `real` is the number type of the compilation; SHK_NAME() gives each external symbol
 * the suffix _f64 or _f128, so that both live in one executable and in one plug-in. Constants go
 * through R(), which gives them the type of the compilation without passing through double.
 */
#ifndef SHAKEDOWN_REAL_H
#define SHAKEDOWN_REAL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef SHK_PRECISION
#define SHK_PRECISION 64
#endif

#define SHK_PASTE_(a, b) a##b
#define SHK_PASTE(a, b) SHK_PASTE_(a, b)

#if SHK_PRECISION == 64

typedef double real;
#define SHK_NAME(name) SHK_PASTE(name, _f64)
#define R(constant) (constant)
#define REAL_EPSILON 2.220446049250313080847263336181640625e-16 /* 2^-52 */
#define REAL_SMALLEST 2.2250738585072014e-308
#define REAL_DIGITS 17 /* decimal digits that read back to the same bits */
#define real_sqrt sqrt
#define real_sin sin
#define real_cos cos
#define real_tan tan
#define real_asin asin
#define real_acos acos
#define real_atan2 atan2
#define real_exp exp
#define real_log log
#define real_pow pow
#define real_fabs fabs
#define real_floor floor
#define real_fmod fmod
#define real_isfinite(x) isfinite(x)

#elif SHK_PRECISION == 128

__extension__ typedef __float128 real;
#define SHK_NAME(name) SHK_PASTE(name, _f128)
#define R(constant) (__extension__ SHK_PASTE(constant, Q))
#define REAL_EPSILON R(1.92592994438723585305597794258492732e-34) /* 2^-112 */
#define REAL_SMALLEST R(3.36210314311209350626267781732175260e-4932)
#define REAL_DIGITS 36

/* glibc has these on every x86-64; its header hides them from clang. */
real sqrtf128(real);
real sinf128(real);
real cosf128(real);
real tanf128(real);
real asinf128(real);
real acosf128(real);
real atan2f128(real, real);
real expf128(real);
real logf128(real);
real powf128(real, real);
real floorf128(real);
real fmodf128(real, real);
#define real_sqrt sqrtf128
#define real_sin sinf128
#define real_cos cosf128
#define real_tan tanf128
#define real_asin asinf128
#define real_acos acosf128
#define real_atan2 atan2f128
#define real_exp expf128
#define real_log logf128
#define real_pow powf128
#define real_floor floorf128
#define real_fmod fmodf128
#define real_fabs(x) ((x) < 0 ? -(x) : (x))
#define real_isfinite(x) ((x) - (x) == 0)

#else
#error "SHK_PRECISION is 64 or 128"
#endif

#define REAL_PI R(3.14159265358979323846264338327950288419716939937510582)

static inline real real_max(real a, real b)
{
  return a > b ? a : b;
}

static inline real real_min(real a, real b)
{
  return a < b ? a : b;
}

/* The largest |x_i|; NaN if one is. */
static inline real real_max_norm(const real *x, int n)
{
  real largest = 0;
  for (int i = 0; i < n; i++) {
    const real size = real_fabs(x[i]);
    if (size != size)
      return size;
    largest = real_max(largest, size);
  }
  return largest;
}

static inline real real_dot(const real *a, const real *b, int n)
{
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* x + carry stands for the exact value (the carry is below the last bit of x): adds dx to it.
 * Knuth's two-sum, for operands of any order of magnitude. */
static inline void real_accumulate(real *x, real *carry, real dx)
{
  const real y = dx + *carry;
  const real sum = *x + y;
  const real part = sum - *x;
  *carry = (*x - (sum - part)) + (y - part);
  *x = sum;
}

/* Reads a decimal or hexadecimal number that fills the whole text, optionally followed by an
 * angle unit `deg` or `rad` (deg is turned into radians). Returns false, *x untouched, if the text
 * is anything else or not finite. */
#define shk_real_parse SHK_NAME(shk_real_parse)
bool shk_real_parse(real *x, const char *text);

/* Writes x with REAL_DIGITS significant digits, so that reading returns the same bits; "nan", "inf"
 * and "-inf" for what is not finite. size: of the buffer, at least 48. */
#define shk_real_format SHK_NAME(shk_real_format)
void shk_real_format(char *buffer, size_t size, real x);

#endif
