/* Rigid water of three sites; see water.h. */
#include "mechanics/algebra/random.h"
#include "problems/kit/distance.h"
#include "problems/kit/water.h"

const struct shk_choice shk_water_models[] = {
    {"spc-e", "SPC/E of Berendsen, Grigera & Straatsma (1987)", NULL},
    {"tip3p", "TIP3P of Jorgensen et al. (1983)", NULL},
    {0}};

enum { SPC_E };

static real power(real x, int n)
{
  real product = 1;
  for (int i = 0; i < n; i++)
    product *= x;
  return product;
}

static void read_model(struct shk_water *w, int model)
{
  real hydrogen;
  if (model == SPC_E) {
    const real A = R(0.37122), B = R(0.3428);
    w->bond = R(0.1);
    w->span = w->bond * real_sqrt(R(8.0) / 3); /* 2 - 2 cos, cos = -1/3 */
    hydrogen = R(0.4238);
    w->sigma = B * B / A;
    w->epsilon = power(A / B, 12) / 4;
  } else {
    const real a = 582000, c = 595, kilocalorie = R(4.184), angstrom = R(0.1);
    w->bond = R(0.09572);
    w->span = 2 * w->bond * real_sin(R(52.26) * REAL_PI / 180);
    hydrogen = R(0.417);
    w->sigma = real_pow(a / c, R(1.0) / 6) * angstrom;
    w->epsilon = c * c / (4 * a) * kilocalorie;
  }
  w->charge[0] = -2 * hydrogen;
  w->charge[1] = w->charge[2] = hydrogen;
  w->mass[0] = R(15.9994);
  w->mass[1] = w->mass[2] = R(1.008);
}

void shk_water_read(struct shk_water *w, const struct shk_water_options *options)
{
  read_model(w, options->model);
  const real more = options->hydrogen - w->mass[1]; /* added to each hydrogen */
  w->mass[0] -= 2 * more;
  w->mass[1] = w->mass[2] = w->mass[1] + more;
}

/* Draws a rotation uniformly, from a quaternion uniform on the unit sphere. */
static void draw_rotation(real (*rotation)[3], uint64_t *seed)
{
  real x[4];
  shk_random_gaussian_pair(x, seed);
  shk_random_gaussian_pair(x + 2, seed);
  const real size = real_sqrt(real_dot(x, x, 4));
  const real a = x[0] / size, b = x[1] / size, c = x[2] / size, d = x[3] / size;
  const real rows[3][3] = {{1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)},
                           {2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)},
                           {2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)}};
  for (int i = 0; i < 9; i++)
    rotation[i / 3][i % 3] = rows[i / 3][i % 3];
}

void shk_water_place(struct shk_sites *sites, const struct shk_water *w, int index, const real *at,
                     uint64_t *seed)
{
  const real half = w->span / 2, height = real_sqrt(w->bond * w->bond - half * half);
  const real body[3][3] = {{0, 0, 0}, {half, height, 0}, {-half, height, 0}};
  real rotation[3][3];
  draw_rotation(rotation, seed);
  const size_t first = 9 * (size_t)index;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      sites->q[first + 3 * (size_t)i + (size_t)j] = at[j] + real_dot(rotation[j], body[i], 3);
      sites->mass[first + 3 * (size_t)i + (size_t)j] = w->mass[i];
    }
  const int o = 3 * index;
  sites->rods[o] = (struct shk_rod){o, o + 1, w->bond * w->bond};
  sites->rods[o + 1] = (struct shk_rod){o, o + 2, w->bond * w->bond};
  sites->rods[o + 2] = (struct shk_rod){o + 1, o + 2, w->span * w->span};
}
