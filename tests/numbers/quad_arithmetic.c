/* Our sums and products of 128-bit numbers against the C library's fused a b + c, which has an
 * arithmetic of its own; numbers of all kinds: equal exponents and far ones, long runs of bits that
 * are equal, subnormal, infinite, none. */
#define SHK_PRECISION 128
#include "tests/kit/tap.h"
#include <shakedown/parts/real.h>

enum { COUNT = 300000 };

__extension__ typedef unsigned __int128 bits;

real REAL_FUNCTION(fma)(real, real, real);

static uint64_t state = 88172645463325252;

static uint64_t draw(uint64_t below)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state >> 11) % below;
}

static real of_bits(bits b)
{
  real x;
  memcpy(&x, &b, sizeof x);
  return x;
}

static bool same(real a, real b)
{
  return a != a ? b != b : memcmp(&a, &b, sizeof a) == 0;
}

static real number(void)
{
  bits b = ((bits)state << 64) | (state * 0x9e3779b97f4a7c15);
  const unsigned one = 0x3fff, largest = 0x7fff;
  const unsigned exponents[] = {one - 20 + (unsigned)draw(40),
                                one - 130 + (unsigned)draw(260),
                                (unsigned)draw(4),
                                largest - (unsigned)draw(4),
                                one / 2 - 60 + (unsigned)draw(70),
                                (unsigned)draw(largest + 1)};
  const bits exponent = exponents[draw(9) % 6];
  const unsigned run = (unsigned)draw(112);
  switch (draw(6)) {
  case 0:
    b = 0;
    break;
  case 1:
    b = b >> run << run;
    break;
  case 2:
    b |= ((bits)1 << run) - 1;
    break;
  case 3:
    b = (bits)1 << run;
    break;
  default:
    break;
  }
  return of_bits((b & (((bits)1 << 112) - 1)) | exponent << 112 | (bits)draw(2) << 127);
}

/* Near the other, or its negative: what cancels. */
static real near(real x)
{
  bits b;
  memcpy(&b, &x, sizeof b);
  return of_bits((b ^ draw(16)) ^ (bits)draw(2) << 127);
}

int main(void)
{
  int sums = 0, differences = 0, products = 0;
  const real zero = 0;
  for (int i = 0; i < COUNT; i++) {
    const real a = number(), b = draw(4) == 0 ? near(a) : number();
    sums += !same(a + b, REAL_FUNCTION(fma)(a, 1, b));
    differences += !same(a - b, REAL_FUNCTION(fma)(a, 1, -b));
    products += !same(a * b, REAL_FUNCTION(fma)(a, b, -zero));
  }
  tap_ok(sums == 0, "sums are those of the C library, %d of %d are not", sums, COUNT);
  tap_ok(differences == 0, "so are differences, %d are not", differences);
  tap_ok(products == 0, "and products, %d are not", products);
  return tap_done();
}
