/* shakedown report: a store as one self-contained page. */
#include "cli/shared/install_paths.h"
#include "cli/shared/options.h"
#include "cli/shared/study/load_studies.h"

#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include "plots/report/report.h"
#include <stdlib.h>

struct making {
  const char *folder;
  char *parts;
  struct shk_report *report;
  struct shk_arguments arguments;
  int studies;
  bool failed;
};

static int add_study(void *user, const struct shk_loaded_study *loaded, int count)
{
  struct making *making = user;
  struct shk_message error = {.text = ""};
  (void)count;
  if (!making->report)
    making->report = shk_report_make(loaded->store);
  making->failed = !shk_make_directory(making->folder, &error) ||
                   !shk_report_add(making->report, loaded->study, loaded->plan, loaded->all,
                                   loaded->records, loaded->analysis, &error);
  if (making->failed) {
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  making->studies++;
  return SHK_EXIT_HELD;
}

static int make_report(struct making *making)
{
  const struct shk_arguments *arguments = &making->arguments;
  struct shk_message error = {.text = ""};
  making->parts = shk_data_folder("report");
  if (!making->parts) {
    shk_complain("report: the page that comes with shakedown is missing");
    return SHK_EXIT_INCOMPLETE;
  }
  const int status =
      shk_load_studies(arguments, arguments->words[0],
                       arguments->count > 1 ? arguments->words[1] : NULL, true, add_study, making);
  if (making->failed)
    return SHK_EXIT_INCOMPLETE;
  if (status == SHK_EXIT_BAD_INPUT)
    return status;
  char *page = shk_print_text("%s/page.html", making->parts);
  const bool written = shk_report_write(making->report, page, making->folder, &error);
  free(page);
  if (!written) {
    shk_complain("%s", error.text);
    return SHK_EXIT_INCOMPLETE;
  }
  char *text = shk_print_text("%s/index.html: %d %s", making->folder, making->studies,
                              making->studies == 1 ? "study" : "studies");
  shk_print_plain(stdout, text);
  putchar('\n');
  free(text);
  return SHK_EXIT_HELD;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct making making = {.folder = NULL};
  const struct shk_flag flags[] = {
      {"output", 'o', SHK_FLAG_TEXT, "DIR", "the folder of the page", &making.folder},
      SHK_FILES_FLAG(&making.arguments),
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&making.arguments, &status, command, flags, 1, 2, argc, argv)) {
    status = SHK_EXIT_BAD_INPUT;
    if (!making.folder)
      shk_complain("report: -o DIR is missing: the folder of the page");
    else if (shk_output_folder("-o", making.folder) && shk_use_plugins(&making.arguments))
      status = make_report(&making);
  }
  shk_report_free(making.report);
  free(making.parts);
  shk_arguments_clear(&making.arguments);
  return status;
}

const struct shk_command shk_command_report = {
    .name = "report",
    .synopsis = "STORE [STUDY] -o DIR",
    .summary = "Writes a page with the verdicts, tables, figures and records of a store",
    .help = "DIR/index.html contains everything and loads nothing: it can be sent, opened from a\n"
            "file and printed. A click on the title of a column sorts a table. Every record has\n"
            "the command that repeats it, and the values are included as CSV.",
    .run = run};
