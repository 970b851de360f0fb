/*
 * The known names nearest to a misspelt one: restricted Damerau-Levenshtein distance (insertions,
 * deletions, substitutions, and transpositions of neighbours; no substring is edited twice).
 */
#include "foundation/nearest.h"

#include "foundation/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { longest = 63, shown = 3 };

static int smaller(int a, int b)
{
  return a < b ? a : b;
}

static int distance(const char *a, const char *b)
{
  const int rows = (int)strlen(a), columns = (int)strlen(b);
  int d[longest + 1][longest + 1]; /* d[i][j]: distance of the first i letters of a from the
                                      first j of b */
  if (rows > longest || columns > longest)
    return 2 * longest; /* too long for a near name */
  for (int i = 0; i <= rows; i++)
    for (int j = 0; j <= columns; j++) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const int replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = smaller(replaced, 1 + smaller(d[i - 1][j], d[i][j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
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

/* Rank of a name: the smaller, the nearer; -1: not near. */
static int rank(const char *word, const char *name)
{
  const int letters = (int)strlen(word);
  const int wrong = distance(word, name);
  if (3 * wrong <= (letters > 3 ? letters : 3))
    return wrong;
  const int prefix = common_prefix(word, name);
  if (prefix >= 2 && (prefix == letters || 2 * prefix > letters))
    return longest + wrong - prefix; /* after all names with few wrong letters */
  return -1;
}

static const char *name_at(const void *names, size_t stride, int i)
{
  return *(const char *const *)((const char *)names + (size_t)i * stride);
}

void shk_nearest(char *buffer, size_t size, const char *word, const void *names, size_t stride,
                 int count)
{
  int found[shown], ranks[shown], last = 0; /* by rank */
  for (int i = 0; i < count; i++) {
    const int its = rank(word, name_at(names, stride, i));
    int at = last;
    if (its < 0)
      continue;
    for (; at > 0 && its < ranks[at - 1]; at--)
      if (at < shown) {
        found[at] = found[at - 1];
        ranks[at] = ranks[at - 1];
      }
    if (at < shown) {
      found[at] = i;
      ranks[at] = its;
      last += last < shown;
    }
  }
  buffer[0] = '\0';
  size_t used = 0;
  for (int k = 0; k < last && used < size; k++) {
    const char *const join = k == 0 ? "" : k == last - 1 ? " or " : ", ";
    used += (size_t)snprintf(buffer + used, size - used, "%s%s", join,
                             name_at(names, stride, found[k]));
  }
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
      shk_append_text(&text, "%s%s",
                      i == 0           ? ""
                      : i == count - 1 ? " or "
                                       : ", ",
                      name_at(names, stride, i));
  return text;
}
