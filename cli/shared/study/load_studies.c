/* Reading studies from a store. See load_studies.h. */
#include "cli/shared/study/load_studies.h"

#include "cli/shared/options.h"
#include "cli/shared/study/cached_analysis.h"
#include "cli/shared/study/published_table.h"
#include "foundation/files/folder.h"
#include "harness/plan/plan_records.h"
#include "harness/run/said.h"
#include <string.h>

static void clear(struct shk_loaded_study *loaded)
{
  shk_analysis_free(loaded->analysis);
  shk_stored_records_close(loaded->records);
  shk_plan_free(loaded->plan);
  shk_study_free(loaded->study);
  shk_said_free(loaded->said);
}

/* Reads the study and plans it. Returns false with the reason. */
static bool plan_again(const struct shk_arguments *arguments, struct shk_loaded_study *loaded,
                       const struct shk_stored_study *stored, struct shk_message *error)
{
  loaded->said = shk_said_new(arguments->host);
  struct shk_context context = arguments->context;
  context.remote = shk_said_provider(loaded->said);
  context.access.folder = arguments->files ? arguments->files : SHK_NO_FOLDER;
  if (!shk_said_read(loaded->said, loaded->store, stored->name, error))
    return false;
  loaded->study =
      shk_study_parse(&context, stored->text, strlen(stored->text), stored->path, error);
  if (loaded->study)
    loaded->plan = shk_plan_make(loaded->study, error);
  return loaded->plan && shk_said_ask(loaded->said, loaded->plan, error);
}

static int read_one(const struct shk_arguments *arguments, struct shk_store *store,
                    const struct shk_stored_study *stored, int count, bool stay,
                    shk_study_reader *reader, void *user)
{
  struct shk_loaded_study loaded = {.store = store};
  struct shk_message error = {.text = ""};
  int status = SHK_EXIT_BAD_INPUT;
  if (plan_again(arguments, &loaded, stored, &error))
    loaded.records = shk_plan_open_records(store, loaded.plan, stay, &error);
  bool ok = loaded.records != NULL;
  char basis[SHK_HASH_SIZE];
  ok = ok && shk_cached_analysis(arguments, store, loaded.study, basis, &loaded.analysis, &error);
  if (ok && stay)
    loaded.all = shk_stored_records_all(loaded.records, 0);
  if (ok && stay && loaded.analysis)
    shk_analysis_add_curves(loaded.analysis, loaded.study, loaded.plan, loaded.records);
  if (ok && !loaded.analysis) {
    loaded.analysis = shk_analyse(loaded.study, loaded.plan, loaded.records);
    struct shk_published published;
    shk_compare_published(&published, loaded.analysis, loaded.study, loaded.plan, loaded.records);
    shk_published_clear(&published);
    ok = shk_stored_records_good(loaded.records, &error);
  }
  if (ok) {
    status = reader(user, &loaded, count);
    ok = shk_stored_records_good(loaded.records, &error);
  }
  if (!ok) {
    shk_complain("the study '%s' in this store: %s%s", stored->name, error.text,
                 loaded.records || strstr(error.text, "--")
                     ? ""
                     : " (for a plug-in whose descriptors are not in the store, give --plugin)");
    status = SHK_EXIT_BAD_INPUT;
  }
  clear(&loaded);
  return status;
}

static int read_all(const struct shk_arguments *arguments, struct shk_store *store,
                    const char *path, const char *wanted, bool stay, shk_study_reader *reader,
                    void *user)
{
  struct shk_message error = {.text = ""};
  struct shk_stored_study *studies;
  int all, count = 0, status = SHK_EXIT_HELD;
  if (!shk_store_studies(store, &studies, &all, &error)) {
    shk_stored_studies_free(studies, all);
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  for (int i = 0; i < all; i++)
    count += !wanted || strcmp(wanted, studies[i].name) == 0;
  for (int i = 0; status != SHK_EXIT_BAD_INPUT && i < all; i++) {
    if (wanted && strcmp(wanted, studies[i].name) != 0)
      continue;
    const int its = read_one(arguments, store, &studies[i], count, stay, reader, user);
    /* SHK_EXIT_SHORT takes precedence over SHK_EXIT_INCOMPLETE. */
    if (its == SHK_EXIT_BAD_INPUT || its == SHK_EXIT_SHORT || status == SHK_EXIT_HELD)
      status = its;
  }
  shk_stored_studies_free(studies, all);
  if (count > 0)
    return status;
  if (wanted)
    shk_complain("%s holds no study named '%s'", path, wanted);
  else
    shk_complain("%s holds no study", path);
  return SHK_EXIT_BAD_INPUT;
}

/* Descriptors of plug-ins, programs and files come from the store (harness/run/said.h) or from the
 * command line: files that the store names are opened only in the folder of --files. */
int shk_load_studies(const struct shk_arguments *arguments, const char *path, const char *wanted,
                     bool stay, shk_study_reader *reader, void *user)
{
  struct shk_message error = {.text = ""};
  struct shk_store *store = shk_store_open(path, SHK_STORE_READ, &error);
  if (!store) {
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  const bool whole = shk_store_verify(store, &error);
  if (!whole)
    shk_complain("%s", error.text);
  const int status =
      whole ? read_all(arguments, store, path, wanted, stay, reader, user) : SHK_EXIT_BAD_INPUT;
  shk_store_close(store, &error); /* a store that was only read has nothing to lose */
  return status;
}
