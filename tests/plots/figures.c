/*
 * Figures: from made-up curves and series to files. What is drawn is read back from the SVG that
 * gnuplot made and from the data and the script beside it.
 */
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "plots/canvas/styles.h"
#include "plots/kinds/kinds.h"
#include "tests/kit/figure_study.h"
#include "tests/kit/tap.h"
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/shakedown-figures-XXXXXX";

/* ---- reading back ---- */

/* A file in a folder under the test's own; empty if there is none. */
static char *read_file(const char *where, const char *name, size_t *size)
{
  TEXT path = shk_print_text("%s/%s/%s", folder, where, name);
  FILE *const file = fopen(path, "rb");
  char *text = shk_allocate(1, 1);
  *size = 0;
  for (int c; file && (c = getc(file)) != EOF;) {
    text = shk_grow(text, *size + 1, 1);
    text[(*size)++] = (char)c;
    text[*size] = '\0';
  }
  if (file)
    fclose(file);
  return text;
}

static bool begins(const char *where, const char *name, const char *with)
{
  size_t size;
  TEXT text = read_file(where, name, &size);
  const bool result = size > 200 && memcmp(text, with, strlen(with)) == 0;
  return result;
}

static int count_of(const char *text, const char *part)
{
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
    count++;
  return count;
}

static bool same_file(const char *a, const char *b, const char *name)
{
  size_t size_a, size_b;
  char *const text_a = read_file(a, name, &size_a), *const text_b = read_file(b, name, &size_b);
  const bool same = size_a > 0 && size_a == size_b && memcmp(text_a, text_b, size_a) == 0;
  free(text_a);
  free(text_b);
  return same;
}

/* The first path of a colour, which is the curve in the first panel: how often the pen is lifted
 * after its beginning. -1 if there is none. */
static int gaps_of(const char *svg, const char *colour)
{
  for (const char *at = svg; (at = strstr(at, "<path")); at++) {
    const char *const end = strstr(at, "/>"), *const ink = strstr(at, colour),
                      *const line = strstr(at, "d='");
    if (!end || !ink || ink > end || !line || line > end)
      continue;
    int moves = 0;
    for (const char *c = line + 3; c < end; c++)
      moves += *c == 'M';
    return moves - 1;
  }
  return -1;
}

static int draw_with(const struct made *made, const char *where, const char *const *types,
                     const char *templates, struct shk_message *error)
{
  TEXT path = shk_print_text("%s/%s", folder, where);
  error->text[0] = '\0';
  const struct shk_plot_request request = {&made->study,
                                           &made->plan,
                                           (const struct shk_record *const *)made->records,
                                           NULL,
                                           &made->analysis,
                                           {path, types, templates},
                                           0};
  struct shk_plotted plotted;
  const bool ok = shk_plot_all(&plotted, &request, error);
  return ok ? plotted.drawn : -1;
}

static int draw(const struct made *made, const char *where, const char *const *types,
                struct shk_message *error)
{
  return draw_with(made, where, types, NULL, error);
}

/* Files in the folder; *strange is one whose name is not [a-z0-9.-]. */
static int list(const char *where, char strange[256])
{
  TEXT path = shk_print_text("%s/%s", folder, where);
  DIR *const directory = opendir(path);
  int count = 0;
  strange[0] = '\0';
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    if (entry->d_name[0] == '.')
      continue;
    count++;
    if (entry->d_name[strspn(entry->d_name, "abcdefghijklmnopqrstuvwxyz0123456789.-")])
      snprintf(strange, 256, "%s", entry->d_name);
  }
  if (directory)
    closedir(directory);
  return count;
}

/* ---- tests ---- */

