/*
 * A few numbers of the compilation side by side: lanes that go through the same arithmetic in one
 * instruction where the processor has such for them, and each of which comes out as if it were
 * alone. In double as many as a register of the compilation's instruction set has, two on any
 * x86-64; in quad, which no register holds, one.
 */
#ifndef MECHANICS_PACK_H
#define MECHANICS_PACK_H

#include <shakedown/real.h>

#include <string.h>

#if SHK_PRECISION == 64

#if defined __AVX512F__
enum { PACK = 8 };
#elif defined __AVX__
enum { PACK = 4 };
#else
enum { PACK = 2 };
#endif

typedef double pack __attribute__((vector_size(8 * PACK)));
typedef __typeof__((pack){0} < (pack){0}) pack_mask; /* all bits of a lane alike */

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

#endif

/* From and to PACK numbers one after the other. */
static inline pack pack_load(const real *x)
{
  pack value;
  memcpy(&value, x, sizeof value);
  return value;
}

#endif
