/*
 * Mechanisms of slender rods in natural coordinates, under gravity (J. García de Jalón & E. Bayo,
 * Kinematic and Dynamic Simulation of Multibody Systems, Springer 1994, ch. 2-4): the Cartesian
 * coordinates of points and of unit vectors, all of them called sites here.
 *
 *     H = ½ Σ |p_i|²/m_i + Σ w_i h_i        w: weights, h: heights
 *     0 = ½ (|r_b - r_a|² - l²)             a rod
 *     0 = (r_b - r_a)·r_c                   a right angle with a vector
 *     0 = r_c - ½ (r_a + r_b)               the middle of a rod: one row a coordinate
 *
 * A site may be fixed. The constraint force is -Gᵀλ. A uniform rod of mass m has the inertia of
 * three points, m/6 at its ends and 2m/3 in its middle; with its middle among the sites M is
 * diagonal. A rod that turns about a fixed end is a point of mass m/3 at the other.
 */
#ifndef PROBLEMS_KIT_LINKAGE_H
#define PROBLEMS_KIT_LINKAGE_H

#include <shakedown/problem.h>

/* Moving site i is i; fixed site i of the list is SHK_FIXED(i). */
#define SHK_FIXED(i) (-1 - (i))

/* Sites of one row: a, b of a rod, with c its middle or a vector. */
struct shk_link {
  enum { SHK_LINK_ROD, SHK_LINK_ANGLE, SHK_LINK_MIDDLE } kind;
  int a, b, c;
  int coordinate; /* of a middle */
  real square;    /* l² */
};

/* The first member of a problem's context. */
struct shk_linkage {
  int dimension, count, rows;       /* of coordinates a site, sites, constraints */
  int vertical;                     /* the coordinate that is the height */
  struct shk_link *links;           /* rows, filled in order by the functions below */
  real *mass, *weight;              /* of every coordinate; weight: 0 but for the height */
  const real *fixed;                /* the problem's own: `dimension` numbers a place */
  int *row_start, *columns, *slots; /* pattern; the places of a row's sites in it */
  int drawn;                        /* how many sites, the first ones, are points, not vectors */
  struct shk_picture picture;       /* of the rods between points */
  struct shk_picture_line *lines;
};

#define shk_linkage_create SHK_NAME(shk_linkage_create)
#define shk_linkage_rod SHK_NAME(shk_linkage_rod)
#define shk_linkage_angle SHK_NAME(shk_linkage_angle)
#define shk_linkage_middle SHK_NAME(shk_linkage_middle)
#define shk_linkage_load SHK_NAME(shk_linkage_load)
#define shk_linkage_bind SHK_NAME(shk_linkage_bind)

/* Room for `count` sites and `rows` rows, taken from the workspace; no rows yet, no masses. */
struct shk_status shk_linkage_create(struct shk_linkage *linkage, struct shk_workspace *workspace,
                                     int dimension, int count, int rows);

/* The next row, or `dimension` of them. */
void shk_linkage_rod(struct shk_linkage *linkage, int a, int b, real length);
/* From a to b at a right angle with the vector; `a` a place at the origin: with the vector b. */
void shk_linkage_angle(struct shk_linkage *linkage, int a, int b, int vector);
void shk_linkage_middle(struct shk_linkage *linkage, int a, int b, int middle);
/* Adds mass and weight to a site; fixed ones are ignored. */
void shk_linkage_load(struct shk_linkage *linkage, int site, real mass, real weight);

/* Sets the pattern, the picture and the instance's system, whose context is `linkage`, but for what
 * only the caller knows. */
void shk_linkage_bind(struct shk_instance *instance, struct shk_linkage *linkage);

#endif
