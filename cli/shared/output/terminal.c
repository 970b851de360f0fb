/* Prints messages, lines and tables on a terminal. See terminal.h. */
#include "cli/shared/output/terminal.h"

#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void shk_print_lines(FILE *file, char *owned, int indent)
{
  char *rest = owned;
  for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
    if (*line == '\0' && !rest && line != owned)
      break;
    fprintf(file, "%*s", line == owned ? 0 : indent, "");
    shk_print_plain(file, line);
    fputc('\n', file);
  }
  free(owned);
}

bool shk_complain(const char *format, ...)
{
  static const char name[] = "shakedown:";
  const int width = isatty(fileno(stderr)) ? shk_terminal_width(stderr, 0) : 0;
  va_list arguments;
  va_start(arguments, format);
  char *const text = shk_print_arguments(format, arguments), *rest = text;
  va_end(arguments);
  fflush(stdout);
  fprintf(stderr, "%s%s%s ", shk_colour(stderr, SHK_RED), name, shk_colour(stderr, SHK_PLAIN));
  int used = sizeof name; /* width of the prefix, including the blank after it */
  for (char *line; (line = strsep(&rest, "\n")) != NULL; used = 0) {
    if (*line == '\0' && !rest && line != text)
      break;
    shk_print_wrapped(stderr, line, used, used > 0 ? 2 : 4, width);
    fputc('\n', stderr);
  }
  free(text);
  return false;
}

bool shk_accept(bool ok, const struct shk_message *error)
{
  return ok || shk_complain("%s", error->text);
}

void shk_say(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  shk_print_lines(stdout, shk_print_arguments(format, arguments), 0);
  va_end(arguments);
}

void shk_tap_point(int number, bool ok, const char *text, const char *skip, const char *detail)
{
  printf("%sok %d - ", ok ? "" : "not ", number);
  shk_print_tap(stdout, text);
  if (skip) {
    fputs(" # SKIP ", stdout);
    shk_print_tap(stdout, skip);
  }
  if (detail && *detail != '\0') {
    fputs("\n# ", stdout);
    shk_print_tap(stdout, detail);
  }
  putchar('\n');
  fflush(stdout);
}

const char *shk_colour(FILE *file, enum shk_colour colour)
{
  static const char *const codes[] = {"\033[0m", "\033[1m", "\033[31m", "\033[32m", "\033[33m"};
  const char *forbidden = getenv("NO_COLOR"), *term = getenv("TERM");
  if ((forbidden && *forbidden != '\0') || !term || strcmp(term, "dumb") == 0 ||
      !isatty(fileno(file)))
    return "";
  return codes[colour];
}

bool shk_output_folder(const char *option, const char *path)
{
  static const char *const endings[] = {".png", ".pdf", ".svg", ".tex", ".html"};
  struct shk_message error = {""};
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
    if (shk_ends_with(path, endings[i]))
      return shk_complain(
          "%s: found the file name '%s', expected the name of a folder for several files", option,
          path);
  return (shk_make_directory(path, &error) && access(path, W_OK) == 0) ||
         shk_complain("%s: %s: %s; name another folder", option, path,
                      *error.text != '\0' ? error.text : strerror(errno));
}

int shk_terminal_width(FILE *file, int otherwise)
{
  const char *const columns = getenv("COLUMNS");
  const long set = columns ? strtol(columns, NULL, 10) : 0;
  struct winsize size;
  if (set > 0 && set < 10000)
    return (int)set;
  if (isatty(fileno(file)) && ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return otherwise;
}

void shk_print_line(const char *text, int indent)
{
  shk_print_wrapped(stdout, text, 0, indent, shk_terminal_width(stdout, SHK_USUAL_WIDTH));
  putchar('\n');
}

void shk_columns(struct shk_table *table, const char *columns)
{
  enum { MOST = 32 };
  const char *names[MOST];
  enum shk_alignment sides[MOST];
  int count = 0;
  char *const copy = shk_copy_text(columns), *rest = copy;
  for (char *name; count < MOST && (name = strsep(&rest, "|")) != NULL; count++) {
    sides[count] = *name == '>'   ? SHK_ALIGN_RIGHT
                   : *name == '#' ? SHK_ALIGN_NUMBER
                                  : SHK_ALIGN_LEFT;
    names[count] = name + (sides[count] != SHK_ALIGN_LEFT);
  }
  shk_table_init(table, count, names, sides);
  free(copy);
}

void shk_show_table(const struct shk_table *table, enum shk_format format)
{
  if (format == SHK_FORMAT_TABLE)
    shk_table_print_text(stdout, table, shk_terminal_width(stdout, 0));
  else
    shk_table_print(stdout, table, format);
}

void shk_show_and_clear(struct shk_table *table, enum shk_format format)
{
  shk_show_table(table, format);
  shk_table_clear(table);
}

char *shk_shell_word(const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_-./:=,+@%";
  return *word && word[strspn(word, plain)] == '\0' ? shk_copy_text(word)
                                                    : shk_shell_words("", &word, 1);
}

char *shk_shell_words(const char *before, const char *const *words, int count)
{
  char *text = NULL;
  size_t size;
  FILE *const file = open_memstream(&text, &size);
  if (!file)
    shk_out_of_memory();
  for (int i = 0; i < count; i++) {
    fputs(before, file);
    shk_print_shell(file, words[i]);
  }
  if (fclose(file) != 0)
    shk_out_of_memory();
  return text;
}
