/*
 * Coordinates of atoms that a topology has named: GROMACS' .gro (nm and nm/ps; fixed columns, of a
 * width that the distance between decimal points tells) and ATOM and HETATM lines of PDB files (Å,
 * columns 31 to 54). Boxes are left out.
 */
#include "results/import/imported.h"
#include "results/import/lines.h"

#include "foundation/memory.h"
#include "foundation/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number in columns from … from+width-1, which may have blanks around it. */
static bool column(const struct shk_lines *lines, double *x, size_t from, size_t width)
{
  char text[32] = "";
  if (strlen(lines->current) > from && width < sizeof text)
    memcpy(text, lines->current + from, strnlen(lines->current + from, width));
  const char *begin = text + strspn(text, " ");
  const size_t length = shk_number_length(begin);
  if (length == 0 || begin[length + strspn(begin + length, " ")] != '\0')
    return shk_lines_fail(lines, begin[0] ? begin : "nothing", "a coordinate in these columns");
  *x = strtod(begin, NULL);
  return isfinite(*x) || shk_lines_fail(lines, begin, "a coordinate in these columns");
}

static bool read_gro_atom(const struct shk_lines *lines, struct shk_atom *atom)
{
  enum { NAMES = 20 }; /* columns of numbers and names */
  const char *const text = lines->current;
  const char *const point = strlen(text) > NAMES ? strchr(text + NAMES, '.') : NULL;
  const char *const second = point ? strchr(point + 1, '.') : NULL;
  if (!second)
    return shk_lines_fail(lines, text, "an atom: names in 20 columns, then x, y, z");
  const size_t width = (size_t)(second - point);
  for (size_t k = 0; k < 3; k++)
    if (!column(lines, &atom->position[k], NAMES + k * width, width))
      return false;
  if (strlen(text) <= NAMES + 3 * width + strspn(text + NAMES + 3 * width, " "))
    return true;
  atom->moves = true;
  for (size_t k = 0; k < 3; k++)
    if (!column(lines, &atom->velocity[k], NAMES + (3 + k) * width, width))
      return false;
  return true;
}

static bool read_gro(struct shk_imported *imported, struct shk_lines *lines)
{
  int count;
  if (!shk_lines_next(lines) || !shk_lines_next(lines))
    return shk_lines_fail(lines, "the end of the file", "a title and the number of atoms");
  if (!shk_lines_split(lines, '\0') ||
      !shk_lines_whole(lines, &count, 0, imported->atom_count, imported->atom_count,
                       "the number of atoms of the topology"))
    return false;
  for (int i = 0; i < count; i++) {
    if (!shk_lines_next(lines))
      return shk_lines_fail(lines, "the end of the file", "an atom");
    if (!read_gro_atom(lines, &imported->atoms[i]))
      return false;
  }
  return true;
}

static bool read_pdb(struct shk_imported *imported, struct shk_lines *lines)
{
  int count = 0;
  while (shk_lines_next(lines)) {
    if (strncmp(lines->current, "ENDMDL", 6) == 0)
      break;
    if (strncmp(lines->current, "ATOM  ", 6) != 0 && strncmp(lines->current, "HETATM", 6) != 0)
      continue;
    if (count == imported->atom_count)
      return shk_lines_fail(lines, "one atom more", "as many as the topology has");
    if (strlen(lines->current) > 16 && lines->current[16] != ' ' && lines->current[16] != 'A')
      return shk_lines_fail(lines, "an alternate location", "one place for each atom");
    for (size_t k = 0; k < 3; k++) {
      double angstrom;
      if (!column(lines, &angstrom, 30 + 8 * k, 8))
        return false;
      imported->atoms[count].position[k] = angstrom / 10;
    }
    count++;
  }
  return count == imported->atom_count ||
         shk_lines_fail(lines, "the end of the atoms", "as many as the topology has");
}

bool shk_import_coordinates(struct shk_imported *imported, const char *folder, const char *path,
                            struct shk_message *error)
{
  struct shk_lines lines;
  const bool pdb = shk_ends_with(path, ".pdb");
  if (!pdb && !shk_ends_with(path, ".gro")) {
    shk_message_set(error, "%s: expected coordinates in a file .gro or .pdb", path);
    return false;
  }
  if (!shk_lines_open(&lines, folder, path, error))
    return false;
  const bool ok = pdb ? read_pdb(imported, &lines) : read_gro(imported, &lines);
  shk_lines_close(&lines);
  return ok;
}
