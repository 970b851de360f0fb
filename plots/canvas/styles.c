/*
 * Colours, marks and dash patterns for methods.
 *
 * The colours are those of Okabe and Ito (2008), which colour-blind readers can distinguish. Yellow
 * is excluded because it is too light for lines. Marks and dashes distinguish the methods in black
 * and white.
 *
 * A style is a number whose remainders determine the colour, the mark and the dashes. The most
 * common methods have fixed styles. Every other method gets the style that is least similar to those
 * already in use; among equally distinct styles, the hash of its name decides. Methods that run on
 * the same problems, and may thus be drawn together, carry more weight, the more problems they
 * share. A method therefore looks the same in all studies, unless it would look like another method
 * of the same study.
 */
#include "plots/canvas/styles.h"
#include "foundation/memory.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { COLOURS = 7, DASHES = 5, MARKS = 6, STYLES = COLOURS * DASHES * MARKS };

/* Returns the preferred style for a name. If the style depends on the other methods, STYLES is
 * added to the result. */
static int wish_of(const char *name)
{
  enum { ORANGE_PENTAGON = 5, SKY_BLUE_PENTAGON = 41 };
  static const struct {
    const char *name;
    int style;
  } first[] = {{"shake", 0},
               {"rattle", 1},
               {"projection", 2},
               {"symplectic-euler-rattle", 3},
               {"spark", 4},
               {"symplectic-euler-shake", SKY_BLUE_PENTAGON},
               {"baumgarte", ORANGE_PENTAGON}};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    if (strcmp(name, first[i].name) == 0)
      return first[i].style;
  return STYLES + (int)(XXH3_64bits(name, strlen(name)) % STYLES);
}

/* Returns the style that is least similar to those in use. Colour counts most, followed by marks
 * and dashes. Ties are resolved in favour of the first style at or after the preferred one.
 * company[i] tells how often method i is drawn together with this one. */
static int nearest_free(const int *taken, int count, int wish, const int *company)
{
  enum { TOGETHER = 1000 };
  int best = wish, least = -1;
  for (int k = 0; k < STYLES; k++) {
    const int style = (wish + k) % STYLES;
    int like = 0;
    for (int i = 0; i < count; i++) {
      const bool mark = taken[i] % MARKS == style % MARKS,
                 line = taken[i] % DASHES == style % DASHES;
      if (taken[i] >= 0)
        like += (1 + TOGETHER * company[i]) *
                ((taken[i] % COLOURS == style % COLOURS ? 16 : 0) + (mark ? 4 : 0) + line);
    }
    if (least < 0 || like < least) {
      least = like;
      best = style;
    }
  }
  return best;
}

void shk_choose_looks(struct shk_look *looks, const char *const *names, int count,
                      const int *company)
{
  int *const styles = shk_allocate((size_t)count + 1, sizeof *styles);
  for (int i = 0; i < count; i++)
    styles[i] = wish_of(names[i]) < STYLES ? wish_of(names[i]) : -1;
  for (int i = 0; i < count; i++) {
    if (styles[i] < 0)
      styles[i] = nearest_free(styles, count, wish_of(names[i]) - STYLES,
                               company + (size_t)i * (size_t)count);
    looks[i] = (struct shk_look){.mark = shk_mark_words[styles[i] % MARKS],
                                 .line = shk_line_words[styles[i] % DASHES]};
    snprintf(looks[i].colour, sizeof looks[i].colour, "%s", shk_colour_words[styles[i] % COLOURS]);
  }
  free(styles);
}
