/*
 * Sums, differences, products and comparisons of 128-bit IEEE numbers, where the machine has none:
 * the functions that the compiler calls for them, under its names (Library support routines, GCC
 * Internals), which the linker then does not take from the compiler's library.
 *
 * The same bits, rounded to nearest, ties to even, in about half the time: no flags of exceptions
 * are raised, and no other rounding is asked for. Quotients stay with the compiler.
 *
 * A number is (-1)^sign 2^(e - 16383 - 112) M, with M of 113 bits; e = 0: M of up to 112 and e = 1.
 */
#define SHK_PRECISION 128
#include <shakedown/real.h>

#include <stdint.h>

typedef real_bits bits;

#define OWN __attribute__((visibility("hidden")))
#define RARE(condition) __builtin_expect(condition, 0)
#define SIGN ((bits)1 << 127)
#define UNIT ((bits)1 << 112) /* the bit of M that is not stored */
enum { INFINITE = 0x7fff, BIAS = 0x3fff };

OWN real __addtf3(real a, real b);
OWN real __subtf3(real a, real b);
OWN real __multf3(real a, real b);
OWN long __eqtf2(real a, real b);
OWN long __netf2(real a, real b);
OWN long __letf2(real a, real b);
OWN long __lttf2(real a, real b);
OWN long __getf2(real a, real b);
OWN long __gttf2(real a, real b);
OWN long __unordtf2(real a, real b);

static inline bits bits_of(real x)
{
  return real_bits_of(x);
}

static inline real of_bits(bits b)
{
  real x;
  memcpy(&x, &b, sizeof x);
  return x;
}

static inline int exponent_of(bits b)
{
  return (int)(b >> 112) & INFINITE;
}

static inline bits mantissa_of(bits b)
{
  return (b & (UNIT - 1)) | UNIT;
}

static inline bits magnitude_of(bits b)
{
  return b & ~SIGN;
}

static inline int leading_zeros(bits b)
{
  const uint64_t high = (uint64_t)(b >> 64);
  return high != 0 ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)b);
}

/* x / 2^shift, with the lowest bit set if any was lost. */
static inline bits shifted(bits x, int shift)
{
  if (RARE(shift > 127))
    return x != 0;
  const bits rest = x >> shift;
  return rest | (rest << shift != x);
}

/* x without its last 15 bits, rounded. */
static inline bits rounded(bits x)
{
  const bits kept = x >> 15;
  return kept + ((((unsigned)x & 0x7fff) + 0x3fff + ((unsigned)kept & 1)) >> 15);
}

/* ---- whatever is not finite, not normalized, or leaves the range ---- */

static bool is_nan(bits b)
{
  return magnitude_of(b) > (bits)INFINITE << 112;
}

static bits not_a_number(void)
{
  return (bits)0xffff8 << 108;
}

/* ± x 2^(e - 16383 - 127) with any e; x: its last bit stands for all below. */
static __attribute__((noinline)) real put(bits sign, int e, bits x)
{
  if (x == 0)
    return of_bits(sign);
  const int zeros = leading_zeros(x);
  x <<= zeros;
  e -= zeros;
  if (e >= INFINITE)
    return of_bits(sign | (bits)INFINITE << 112);
  if (e <= 0)
    return of_bits(sign | rounded(shifted(x, 1 - e))); /* may round to the least normalized one */
  return of_bits(sign | (rounded(x) + ((bits)(e - 1) << 112)));
}

/* M of a finite number, not zero, with its first bit at that of normalized ones; *e may be below
 * 1. */
static bits normalize(int *e, bits b)
{
  *e = exponent_of(b);
  if (*e > 0)
    return mantissa_of(b);
  const bits m = magnitude_of(b);
  const int zeros = leading_zeros(m) - 15;
  *e = 1 - zeros;
  return m << zeros;
}

/* For magnitudes |a| >= |b|; b is not zero unless a is infinite. */
static __attribute__((noinline, cold)) real add_rare(bits a, bits b)
{
  if (exponent_of(a) == INFINITE) {
    if (is_nan(a) || (exponent_of(b) == INFINITE && a != b))
      return of_bits(is_nan(a) ? a | UNIT >> 1 : not_a_number());
    return of_bits(a);
  }
  int e, lower;
  const bits x = normalize(&e, a) << 14, z = normalize(&lower, b) << 14;
  const bits y = shifted(z, e - lower);
  const bits sum = (a ^ b) & SIGN ? x - y : x + y;
  return put(sum == 0 ? 0 : a & SIGN, e + 1, sum);
}

