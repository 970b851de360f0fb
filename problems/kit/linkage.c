/* Mechanisms made of rods, in natural coordinates. See linkage.h for the equations. */
#include "problems/kit/linkage.h"
#include "problems/kit/problem.h"

/* The maximum number of sites on which a row depends. */
#define SITES 3

static const real *place_of(const struct shk_linkage *s, const real *q, int site)
{
  return site >= 0 ? q + site * s->dimension : s->fixed + (-1 - site) * s->dimension;
}

/* Stores r_b - r_a, or the corresponding velocity difference. The velocity of a fixed site is
 * zero. */
static void vector_between_sites(const struct shk_linkage *s, real *out, const real *x, int a,
                                 int b, bool velocity)
{
  for (int j = 0; j < s->dimension; j++) {
    const real from = velocity && a < 0 ? 0 : place_of(s, x, a)[j];
    const real to = velocity && b < 0 ? 0 : place_of(s, x, b)[j];
    out[j] = to - from;
  }
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct shk_linkage *s = context;
  *value = 0;
  for (int i = s->vertical; i < s->count * s->dimension; i += s->dimension)
    *value += s->weight[i] * q[i];
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct shk_linkage *s = context;
  for (int i = 0; i < s->count * s->dimension; i++)
    out[i] = s->weight[i];
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct shk_linkage *s = context;
  real x[3];
  for (int i = 0; i < s->rows; i++) {
    const struct shk_link *link = &s->links[i];
    if (link->kind == SHK_LINK_MIDDLE) {
      const int j = link->coordinate;
      g[i] = place_of(s, q, link->c)[j] -
             (place_of(s, q, link->a)[j] + place_of(s, q, link->b)[j]) / 2;
      continue;
    }
    vector_between_sites(s, x, q, link->a, link->b, false);
    if (link->kind == SHK_LINK_ROD) {
      g[i] = (real_dot(x, x, s->dimension) - link->square) / 2;
      continue;
    }
    g[i] = real_dot(x, place_of(s, q, link->c), s->dimension);
  }
  return 0;
}

/* Adds `factor` times x to a site's entries in a row of G, starting at `slot`. A negative slot
 * means that the site is fixed. */
static void add_linkage(const struct shk_linkage *s, real *values, int slot, const real *x,
                        real factor)
{
  for (int j = 0; slot >= 0 && j < s->dimension; j++)
    values[slot + j] += factor * x[j];
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct shk_linkage *s = context;
  real x[3];
  for (int k = 0; k < s->row_start[s->rows]; k++)
    values[k] = 0;
  for (int i = 0; i < s->rows; i++) {
    const struct shk_link *link = &s->links[i];
    const int *slot = s->slots + (size_t)i * SITES;
    if (link->kind == SHK_LINK_MIDDLE) {
      for (int k = 0; k < 3; k++)
        if (slot[k] >= 0)
          values[slot[k]] = k == 2 ? 1 : -R(0.5);
      continue;
    }
    vector_between_sites(s, x, q, link->a, link->b, false);
    if (link->kind == SHK_LINK_ROD) {
      add_linkage(s, values, slot[0], x, -1);
      add_linkage(s, values, slot[1], x, 1);
      continue;
    }
    const real *y = place_of(s, q, link->c);
    add_linkage(s, values, slot[0], y, -1);
    add_linkage(s, values, slot[1], y, 1);
    add_linkage(s, values, slot[2], x, 1);
  }
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct shk_linkage *s = context;
  real x[3];
  for (int i = 0; i < s->rows; i++) {
    const struct shk_link *link = &s->links[i];
    out[i] = 0;
    if (link->kind == SHK_LINK_MIDDLE)
      continue;
    vector_between_sites(s, x, v, link->a, link->b, true);
    if (link->kind == SHK_LINK_ROD) {
      out[i] = real_dot(x, x, s->dimension);
      continue;
    }
    if (link->c >= 0)
      out[i] = 2 * real_dot(x, place_of(s, v, link->c), s->dimension);
  }
  return 0;
}

