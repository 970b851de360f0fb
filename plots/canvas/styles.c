/*
 * Colours, marks and dashes of methods.
 *
 * Colours are those of Okabe and Ito (2008), which colour-blind readers tell apart, without yellow,
 * which is too light for lines; marks and dashes tell the methods apart in black and white.
 *
 * A style is a number, of which colour, mark and dashes are remainders. The methods that most studies
 * have get the first; any other asks for the one that its name hashes to, and takes the next where a
 * method before it has the same colour and another is free. So a method looks the same in all studies, but
 * where two of one study would look alike.
 */
#include "foundation/memory.h"
#include "plots/canvas/figure.h"
#include <string.h>
#include <xxhash.h>

static const char *const colours[SHK_COLOURS] = {"#0072B2", "#D55E00", "#009E73", "#000000",
                                                 "#CC79A7", "#E69F00", "#56B4E9"};
static const char *const dashes[] = {"solid", "(12,5)", "(3,4)", "(12,4,3,4)", "(20,6)"};
/* disc, square, triangle, triangle on its tip, diamond, pentagon */
static const int marks[] = {7, 5, 9, 11, 13, 15};
static const double sizes[] = {0.42, 0.38, 0.48, 0.48, 0.54, 0.46};

enum { DASHES = sizeof dashes / sizeof dashes[0], MARKS = sizeof marks / sizeof marks[0] };
_Static_assert(SHK_STYLES == SHK_COLOURS * DASHES * MARKS, "of each colour all marks and dashes");

/* ---- which is whose ---- */

/* The style that a name asks for, and whether it gets it whatever the others have. */
static int wish_of(const char *name, bool *fixed)
{
  static const char *const first[] = {
      "shake",      "rattle",   "symplectic-euler-shake", "symplectic-euler-rattle", "spark",
      "projection", "baumgarte"};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    if (strcmp(name, first[i]) == 0) {
      *fixed = true;
      return (int)i;
    }
  *fixed = false;
  return (int)(XXH3_64bits(name, strlen(name)) % SHK_STYLES);
}

/* The first style from the wish on that is least like those that others have: in its colour, then in
 * its mark, then in its dashes. */
static int nearest_free(const int *taken, int count, int wish)
{
  int best = wish, least = -1;
  for (int k = 0; k < SHK_STYLES; k++) {
    const int style = (wish + k) % SHK_STYLES;
    int like = 0;
    for (int i = 0; i < count; i++)
      if (taken[i] >= 0 && taken[i] % SHK_COLOURS == style % SHK_COLOURS)
        like += 16 + (taken[i] % MARKS == style % MARKS ? 4 : 0) +
                (taken[i] % DASHES == style % DASHES ? 1 : 0);
    if (least < 0 || like < least) {
      least = like;
      best = style;
    }
  }
  return best;
}

void shk_choose_styles(int *styles, const char *const *names, int count)
{
  bool fixed;
  for (int i = 0; i < count; i++) {
    const int wish = wish_of(names[i], &fixed);
    styles[i] = fixed ? wish : -1;
  }
  for (int i = 0; i < count; i++)
    if (styles[i] < 0)
      styles[i] = nearest_free(styles, count, wish_of(names[i], &fixed));
}

static int style_of(const struct shk_figure *figure, int method)
{
  return figure->styles ? figure->styles[method] : method;
}

/* ---- what they are ---- */

int shk_method_mark(const struct shk_figure *figure, int method)
{
  return marks[style_of(figure, method) % MARKS];
}

double shk_method_size(const struct shk_figure *figure, int method)
{
  static const double scales[] = {1.65, 1.3, 1, 0.7}; /* ring in ring */
  return scales[method % 4] * sizes[style_of(figure, method) % MARKS];
}

const char *shk_style_colour(int style)
{
  return colours[style % SHK_COLOURS];
}

const char *shk_method_colour(const struct shk_figure *figure, int method)
{
  return shk_style_colour(style_of(figure, method));
}

char *shk_style_words(const struct shk_figure *figure, int method)
{
  static const char *const colour_words[SHK_COLOURS] = {"blue", "red",    "green",     "black",
                                                        "pink", "orange", "light blue"};
  static const char *const dash_words[DASHES] = {"solid", "dashed", "dotted", "dash-dotted",
                                                 "long-dashed"};
  static const char *const mark_words[MARKS] = {
      "discs", "squares", "triangles", "triangles on their tips", "diamonds", "pentagons"};
  const int style = style_of(figure, method);
  return shk_print_text(" (%s, %s, %s)", colour_words[style % SHK_COLOURS],
                        dash_words[style % DASHES], mark_words[style % MARKS]);
}

void shk_print_styles(FILE *file, const struct shk_figure *figure)
{
  for (int i = 0; i < figure->method_count; i++) {
    const int style = style_of(figure, i);
    fprintf(file, "set style line %d linecolor rgb '%s' linewidth 1.4 dashtype ", i + 1,
            shk_style_colour(style));
    fprintf(file, "%s pointtype %d pointsize %.2f\n", dashes[style % DASHES], marks[style % MARKS],
            shk_method_size(figure, i));
  }
}
