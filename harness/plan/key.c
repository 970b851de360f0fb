/* Computes cell keys. See key.h. */
#include "harness/plan/key.h"
#include "engine/names.h"
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "foundation/specifications/spec.h"
#include "harness/study/study.h"
#include "results/record/provenance.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Increase this number when the meaning of a cell changes but its string and the numerical sources
 * do not. */
static const char key_version[] = "shakedown key 1";

void shk_keys_add(struct shk_keys *keys, const char *name, const char *hash)
{
  struct shk_key_name *const added = SHK_APPEND(keys->names, keys->count);
  added->name = shk_copy_text(name);
  snprintf(added->hash, sizeof added->hash, "%s", hash);
}

void shk_keys_clear(struct shk_keys *keys)
{
  for (int i = 0; i < keys->count; i++)
    free(keys->names[i].name);
  free(keys->names);
  *keys = (struct shk_keys){0};
}

/* Returns true if a cell refers to the given problem or integrator. Members are checked, too,
 * because the option in which they differ may refer to additional problems. */
static bool cell_names(const struct shk_cell *cell, const char *name)
{
  bool is = shk_mentions(cell->problem, name) || shk_mentions(cell->integrator, name);
  for (int i = 0; i < cell->member_count; i++)
    is = is || shk_mentions(cell->members[i], name);
  return is;
}

/* ---- programs ---- */

/* Adds a line for every word of a command that is the path of a file, such as the program or its
 * script. */
static void add_command(void *user, const char *command)
{
  char **all = user, *copy = shk_copy_text(command), *rest = copy;
  for (char *word; (word = strsep(&rest, " \t\n")) != NULL;) {
    struct stat file;
    char hash[SHK_HASH_SIZE];
    struct shk_message error;
    if (*word == '\0' || stat(word, &file) != 0 || !S_ISREG(file.st_mode))
      continue;
    shk_append_text(all, "program %s %s\n", word,
                    shk_hash_file(hash, word, &error) ? hash : "unreadable");
  }
  free(copy);
}

/* ---- files ---- */

/* Computes the hash of a file in the study's folder. Returns false if the file cannot be read. */
static bool hash_named(const struct shk_context *context, char hash[SHK_HASH_SIZE],
                       const char *path)
{
  struct shk_message error;
  size_t length;
  char *text = shk_folder_read(context->access.folder, &length, path, SIZE_MAX / 4, &error);
  if (text)
    shk_hash_bytes(hash, text, length);
  free(text);
  return text != NULL;
}

/* Adds a line for every file that is named in the options of a problem or of a problem nested in
 * it. */
static void add_files(const struct shk_context *context, char **all, const struct shk_spec *spec)
{
  for (int i = 0; i < spec->count; i++) {
    const struct shk_spec_item *const item = &spec->items[i];
    const struct shk_option *const option = shk_option_of(context, spec->name, true, item->option);
    char hash[SHK_HASH_SIZE];
    if (item->kind == SHK_SPEC_NESTED) {
      add_files(context, all, item->nested);
    } else if (option && option->kind == SHK_OPTION_FILE) {
      shk_append_text(all, "file %s %s\n", item->text,
                      hash_named(context, hash, item->text) ? hash : "unreadable");
    }
  }
}

static void add_files_of(const struct shk_context *context, char **all, const char *problem)
{
  struct shk_message error;
  struct shk_spec *spec = shk_spec_parse(problem, &error);
  if (spec)
    add_files(context, all, spec);
  shk_spec_free(spec);
}

/* Returns one line for each plug-in, program and file to which the cell refers. The caller frees
 * the string. */
static char *named_lines(const struct shk_context *context, const struct shk_keys *keys,
                         const struct shk_cell *cell)
{
  char *all = shk_copy_text("");
  for (int i = 0; keys && i < keys->count; i++) {
    const struct shk_key_name *one = &keys->names[i];
    if (cell_names(cell, one->name))
      shk_append_text(&all, "plug-in %s %s\n", one->name, one->hash);
  }
  shk_spec_programs(cell->integrator, add_command, &all);
  shk_spec_programs(cell->problem, add_command, &all);
  add_files_of(context, &all, cell->problem);
  for (int i = 0; i < cell->member_count; i++) {
    shk_spec_programs(cell->members[i], add_command, &all);
    add_files_of(context, &all, cell->members[i]);
  }
  return all;
}

void shk_key_make(const struct shk_context *context, struct shk_key_series *series,
                  char key[SHK_HASH_SIZE], const struct shk_keys *keys, const struct shk_cell *cell,
                  const char *text)
{
  struct shk_key_series own = {0}, *const kept = series ? series : &own;
  if (!kept->lines || cell->member_count > 0 || strcmp(kept->problem, cell->problem) != 0 ||
      strcmp(kept->integrator, cell->integrator) != 0) {
    shk_key_series_clear(kept);
    kept->problem = shk_copy_text(cell->problem);
    kept->integrator = shk_copy_text(cell->integrator);
    kept->lines = named_lines(context, keys, cell);
  }
  char *const all =
      shk_print_text("%s\n%s\nsources %s\n%s", key_version, text, shk_source_hash(), kept->lines);
  shk_hash_bytes(key, all, strlen(all));
  free(all);
  shk_key_series_clear(&own);
}

void shk_key_series_clear(struct shk_key_series *series)
{
  free(series->problem);
  free(series->integrator);
  free(series->lines);
  *series = (struct shk_key_series){0};
}

int shk_key_part(const char *key, int count)
{
  char begin[17];
  snprintf(begin, sizeof begin, "%.16s", key);
  return 1 + (int)(strtoull(begin, NULL, 16) % (unsigned long long)count);
}
