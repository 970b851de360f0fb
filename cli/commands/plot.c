/* shakedown plot: the figures of a store's studies. */
#include "cli/shared/options.h"
#include "cli/shared/output/overview.h"
#include "cli/shared/study/load_studies.h"

#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "plots/kinds/kinds.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TYPES = 8 };

struct plot {
  struct shk_arguments arguments;
  const char *folder, *type_list, *templates;
  bool everything;
  const char *types[MOST_TYPES + 1]; /* ended by NULL */
};

/* Adds a type of files to a list of `count`, once. */
static bool add_type(const char **types, const char *word)
{
  int known = 0;
  for (; shk_plot_types[known]; known++)
    if (strcmp(shk_plot_types[known], word) == 0) {
      int at = 0;
      while (types[at] && types[at] != shk_plot_types[known])
        at++;
      types[at < MOST_TYPES ? at : 0] = shk_plot_types[known];
      return true;
    }
  char near[64];
  shk_nearest(near, sizeof near, word, shk_plot_types, sizeof *shk_plot_types, known);
  return shk_complain("--type: found '%s', expected %s", word,
                      *near != '\0' ? near : "pdf, svg, png or tex");
}

/* Reads the types of files: "pdf" or "svg,png". */
static bool read_types(struct plot *plot)
{
  bool ok = true;
  char *copy = shk_copy_text(plot->type_list ? plot->type_list : "pdf"), *rest = copy;
  for (char *word; ok && (word = strsep(&rest, ",")) != NULL;)
    ok = add_type(plot->types, word);
  free(copy);
  return ok;
}

static int plot_study(void *user, const struct shk_study_job *loaded, int count)
{
  const struct plot *plot = user;
  struct shk_message error = {.text = ""};
  const char *name = loaded->study->name;
  /* Figures are named after problems: each study gets a folder of its own, so that none overwrites
   * another's. */
  char *folder =
      count > 1 ? shk_print_text("%s/%s", plot->folder, name) : shk_copy_text(plot->folder);
  const struct shk_plot_request request = {
      loaded->study,    loaded->plan,
      loaded->all,      loaded->records,
      loaded->analysis, folder,
      plot->types,      plot->everything ? SHK_PLOT_EVERYTHING : SHK_PLOT_CHOSEN,
      plot->templates};
  struct shk_plotted plotted;
  const bool ok = shk_plot_all(&plotted, &request, &error);
  shk_complain_of_figures(loaded->study, &plotted);
  if (!ok)
    shk_complain("%s", error.text);
  else if (plotted.drawn == 0 && plotted.undrawn_count == 0)
    shk_complain("%s: no figure: the records have no data for one", name);
  else if (plotted.drawn > 0)
    shk_say("%s: %d figure%s in %s%s", name, plotted.drawn, plotted.drawn == 1 ? "" : "s", folder,
            plotted.passed_over ? "; --all draws every one" : "");
  free(folder);
  return ok && plotted.drawn > 0 && plotted.undrawn_count == 0 ? SHK_EXIT_HELD
                                                               : SHK_EXIT_INCOMPLETE;
}

static int run(void *self)
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
    SHK_OPTION(NEEDED, "output", 'o', AT(folder), "DIR", "the folder of the figures"),
    SHK_OPTION(TEXT, "type", 0, AT(type_list), "pdf|svg|png|tex",
               "one or, with commas, several (default pdf)"),
    SHK_OPTION(TEXT, "templates", 0, AT(templates), "DIR",
               "use the templates (KIND.gp) in DIR; they are programs"),
    SHK_SWITCH("all", 0, AT(everything), "draw every figure, not a selection"),
    {.name = NULL}};

const struct shk_command shk_command_plot = {
    .name = "plot",
    .synopsis = "STORE [STUDY] -o DIR [--type pdf|svg|png|tex] [--all] [--templates DIR]",
    .summary = "Draws the figures of a store's studies",
    .help = "Draws about ten figures, or with --all every one, of the kinds that the study names\n"
            "or else of all that its records allow. Figures that the study selects under\n"
            "`figures:` are always drawn. Each figure has its data, NAME.dat, and its settings,\n"
            "NAME.gp: after changes `gnuplot NAME.gp` draws it again with DIR/templates. A\n"
            "template is a program: those in DIR are written, never read; --templates takes\n"
            "others. With several studies in the store each has a folder of its own in DIR.",
    .line = {1, 2, SHK_TAKES_FILES, flags},
    .does = {sizeof(struct plot), run, NULL}};
