/*
 * A plug-in for the tests of solvers: `chains(count,links)`, equal planar chains side by side, each
 * from its own fixed anchor and with its own start (another one for each number of links), so that
 * the constraint graph has `count` components of `links` constraints:
 *
 *     H = Σ |p|²/2 + Σ y,   0 = ½ (|r_i - r_(i-1)|² - 1) along each chain
 *
 * and, on request, one constraint more that the others imply: `extra=twice` the first row once
 * more, `scaled` eight times the first row, `sum` 0.3 times the first row plus 1.7 times the
 * second, `contrary` the first row less a constant, which nothing satisfies.
 */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <shakedown/plugin.h>

enum extra { NONE, TWICE, SCALED, SUM, CONTRARY };

struct chains {
  long count, links;
  int extra; /* enum extra */
  real *mass;
  int *row_start, *columns;
};

/* Row i - 1 of chain c is about bead i, counted from 1; coordinates of bead i: 2 (c links + i - 1).
 */
static real component(const real *r, long i, int j)
{
  return r[j] - (i > 0 ? r[j - 2] : 0);
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct chains *s = context;
  *value = 0;
  for (long i = 1; i < 2 * s->count * s->links; i += 2)
    *value += q[i];
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct chains *s = context;
  for (long i = 0; i < 2 * s->count * s->links; i++)
    out[i] = i % 2;
  return 0;
}

/* The value of the extra row from those of the first two. */
static real combined(const struct chains *s, const real *g)
{
  return s->extra == SCALED ? 8 * g[0] : s->extra == SUM ? R(0.3) * g[0] + R(1.7) * g[1] : g[0];
}

/* Squares of the links of x, halved. */
static void squares(const struct chains *s, real *out, const real *x)
{
  for (long c = 0; c < s->count; c++)
    for (long i = 0; i < s->links; i++) {
      const long row = c * s->links + i;
      const real dx = component(x + 2 * row, i, 0), dy = component(x + 2 * row, i, 1);
      out[row] = (dx * dx + dy * dy) / 2;
    }
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct chains *s = context;
  const long rows = s->count * s->links;
  squares(s, g, q);
  for (long i = 0; i < rows; i++)
    g[i] -= R(0.5);
  if (s->extra != NONE)
    g[rows] = combined(s, g) - (s->extra == CONTRARY ? R(0.001) : 0);
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct chains *s = context;
  const long rows = s->count * s->links;
  squares(s, out, v);
  for (long i = 0; i < rows; i++)
    out[i] *= 2;
  if (s->extra != NONE)
    out[rows] = combined(s, out);
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct chains *s = context;
  real *at = values;
  for (long c = 0; c < s->count; c++)
    for (long i = 0; i < s->links; i++) {
      const real *r = q + 2 * (c * s->links + i);
      for (int j = 0; i > 0 && j < 2; j++)
        *at++ = -component(r, i, j);
      for (int j = 0; j < 2; j++)
        *at++ = component(r, i, j);
    }
  /* The first row has the columns 0 and 1, the second 0 to 3. */
  if (s->extra == SUM) {
    at[0] = R(0.3) * values[0] + R(1.7) * values[2];
    at[1] = R(0.3) * values[1] + R(1.7) * values[3];
    at[2] = R(1.7) * values[4];
    at[3] = R(1.7) * values[5];
  } else if (s->extra != NONE) {
    at[0] = combined(s, values);
    at[1] = combined(s, values + 1);
  }
  return 0;
}

static int start(const void *context, real *q, real *p)
{
  const struct chains *s = context;
  for (long c = 0; c < s->count; c++)
    for (long i = 0; i < s->links; i++) {
      const real angle = R(0.5) + (real)s->links * R(0.1) + (real)c * R(0.3) + (real)i * R(0.4);
      const real rate = R(0.5) - (real)i * R(0.7);
      const long k = 2 * (c * s->links + i);
      q[k] = real_sin(angle) + (i > 0 ? q[k - 2] : 0);
      q[k + 1] = -real_cos(angle) + (i > 0 ? q[k - 1] : 0);
      p[k] = rate * real_cos(angle) + (i > 0 ? p[k - 2] : 0);
      p[k + 1] = rate * real_sin(angle) + (i > 0 ? p[k - 1] : 0);
    }
  return 0;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct chains *s = context;
  const int links = (int)s->links, rows = (int)(s->count * s->links), n = 2 * rows;
  const int m = rows + (s->extra != NONE);
  if (s->extra == SUM && links < 2)
    return shk_failure(SHK_BAD_INPUT, "no second row to add", 0, 0);
  SHK_TRY(shk_reals(instance->workspace, &s->mass, (size_t)n));
  SHK_TRY(shk_integers(instance->workspace, &s->row_start, (size_t)m + 1));
  SHK_TRY(shk_integers(instance->workspace, &s->columns, 4 * (size_t)m));
  int entries = 0;
  for (int i = 0; i < n; i++)
    s->mass[i] = 1;
  for (int i = 0; i < m; i++) {
    const bool is_extra = i == rows;
    const int inner = is_extra ? s->extra == SUM : i % links > 0;
    const int first = is_extra ? 0 : 2 * (i - inner);
    s->row_start[i] = entries;
    for (int j = 0; j < (inner ? 4 : 2); j++)
      s->columns[entries++] = first + j;
  }
  s->row_start[m] = entries;
  instance->system.n = n;
  instance->system.m = m;
  instance->system.mass = s->mass;
  instance->system.row_start = s->row_start;
  instance->system.columns = s->columns;
  instance->time_scale = 1;
  instance->horizon = 2;
  instance->undecidable = SHK_LINEAR_POTENTIAL | SHK_CHAOTIC;
  instance->start = start;
  return shk_ok();
}

static const struct shk_choice extras[] = {
    {"none", "independent constraints only", NULL},
    {"twice", "the first row once more", NULL},
    {"scaled", "eight times the first row", NULL},
    {"sum", "0.3 times the first row plus 1.7 times the second", NULL},
    {"contrary", "the first row less 0.001", NULL},
    {0}};

static const struct shk_option options[] = SHK_LIST(
    SHK_INTEGER(chains, count, "count", "1", "number of chains", .minimum = "1",
                .maximum = "100000"),
    SHK_INTEGER(chains, links, "links", "2", "links of each", .minimum = "1", .maximum = "1000"),
    SHK_CHOICE(chains, extra, "extra", extras, "none", "a row that depends on the others"));

static const struct shk_system chains_system = {.potential = potential,
                                                .gradient = gradient,
                                                .constraint = constraint,
                                                .jacobian = jacobian,
                                                .curvature = curvature};

static const struct shk_problem chains = {
    .struct_size = sizeof chains,
    .info = {.name = "chains",
             .summary = "chains side by side, with or without a redundant constraint",
             .options = options},
    SHK_CONTEXT(chains),
    .system = &chains_system,
    .set_up = set_up};

SHK_PROVIDE(chains, .problems = SHK_PROBLEMS(&chains));
