/* Creates files from templates. See templates.h. */
#include "cli/commands/templates.h"

#include "cli/shared/command.h"
#include "cli/shared/install_paths.h"
#include "cli/shared/output/atomic_file.h"
#include "cli/shared/output/terminal.h"
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct filled {
  const char *text;
  const struct shk_filling *fillings;
};

static void print_templates(FILE *file, const void *what)
{
  const struct filled *const filled = what;
  for (const char *at = filled->text; *at != '\0';) {
    const struct shk_filling *filling = filled->fillings;
    while (filling->mark && strncmp(at, filling->mark, strlen(filling->mark)) != 0)
      filling++;
    if (filling->mark) {
      fputs(filling->value, file);
      at += strlen(filling->mark);
    } else {
      putc(*at++, file);
    }
  }
}

bool shk_fill_template(const char *path, const char *template_name,
                       const struct shk_filling *fillings)
{
  enum { MOST_BYTES = 1 << 20 };
  struct shk_message error = {""};
  size_t length;
  char *const name = shk_print_text("templates/%s", template_name), *const from =
                                                                        shk_data_file(name);
  char *const text = shk_read_file(from ? from : name, MOST_BYTES, "template", &length, &error);
  const bool ok = shk_accept(text, &error) &&
                  shk_write_file(path, print_templates, &(struct filled){text, fillings});
  free(text);
  free(from);
  free(name);
  return ok;
}

void shk_clear_fillings(const struct shk_filling *fillings)
{
  for (; fillings->mark; fillings++)
    free(fillings->value);
}

int shk_begin_file(const char *name, const char *ending, const char *template_name,
                   const char *next)
{
  char *const path = shk_print_text("%s%s", name, ending), *const symbol = shk_copy_text(name);
  for (char *at = symbol; *at != '\0'; at++)
    if (!isalnum((unsigned char)*at))
      *at = '_';
  const struct shk_filling fillings[] = {
      {"@name@", shk_copy_text(name)}, {"@symbol@", symbol}, {NULL, NULL}};
  bool ok = false;
  if (access(path, F_OK) == 0)
    shk_complain("%s: %s", path, strerror(EEXIST));
  else
    ok = shk_fill_template(path, template_name, fillings);
  char *const word = shk_shell_word(path);
  if (ok)
    printf("wrote %s; try next:\n  shakedown %s %s\n", path, next, word);
  free(word);
  shk_clear_fillings(fillings);
  free(path);
  return ok ? SHK_EXIT_HELD : SHK_EXIT_BAD_INPUT;
}

int shk_run_script(char *path, int output)
{
  char *const words[] = {(char *)"sh", path, NULL};
  const struct shk_child as = {.out = output, .last_signal = SIGTERM};
  fflush(NULL);
  const pid_t child = shk_child_start(&as, words[0], words);
  if (child < 0) {
    shk_complain("cannot start sh: %s", strerror(errno));
    return -1;
  }
  const int status = shk_child_wait(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
