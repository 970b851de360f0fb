/* Writes a system of masses, rods and quartic springs in the format of a `particles` file. */
#include "problems/kit/particles.h"

#include <shakedown/parts/problem.h>
#include <stdio.h>

static void print_vector(FILE *out, const char *key, const real *x, int dimension, real unit)
{
  for (int j = 0; j < dimension; j++)
    fprintf(out, "%s%.17g", j > 0 ? ", " : key, (double)(x[j] / unit));
  fputs("]", out);
}

/* Prints the ends of a rod or spring. Fixed points are named f1, f2, … and particles are named r1,
 * r2, … */
static void print_ends(FILE *out, int a, int b)
{
  fprintf(out, "  - {between: [%s%d, r%d]", a < 0 ? "f" : "r", a < 0 ? -a : a + 1, b + 1);
}

static void print_all(FILE *out, const struct shk_particles *s)
{
  const int dimension = s->sites.dimension;
  fputs("particles:\n", out);
  for (int i = 0; i < s->sites.count; i++) {
    const int at = i * dimension;
    fprintf(out, "  - {name: r%d, mass: %.17g", i + 1, (double)s->sites.mass[at]);
    print_vector(out, ", position: [", s->sites.q + at, dimension, 1);
    print_vector(out, ", velocity: [", s->sites.p + at, dimension, s->sites.mass[at]);
    fputs("}\n", out);
  }
  fputs("fixed:\n", out);
  for (int i = 0; i < s->fixed_count; i++) {
    fprintf(out, "  - {name: f%d", i + 1);
    print_vector(out, ", position: [", s->fixed + i * dimension, dimension, 1);
    fputs("}\n", out);
  }
  fputs("rods:\n", out);
  for (int i = 0; i < s->sites.rod_count; i++) {
    print_ends(out, s->sites.rods[i].a, s->sites.rods[i].b);
    fputs("}\n", out);
  }
  fputs("quartic-springs:\n", out);
  for (int i = 0; i < s->quartic_count; i++) {
    print_ends(out, s->quartics[i].a, s->quartics[i].b);
    fprintf(out, ", stiffness: %.17g, length: %.17g}\n", (double)s->quartics[i].stiffness,
            (double)s->quartics[i].rest);
  }
}

char *shk_particles_text(const struct shk_instance *instance)
{
  const struct shk_particles *const s = instance->system.context;
  const int others =
      s->spring_count + s->pair_count + s->angle_count + s->cosine_count + s->torsion_count;
  char *text = NULL;
  size_t length = 0;
  FILE *const out = s->sway > 0 || others > 0 ? NULL : open_memstream(&text, &length);
  if (!out)
    return NULL;
  if (s->falls) {
    print_vector(out, "gravity: [", s->gravity, s->sites.dimension, 1);
    fputs("\n", out);
  }
  fprintf(out, "time-scale: %.17g\nhorizon: %.17g\n", (double)instance->time_scale,
          (double)instance->horizon);
  print_all(out, s);
  return fclose(out) == 0 ? text : NULL;
}
