/*
 * A few numbers of the compilation side by side: lanes that go through the same arithmetic in one
 * instruction where the processor has such for them, and each of which comes out as if it were
 * alone. In double as many as a register of the compilation's instruction set has, two on any
 * x86-64; in quad, which no register holds, one.
 */
#ifndef MECHANICS_SOLVERS_RODS_SIMD_H
#define MECHANICS_SOLVERS_RODS_SIMD_H

#include <shakedown/real.h>

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#if SHK_PRECISION == 64

#if defined __AVX512F__
enum { PACK = 8 };
#elif defined __AVX__
enum { PACK = 4 };
#else
enum { PACK = 2 };
#ifdef __SSE2__
#define PACK_SSE2
#endif
#endif

typedef double pack __attribute__((vector_size(8 * PACK)));
typedef int64_t pack_mask __attribute__((vector_size(8 * PACK))); /* all bits of a lane alike */

static inline void pack_set(pack *x, int lane, real value)
{
  (*x)[lane] = value;
}

static inline real pack_get(pack x, int lane)
{
  return x[lane];
}

static inline pack pack_all(real value)
{
  return value - (pack){0};
}

static inline pack pack_choose(pack_mask mask, pack yes, pack no)
{
  return (pack)((mask & (pack_mask)yes) | (~mask & (pack_mask)no));
}

static inline pack pack_abs(pack x)
{
  return (pack)((pack_mask)x & 0x7FFFFFFFFFFFFFFFll);
}

static inline pack_mask pack_true(void)
{
  return ~(pack_mask){0};
}

static inline pack_mask pack_less(pack a, pack b)
{
#ifdef PACK_SSE2
  return (pack_mask)_mm_cmplt_pd(a, b);
#else
  return (pack_mask)(a < b);
#endif
}

static inline pack_mask pack_at_most(pack a, pack b)
{
#ifdef PACK_SSE2
  return (pack_mask)_mm_cmple_pd(a, b);
#else
  return (pack_mask)(a <= b);
#endif
}

static inline pack pack_max(pack a, pack b)
{
#ifdef PACK_SSE2
  return _mm_max_pd(a, b);
#else
  return pack_choose((pack_mask)(a > b), a, b);
#endif
}

/* The lanes as bits. */
static inline unsigned pack_bits(pack_mask mask)
{
#ifdef PACK_SSE2
  return (unsigned)_mm_movemask_pd((pack)mask);
#else
  unsigned bits = 0;
  for (int lane = 0; lane < PACK; lane++)
    bits |= mask[lane] ? 1u << lane : 0;
  return bits;
#endif
}

#else

enum { PACK = 1 };
typedef real pack;
typedef int pack_mask;

static inline void pack_set(pack *x, int lane, real value)
{
  (void)lane;
  *x = value;
}

static inline real pack_get(pack x, int lane)
{
  (void)lane;
  return x;
}

static inline pack pack_all(real value)
{
  return value;
}

static inline pack pack_choose(pack_mask mask, pack yes, pack no)
{
  return mask ? yes : no;
}

static inline pack pack_abs(pack x)
{
  return real_fabs(x);
}

static inline pack_mask pack_true(void)
{
  return -1;
}

static inline pack_mask pack_less(pack a, pack b)
{
  return -(a < b);
}

static inline pack_mask pack_at_most(pack a, pack b)
{
  return -(a <= b);
}

static inline pack pack_max(pack a, pack b)
{
  return a > b ? a : b;
}

static inline unsigned pack_bits(pack_mask mask)
{
  return mask & 1;
}

#endif

/* From and to PACK numbers one after the other. */
static inline pack pack_load(const real *x)
{
  pack value;
  memcpy(&value, x, sizeof value);
  return value;
}

#endif
