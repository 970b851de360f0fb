/*
 * Mechanisms of slender rods in natural coordinates, under gravity (J. García de Jalón & E. Bayo,
 * Kinematic and Dynamic Simulation of Multibody Systems, Springer 1994, ch. 2-4): the coordinates
 * are the Cartesian coordinates of points and unit vectors. Both are called sites here.
 *
 *     H = ½ Σ |p_i|²/m_i + Σ w_i h_i        w: weights, h: heights
 *     0 = ½ (|r_b - r_a|² - l²)             a rod
 *     0 = (r_b - r_a)·r_c                   a right angle with a vector
 *     0 = r_c - ½ (r_a + r_b)               the middle of a rod: one row per coordinate
 *
 * Sites can be fixed. The constraint force is -Gᵀλ. A uniform rod of mass m has the same inertia as
 * three point masses, m/6 at each end and 2m/3 in the middle, so M is diagonal if the middle is one
 * of the sites. A rod that turns about a fixed end is equivalent to a point mass m/3 at the other
 * end.
 */
#ifndef PROBLEMS_KIT_LINKAGE_H
#define PROBLEMS_KIT_LINKAGE_H

#include <shakedown/parts/problem.h>

/* The index of fixed site i. Moving site i has the index i. */
#define SHK_FIXED(i) (-1 - (i))

/* The sites in one row: the ends a and b of a rod, and the site c, which is either the middle of
 * the rod or a vector. */
struct shk_link {
  enum { SHK_LINK_ROD, SHK_LINK_ANGLE, SHK_LINK_MIDDLE } kind;
  int a, b, c;
  int coordinate; /* of SHK_LINK_MIDDLE */
  real square;    /* l² */
};

/* A linkage. It must be the first member of a problem's context. */
struct shk_linkage {
  /* the number of coordinates per site, the number of sites, and the number of constraints */
  int dimension, count, rows;
  int vertical;           /* index of the vertical coordinate */
  struct shk_link *links; /* rows, filled in sequentially by the functions below */
  /* mass and weight of every coordinate; the weight is 0 except for vertical coordinates */
  real *mass, *weight;
  const real *fixed; /* owned by the problem: `dimension` numbers per fixed site */
  /* the sparsity pattern of G, and the positions of each row's sites in it */
  int *row_start, *columns, *slots;
  /* number of sites that are points rather than vectors; the points come first */
  int drawn;
  struct shk_picture picture; /* picture of the rods between points */
  struct shk_picture_line *lines;
};

/* Allocates a linkage with `count` sites and `rows` rows in the workspace. The functions below add
 * the rows, masses and weights. */
struct shk_status shk_linkage_create(struct shk_linkage *linkage, struct shk_workspace *workspace,
                                     int dimension, int count, int rows);

/* Adds a single row for a rod from a to b. */
void shk_linkage_rod(struct shk_linkage *linkage, int a, int b, real length);
/* Adds a row that makes the line from a to b orthogonal to `vector`. If `a` is a fixed site at the
 * origin, the row makes the vector b orthogonal to `vector`. */
void shk_linkage_angle(struct shk_linkage *linkage, int a, int b, int vector);
/* Adds `dimension` rows that put the site `middle` halfway between a and b. */
void shk_linkage_middle(struct shk_linkage *linkage, int a, int b, int middle);
/* Adds mass and weight to a site. Fixed sites are ignored. */
void shk_linkage_load(struct shk_linkage *linkage, int site, real mass, real weight);

/* Sets the sparsity pattern, the picture and the instance's system, whose context is `linkage`. The
 * caller sets everything else. */
void shk_linkage_bind(struct shk_instance *instance, struct shk_linkage *linkage);

#endif