struct shk_status shk_linkage_create(struct shk_linkage *s, struct shk_workspace *workspace,
                                     int dimension, int count, int rows)
{
  const size_t n = (size_t)dimension * (size_t)count, m = (size_t)rows;
  *s = (struct shk_linkage){
      .dimension = dimension, .count = count, .vertical = dimension - 1, .drawn = count};
  s->lines = shk_memory(workspace, m * sizeof *s->lines);
  s->links = shk_memory(workspace, m * sizeof *s->links);
  if (!s->lines || !s->links)
    return shk_no_memory();
  SHK_TRY(shk_reals(workspace, &s->mass, n));
  SHK_TRY(shk_reals(workspace, &s->weight, n));
  SHK_TRY(shk_integers(workspace, &s->row_start, m + 1));
  SHK_TRY(shk_integers(workspace, &s->columns, m * SITES * (size_t)dimension));
  return shk_integers(workspace, &s->slots, m * SITES);
}

void shk_linkage_rod(struct shk_linkage *s, int a, int b, real length)
{
  s->links[s->rows++] =
      (struct shk_link){.kind = SHK_LINK_ROD, .a = a, .b = b, .square = length * length};
}

void shk_linkage_angle(struct shk_linkage *s, int a, int b, int vector)
{
  s->links[s->rows++] = (struct shk_link){.kind = SHK_LINK_ANGLE, .a = a, .b = b, .c = vector};
}

void shk_linkage_middle(struct shk_linkage *s, int a, int b, int middle)
{
  for (int j = 0; j < s->dimension; j++)
    s->links[s->rows++] =
        (struct shk_link){.kind = SHK_LINK_MIDDLE, .a = a, .b = b, .c = middle, .coordinate = j};
}

void shk_linkage_load(struct shk_linkage *s, int site, real mass, real weight)
{
  if (site < 0)
    return;
  for (int j = 0; j < s->dimension; j++)
    s->mass[site * s->dimension + j] += mass;
  s->weight[site * s->dimension + s->vertical] += weight;
}

/* Stores the columns of a row in ascending order, and the first column of each site in the row. */
static void row_pattern(struct shk_linkage *s, int i)
{
  const struct shk_link *link = &s->links[i];
  const int sites[SITES] = {link->a, link->b, link->c};
  const int used = link->kind == SHK_LINK_ROD ? 2 : 3;
  const int width = link->kind == SHK_LINK_MIDDLE ? 1 : s->dimension;
  int *slot = s->slots + (size_t)i * SITES, next = s->row_start[i];
  for (int k = 0; k < SITES; k++)
    slot[k] = -1;
  for (int last = -1;;) {
    int least = s->count; /* the site with the next larger index */
    for (int k = 0; k < used; k++)
      if (sites[k] > last && sites[k] < least)
        least = sites[k];
    if (least == s->count)
      break;
    for (int k = 0; k < used; k++)
      if (sites[k] == least)
        slot[k] = next;
    for (int j = 0; j < width; j++)
      s->columns[next++] =
          least * s->dimension + (link->kind == SHK_LINK_MIDDLE ? link->coordinate : j);
    last = least;
  }
  s->row_start[i + 1] = next;
}

/* Creates the picture, which consists of the rods between points and the fixed points at their
 * ends. */
static void make_picture(struct shk_linkage *s)
{
  s->picture = (struct shk_picture){.struct_size = sizeof s->picture,
                                    .dimension = s->dimension,
                                    .up = s->vertical,
                                    .point_count = s->drawn,
                                    .fixed = s->fixed,
                                    .lines = s->lines};
  for (int i = 0; i < s->rows; i++) {
    const struct shk_link *link = &s->links[i];
    if (link->kind != SHK_LINK_ROD || link->a >= s->drawn || link->b >= s->drawn)
      continue;
    s->lines[s->picture.line_count++] = (struct shk_picture_line){link->a, link->b, false};
    const int first = link->a < link->b ? link->a : link->b;
    if (first < 0 && -first > s->picture.fixed_count)
      s->picture.fixed_count = -first;
  }
}

void shk_linkage_bind(struct shk_instance *instance, struct shk_linkage *s)
{
  for (int i = 0; i < s->rows; i++)
    row_pattern(s, i);
  make_picture(s);
  instance->picture = &s->picture;
  instance->system = (struct shk_system){.struct_size = sizeof(struct shk_system),
                                         .n = s->count * s->dimension,
                                         .m = s->rows,
                                         .context = s,
                                         .mass = s->mass,
                                         SHK_POTENTIAL,
                                         SHK_CONSTRAINT,
                                         .row_start = s->row_start,
                                         .columns = s->columns};
}
