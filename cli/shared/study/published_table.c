/* Our references compared with the digits of the literature. See published_table.h. */
#include "cli/shared/study/published_table.h"

#include "cli/shared/install_paths.h"
#include "cli/shared/output/terminal.h"
#include "foundation/memory.h"
#include "results/export/export.h"
#include <stdlib.h>
#include <string.h>

void shk_compare_published(struct shk_published *published, struct shk_analysis *analysis,
                           const struct shk_plan *plan, struct shk_records *records)
{
  struct shk_message error = {.text = ""};
  char *folder = shk_data_folder("published");
  char *literature = folder ? shk_print_text("%s/literature", folder) : NULL;
  if (!literature)
    shk_complain("the literature that comes with shakedown is missing");
  else if (shk_accept(shk_published_compare(published, literature, plan, records, &error), &error))
    shk_published_report(analysis, published);
  free(literature);
  free(folder);
}

void shk_print_published(const struct shk_published *published)
{
  struct shk_table table;
  if (published->count == 0)
    return;
  puts("\ndigits of the literature, of the worst number of each group:");
  shk_columns(&table, "literature|problem|>t - t0|group|>printed|>agreed|>wrong|>ours|verdict");
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
  shk_show_and_clear(&table, SHK_FORMAT_TABLE);
  putchar('\n');
  for (int i = 0; i < published->count; i++) {
    const struct shk_published_row *row = &published->rows[i];
    if (i == 0 || row->set != published->rows[i - 1].set)
      shk_say("%s: %s", row->set->name, row->set->source);
    shk_say("  %s: %s", row->group, row->evidence ? row->evidence : "no independent run finished");
  }
}