/* a b: its upper 128 bits, and the two words below. */
struct product {
  bits high;
  uint64_t middle, low;
};

static inline struct product product_of(bits a, bits b)
{
  const uint64_t a1 = (uint64_t)(a >> 64), a0 = (uint64_t)a;
  const uint64_t b1 = (uint64_t)(b >> 64), b0 = (uint64_t)b;
  const bits low = (bits)a0 * b0;
  const bits one = (bits)a1 * b0 + (uint64_t)(low >> 64), two = (bits)a0 * b1 + (uint64_t)one;
  return (struct product){(bits)a1 * b1 + (uint64_t)(one >> 64) + (uint64_t)(two >> 64),
                          (uint64_t)two, (uint64_t)low};
}

/* One of them is zero only if the other is infinite. */
static __attribute__((noinline, cold)) real multiply_rare(bits a, bits b)
{
  const bits sign = (a ^ b) & SIGN;
  if (is_nan(a) || is_nan(b))
    return of_bits((is_nan(a) ? a : b) | UNIT >> 1);
  if (exponent_of(a) == INFINITE || exponent_of(b) == INFINITE)
    return of_bits(magnitude_of(a) == 0 || magnitude_of(b) == 0 ? not_a_number()
                                                                : sign | (bits)INFINITE << 112);
  int of_a, of_b;
  const bits x = normalize(&of_a, a) << 15, y = normalize(&of_b, b) << 15;
  const struct product p = product_of(x, y);
  return put(sign, of_a + of_b - BIAS + 1, p.high | ((p.middle | p.low) != 0));
}

/* ---- the others: by words of 64 bits, without branches that depend on the numbers ---- */

/* Through a register of vectors: two words that are stored cannot be loaded as one number at
 * once. */
static inline real of_words(uint64_t high, uint64_t low)
{
  typedef uint64_t pair __attribute__((vector_size(16)));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  const pair both = {low, high};
#else
  const pair both = {high, low};
#endif
  real x;
  memcpy(&x, &both, sizeof x);
  return x;
}

static inline bits joined(uint64_t high, uint64_t low)
{
  return (bits)high << 64 | low;
}

/* a + b, where flip is 0, or a - b, where it is the bit of a word's sign. */
static inline __attribute__((always_inline)) real add(bits a, bits b, uint64_t flip)
{
  const uint64_t sign = (uint64_t)1 << 63, first = (uint64_t)1 << 62;
  uint64_t ah = (uint64_t)(a >> 64), al = (uint64_t)a;
  uint64_t bh = (uint64_t)(b >> 64) ^ flip, bl = (uint64_t)b;
  const uint64_t differ = (ah ^ bh) >> 63;
  const uint64_t swap = -(uint64_t)(joined(ah & ~sign, al) < joined(bh & ~sign, bl));
  const uint64_t high = (ah ^ bh) & swap, low = (al ^ bl) & swap;
  ah ^= high;
  bh ^= high;
  al ^= low;
  bl ^= low;
  const bits larger = joined(ah, al), smaller = joined(bh, bl);
  const unsigned ea = (unsigned)(ah >> 48) & INFINITE, eb = (unsigned)(bh >> 48) & INFINITE;
  if (RARE(eb == 0 || ea == INFINITE)) {
    if (magnitude_of(smaller) == 0 && ea < INFINITE)
      return of_bits(magnitude_of(larger) == 0 ? larger & smaller : larger);
    return add_rare(larger, smaller);
  }
  /* M 2^14 of b, shifted to the place of a's, its last bit set if any was lost. */
  const unsigned shift = ea - eb > 127 ? 127 : ea - eb, part = shift & 63;
  const uint64_t whole = -(uint64_t)(shift >> 6);
  bh = ((bh << 14 | bl >> 50) & (first - 1)) | first;
  bl <<= 14;
  uint64_t lost = bl & whole;
  bl = (bl & ~whole) | (bh & whole);
  bh &= ~whole;
  lost |= bl << 1 << (63 - part);
  bl = bl >> part | bh << 1 << (63 - part) | (lost != 0);
  bh >>= part;
  const bits x = joined(((ah << 14 | al >> 50) & (first - 1)) | first, al << 14);
  const bits sum = x + (joined(bh, bl) ^ -(bits)differ) + differ;
  uint64_t sh = (uint64_t)(sum >> 64), sl = (uint64_t)sum;
  unsigned e = ea;
  if (RARE(sh == 0)) {
    if (sl == 0)
      return 0;
    sh = sl;
    sl = 0;
    e -= 64;
  }
  const int zeros = __builtin_clzll(sh);
  e -= (unsigned)zeros;
  if (RARE(e >= INFINITE - 2)) /* or below 0 */
    return add_rare(larger, smaller);
  sh = sh << zeros | sl >> 1 >> (63 - zeros);
  sl <<= zeros;
  const bits kept = joined((sh >> 15) + ((uint64_t)e << 48), sl >> 15 | sh << 49) +
                    (((sl & 0x7fff) + 0x3fff + (sl >> 15 & 1)) >> 15);
  return of_words((uint64_t)(kept >> 64) | (ah & sign), (uint64_t)kept);
}

