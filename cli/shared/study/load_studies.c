/* Reads studies from a store. See load_studies.h. */
#include "cli/shared/study/load_studies.h"

#include "foundation/files/file.h"
#include "harness/run/replies.h"
#include <string.h>

/* Reads and plans a stored study, using the cached descriptors of its plug-ins, programs and files.
 * On failure, returns false and sets the reason. */
static bool plan_again(const struct shk_arguments *arguments, struct shk_study_job *loaded,
                       struct shk_replies *replies, const struct shk_stored_study *stored,
                       struct shk_message *error)
{
  struct shk_context context = arguments->context;
  context.remote = shk_replies_provider(replies);
  context.access.folder = arguments->files ? arguments->files : SHK_NO_FOLDER;
  if (!shk_replies_read(replies, loaded->store, stored->name, error))
    return false;
  loaded->study =
      shk_study_parse(&context, stored->text, strlen(stored->text), stored->path, error);
  if (loaded->study)
    loaded->plan = shk_plan_make(loaded->study, error);
  return loaded->plan && shk_replies_ask(replies, loaded->plan, error);
}

static int read_one(const struct shk_arguments *arguments, struct shk_store *store,
                    const struct shk_stored_study *stored, int count, bool stay,
                    shk_study_reader *reader, void *user)
{
  struct shk_study_job loaded = {.store = store, .loaded = true};
  struct shk_replies *const replies = shk_replies_new(arguments->replies);
  struct shk_message error = {""};
  int status = SHK_EXIT_BAD_INPUT;
  bool ok = plan_again(arguments, &loaded, replies, stored, &error) &&
            shk_job_analyse(&loaded, stay, &error);
  if (ok) {
    status = reader(user, &loaded, count);
    ok = shk_stored_records_good(loaded.records, &error);
  }
  if (!ok)
    status = shk_bad_input(
        "the study '%s' in this store: %s%s", stored->name, error.text,
        loaded.records || strstr(error.text, "--")
            ? ""
            : " (for a plug-in whose descriptors are not in the store, give --plugin)");
  shk_job_clear(&loaded, status);
  shk_replies_free(replies);
  return status;
}

/* Descriptors of plug-ins, programs and files are read from the store (harness/run/replies.h) or
 * come from the command line. Files that the store names are opened only in the folder given by
 * --files. */
int shk_load_studies(const struct shk_arguments *arguments, const char *path, const char *wanted,
                     bool stay, shk_study_reader *reader, void *user)
{
  struct shk_message error = {""}, ignored;
  struct shk_store *const store = shk_store_open(path, SHK_STORE_READ, &error);
  struct shk_stored_study *studies = NULL;
  int all = 0, count = 0, status = SHK_EXIT_HELD;
  const bool ok =
      store && shk_store_verify(store, &error) && shk_store_studies(store, &studies, &all, &error);
  for (int i = 0; ok && i < all; i++)
    count += !wanted || strcmp(wanted, studies[i].name) == 0;
  for (int i = 0; ok && status != SHK_EXIT_BAD_INPUT && i < all; i++) {
    if (wanted && strcmp(wanted, studies[i].name) != 0)
      continue;
    const int one_status = read_one(arguments, store, &studies[i], count, stay, reader, user);
    /* SHK_EXIT_SHORT takes precedence over SHK_EXIT_INCOMPLETE. */
    if (one_status == SHK_EXIT_BAD_INPUT || one_status == SHK_EXIT_SHORT || status == SHK_EXIT_HELD)
      status = one_status;
  }
  shk_stored_studies_free(studies, all);
  shk_store_close(store, &ignored); /* nothing was written to the store */
  if (!ok)
    return shk_bad_input("%s", error.text);
  if (count > 0)
    return status;
  return wanted ? shk_bad_input("%s contains no study named '%s'", path, wanted)
                : shk_bad_input("%s contains no study", path);
}
