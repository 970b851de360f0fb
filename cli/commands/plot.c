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
  const char *folder, *type_list, *templates;
  bool everything;
  const char *types[MOST_TYPES + 1]; /* ended by NULL */
  struct shk_arguments arguments;
};

static bool add_type(struct plot *plot, int *count, const char *word)
{
  int known = 0;
  while (shk_plot_types[known])
    known++;
  for (int i = 0; i < known; i++)
    if (strcmp(shk_plot_types[i], word) == 0) {
      for (int k = 0; k < *count; k++)
        if (plot->types[k] == shk_plot_types[i])
          return true;
      if (*count < MOST_TYPES)
        plot->types[(*count)++] = shk_plot_types[i];
      return true;
    }
  char near[64];
  shk_nearest(near, sizeof near, word, shk_plot_types, sizeof *shk_plot_types, known);
  shk_complain("--type: found '%s', expected %s", word,
               *near != '\0' ? near : "pdf, svg, png or tex");
  return false;
}

/* Reads the types of files: "pdf" or "svg,png". */
static bool read_types(struct plot *plot)
{
  int count = 0;
  bool ok = true;
  char *copy = shk_copy_text(plot->type_list), *rest = copy;
  for (char *word; ok && (word = strsep(&rest, ",")) != NULL;)
    ok = add_type(plot, &count, word);
  free(copy);
  return ok;
}

static int plot_study(void *user, const struct shk_loaded_study *loaded, int count)
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
  else if (plotted.drawn > 0) {
    char *text = shk_print_text("%s: %d figure%s in %s%s", name, plotted.drawn,
                                plotted.drawn == 1 ? "" : "s", folder,
                                plotted.passed_over ? "; --all draws every one" : "");
    shk_print_plain(stdout, text);
    putchar('\n');
    free(text);
  }
  free(folder);
  return ok && plotted.drawn > 0 && plotted.undrawn_count == 0 ? SHK_EXIT_HELD
                                                               : SHK_EXIT_INCOMPLETE;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct plot plot = {.type_list = "pdf"};
  const struct shk_flag flags[] = {
      {"output", 'o', SHK_FLAG_TEXT, "DIR", "the folder of the figures", &plot.folder},
      {"type", 0, SHK_FLAG_TEXT, "pdf|svg|png|tex", "one or, with commas, several (default pdf)",
       &plot.type_list},
      SHK_FILES_FLAG(&plot.arguments),
      {"templates", 0, SHK_FLAG_TEXT, "DIR",
       "use the templates (KIND.gp) in DIR; they are programs", &plot.templates},
      {"all", 0, SHK_FLAG_SWITCH, NULL, "draw every figure, not a selection", &plot.everything},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&plot.arguments, &status, command, flags, 1, 2, argc, argv)) {
    const char *study = plot.arguments.count > 1 ? plot.arguments.words[1] : NULL;
    status = SHK_EXIT_BAD_INPUT;
    if (!plot.folder)
      shk_complain("plot: -o DIR is missing: the folder of the figures");
    else if (plot.templates && access(plot.templates, X_OK) != 0)
      shk_complain("--templates: %s: %s", plot.templates, strerror(errno));
    else if (read_types(&plot) && shk_output_folder("-o", plot.folder) &&
             shk_use_plugins(&plot.arguments))
      status = shk_load_studies(&plot.arguments, plot.arguments.words[0], study, true, plot_study,
                                &plot);
  }
  shk_arguments_clear(&plot.arguments);
  return status;
}

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
    .run = run};
