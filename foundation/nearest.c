/*
 * Finds the known names that are most similar to a misspelt one, using the restricted
 * Damerau-Levenshtein distance (insertions, deletions, substitutions, and transpositions of
 * neighbours, where no substring is edited twice).
 */
#include "foundation/nearest.h"

#include "foundation/memory.h"
#include "foundation/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { longest = 63, shown = 3 };

static int smaller_of(int a, int b)
{
  return a < b ? a : b;
}

static int edit_distance(const char *a, const char *b)
{
  const int rows = (int)strlen(a), columns = (int)strlen(b);
  /* edit distance between the first i letters of a and the first j letters of b */
  int d[longest + 1][longest + 1];
  if (rows > longest || columns > longest)
    return 2 * longest; /* too long to be similar to a known name */
  for (int i = 0; i <= rows; i++)
    for (int j = 0; j <= columns; j++) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const int replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = smaller_of(replaced, 1 + smaller_of(d[i - 1][j], d[i][j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = smaller_of(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[rows][columns];
}

static int common_prefix(const char *a, const char *b)
{
  int length = 0;
  while (a[length] && a[length] == b[length])
    length++;
  return length;
}

/* Returns a rank that is smaller for more similar names, or -1 if the name is not similar. */
static int nearness_of(const char *word, const char *name)
{
  const int letters = (int)strlen(word);
  const int wrong = edit_distance(word, name);
  if (3 * wrong <= (letters > 3 ? letters : 3))
    return wrong;
  const int prefix = common_prefix(word, name);
  if (prefix >= 2 && (prefix == letters || 2 * prefix > letters))
    return longest + wrong - prefix; /* ranks lower than all names with only a few wrong letters */
  return -1;
}

static const char *name_at(const void *names, size_t stride, int i)
{
  return *(const char *const *)((const char *)names + (size_t)i * stride);
}

int shk_name_index(const char *name, const void *names, size_t stride, int count)
{
  for (int i = 0; i < count; i++)
    if (strcmp(name_at(names, stride, i), name) == 0)
      return i;
  return -1;
}

/* Returns the separator that precedes the i-th name in a list. */
static const char *separator_of_name(int i, int count)
{
  return i == 0 ? "" : i == count - 1 ? " or " : ", ";
}

void shk_nearest(char *buffer, size_t size, const char *word, const void *names, size_t stride,
                 int count)
{
  const char *found[shown];
  int last = 0, *const ranks = shk_allocate((size_t)count, sizeof *ranks);
  for (int i = 0; i < count; i++)
    ranks[i] = nearness_of(word, name_at(names, stride, i));
  for (int wanted = 0; wanted < 3 * longest; wanted++)
    for (int i = 0; i < count && last < shown; i++)
      if (ranks[i] == wanted)
        found[last++] = name_at(names, stride, i);
  free(ranks);
  char *all = shk_copy_text("");
  for (int k = 0; k < last; k++)
    shk_append_text(&all, "%s%s", separator_of_name(k, last), found[k]);
  shk_text_fit(buffer, size, all);
  free(all);
}

char *shk_name_hint(const char *word, const void *names, size_t stride, int count)
{
  enum { MOST = 12 };
  char near[256], *text = NULL;
  shk_nearest(near, sizeof near, word, names, stride, count);
  if (near[0])
    return shk_print_text("did you mean %s?", near);
  shk_append_text(&text, "known are ");
  for (int i = 0; i < count && i < MOST; i++)
    if (i == MOST - 1 && count > MOST)
      shk_append_text(&text, ", …");
    else
      shk_append_text(&text, "%s%s", separator_of_name(i, count), name_at(names, stride, i));
  return text;
}
