/* Our references compared with the digits of the literature. See published_table.h. */
#include "cli/shared/study/published_table.h"

#include "cli/shared/install_paths.h"
#include "cli/shared/output/terminal.h"
#include "foundation/memory.h"
#include "results/export/export.h"
#include <stdlib.h>
#include <string.h>

void shk_compare_published(struct shk_published *published, struct shk_analysis *analysis,
                           const struct shk_study *study, const struct shk_plan *plan,
                           struct shk_records *records)
{
  struct shk_message error = {.text = ""};
  bool wanted = false;
  *published = (struct shk_published){0};
  for (int i = 0; i < study->run_count; i++)
    wanted = wanted || shk_run_measures(&study->runs[i], SHK_MEASURE_PUBLISHED);
  if (!wanted)
    return;
  char *folder = shk_data_folder("published");
  char *literature = folder ? shk_print_text("%s/literature", folder) : NULL;
  if (!literature)
    shk_complain("the literature that comes with shakedown is missing");
  else if (!shk_published_compare(published, literature, plan, records, &error))
    shk_complain("%s", error.text);
  else
    shk_published_report(analysis, published);
  free(literature);
  free(folder);
}

void shk_print_published(const struct shk_published *published)
{
  static const char *const names[] = {"literature", "problem", "t - t0", "group",  "printed",
                                      "agreed",     "wrong",   "ours",   "verdict"};
  static const enum shk_alignment sides[] = {SHK_ALIGN_LEFT,  SHK_ALIGN_LEFT,  SHK_ALIGN_RIGHT,
                                             SHK_ALIGN_LEFT,  SHK_ALIGN_RIGHT, SHK_ALIGN_RIGHT,
                                             SHK_ALIGN_RIGHT, SHK_ALIGN_RIGHT, SHK_ALIGN_LEFT};
  struct shk_table table;
  if (published->count == 0)
    return;
  puts("\ndigits of the literature, of the worst number of each group:");
  shk_table_init(&table, sizeof names / sizeof names[0], names, sides);
  for (int i = 0; i < published->count; i++) {
    const struct shk_published_row *row = &published->rows[i];
    char digits[4][16];
    const int counts[4] = {row->printed, row->agreed, row->wrong, row->certain};
    for (int k = 0; k < 4; k++)
      snprintf(digits[k], sizeof digits[k], "%d", counts[k]);
    shk_table_add(&table, (const char *const[]){row->set->name, row->set->problem, row->set->time,
                                                row->group, digits[0], digits[1], digits[2],
                                                digits[3], shk_verdict_word(row->verdict)});
  }
  shk_show_table(&table, SHK_FORMAT_TABLE);
  shk_table_clear(&table);
  putchar('\n');
  for (int i = 0; i < published->count; i++) {
    const struct shk_published_row *row = &published->rows[i];
    if (i == 0 || row->set != published->rows[i - 1].set) {
      shk_print_plain(stdout, row->set->name);
      fputs(": ", stdout);
      shk_print_plain(stdout, row->set->source);
      putchar('\n');
    }
    printf("  %s: ", row->group);
    shk_print_plain(stdout, row->evidence ? row->evidence : "no independent run finished");
    putchar('\n');
  }
}
