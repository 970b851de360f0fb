/* shakedown import: molecules of other programs' files, as a system of particles. */
#include "cli/shared/options.h"
#include "cli/shared/output/terminal.h"

#include "foundation/files/folder.h"
#include "foundation/memory.h"
#include "results/import/imported.h"

#include <stdlib.h>
#include <string.h>

struct import {
  const char *define, *rigid, *mix;
  long excluded;
  struct shk_arguments arguments;
  struct shk_imported imported;
  struct shk_message error;
};

/* A file and the folder that it and what it includes are in. */
struct place {
  char *folder;
  const char *name;
};

static struct place place_of(const char *path)
{
  const char *const slash = strrchr(path, '/');
  return (struct place){shk_folder_of(path), slash ? slash + 1 : path};
}

static bool rigid_of(enum shk_rigid *rigid, const char *word)
{
  static const char *const words[] = {
      [SHK_RIGID_NONE] = "none", [SHK_RIGID_HYDROGEN] = "hydrogens", [SHK_RIGID_ALL] = "bonds"};
  for (int i = 0; i < 3; i++)
    if (strcmp(word, words[i]) == 0) {
      *rigid = (enum shk_rigid)i;
      return true;
    }
  shk_complain("import: found --rigid %s, expected none, hydrogens or bonds", word);
  return false;
}

static bool read_lammps(struct import *import, enum shk_rigid rigid)
{
  const struct place data = place_of(import->arguments.words[0]);
  struct shk_lammps_rules rules = {.rigid = rigid, .excluded = (int)import->excluded};
  rules.geometric = strcmp(import->mix, "geometric") == 0;
  bool ok = rules.geometric || strcmp(import->mix, "arithmetic") == 0;
  if (!ok)
    shk_complain("import: found --mix %s, expected geometric or arithmetic", import->mix);
  else if (!(ok = shk_import_lammps(&import->imported, data.folder, data.name, &rules,
                                    &import->error)))
    shk_complain("%s", import->error.text);
  free(data.folder);
  return ok;
}

static bool read_gromacs(struct import *import, enum shk_rigid rigid)
{
  const struct place topology = place_of(import->arguments.words[0]);
  const struct place coordinates = place_of(import->arguments.words[1]);
  const bool ok = shk_import_gromacs(&import->imported, topology.folder, topology.name,
                                     import->define, rigid, &import->error) &&
                  shk_import_coordinates(&import->imported, coordinates.folder, coordinates.name,
                                         &import->error);
  free(topology.folder);
  free(coordinates.folder);
  if (!ok)
    shk_complain("%s", import->error.text);
  return ok;
}

static int start(struct import *import)
{
  enum shk_rigid rigid;
  const char *const *const words = (const char *const *)import->arguments.words;
  const bool gromacs = import->arguments.count == 2;
  if (!rigid_of(&rigid, import->rigid) ||
      !(gromacs ? read_gromacs(import, rigid) : read_lammps(import, rigid)))
    return SHK_EXIT_BAD_INPUT;
  char *const source =
      gromacs ? shk_print_text("%s and %s", words[0], words[1]) : shk_copy_text(words[0]);
  shk_imported_write(stdout, &import->imported, source);
  free(source);
  return SHK_EXIT_HELD;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct import import = {.rigid = "none", .mix = "geometric", .excluded = 3};
  const struct shk_flag flags[] = {
      {"rigid", 0, SHK_FLAG_TEXT, "WHICH",
       "bonds that become rods: none, hydrogens (those of atoms named H…) or bonds (all)",
       &import.rigid},
      {"define", 0, SHK_FLAG_TEXT, "NAME", "as a line #define NAME before the topology",
       &import.define},
      {"excluded", 0, SHK_FLAG_COUNT, "N",
       "of LAMMPS: pairs at most so many bonds apart do not act (default 3: special_bonds 0 0 0)",
       &import.excluded},
      {"mix", 0, SHK_FLAG_TEXT, "RULE",
       "of LAMMPS: sigma of two types is the geometric (default) or the arithmetic mean",
       &import.mix},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&import.arguments, &status, command, flags, 1, 2, argc, argv))
    status = start(&import);
  shk_imported_clear(&import.imported);
  shk_arguments_clear(&import.arguments);
  return status;
}

const struct shk_command shk_command_import = {
    .name = "import",
    .synopsis = "TOPOLOGY.top COORDINATES.gro|.pdb | LAMMPS.data [--rigid WHICH]",
    .summary = "Writes a system of particles from files of GROMACS or LAMMPS",
    .help =
        "What is written to standard output is a file for particles(file=…), in nm, ps, u, e and\n"
        "kJ/mol. From a topology and coordinates of GROMACS: atoms, harmonic bonds as springs or "
        "rods, constraints, settles, angles,\n"
        "dihedrals, impropers, pairs and exclusions. There is no box, and nothing is cut off.\n"
        "#include is followed in the topology's folder. Whatever else a file has is refused with\n"
        "its line. Coordinates have few digits: use particles(…,project=yes) where there are "
        "rods.\n"
        "One file is a data file of LAMMPS in units real, whose sections name their styles, as\n"
        "write_data makes it: Lennard-Jones and charges, harmonic bonds, angles and impropers,\n"
        "dihedrals of styles opls, harmonic, charmm and multi/harmonic.",
    .run = run};
