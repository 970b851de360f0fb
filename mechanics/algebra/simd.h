/*
 * A few numbers side by side: lanes that go through the same arithmetic in one instruction where
 * the processor has it, each with the same result as alone. In double as many as fit a register of
 * the target's instruction set, two on any x86-64; in quad, which no register holds, one.
 */
#ifndef MECHANICS_ALGEBRA_SIMD_H
#define MECHANICS_ALGEBRA_SIMD_H

#include <shakedown/real.h>

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#if SHK_PRECISION == 64

#if defined __AVX512F__
enum { SIMD_LANES = 8 };
#elif defined __AVX__
enum { SIMD_LANES = 4 };
#else
enum { SIMD_LANES = 2 };
#ifdef __SSE2__
#define SIMD_SSE2
#endif
#endif

typedef double simd __attribute__((vector_size(8 * SIMD_LANES)));
typedef int64_t simd_mask
    __attribute__((vector_size(8 * SIMD_LANES))); /* all bits of a lane, or none */

static inline void simd_set(simd *x, int lane, real value)
{
  (*x)[lane] = value;
}

static inline real simd_get(simd x, int lane)
{
  return x[lane];
}

static inline void simd_mark(simd_mask *mask, int lane)
{
  (*mask)[lane] = -1;
}

/* x[at[lane]] in each lane. */
static inline simd simd_gathered(const real *x, const int *at)
{
#if defined __AVX512F__
  return (simd){x[at[0]], x[at[1]], x[at[2]], x[at[3]], x[at[4]], x[at[5]], x[at[6]], x[at[7]]};
#elif defined __AVX__
  return (simd){x[at[0]], x[at[1]], x[at[2]], x[at[3]]};
#else
  return (simd){x[at[0]], x[at[1]]};
#endif
}

static inline simd simd_all(real value)
{
  return value - (simd){0};
}

static inline simd simd_choose(simd_mask mask, simd yes, simd no)
{
  return (simd)((mask & (simd_mask)yes) | (~mask & (simd_mask)no));
}

static inline simd simd_abs(simd x)
{
  return (simd)((simd_mask)x & 0x7FFFFFFFFFFFFFFFll);
}

static inline simd_mask simd_true(void)
{
  return ~(simd_mask){0};
}

static inline simd_mask simd_none(void)
{
  return (simd_mask){0};
}

static inline simd_mask simd_less(simd a, simd b)
{
#ifdef SIMD_SSE2
  return (simd_mask)_mm_cmplt_pd(a, b);
#else
  return (simd_mask)(a < b);
#endif
}

static inline simd_mask simd_at_most(simd a, simd b)
{
#ifdef SIMD_SSE2
  return (simd_mask)_mm_cmple_pd(a, b);
#else
  return (simd_mask)(a <= b);
#endif
}

static inline simd simd_max(simd a, simd b)
{
#if defined __AVX512F__
  return _mm512_max_pd(a, b);
#elif defined __AVX__
  return _mm256_max_pd(a, b);
#elif defined SIMD_SSE2
  return _mm_max_pd(a, b);
#else
  return simd_choose((simd_mask)(a > b), a, b);
#endif
}

/* The lanes as bits. */
static inline unsigned simd_bits(simd_mask mask)
{
#if defined __AVX512DQ__
  return _mm512_movepi64_mask((__m512i)mask);
#elif defined __AVX__ && !defined __AVX512F__
  return (unsigned)_mm256_movemask_pd((simd)mask);
#elif defined SIMD_SSE2
  return (unsigned)_mm_movemask_pd((simd)mask);
#else
  unsigned bits = 0;
  for (int lane = 0; lane < SIMD_LANES; lane++)
    bits |= mask[lane] ? 1u << lane : 0;
  return bits;
#endif
}

#else

enum { SIMD_LANES = 1 };
typedef real simd;
typedef int simd_mask;

static inline void simd_set(simd *x, int lane, real value)
{
  (void)lane;
  *x = value;
}

static inline real simd_get(simd x, int lane)
{
  (void)lane;
  return x;
}

static inline void simd_mark(simd_mask *mask, int lane)
{
  (void)lane;
  *mask = -1;
}

static inline simd simd_gathered(const real *x, const int *at)
{
  return x[*at];
}

static inline simd simd_all(real value)
{
  return value;
}

static inline simd simd_choose(simd_mask mask, simd yes, simd no)
{
  return mask ? yes : no;
}

static inline simd simd_abs(simd x)
{
  return real_fabs(x);
}

static inline simd_mask simd_true(void)
{
  return -1;
}

static inline simd_mask simd_none(void)
{
  return 0;
}

static inline simd_mask simd_less(simd a, simd b)
{
  return -(a < b);
}

static inline simd_mask simd_at_most(simd a, simd b)
{
  return -(a <= b);
}

static inline simd simd_max(simd a, simd b)
{
  return a > b ? a : b;
}

static inline unsigned simd_bits(simd_mask mask)
{
  return mask & 1;
}

#endif

static inline simd_mask simd_is_finite(simd x)
{
  return simd_at_most(simd_abs(x - x), simd_all(0));
}

/* The bits of all lanes. */
#define SIMD_ALL ((1u << SIMD_LANES) - 1)

/* From and to SIMD_LANES numbers one after the other. */
static inline simd simd_load(const real *x)
{
  simd value;
  memcpy(&value, x, sizeof value);
  return value;
}

static inline void simd_store(real *x, simd value)
{
  memcpy(x, &value, sizeof value);
}

#endif
