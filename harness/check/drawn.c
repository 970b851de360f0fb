/* What certificates draw; see drawn.h. */
#include "harness/check/drawn.h"

#include "foundation/memory.h"

#include <stddef.h>

/* No two certificates have a problem in common: the seeds of one are so far apart. */
enum { THOROUGH_ROUNDS = 6, MOST_KINDS = 16 };

/* Any three of these that follow one another are all different, in the plane and in space. */
static const char *const shapes[] = {"shape=ring,dimension=2",
                                     "shape=tree,dimension=3",
                                     "shape=clusters,dimension=2",
                                     "shape=ring,dimension=3",
                                     "shape=tree,dimension=2",
                                     "shape=clusters,dimension=3",
                                     NULL};

/* Each takes a seed of its own, and one of the choices in turn if there are any, the first `skips`
 * further on. What is known comes in rows that are written anew and in a frame of its own, and
 * small systems of every kind in pairs; drives begin elsewhere in time. */
static const struct {
  const char *format; /* of the choice, if there are any, and the seed, once or twice */
  const char *const *choices;
  unsigned asked;
  int skips;
} drawn[] = {
    {"drawn(seed=%ld,size=small)", NULL, SHK_DRAWN_COURSES | SHK_DRAWN_STRUCTURE},
    {"drawn(%s,size=medium,seed=%ld)", shapes, SHK_DRAWN_MIDDLE | SHK_DRAWN_STRUCTURE, 0},
    {"drawn(%s,size=large,seed=%ld)", shapes, SHK_DRAWN_LOW | SHK_DRAWN_STRUCTURE, 1},
    {"drawn(%s,size=medium,sways=yes,seed=%ld)", shapes, SHK_DRAWN_LOW, 2},
    {"drawn(%s,size=small,seed=%ld)",
     (const char *const[]){"length=1e-9,mass=1e-6", "length=1e-9,time=0.01", NULL},
     SHK_DRAWN_LOW | SHK_DRAWN_UNITS},
    {"drawn(%s,size=small,seed=%ld)",
     (const char *const[]){"length=1e6,time=10", "length=1e6,mass=1e6", NULL},
     SHK_DRAWN_LOW | SHK_DRAWN_UNITS},
    {"drawn(rests=yes,size=small,seed=%ld)", NULL, SHK_DRAWN_LOW},
    {"disguised(drawn(shape=chain,size=medium,seed=%ld),rewrite=yes,length=0.3,mass=7,seed=%ld)",
     NULL, SHK_DRAWN_LOW | SHK_DRAWN_STRUCTURE},
    {"disguised(%s,rewrite=yes,length=20,time=0.5,seed=%ld)",
     (const char *const[]){"sprung-pendulum", "spherical-pendulum",
                           "double-pendulum(angle1=0.7,angle2=-0.4,rate1=0.6,rate2=-0.4)",
                           "neumann", "two-body-sphere", "chain(links=3,spring=2,start=zigzag)",
                           NULL},
     SHK_DRAWN_LOW | SHK_DRAWN_STRUCTURE},
    {"disguised(pair(%s),rewrite=yes,mass=3,shift=57.3,seed=%ld)",
     (const char *const[]){"driven-pendulum,rotating-hoop", NULL}, SHK_DRAWN_LOW},
    {"disguised(pair(%s),rewrite=yes,length=2,shift=-43.4,seed=%ld)",
     (const char *const[]){"manufactured,sundials-slider-crank", NULL}, SHK_DRAWN_LOW},
    {"disguised(pair(%s),rewrite=yes,time=2,seed=%ld)",
     (const char *const[]){"charged-pendulum,index-one", "charged-pendulum,charged-pendulum", NULL},
     SHK_DRAWN_LOW},
    {"disguised(pair(%s),mass=0.5,seed=%ld)",
     (const char *const[]){"slider-crank(driven=no),slider-crank(driven=no)", NULL},
     SHK_DRAWN_LOW | SHK_DRAWN_STRUCTURE}};

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
  return !choices ? shk_print_text(drawn[kind].format, own, own)
                  : shk_print_text(drawn[kind].format,
                                   choices[(seed + round + drawn[kind].skips) % count], own, own);
}
