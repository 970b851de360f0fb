/* shakedown report: writes the contents of a store as a single self-contained page. */
#include "build_facts.h"
#include "cli/commands/templates.h"
#include "cli/shared/options.h"
#include "cli/shared/output/overview.h"
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

static void print_results(FILE *file, const void *analysis)
{
  shk_overview_print_html(file, analysis);
}

static int add_study(void *user, const struct shk_study_job *loaded, int count)
{
  struct making *making = user;
  struct shk_message error = {""};
  char *const results = shk_printed_text(print_results, loaded->analysis);
  (void)count;
  if (!making->report)
    making->report = shk_report_make(loaded->store);
  const bool ok = shk_make_directory(making->folder, &error) &&
                  shk_report_add(making->report, loaded->study, loaded->plan, loaded->all,
                                 loaded->records, loaded->analysis, results, &error);
  free(results);
  if (!ok) {
    making->studies = -1;
    return shk_bad_input("%s", error.text);
  }
  making->studies++;
  return SHK_EXIT_HELD;
}

/* Writes the report page. On failure, prints an error message and returns false. */
static bool write_page(const struct making *making)
{
  struct shk_report *const report = making->report;
  char *const path = shk_print_text("%s/index.html", making->folder);
  shk_report_complete(report);
  const struct shk_filling fillings[] = {{"@nonce@", report->nonce},
                                         {"@title@", report->title},
                                         {"@version@", (char *)SHK_VERSION},
                                         {"@body@", report->text},
                                         {NULL, NULL}};
  const bool ok = shk_fill_template(path, "report.html", fillings);
  if (ok)
    shk_say("%s: %d %s", path, making->studies, making->studies == 1 ? "study" : "studies");
  free(path);
  return ok;
}

static int run_report(void *self)
{
  struct making *const making = self;
  const struct shk_arguments *const arguments = &making->arguments;
  if (!shk_output_folder("-o", making->folder))
    return SHK_EXIT_BAD_INPUT;
  const int status = shk_load_studies(arguments, arguments->words[0], arguments->words[1], true,
                                      add_study, making);
  if (status == SHK_EXIT_BAD_INPUT && making->studies >= 0)
    return status;
  if (making->studies <= 0 || !write_page(making))
    return SHK_EXIT_INCOMPLETE;
  return status == SHK_EXIT_SHORT ? SHK_EXIT_HELD : status;
}

static void clear_report(void *self)
{
  shk_report_free(((struct making *)self)->report);
}

#define AT(member) offsetof(struct making, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(NEEDED, "output", 'o', AT(folder), "DIR", "the folder for the page"), {0}};

const struct shk_command shk_command_report = {
    .name = "report",
    .synopsis = "STORE [STUDY] -o DIR",
    .summary = "Writes a page with the results, figures, verdicts and records of a store",
    .help = "DIR/index.html is self-contained and can be printed. Click on a column title to sort\n"
            "a table. Every record shows the command that repeats it.",
    .line = {1, 2, SHK_TAKES_FILES, flags},
    .does = {sizeof(struct making), run_report, clear_report}};
