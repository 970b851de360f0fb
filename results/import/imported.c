/* Molecules read from the files of other programs: kept, and written as a system of particles. */
#include "results/import/imported.h"

#include "foundation/memory.h"

#include <stdlib.h>
#include <string.h>

struct shk_bonded_term *shk_imported_add(struct shk_imported *imported,
                                         enum shk_particles_kind kind, const int *at, int ends)
{
  imported->terms =
      shk_grow(imported->terms, (size_t)imported->term_count, sizeof *imported->terms);
  struct shk_bonded_term *const term = &imported->terms[imported->term_count++];
  *term = (struct shk_bonded_term){.kind = kind};
  memcpy(term->at, at, (size_t)ends * sizeof *at);
  return term;
}

void shk_imported_clear(struct shk_imported *imported)
{
  free(imported->atoms);
  free(imported->terms);
  *imported = (struct shk_imported){0};
}

/* ---- pairs to exclude ---- */

/* How far apart atoms are, in bonds; count x count. */
static unsigned char *bond_distances(const struct shk_imported *imported, int first, int count,
                                     int bonds)
{
  const size_t n = (size_t)count;
  unsigned char *const apart = shk_allocate(n * n, 1);
  memset(apart, 255, n * n);
  for (int i = 0; i < imported->term_count; i++) {
    const struct shk_bonded_term *const term = &imported->terms[i];
    const int a = term->at[0] - first, b = term->at[1] - first;
    if ((term->kind == SHK_ROD || term->kind == SHK_SPRING) && a >= 0 && a < count)
      apart[(size_t)a * n + (size_t)b] = apart[(size_t)b * n + (size_t)a] = 1;
  }
  for (int far = 2; far <= bonds; far++)
    for (size_t a = 0; a < n; a++)
      for (size_t b = 0; b < n; b++)
        for (size_t c = 0; apart[a * n + b] == far - 1 && c < n; c++)
          if (apart[b * n + c] == 1 && apart[a * n + c] > far && a != c)
            apart[a * n + c] = (unsigned char)far;
  return apart;
}

void shk_imported_exclude(struct shk_imported *imported, int first, int end, int bonds)
{
  const int count = end - first;
  const size_t n = (size_t)count;
  unsigned char *const apart = bond_distances(imported, first, count, bonds);
  for (int i = 0; i < imported->term_count; i++) {
    const struct shk_bonded_term *const term = &imported->terms[i];
    const int a = term->at[0] - first, b = term->at[1] - first;
    if (term->kind != SHK_SPRING && term->kind < SHK_ANGLE && a >= 0 && a < count)
      apart[(size_t)a * n + (size_t)b] = apart[(size_t)b * n + (size_t)a] = 255;
  }
  for (int a = 0; a < count; a++)
    for (int b = a + 1; b < count; b++)
      if (apart[(size_t)a * n + (size_t)b] <= bonds) {
        const int at[2] = {first + a, first + b};
        shk_imported_add(imported, SHK_EXCLUDE, at, 2);
      }
  free(apart);
}

/* ---- as a system of particles ---- */

static void write_vector(FILE *out, const char *key, const double *x)
{
  fprintf(out, ", %s: [%.15g, %.15g, %.15g]", key, x[0], x[1], x[2]);
}

static void write_atoms(FILE *out, const struct shk_imported *imported)
{
  fprintf(out, "particles:\n");
  for (int i = 0; i < imported->atom_count; i++) {
    const struct shk_atom *const atom = &imported->atoms[i];
    fprintf(out, "  - {name: \"%s-%d\", mass: %.15g", atom->name, i + 1, atom->mass);
    write_vector(out, "position", atom->position);
    if (atom->moves)
      write_vector(out, "velocity", atom->velocity);
    if (atom->charge != 0)
      fprintf(out, ", charge: %.15g", atom->charge);
    if (atom->epsilon > 0)
      fprintf(out, ",\n     lennard-jones: {sigma: %.15g, epsilon: %.15g}", atom->sigma,
              atom->epsilon);
    fprintf(out, "}\n");
  }
}

static void write_names(FILE *out, const struct shk_imported *imported,
                        const struct shk_bonded_term *term, int ends)
{
  for (int i = 0; i < ends; i++)
    fprintf(out, "%s\"%s-%d\"", i == 0 ? "[" : ", ", imported->atoms[term->at[i]].name,
            term->at[i] + 1);
  fprintf(out, "]");
}

static void write_numbers(FILE *out, const struct shk_bonded_term *term)
{
  const double *const x = term->number;
  if (term->kind == SHK_ROD)
    fprintf(out, ", length: %.15g", x[0]);
  else if (term->kind == SHK_SPRING)
    fprintf(out, ", stiffness: %.15g, length: %.15g", x[0], x[1]);
  else if (term->kind == SHK_PAIR && term->own)
    fprintf(out, ", coulomb: %.15g, sigma: %.15g, epsilon: %.15g", x[0], x[1], x[2]);
  else if (term->kind == SHK_PAIR)
    fprintf(out, ", coulomb: %.15g, lennard-jones: %.15g", x[0], x[1]);
  else if (term->kind == SHK_ANGLE || term->kind == SHK_IMPROPER)
    fprintf(out, ", stiffness: %.15g, angle: %.15gdeg", x[0], x[1]);
  else if (!term->own)
    fprintf(out, ", stiffness: %.15g, multiplicity: %.0f, phase: %.15gdeg", x[0], x[1], x[2]);
  else
    fprintf(out, ",\n     cosines: [%.15g, %.15g, %.15g, %.15g, %.15g, %.15g]", x[0], x[1], x[2],
            x[3], x[4], x[5]);
}

static void write_terms(FILE *out, const struct shk_imported *imported,
                        enum shk_particles_kind kind, const char *key, int ends)
{
  bool any = false;
  for (int i = 0; i < imported->term_count; i++) {
    const struct shk_bonded_term *const term = &imported->terms[i];
    if (term->kind != kind)
      continue;
    if (!any)
      fprintf(out, "%s:\n", key);
    any = true;
    fprintf(out, kind == SHK_EXCLUDE ? "  - " : "  - {between: ");
    write_names(out, imported, term, ends);
    if (kind != SHK_EXCLUDE)
      write_numbers(out, term);
    fprintf(out, kind == SHK_EXCLUDE ? "\n" : "}\n");
  }
}

void shk_imported_write(FILE *out, const struct shk_imported *imported, const char *source)
{
  static const struct {
    const char *key;
    int ends;
  } kinds[SHK_PARTICLES_KINDS] = {
      [SHK_ROD] = {"rods", 2},           [SHK_SPRING] = {"springs", 2},
      [SHK_EXCLUDE] = {"exclude", 2},    [SHK_PAIR] = {"pairs", 2},
      [SHK_ANGLE] = {"angles", 3},       [SHK_DIHEDRAL] = {"dihedrals", 4},
      [SHK_IMPROPER] = {"impropers", 4},
  };
  fprintf(out, "# From %s. Units nm, ps, u, e and kJ/mol; no box, nothing cut off.\n", source);
  fprintf(out, "coulomb: 138.935457644382\n");
  if (imported->geometric)
    fprintf(out, "combination: geometric\n");
  write_atoms(out, imported);
  for (int kind = 0; kind < SHK_PARTICLES_KINDS; kind++)
    write_terms(out, imported, (enum shk_particles_kind)kind, kinds[kind].key, kinds[kind].ends);
}
