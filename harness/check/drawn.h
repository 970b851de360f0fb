/*
 * The problems of a certificate that nobody knows beforehand: mechanisms of every size drawn from a
 * seed, in other units, from rest; a problem that is known, in disguise.
 */
#ifndef HARNESS_CHECK_DRAWN_H
#define HARNESS_CHECK_DRAWN_H

#include <stdbool.h>

/* What is asked of it: courses of integrators of all orders, up to order 4, or up to 2; measures of
 * structure. */
enum {
  SHK_DRAWN_COURSES = 1 << 0,
  SHK_DRAWN_MIDDLE = 1 << 1,
  SHK_DRAWN_LOW = 1 << 2,
  SHK_DRAWN_STRUCTURE = 1 << 3,
  SHK_DRAWN_UNITS = 1 << 4 /* not of what is driven by a tolerance, which is in other units */
};

/* The specification of one of them, counted from 0; NULL: there are no more. A thorough examination
 * has several times as many. The caller frees it. */
char *shk_drawn_problem(unsigned *asked, int which, long seed, bool is_thorough);

#endif
