/* Files from templates. See templates.h. */
#include "cli/commands/templates.h"

#include "cli/shared/command.h"
#include "cli/shared/install_paths.h"
#include "cli/shared/output/terminal.h"
#include "foundation/memory.h"
#include "foundation/message.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_line(FILE *out, const char *line, const char *name, const char *symbol)
{
  while (*line != '\0') {
    if (strncmp(line, "@name@", 6) == 0) {
      fputs(name, out);
      line += 6;
    } else if (strncmp(line, "@symbol@", 8) == 0) {
      fputs(symbol, out);
      line += 8;
    } else {
      fputc(*line++, out);
    }
  }
}

/* Writes `path`, which must not exist. Returns false with the reason. */
static bool write_template(const char *path, const char *template_name, const char *name,
                           struct shk_message *error)
{
  char *folder = shk_data_folder("templates");
  char *from = shk_print_text("%s/%s", folder != NULL ? folder : "templates", template_name);
  FILE *in = folder != NULL ? fopen(from, "r") : NULL;
  FILE *out = in != NULL ? fopen(path, "wx") : NULL;
  bool ok = out != NULL;
  if (in == NULL)
    shk_message_set(error, "%s: the template that comes with shakedown is missing", from);
  else if (out == NULL)
    shk_message_set(error, "%s: %s", path, strerror(errno));
  if (ok) {
    char *symbol = shk_copy_text(name), *line = NULL;
    size_t size = 0;
    for (char *at = symbol; *at != '\0'; at++)
      if (!isalnum((unsigned char)*at))
        *at = '_';
    while (getline(&line, &size, in) > 0)
      write_line(out, line, name, symbol);
    free(line);
    free(symbol);
    ok = !ferror(in) && !ferror(out);
  }
  if (in != NULL)
    fclose(in);
  if (out != NULL && (fclose(out) != 0 || !ok)) {
    shk_message_set(error, "%s: cannot be written: %s", path, strerror(errno));
    remove(path);
    ok = false;
  }
  free(from);
  free(folder);
  return ok;
}

int shk_begin_file(const char *name, const char *ending, const char *template_name,
                   const char *next)
{
  struct shk_message error = {.text = ""};
  char *path = shk_print_text("%s%s", name, ending);
  const bool ok = write_template(path, template_name, name, &error);
  if (ok)
    printf("wrote %s; try next:\n  shakedown %s %s\n", path, next, path);
  else
    shk_complain("%s", error.text);
  free(path);
  return ok ? SHK_EXIT_HELD : SHK_EXIT_BAD_INPUT;
}
