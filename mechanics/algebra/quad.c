/*
 * Products, sums and differences in quadruple precision, for processors that have none (x86-64).
 *
 * The compiler's own functions (libgcc's __multf3, __addtf3, __subtf3) also ask for the rounding mode,
 * raise the flags of exceptions, and hand results over through memory. Those here round to nearest,
 * ties to even, and raise nothing; their results are the same to the last bit, in about two thirds of
 * the time. What is rare (subnormal numbers, infinities, NaN, overflow) goes to the compiler's.
 *
 * A number is (-1)^s 2^(e - 16383) m/2^112: one bit of sign, 15 of e, and 112 of m, whose highest bit,
 * the 113th, is not stored. With the sign left out, numbers are ordered as the integers they are
 * stored as, and rounding up may carry from m to e, to infinity at last.
 *
 * The linker (--wrap, see meson.build) gives the calls of the compiler to the functions here, in this
 * program; plug-ins bring the compiler's.
 */
#ifdef __x86_64__
#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __float128 quad;
__extension__ typedef unsigned __int128 wide;
typedef long long halves __attribute__((vector_size(16)));

enum { MANTISSA = 112, BIAS = 16383, LARGEST = 0x7fff };

quad wrapped_multiply(quad, quad) __asm__("__wrap___multf3") __attribute__((visibility("hidden")));
quad wrapped_add(quad, quad) __asm__("__wrap___addtf3") __attribute__((visibility("hidden")));
quad wrapped_subtract(quad, quad) __asm__("__wrap___subtf3") __attribute__((visibility("hidden")));
quad library_multiply(quad, quad) __asm__("__real___multf3");
quad library_add(quad, quad) __asm__("__real___addtf3");
quad library_subtract(quad, quad) __asm__("__real___subtf3");

static const uint64_t sign_bit = (uint64_t)1 << 63;

static inline uint64_t high(wide x)
{
  return (uint64_t)(x >> 64);
}

/* Through registers: loads of 128 bits wait for stores of 64. */
static inline wide bits_of(quad x)
{
  const union {
    quad number;
    halves h;
  } u = {x};
  return (wide)(uint64_t)u.h[1] << 64 | (uint64_t)u.h[0];
}

static inline quad number_of(wide bits, uint64_t sign)
{
  const union {
    halves h;
    quad number;
  } u = {.h = {(long long)(uint64_t)bits, (long long)(high(bits) | sign)}};
  return u.number;
}

static inline int exponent_of(wide bits)
{
  return (int)(high(bits) >> 48 & LARGEST);
}

static inline bool is_normal(int exponent)
{
  return exponent > 0 && exponent < LARGEST;
}

/* m with its highest bit. */
static inline wide mantissa_of(wide bits)
{
  const wide one = (wide)1 << MANTISSA;
  return (bits & (one - 1)) | one;
}

/* 2^e m, where `rest` is what m lacks in units of 2^-64, its last bit set if there is more below. */
static inline wide rounded(int e, wide m, uint64_t rest)
{
  const unsigned up = (rest >> 63) & ((rest << 1 != 0) | (unsigned)(m & 1));
  return ((wide)(unsigned)(e - 1) << MANTISSA) + m + up;
}

quad wrapped_multiply(quad x, quad y)
{
  const wide a = bits_of(x), b = bits_of(y);
  const uint64_t sign = (high(a) ^ high(b)) & sign_bit;
  int e = exponent_of(a) + exponent_of(b) - BIAS;
  if (!is_normal(exponent_of(a)) || !is_normal(exponent_of(b)))
    return library_multiply(x, y);
  /* 128 bits by 113 give 240 or 241: the upper 128 of 256 are m, or half of it. */
  const wide ma = mantissa_of(a) << 15, mb = mantissa_of(b);
  const wide low = (wide)(uint64_t)ma * (uint64_t)mb;
  const wide inner = (wide)(uint64_t)ma * high(mb) + high(low); /* high(mb) has 49 bits */
  const wide outer = (wide)high(ma) * (uint64_t)mb + (uint64_t)inner;
  wide m = (wide)high(ma) * high(mb) + high(inner) + high(outer);
  uint64_t rest = (uint64_t)outer;
  if (m >> MANTISSA != 0) {
    e++;
  } else {
    m = m << 1 | rest >> 63;
    rest <<= 1;
  }
  if (!is_normal(e))
    return library_multiply(x, y);
  return number_of(rounded(e, m, rest | ((uint64_t)low != 0)), sign);
}

/* x + y with the bits of both, the sign of y changed by `change`; false: it is rare. */
static inline bool sum(quad *result, wide x, wide y, uint64_t change)
{
  enum { GUARD = 14 }; /* bits below m; one above remains for the carry */
  const wide all = ~((wide)sign_bit << 64);
  uint64_t sign = high(x) & sign_bit, other = (high(y) & sign_bit) ^ change;
  wide a = x & all, b = y & all;
  if (a < b) {
    const wide larger = b;
    const uint64_t its = other;
    b = a, other = sign;
    a = larger, sign = its;
  }
  const int e = exponent_of(a), distance = e - exponent_of(b);
  if (e >= LARGEST - 1)
    return false;
  if (distance > MANTISSA + 3) { /* b, be it zero, is less than an eighth of the last bit */
    *result = number_of(a, sign);
    return true;
  }
  if (exponent_of(b) == 0)
    return false;
  /* What is shifted out of the smaller one leaves a bit set at its end. */
  const wide ma = mantissa_of(a) << GUARD, whole = mantissa_of(b) << GUARD;
  const wide shifted = whole >> distance;
  const wide mb = shifted | (shifted << distance != whole);
  const wide opposite = -(wide)(sign != other);
  wide m = ma + ((mb ^ opposite) - opposite);
  if (m == 0) {
    *result = 0;
    return true;
  }
  const int zeros = high(m) != 0 ? __builtin_clzll(high(m)) : 64 + __builtin_clzll((uint64_t)m);
  m <<= zeros;
  *result = number_of(rounded(e + 1 - zeros, m >> 15, (uint64_t)m << 49), sign);
  return e + 1 - zeros > 0;
}

quad wrapped_add(quad x, quad y)
{
  quad result;
  return sum(&result, bits_of(x), bits_of(y), 0) ? result : library_add(x, y);
}

quad wrapped_subtract(quad x, quad y)
{
  quad result;
  return sum(&result, bits_of(x), bits_of(y), sign_bit) ? result : library_subtract(x, y);
}
#endif
