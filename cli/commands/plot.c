/* shakedown plot: draws the figures of the studies in a store. */
#include "cli/shared/options.h"
#include "cli/shared/study/load_studies.h"

#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TYPES = 8 };

struct plot {
  struct shk_arguments arguments;
  const char *folder, *type_list, *templates, *style;
  bool everything;
  const char *types[MOST_TYPES + 1]; /* ended by NULL */
};

/* Reads the argument of --type, such as "pdf" or "svg,png". On failure, prints an error message and
 * returns false. */
static bool read_types(struct plot *plot)
{
  int count = 0;
  bool ok = true;
  char *copy = shk_copy_text(plot->type_list ? plot->type_list : "pdf"), *rest = copy;
  for (char *word; ok && (word = strsep(&rest, ",")) != NULL;) {
    int type = 0;
    while (shk_plot_types[type] && strcmp(shk_plot_types[type], word) != 0)
      type++;
    ok = (shk_plot_types[type] && count < MOST_TYPES) ||
         shk_complain("--type: found '%s', expected pdf, svg, png or tex", plot->type_list);
    if (ok)
      plot->types[count++] = shk_plot_types[type];
  }
  free(copy);
  return ok;
}

static int plot_study(void *user, const struct shk_study_job *loaded, int count)
{
  const struct plot *plot = user;
  const char *name = loaded->study->name;
  /* Figures are named after problems. If there are several studies, each gets its own folder, so
   * that no study overwrites another one's figures. */
  char *folder =
      count > 1 ? shk_print_text("%s/%s", plot->folder, name) : shk_copy_text(plot->folder);
  struct shk_plotted plotted;
  struct shk_message error = {""};
  if (plot->style && !shk_study_restyle(loaded->study, plot->style, &error)) {
    free(folder);
    return shk_bad_input("%s", error.text);
  }
  const bool ok = shk_job_draw(&plotted, loaded, folder, plot->types,
                               plot->everything ? 0 : SHK_MOST_OF_REQUEST, plot->templates);
  if (plotted.drawn > 0)
    shk_say("%s: %d figure%s in %s%s", name, plotted.drawn, plotted.drawn == 1 ? "" : "s", folder,
            plotted.wanted > plotted.drawn ? "; use --all to draw all of them" : "");
  shk_plotted_clear(&plotted);
  free(folder);
  return ok ? SHK_EXIT_HELD : SHK_EXIT_INCOMPLETE;
}

static int run_plot(void *self)
{
  struct plot *const plot = self;
  const struct shk_arguments *const arguments = &plot->arguments;
  if (plot->templates && access(plot->templates, X_OK) != 0)
    return shk_bad_input("--templates: %s: %s", plot->templates, strerror(errno));
  if (!read_types(plot) || !shk_output_folder("-o", plot->folder))
    return SHK_EXIT_BAD_INPUT;
  return shk_load_studies(arguments, arguments->words[0], arguments->words[1], true, plot_study,
                          plot);
}

#define AT(member) offsetof(struct plot, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(NEEDED, "output", 'o', AT(folder), "DIR", "the folder for the figures"),
    SHK_OPTION(TEXT, "type", 0, AT(type_list), "pdf|svg|png|tex",
               "one or more types, separated by commas (default pdf)"),
    SHK_OPTION(TEXT, "templates", 0, AT(templates), "DIR",
               "use the templates (KIND.gp) in DIR, which are run as programs"),
    SHK_OPTION(TEXT, "style", 0, AT(style), "FILE", "read style, range, labels and font from FILE"),
    SHK_SWITCH("all", 0, AT(everything), "draw every figure instead of a selection"),
    {0}};

const struct shk_command shk_command_plot = {
    .name = "plot",
    .synopsis = "STORE [STUDY] -o DIR [--type pdf|svg|png|tex] [--all] [--style FILE] "
                "[--templates DIR]",
    .summary = "Draws the figures of a store's studies",
    .help = "Draws the figures under the study's `figures:`, or else those that its records\n"
            "allow, but at most the first twelve of each entry unless --all is given. The file\n"
            "NAME-caption.txt lists what a figure leaves out. --style FILE contains the keys\n"
            "style, range, labels and font of a study. `gnuplot NAME.gp` redraws a figure from\n"
            "its data, NAME.dat, with DIR/templates. Templates are programs: Shakedown writes\n"
            "those in DIR but never reads them; use --templates to supply your own. If there are\n"
            "several studies, each has its own folder in DIR.",
    .line = {1, 2, SHK_TAKES_FILES, flags},
    .does = {sizeof(struct plot), run_plot, NULL}};