static void test_types(const struct made *made)
{
  static const char *const types[] = {"pdf", "svg", "png", "tex", NULL};
  struct shk_message error;
  char strange[256];
  const int drawn = draw(made, "all/of/them", types, &error);
  tap_is_int(drawn, 11, "five order figures and three kinds in two precisions are drawn");
  if (error.text[0])
    tap_diag("%s", error.text);
  tap_is_int(
      list("all/of/them", strange), 11 * 7 + 1,
      "each has data, settings, pdf, svg, png, tex and the tex's pdf; beside them templates");
  tap_is_text(strange, "", "file names are made of [a-z0-9.-]");
  static const char *const kinds[] = {"order-particles",
                                      "order-particles-q",
                                      "order-particles-lambda",
                                      "order-particles-energy",
                                      "energy-particles-double",
                                      "constraint-particles-quad",
                                      "work-precision-particles-double"};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    static const char *const beginnings[][2] = {{".pdf", "%PDF-"},
                                                {".png", "\x89PNG\r\n"},
                                                {"-latex.tex", "% GNUPLOT:"},
                                                {"-latex.pdf", "%PDF-"},
                                                {".svg", "<?xml"}};
    bool all = true;
    for (int j = 0; j < 5; j++) {
      TEXT name = shk_print_text("%s%s", kinds[i], beginnings[j][0]);
      const bool ok = begins("all/of/them", name, beginnings[j][1]);
      if (!ok)
        tap_diag("%s", name);
      all = all && ok;
    }
    tap_ok(all, "%s: every type is what it should be", kinds[i]);
  }
}

static void test_content(void)
{
  size_t size;
  TEXT data = read_file("all/of/them", "order-particles-q.dat", &size);
  TEXT script = read_file("all/of/them", "order-particles-q.gp", &size);
  TEXT template = read_file("all/of/them", "templates/order.gp", &size);
  TEXT svg = read_file("all/of/them", "order-particles-q.svg", &size);
  tap_is_int(count_of(data, "] q, double: step"), METHODS,
             "data: a curve for each method in double");
  tap_is_int(count_of(data, "] q, quad: step"), METHODS, "and in quad");
  tap_ok(strstr(script, "slopes_1 = '1 0.3 2 0.3 4 0.3'") != NULL,
         "settings: a slope for each order that is claimed, which touches the curve");
  tap_ok(strstr(script, "\nload 'templates/order.gp'\n") && template[0] != '\0',
         "the settings load the template");
  tap_is_int(count_of(data, ": 2.000 ± 0.003\t"), METHODS,
             "the fitted order and its half-width, rounded outwards, are in the legend, once where "
             "precisions agree");
  tap_is_int(count_of(data, "0.025\tNaN\t"), 1, "the error of a failed cell is no number");
  int styles[METHODS];
  char colours[METHODS][32];
  shk_choose_styles(styles, integrators, METHODS);
  for (int m = 0; m < METHODS; m++) {
    /* as style.gp has them */
    static const int all[SHK_COLOURS][3] = {{0, 114, 178}, {213, 94, 0},    {0, 158, 115},
                                            {0, 0, 0},     {204, 121, 167}, {230, 159, 0},
                                            {86, 180, 233}};
    const int *const c = all[styles[m] % SHK_COLOURS];
    snprintf(colours[m], sizeof colours[m], "rgb(%3d, %3d, %3d)", c[0], c[1], c[2]);
  }
  tap_is_int(gaps_of(svg, colours[1]), 1, "its line has a gap");
  tap_is_int(gaps_of(svg, colours[0]), 0, "the line of a method without failures has none");
  tap_is_int(gaps_of(svg, colours[2]), 0, "nor the third's");
}