real __addtf3(real a, real b)
{
  return add(bits_of(a), bits_of(b), 0);
}

real __subtf3(real a, real b)
{
  return add(bits_of(a), bits_of(b), (uint64_t)1 << 63);
}

real __multf3(real x, real y)
{
  const bits a = bits_of(x), b = bits_of(y);
  const uint64_t sign = (uint64_t)((a ^ b) >> 64) & (uint64_t)1 << 63;
  const int ea = exponent_of(a), eb = exponent_of(b), e = ea + eb - BIAS;
  if (RARE((unsigned)(ea - 1) >= INFINITE - 1 || (unsigned)(eb - 1) >= INFINITE - 1 ||
           (unsigned)(e - 1) >= INFINITE - 2)) {
    if ((magnitude_of(a) == 0 && eb < INFINITE) || (magnitude_of(b) == 0 && ea < INFINITE))
      return of_words(sign, 0);
    return multiply_rare(a, b);
  }
  /* M 2^15 of a times 2 M of b, of 241 or 242 bits. */
  const struct product p = product_of(mantissa_of(a) << 15, mantissa_of(b) << 1);
  uint64_t high = (uint64_t)(p.high >> 64), low = (uint64_t)p.high;
  const uint64_t carry = high >> 49; /* 242 bits: the last of `low` is half a unit */
  const uint64_t half = carry ? low & 1 : p.middle >> 63;
  const uint64_t below = p.middle << 1 | (p.middle & carry << 63) | p.low;
  low = low >> carry | (high << 63 & -carry);
  high = (high >> carry) + ((uint64_t)((unsigned)e + (unsigned)carry - 1) << 48);
  const bits kept = joined(high, low) + (half & ((uint64_t)(below != 0) | low));
  return of_words((uint64_t)(kept >> 64) | sign, (uint64_t)kept);
}

/* ---- comparisons ---- */

/* -1, 0 or 1; NaNs: `unordered`. As wide as the widest that a compiler looks at. */
static inline __attribute__((always_inline)) long compare(bits a, bits b, long unordered)
{
  if (RARE(is_nan(a) || is_nan(b)))
    return unordered;
  if (a == b || ((a | b) & ~SIGN) == 0)
    return 0;
  const bool below =
      a >> 127 ? b >> 127 ? magnitude_of(a) > magnitude_of(b) : true : !(b >> 127) && a < b;
  return below ? -1 : 1;
}

long __eqtf2(real a, real b)
{
  return compare(bits_of(a), bits_of(b), 1);
}

long __netf2(real a, real b)
{
  return compare(bits_of(a), bits_of(b), 1);
}

long __letf2(real a, real b)
{
  return compare(bits_of(a), bits_of(b), 2);
}

long __lttf2(real a, real b)
{
  return compare(bits_of(a), bits_of(b), 2);
}

long __getf2(real a, real b)
{
  return compare(bits_of(a), bits_of(b), -2);
}

long __gttf2(real a, real b)
{
  return compare(bits_of(a), bits_of(b), -2);
}

long __unordtf2(real a, real b)
{
  return is_nan(bits_of(a)) || is_nan(bits_of(b));
}
