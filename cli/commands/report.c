/* shakedown report: a store as one self-contained page. */
#include "cli/shared/install_paths.h"
#include "cli/shared/options.h"
#include "cli/shared/study/load_studies.h"

#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include "plots/report/report.h"
#include <stdlib.h>

struct making {
  struct shk_arguments arguments;
  const char *folder;
  struct shk_report *report;
  int studies;
};

static int add_study(void *user, const struct shk_study_job *loaded, int count)
{
  struct making *making = user;
  struct shk_message error = {""};
  (void)count;
  if (!making->report)
    making->report = shk_report_make(loaded->store);
  if (!shk_make_directory(making->folder, &error) ||
      !shk_report_add(making->report, loaded->study, loaded->plan, loaded->all, loaded->records,
                      loaded->analysis, &error)) {
    making->studies = -1;
    return shk_bad_input("%s", error.text);
  }
  making->studies++;
  return SHK_EXIT_HELD;
}

static int run(void *self)
{
  struct making *const making = self;
  const struct shk_arguments *const arguments = &making->arguments;
  struct shk_message error = {""};
  if (!shk_output_folder("-o", making->folder))
    return SHK_EXIT_BAD_INPUT;
  char *const page = shk_data_file("report/page.html");
  if (!page)
    return shk_incomplete("report: the page that comes with shakedown is missing");
  int status = shk_load_studies(arguments, arguments->words[0], arguments->words[1], true,
                                add_study, making);
  if (making->studies < 0)
    status = SHK_EXIT_INCOMPLETE;
  else if (status != SHK_EXIT_BAD_INPUT &&
           !shk_report_write(making->report, page, making->folder, &error))
    status = shk_incomplete("%s", error.text);
  else if (status != SHK_EXIT_BAD_INPUT)
    shk_say("%s/index.html: %d %s", making->folder, making->studies,
            making->studies == 1 ? "study" : "studies");
  free(page);
  return status == SHK_EXIT_SHORT ? SHK_EXIT_HELD : status;
}

static void clear(void *self)
{
  shk_report_free(((struct making *)self)->report);
}

#define AT(member) offsetof(struct making, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(NEEDED, "output", 'o', AT(folder), "DIR", "the folder of the page"), {0}};

const struct shk_command shk_command_report = {
    .name = "report",
    .synopsis = "STORE [STUDY] -o DIR",
    .summary = "Writes a page with the verdicts, tables, figures and records of a store",
    .help = "DIR/index.html contains everything and loads nothing. A click on the title of a\n"
            "column sorts a table. Every record has the command that repeats it.",
    .line = {1, 2, SHK_TAKES_FILES, flags},
    .does = {sizeof(struct making), run, clear}};