static void test_injection(void)
{
  struct stat status;
  TEXT inside = shk_print_text("%s/all/of/them/pwned", folder);
  tap_ok(stat("pwned", &status) != 0 && stat(inside, &status) != 0,
         "a problem named after a command runs nothing");
  TEXT path = shk_print_text("%s/all/of/them", folder);
  DIR *const directory = opendir(path);
  int scripts = 0, with_text = 0;
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    const size_t length = strlen(entry->d_name);
    if (length < 3 || strcmp(entry->d_name + length - 3, ".gp") != 0)
      continue;
    size_t size;
    TEXT script = read_file("all/of/them", entry->d_name, &size);
    scripts++;
    with_text += strstr(script, "touch") || strstr(script, "rattle") || strchr(script, '`');
  }
  if (directory)
    closedir(directory);
  tap_ok(scripts == 11 && with_text == 0, "no settings hold a text of the study");
  size_t size;
  TEXT svg = read_file("all/of/them", "energy-particles-double.svg", &size);
  TEXT drawn = shk_allocate(size + 1, 1);
  size_t to = 0;
  for (const char *at = svg; *at; at++) /* the text without its markup */
    if (*at == '<')
      at += strcspn(at, ">");
    else if (*at != '\n' && *at != '\t')
      drawn[to++] = *at;
  tap_ok(strstr(drawn, "`touch pwned` $(touch pwned)_a^{2} @x \\n #") != NULL,
         "the name is shown as it is");
  TEXT tex = read_file("all/of/them", "energy-particles-double-latex.tex", &size);
  tap_ok(strstr(tex, "\\textasciigrave{}touch pwned\\textasciigrave{} \\$(touch") != NULL,
         "and is escaped for LaTeX");
}

/* What an author changes is drawn; what he left in the folder is no program of ours. */
static void test_templates(const struct made *made)
{
  static const char *const types[] = {"svg", NULL};
  struct shk_message error;
  size_t size;
  char *const command =
      shk_print_text("cd %s/two && sed -i \"s/'step '/'length '/\" templates/style.gp && "
                     "sed -i \"s/^styles = .*/styles = '6 6 6'/\" order-particles-q.gp && "
                     "gnuplot order-particles-q.gp >said 2>&1 && mkdir -p ../mine && "
                     "printf 'set terminal svg\\nset output name.\".svg\"\\nplot x title "
                     "\"mine\"\\n' >../mine/energy.gp && "
                     "printf 'system \"touch pwned\"\\n' >templates/style.gp",
                     folder);
  const int status = system(command);
  free(command);
  TEXT edited = read_file("two", "order-particles-q.svg", &size);
  tap_ok(status == 0 && strstr(edited, "length") && strstr(edited, "rgb( 86, 180, 233)"),
         "a label and a line style that its author changed are drawn");
  TEXT mine = shk_print_text("%s/mine", folder);
  const bool ok = draw_with(made, "two", types, mine, &error) == 11;
  char *const pwned = read_file("two", "pwned", &size), *const kept = read_file(
                                                            "two", "templates/style.gp~", &size);
  tap_ok(ok && size > 0 && strstr(kept, "touch pwned"),
         "a template in the output folder is put aside");
  struct stat file;
  TEXT path = shk_print_text("%s/two/pwned", folder);
  tap_ok(stat(path, &file) != 0, "and not run");
  free(pwned);
  free(kept);
  TEXT svg = read_file("two", "energy-particles-quad.svg", &size);
  tap_ok(strstr(svg, "mine") != NULL, "one from a folder that is named is");
}

static void test_again(const struct made *made)
{
  static const char *const types[] = {"svg", NULL};
  struct shk_message error;
  const bool ok = draw(made, "one", types, &error) == 11 && draw(made, "two", types, &error) == 11;
  tap_ok(ok && same_file("one", "two", "order-particles.dat") &&
             same_file("one", "two", "order-particles.gp") &&
             same_file("one", "two", "order-particles.svg") &&
             same_file("one", "two", "energy-particles-quad.svg"),
         "the same data give the same data file, script and SVG");
  size_t size;
  TEXT first = read_file("one", "order-particles.svg", &size);
  TEXT command = shk_print_text("cd %s/two && rm order-particles.svg && "
                                "gnuplot order-particles.gp >said 2>&1",
                                folder);
  const int status = system(command);
  TEXT said = read_file("two", "said", &size);
  const size_t said_size = size;
  TEXT again = read_file("two", "order-particles.svg", &size);
  tap_ok(status == 0 && said_size == 0 && count_of(again, "<use ") == count_of(first, "<use ") &&
             count_of(again, "<path ") == count_of(first, "<path ") &&
             count_of(first, "<path ") > 10,
         "gnuplot draws the figure again from its script, without complaint");
  if (said_size > 0)
    tap_diag("%s", said);
}

