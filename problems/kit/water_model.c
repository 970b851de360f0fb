/* Rigid three-site water models. See water.h. */
#include "mechanics/algebra/random.h"
#include "problems/kit/distance.h"
#include "problems/kit/water.h"

const struct shk_choice shk_water_models[] = {
    {"spc-e", "SPC/E of Berendsen, Grigera & Straatsma (1987)", NULL},
    {"tip3p", "TIP3P of Jorgensen et al. (1983)", NULL},
    {0}};

enum { SPC_E };

static real whole_power(real x, int n)
{
  real product = 1;
  for (int i = 0; i < n; i++)
    product *= x;
  return product;
}

static void read_model(struct shk_water *water, int model)
{
  real hydrogen;
  if (model == SPC_E) {
    const real A = R(0.37122), B = R(0.3428);
    water->bond = R(0.1);
    water->span = water->bond * real_sqrt(R(8.0) / 3); /* 2 - 2 cos, cos = -1/3 */
    hydrogen = R(0.4238);
    water->sigma = B * B / A;
    water->epsilon = whole_power(A / B, 12) / 4;
  } else {
    const real a = 582000, c = 595, kilocalorie = R(4.184), angstrom = R(0.1);
    water->bond = R(0.09572);
    water->span = 2 * water->bond * real_sin(R(52.26) * REAL_PI / 180);
    hydrogen = R(0.417);
    water->sigma = real_pow(a / c, R(1.0) / 6) * angstrom;
    water->epsilon = c * c / (4 * a) * kilocalorie;
  }
  water->charge[0] = -2 * hydrogen;
  water->charge[1] = water->charge[2] = hydrogen;
  water->mass[0] = R(15.9994);
  water->mass[1] = water->mass[2] = R(1.008);
}

void shk_water_read(struct shk_water *water, const struct shk_water_options *options)
{
  read_model(water, options->model);
  const real added = options->hydrogen - water->mass[1]; /* mass that is moved to each hydrogen */
  water->mass[0] -= 2 * added;
  water->mass[1] = water->mass[2] = water->mass[1] + added;
}

/* Draws a uniformly distributed rotation, using a quaternion that is uniform on the unit sphere. */
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

void shk_water_place(struct shk_sites *sites, const struct shk_water *water, int index,
                     const real *at, uint64_t *seed)
{
  const real half = water->span / 2, height = real_sqrt(water->bond * water->bond - half * half);
  const real body[3][3] = {{0, 0, 0}, {half, height, 0}, {-half, height, 0}};
  real rotation[3][3];
  draw_rotation(rotation, seed);
  const size_t first = 9 * (size_t)index;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      sites->q[first + 3 * (size_t)i + (size_t)j] = at[j] + real_dot(rotation[j], body[i], 3);
      sites->mass[first + 3 * (size_t)i + (size_t)j] = water->mass[i];
    }
  const int o = 3 * index;
  sites->rods[o] = (struct shk_rod){o, o + 1, water->bond * water->bond};
  sites->rods[o + 1] = (struct shk_rod){o, o + 2, water->bond * water->bond};
  sites->rods[o + 2] = (struct shk_rod){o + 1, o + 2, water->span * water->span};
}
