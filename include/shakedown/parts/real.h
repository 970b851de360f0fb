/*
 * The number type `real`, which allows one source file to serve three precisions.
 *
 * Every numeric source file is compiled three times, with SHK_PRECISION set to 32 (IEEE single), 64
 * (double) and 128 (quad, under the compiler's name for it). `real` is the number type of the
 * current compilation. The header names.h is generated from the sources. It appends the suffix
 * _f32, _f64 or _f128 to every function and object, so that all three compilations can be linked
 * into one executable or plug-in. Constants are written as R(…), which gives them the type of the
 * compilation without first rounding them to double.
 */
#ifndef SHAKEDOWN_REAL_H
#define SHAKEDOWN_REAL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifndef SHK_PRECISION
#define SHK_PRECISION 64
#endif

#define SHK_PASTE_(a, b) a##b
#define SHK_PASTE(a, b) SHK_PASTE_(a, b)

/* Before names.h exists, the build uses this header to test the compiler. */
#ifndef SHAKEDOWN_WITHOUT_NAMES
#include <shakedown/names.h>
#endif
#define shk_plugin SHK_NAME(shk_plugin) /* every plug-in exports this name */

/* IEEE quad: its type, the suffixes of its constants and of its C library functions, and the
 * function that parses a number. */
#if LDBL_MANT_DIG == 113
#define SHK_QUAD long double
#define SHK_QUAD_CONSTANT L
#define SHK_QUAD_FUNCTION l
#define SHK_QUAD_READ strtold
#elif defined __SIZEOF_FLOAT128__
#define SHK_QUAD __float128
#define SHK_QUAD_CONSTANT Q
#define SHK_QUAD_FUNCTION f128
#define SHK_QUAD_READ strtof128
#elif __FLT128_MANT_DIG__ == 113
#define SHK_QUAD _Float128
#define SHK_QUAD_CONSTANT F128
#define SHK_QUAD_FUNCTION f128
#define SHK_QUAD_READ strtof128
#endif

#if SHK_PRECISION == 32

typedef float real;
#define REAL_NAME "single"
#define SHK_NAME(name) SHK_PASTE(name, _f32)
#define R(constant) SHK_PASTE(constant, f)
#define REAL_EPSILON 1.1920928955078125e-7f /* 2^-23 */
#define REAL_SMALLEST 1.17549435e-38f
#define REAL_DIGITS 9
#define REAL_FUNCTION(name) SHK_PASTE(name, f)
#define real_strto strtof
#define real_strfrom strfromf
#define real_fabs fabsf
#define real_isfinite(x) isfinite(x)

#elif SHK_PRECISION == 64

typedef double real;
#define REAL_NAME "double"
#define SHK_NAME(name) SHK_PASTE(name, _f64)
#define R(constant) (constant)
#define REAL_EPSILON 2.220446049250313080847263336181640625e-16 /* 2^-52 */
#define REAL_SMALLEST 2.2250738585072014e-308
#define REAL_DIGITS 17 /* number of decimal digits needed to read back the same bits */
#define REAL_FUNCTION(name) name
#define real_strto strtod
#define real_strfrom strfromd
#define real_fabs fabs
#define real_isfinite(x) isfinite(x)

#elif SHK_PRECISION == 128

#ifndef SHK_QUAD
#error "this compiler has no 128-bit IEEE numbers"
#endif
__extension__ typedef SHK_QUAD real;
#define REAL_NAME "quad"
#define R(constant) (__extension__ SHK_PASTE(constant, SHK_QUAD_CONSTANT))
#define REAL_FUNCTION(name) SHK_PASTE(name, SHK_QUAD_FUNCTION)
#define real_strto SHK_QUAD_READ
#define real_strfrom REAL_FUNCTION(strfrom)
#define SHK_NAME(name) SHK_PASTE(name, _f128)
#define REAL_EPSILON R(1.92592994438723585305597794258492732e-34) /* 2^-112 */
#define REAL_SMALLEST R(3.36210314311209350626267781732175260e-4932)
#define REAL_DIGITS 36

