/*
 * Computes sums, differences and products of 128-bit IEEE numbers on machines that have no
 * instructions for them. This takes about half as long as the compiler's functions do ("Library
 * support routines", GCC Internals). The linker substitutes the functions in this file for those of
 * the compiler (--wrap in meson.build). They handle normal numbers and most zeros, and call the
 * compiler's functions for all other operands and results.
 *
 * The results are bitwise identical to those of the compiler's functions (round to nearest, ties to
 * even). Exception flags are not raised, and other rounding modes are not supported.
 *
 * A number is (-1)^sign 2^(e - 16383 - 112) M, where M has 113 bits, the first of which is not
 * stored.
 */
#define SHK_PRECISION 128
#include <shakedown/parts/real.h>

#include <stdint.h>

typedef real_bits bits;

#define OWN __attribute__((visibility("hidden")))
#define RARE(condition) __builtin_expect(condition, 0)
#define UNIT ((bits)1 << 112) /* the bit of M that is not stored */
enum { INFINITE = 0x7fff, BIAS = 0x3fff };

real __real___addtf3(real a, real b);
real __real___subtf3(real a, real b);
real __real___multf3(real a, real b);
OWN real __wrap___addtf3(real a, real b);
OWN real __wrap___subtf3(real a, real b);
OWN real __wrap___multf3(real a, real b);

static inline int exponent_of(bits b)
{
  return (int)(b >> 112) & INFINITE;
}

static inline bits mantissa_of(bits b)
{
  return (b & (UNIT - 1)) | UNIT;
}

/* Joins two words in a vector register. Storing the two words and loading them as one number would
 * stall the processor, because store forwarding fails. */
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

static inline bits joined_words(uint64_t high, uint64_t low)
{
  return (bits)high << 64 | low;
}

/* Stores a + b (if `flip` is 0) or a - b (if `flip` is the sign bit of a word) in *sum. Hardly any
 * branches depend on the operands. Returns false if the compiler's function must be called. */
static inline __attribute__((always_inline)) bool add(real *sum, bits a, bits b, uint64_t flip)
{
  const uint64_t sign = (uint64_t)1 << 63, first = (uint64_t)1 << 62;
  uint64_t ah = (uint64_t)(a >> 64), al = (uint64_t)a;
  uint64_t bh = (uint64_t)(b >> 64) ^ flip, bl = (uint64_t)b;
  const uint64_t differ = (ah ^ bh) >> 63;
  const uint64_t swap = -(uint64_t)(joined_words(ah & ~sign, al) < joined_words(bh & ~sign, bl));
  const uint64_t high = (ah ^ bh) & swap, low = (al ^ bl) & swap;
  ah ^= high;
  bh ^= high;
  al ^= low;
  bl ^= low;
  const unsigned ea = (unsigned)(ah >> 48) & INFINITE, eb = (unsigned)(bh >> 48) & INFINITE;
  if (RARE(eb == 0 || ea == INFINITE)) {
    *sum = of_words(ah, al);
    return (bh << 1 | bl) == 0 && ea > 0 && ea < INFINITE;
  }
  /* 2^14 times the M of b, shifted to the exponent of a; the last bit is set if any bits were
   * lost */
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
  const bits x = joined_words(((ah << 14 | al >> 50) & (first - 1)) | first, al << 14);
  const bits exact = x + (joined_words(bh, bl) ^ -(bits)differ) + differ;
  uint64_t sh = (uint64_t)(exact >> 64), sl = (uint64_t)exact;
  unsigned e = ea;
  *sum = 0;
  if (RARE(sh == 0))
    return sl == 0;
  const int zeros = __builtin_clzll(sh);
  e -= (unsigned)zeros;
  if (RARE(e >= INFINITE - 2)) /* e is unsigned, so this also catches exponents below 0 */
    return false;
  sh = sh << zeros | sl >> 1 >> (63 - zeros);
  sl <<= zeros;
  const bits kept = joined_words((sh >> 15) + ((uint64_t)e << 48), sl >> 15 | sh << 49) +
                    (((sl & 0x7fff) + 0x3fff + (sl >> 15 & 1)) >> 15);
  *sum = of_words((uint64_t)(kept >> 64) | (ah & sign), (uint64_t)kept);
  return true;
}

real __wrap___addtf3(real a, real b)
{
  real sum;
  return add(&sum, real_bits_of(a), real_bits_of(b), 0) ? sum : __real___addtf3(a, b);
}

real __wrap___subtf3(real a, real b)
{
  real difference;
  return add(&difference, real_bits_of(a), real_bits_of(b), (uint64_t)1 << 63)
             ? difference
             : __real___subtf3(a, b);
}

/* A 256-bit product: its upper 128 bits and the two 64-bit words below them. */
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

real __wrap___multf3(real x, real y)
{
  const bits a = real_bits_of(x), b = real_bits_of(y);
  const uint64_t sign = (uint64_t)((a ^ b) >> 64) & (uint64_t)1 << 63;
  const int ea = exponent_of(a), eb = exponent_of(b), e = ea + eb - BIAS;
  if (RARE((unsigned)(ea - 1) >= INFINITE - 1 || (unsigned)(eb - 1) >= INFINITE - 1 ||
           (unsigned)(e - 1) >= INFINITE - 2))
    return (a << 1 == 0 && eb < INFINITE) || (b << 1 == 0 && ea < INFINITE) ? of_words(sign, 0)
                                                                            : __real___multf3(x, y);
  /* the product of 2^15 times the M of a and twice the M of b has 241 or 242 bits */
  const struct product p = product_of(mantissa_of(a) << 15, mantissa_of(b) << 1);
  uint64_t high = (uint64_t)(p.high >> 64), low = (uint64_t)p.high;
  /* if there are 242 bits, the last bit of `low` counts half a unit */
  const uint64_t carry = high >> 49;
  const uint64_t half = carry ? low & 1 : p.middle >> 63;
  const uint64_t below = p.middle << 1 | (p.middle & carry << 63) | p.low;
  low = low >> carry | (high << 63 & -carry);
  high = (high >> carry) + ((uint64_t)((unsigned)e + (unsigned)carry - 1) << 48);
  const bits kept = joined_words(high, low) + (half & ((uint64_t)(below != 0) | low));
  return of_words((uint64_t)(kept >> 64) | sign, (uint64_t)kept);
}
