/*
 * The known names nearest to a misspelt one: Damerau-Levenshtein distance in its restricted form
 * (insertions, deletions, replacements, and exchanges of neighbours, no substring edited twice).
 */
#include "foundation/nearest.h"

#include "foundation/memory.h"

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
  if (rows > longest || columns > longest)
    return 2 * longest; /* no near name is so long */
  int before[longest + 1], above[longest + 1], now[longest + 1];
  for (int j = 0; j <= columns; j++)
    above[j] = j;
  memset(before, 0, sizeof before);
  for (int i = 1; i <= rows; i++) {
    now[0] = i;
    for (int j = 1; j <= columns; j++) {
      const int replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
      now[j] = smaller(replaced, 1 + smaller(above[j], now[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = smaller(now[j], before[j - 2] + 1);
    }
    memcpy(before, above, sizeof before);
    memcpy(above, now, sizeof above);
  }
  return above[columns];
}

static int common_prefix(const char *a, const char *b)
{
  int length = 0;
  while (a[length] && a[length] == b[length])
    length++;
  return length;
}

/* Smaller is nearer; -1: not near. */
static int rank(const char *word, const char *name)
{
  const int letters = (int)strlen(word);
  const int wrong = distance(word, name);
  if (3 * wrong <= (letters > 3 ? letters : 3))
    return wrong;
  const int prefix = common_prefix(word, name);
  if (prefix >= 2 && (prefix == letters || 2 * prefix > letters))
    return longest + wrong - prefix; /* after all those with few wrong letters */
  return -1;
}

void shk_nearest(char *buffer, size_t size, const char *word, const char *const *names, int count)
{
  const char *best[shown] = {NULL};
  int ranks[shown] = {0};
  int found = 0;
  for (int i = 0; i < count; i++) {
    const int r = rank(word, names[i]);
    if (r < 0)
      continue;
    int place = found;
    while (place > 0 && r < ranks[place - 1])
      place--;
    if (place == shown)
      continue;
    if (found < shown)
      found++;
    for (int k = found - 1; k > place; k--) {
      best[k] = best[k - 1];
      ranks[k] = ranks[k - 1];
    }
    best[place] = names[i];
    ranks[place] = r;
  }
  if (size)
    buffer[0] = '\0';
  size_t used = 0;
  for (int k = 0; k < found && used < size; k++) {
    const char *const join = k == 0 ? "" : k == found - 1 ? " or " : ", ";
    used += (size_t)snprintf(buffer + used, size - used, "%s%s", join, best[k]);
  }
}

char *shk_name_hint(const char *word, const char *const *names, int count)
{
  enum { MOST = 12 };
  char near[256], *text = NULL;
  shk_nearest(near, sizeof near, word, names, count);
  if (near[0])
    return shk_print_text("did you mean %s?", near);
  shk_append_text(&text, "known are ");
  for (int i = 0; i < count && i < MOST; i++)
    if (i == MOST - 1 && count > MOST)
      shk_append_text(&text, ", …");
    else
      shk_append_text(&text, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", names[i]);
  return text;
}
