/*
 * Colours, marks and dashes of methods.
 *
 * The colours are those of Okabe and Ito (2008), which colour-blind readers can distinguish,
 * without yellow, which is too light for lines. Marks and dashes distinguish the methods in black
 * and white.
 *
 * A style is a number; colour, mark and dashes are its remainders. The methods of most studies have
 * the first styles. Any other method has the style given by the hash of its name, or the next one
 * if a method before it has the same colour and another colour is free. Hence a method looks the
 * same in all studies, unless two methods of one study would look alike.
 */
#include "plots/canvas/styles.h"
#include "foundation/memory.h"
#include <stddef.h>
#include <string.h>
#include <xxhash.h>

enum { DASHES = 5, MARKS = 6 };
_Static_assert(SHK_STYLES == SHK_COLOURS * DASHES * MARKS, "of each colour all marks and dashes");

/* Returns the preferred style of a name, plus SHK_STYLES if other methods may change it. */
static int wish_of(const char *name)
{
  static const char *const first[] = {
      "shake",      "rattle",   "symplectic-euler-shake", "symplectic-euler-rattle", "spark",
      "projection", "baumgarte"};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    if (strcmp(name, first[i]) == 0)
      return (int)i;
  return SHK_STYLES + (int)(XXH3_64bits(name, strlen(name)) % SHK_STYLES);
}

/* Returns the first style from the preferred one on that is least similar to those in use: in
 * colour, then in mark, then in dashes. */
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
  for (int i = 0; i < count; i++)
    styles[i] = wish_of(names[i]) < SHK_STYLES ? wish_of(names[i]) : -1;
  for (int i = 0; i < count; i++)
    if (styles[i] < 0)
      styles[i] = nearest_free(styles, count, wish_of(names[i]) - SHK_STYLES);
}

char *shk_style_words(int style)
{
  static const char *const colour_words[SHK_COLOURS] = {"blue", "red",    "green",     "black",
                                                        "pink", "orange", "light blue"};
  static const char *const dash_words[DASHES] = {"solid", "dashed", "dotted", "dash-dotted",
                                                 "long-dashed"};
  static const char *const mark_words[MARKS] = {
      "discs", "squares", "triangles", "triangles on their tips", "diamonds", "pentagons"};
  return shk_print_text("%s, %s, %s", colour_words[style % SHK_COLOURS], dash_words[style % DASHES],
                        mark_words[style % MARKS]);
}