/* Quad-precision numbers are classified by their bits, because quad arithmetic and comparisons are
 * function calls. */
__extension__ typedef unsigned __int128 real_bits;

static inline real_bits real_bits_of(real x)
{
  real_bits bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline real real_fabs(real x)
{
  const real_bits bits = real_bits_of(x) << 1 >> 1;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline bool real_isfinite(real x)
{
  return (real_bits_of(x) << 1 >> 113) != 0x7fff;
}

#if defined __clang__ || !defined __cplusplus
/* The headers of the C library hide these functions from clang, so they are declared here. g++ uses
 * the declarations in the library, to whose argument type the arguments are converted
 * implicitly. */
real REAL_FUNCTION(sqrt)(real);
real REAL_FUNCTION(sin)(real);
real REAL_FUNCTION(cos)(real);
real REAL_FUNCTION(tan)(real);
real REAL_FUNCTION(asin)(real);
real REAL_FUNCTION(acos)(real);
real REAL_FUNCTION(atan2)(real, real);
real REAL_FUNCTION(exp)(real);
real REAL_FUNCTION(log)(real);
real REAL_FUNCTION(pow)(real, real);
real REAL_FUNCTION(floor)(real);
#endif

#else
#error "SHK_PRECISION must be 32, 64 or 128"
#endif

#define real_sqrt REAL_FUNCTION(sqrt)
#define real_sin REAL_FUNCTION(sin)
#define real_cos REAL_FUNCTION(cos)
#define real_tan REAL_FUNCTION(tan)
#define real_asin REAL_FUNCTION(asin)
#define real_acos REAL_FUNCTION(acos)
#define real_atan2 REAL_FUNCTION(atan2)
#define real_exp REAL_FUNCTION(exp)
#define real_log REAL_FUNCTION(log)
#define real_pow REAL_FUNCTION(pow)
#define real_floor REAL_FUNCTION(floor)

#define REAL_PI R(3.14159265358979323846264338327950288419716939937510582)

static inline real real_max(real a, real b)
{
  return a > b ? a : b;
}

static inline real real_min(real a, real b)
{
  return a < b ? a : b;
}

/* Returns the largest |x_i|, or NaN if any x_i is NaN. */
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

/* Returns x + y - sum, which is the exact rounding error of sum = x + y (Dekker). */
static inline real real_rest(real sum, real x, real y)
{
  const bool swap = real_fabs(x) < real_fabs(y);
  const real large = swap ? y : x, small = swap ? x : y;
  return (large - sum) + small;
}

/* Adds dx using compensated summation. The sum is *x + *carry, where *carry is the rounding error
 * of *x. */
static inline void real_accumulate(real *x, real *carry, real dx)
{
  const real y = dx + *carry;
  const real sum = *x + y;
  *carry = real_rest(sum, *x, y);
  *x = sum;
}

/* Vector operations. Sums are accumulated in index order, so that the results are reproducible to
 * the bit. */

static inline void shk_fill(real *x, real value, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = value;
}
/* `to` and `from` must not overlap. */
static inline void shk_copy(real *to, const real *from, int n)
{
  memcpy(to, from, (size_t)n * sizeof *to);
}
/* Changes the sign of x (n) in place. */
static inline void shk_negate(real *x, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = -x[i];
}
/* Returns Σ_j a_j x_(j stride) over n terms. */
static inline real shk_dot_strided(const real *a, const real *x, int stride, int n)
{
  real sum = 0;
  for (int j = 0; j < n; j++)
    sum += a[j] * x[(size_t)j * (size_t)stride];
  return sum;
}
/* Stores factor x in out (n); x and out must not overlap. */
void shk_vector_scaled(real *out, real factor, const real *x, int n);
/* Adds factor x to y (n); x and y must not overlap. */
void shk_vector_add(real *y, real factor, const real *x, int n);
/* Adds a_0 b_0, a_1 b_1, … to y (n), one after the other. b consists of `count` columns of n
 * numbers and must not overlap y. */
void shk_vector_add_columns(real *y, const real *a, const real *b, int count, int n);

#endif
