/* What certificates draw; see drawn.h. */
#include "harness/check/drawn.h"

#include "foundation/memory.h"

#include <stddef.h>

/* No two certificates have a problem in common: the seeds of one are so far apart. */
enum { THOROUGH_ROUNDS = 6, MOST_KINDS = 16 };

/* Each takes a seed of its own, and one of the choices in turn if there are any. What is known comes
 * in rows that are written anew and in a frame of its own; drives begin elsewhere in time. */
static const struct {
  const char *format; /* of the choice, if there are any, and the seed, once or twice */
  const char *const *choices;
  unsigned asked;
} drawn[] = {
    {"drawn(seed=%ld,size=small)", NULL, SHK_DRAWN_COURSES | SHK_DRAWN_STRUCTURE | SHK_DRAWN_FORM},
    {"drawn(seed=%ld,size=medium)", NULL, SHK_DRAWN_MIDDLE | SHK_DRAWN_STRUCTURE | SHK_DRAWN_FORM},
    {"drawn(seed=%ld,size=large)", NULL, SHK_DRAWN_LOW | SHK_DRAWN_STRUCTURE},
    {"drawn(%s,size=small,seed=%ld)",
     (const char *const[]){"length=1e-9,mass=1e-6", "length=1e-6,time=0.01", NULL},
     SHK_DRAWN_LOW | SHK_DRAWN_UNITS},
    {"drawn(%s,size=small,seed=%ld)",
     (const char *const[]){"length=1e6,time=10", "length=1e3,mass=1e6", NULL},
     SHK_DRAWN_LOW | SHK_DRAWN_UNITS},
    {"drawn(rests=yes,size=small,seed=%ld)", NULL, SHK_DRAWN_LOW},
    {"disguised(drawn(size=medium,seed=%ld),rewrite=yes,length=0.3,mass=7,seed=%ld)", NULL,
     SHK_DRAWN_LOW | SHK_DRAWN_STRUCTURE},
    {"disguised(%s,rewrite=yes,length=20,time=0.5,seed=%ld)",
     (const char *const[]){"sprung-pendulum", "spherical-pendulum",
                           "double-pendulum(angle1=0.7,angle2=-0.4,rate1=0.6,rate2=-0.4)",
                           "neumann", "two-body-sphere", "chain(links=3,spring=2,start=zigzag)",
                           NULL},
     SHK_DRAWN_LOW | SHK_DRAWN_STRUCTURE | SHK_DRAWN_FORM},
    {"disguised(%s,rewrite=yes,mass=3,shift=0.7,seed=%ld)",
     (const char *const[]){"driven-pendulum", "charged-pendulum", "manufactured", "index-one",
                           NULL},
     SHK_DRAWN_LOW}};

char *shk_drawn_problem(unsigned *asked, int which, long seed, bool is_thorough)
{
  const int kinds = sizeof drawn / sizeof drawn[0], kind = which % kinds, round = which / kinds;
  if (round >= (is_thorough ? THOROUGH_ROUNDS : 1))
    return NULL;
  const char *const *const choices = drawn[kind].choices;
  const long own = MOST_KINDS * (THOROUGH_ROUNDS * seed + round) + kind;
  int count = 0;
  while (choices && choices[count])
    count++;
  *asked = drawn[kind].asked;
  if (is_thorough && *asked & SHK_DRAWN_STRUCTURE)
    *asked |= SHK_DRAWN_FORM;
  return !choices ? shk_print_text(drawn[kind].format, own, own)
                  : shk_print_text(drawn[kind].format, choices[(seed + round) % count], own);
}
