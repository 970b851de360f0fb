/* Topologies of GROMACS, and coordinates after a line "@"; what begins with "LAMMPS" as its data file, too. */
#include "results/import/imported.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/shakedown-fuzz-XXXXXX", paths[3][64];
static const char *const names[3] = {"fuzz.top", "fuzz.gro", "fuzz.pdb"};
static const struct shk_lammps_rules rules = {SHK_RIGID_HYDROGEN, 3, true};

static void tidy(void)
{
  for (int i = 0; i < 3; i++)
    unlink(paths[i]);
  rmdir(folder);
}

static void put(const char *path, const uint8_t *bytes, size_t size)
{
  FILE *out = fopen(path, "we");
  if (!out || fwrite(bytes, 1, size, out) != size || fclose(out) != 0)
    abort();
}

/* A reader that refuses says what, and in which file. */
static void must_say(bool ok, const struct shk_message *error)
{
  if (!ok && !strstr(error->text, "fuzz."))
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  if (paths[0][0] == '\0') {
    if (!mkdtemp(folder))
      abort();
    for (int i = 0; i < 3; i++)
      snprintf(paths[i], sizeof paths[i], "%s/%s", folder, names[i]);
    atexit(tidy);
  }
  const uint8_t *const sign = size > 0 ? memchr(bytes, '@', size) : NULL;
  const size_t first = sign ? (size_t)(sign - bytes) : size;
  put(paths[0], bytes, first);
  for (int i = 1; i < 3; i++)
    put(paths[i], sign ? sign + 1 : bytes, sign ? size - first - 1 : 0);
  struct shk_imported imported;
  struct shk_message error = {""};
  const bool ok = shk_import_gromacs(&imported, folder, names[0], NULL, SHK_RIGID_HYDROGEN, &error);
  must_say(ok, &error);
  for (int i = 1; ok && i < 3; i++)
    must_say(shk_import_coordinates(&imported, folder, names[i], &error), &error);
  if (ok && imported.atom_count < 1)
    abort();
  shk_imported_clear(&imported);
  if (size >= 6 && memcmp(bytes, "LAMMPS", 6) == 0)
    must_say(shk_import_lammps(&imported, folder, names[0], &rules, &error), &error);
  shk_imported_clear(&imported);
  return 0;
}
