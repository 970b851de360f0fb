/* Text files of other programs; see lines.h. */
#include "results/import/lines.h"

#include "foundation/files/folder.h"
#include "foundation/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool shk_lines_open(struct shk_lines *lines, const char *folder, const char *path,
                    struct shk_message *error)
{
  size_t length;
  *lines = (struct shk_lines){.path = path, .error = error};
  lines->text = shk_folder_read(folder, &length, path, SHK_FILE_LIMIT, error);
  lines->next = lines->text;
  if (!lines->text)
    return false;
  if (strlen(lines->text) == length)
    return true;
  shk_message_set(error, "%s: found a byte 0, expected text", path);
  shk_lines_close(lines);
  return false;
}

void shk_lines_close(struct shk_lines *lines)
{
  free(lines->text);
  lines->text = NULL;
}

bool shk_lines_next(struct shk_lines *lines)
{
  if (!lines->next || lines->next[0] == '\0')
    return false;
  lines->current = lines->next;
  lines->line++;
  char *const end = strchr(lines->current, '\n');
  lines->next = end ? end + 1 : NULL;
  if (end)
    *end = '\0';
  char *const carriage = strchr(lines->current, '\r');
  if (carriage)
    *carriage = '\0';
  return true;
}

bool shk_lines_split(struct shk_lines *lines, char comment)
{
  char *const end = strchr(lines->current, comment);
  if (end)
    *end = '\0';
  char *rest = NULL;
  lines->count = 0;
  for (char *word = strtok_r(lines->current, " \t", &rest); word;
       word = strtok_r(NULL, " \t", &rest)) {
    if (lines->count == SHK_LINE_WORDS)
      return shk_lines_fail(lines, word, "fewer words in a line");
    lines->words[lines->count++] = word;
  }
  return true;
}

bool shk_lines_fail(const struct shk_lines *lines, const char *found, const char *expected)
{
  shk_message_set(lines->error, "%s:%d: found %s, expected %s", lines->path, lines->line,
                  found ? found : "the end of the line", expected);
  return false;
}

bool shk_lines_number(const struct shk_lines *lines, double *x, int at, const char *expected)
{
  const char *const word = at < lines->count ? lines->words[at] : NULL;
  if (!word || word[shk_number_length(word)] != '\0' || word[0] == '\0')
    return shk_lines_fail(lines, word, expected);
  *x = strtod(word, NULL);
  return isfinite(*x) || shk_lines_fail(lines, word, expected);
}

bool shk_lines_whole(const struct shk_lines *lines, int *x, int at, int low, int high,
                     const char *expected)
{
  const char *const word = at < lines->count ? lines->words[at] : NULL;
  char *end = NULL;
  errno = 0;
  const long value = word ? strtol(word, &end, 10) : 0;
  if (!word || end == word || *end != '\0' || errno != 0 || value < low || value > high)
    return shk_lines_fail(lines, word, expected);
  *x = (int)value;
  return true;
}