static void test_choice(struct made *made)
{
  static const char *const types[] = {"svg", NULL};
  struct shk_study_figure figures[] = {{.kind = (char *)"energy"}};
  struct shk_message error;
  made->study.figure_count = 1;
  made->study.figures = figures;
  /* Only the third method has been run. */
  const struct shk_record **const all = made->records;
  const struct shk_record **const few =
      shk_allocate((size_t)made->plan.count, sizeof *made->records);
  for (int i = 0; i < made->plan.count; i++)
    few[i] = i / STEPS == 2 ? all[i] : NULL;
  made->records = few;
  tap_is_int(draw(made, "few", types, &error), 1, "only the figures that the study names");
  made->records = all;
  made->study.figure_count = 0;
  free(few);
  size_t size;
  TEXT script = read_file("few", "energy-particles-double.gp", &size);
  int styles[METHODS];
  shk_choose_styles(styles, integrators, METHODS);
  TEXT style = shk_print_text("\nstyles = '%d'\n", styles[2]);
  tap_ok(strstr(script, style) && strstr(script, "linear = 1"),
         "a method keeps its style where others are missing; alone it is drawn with its band");
  made->analysis.curve_count = 0;
  made->plan.count = 0;
  tap_is_int(draw(made, "none", types, &error), 0, "nothing to draw is no error");
}

static void test_failures(const struct made *made)
{
  static const char *const types[] = {"svg", NULL};
  struct shk_message error;
  TEXT file = shk_print_text("%s/file", folder);
  FILE *const made_file = fopen(file, "w");
  if (made_file)
    fclose(made_file);
  tap_ok(draw(made, "file", types, &error) == -1 && strstr(error.text, "/file"),
         "a file in the folder's place is named");
  TEXT path = shk_copy_text(getenv("PATH"));
  setenv("PATH", folder, 1);
  tap_ok(draw(made, "x", types, &error) == -1 && strstr(error.text, "gnuplot-nox"),
         "without gnuplot the message names its package");
  TEXT fake = shk_print_text("%s/gnuplot", folder);
  FILE *const program = fopen(fake, "w");
  if (program) {
    fputs("#!/bin/sh\necho 'line 7: broken' >&2\nexit 3\n", program);
    fclose(program);
    chmod(fake, 0755);
  }
  tap_ok(draw(made, "x", types, &error) == -1 && strstr(error.text, "line 7: broken"),
         "what gnuplot complains of is passed on");
  unlink(fake);
  setenv("PATH", path, 1);
}

/* ---- the kinds, and what the documents say of them ---- */

int main(void)
{
  if (system("gnuplot --version >/dev/null 2>&1") != 0) {
    tap_skip("gnuplot is not installed");
    return tap_done();
  }
  if (!mkdtemp(folder)) {
    tap_ok(false, "a folder for the figures");
    return tap_done();
  }
  struct made made;
  make_study(&made);
  const int cells = made.plan.count, curves = made.analysis.curve_count;
  test_types(&made);
  test_content();
  test_injection();
  test_again(&made);
  test_templates(&made);
  test_failures(&made);
  test_choice(&made);
  made.plan.count = cells;
  made.analysis.curve_count = curves;
  clear_study(&made);
  TEXT command = shk_print_text("rm -r %s", folder);
  if (system(command) != 0)
    tap_diag("%s is left behind", folder);
  return tap_done();
}
