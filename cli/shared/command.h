/* Commands and their options. */
#ifndef CLI_SHARED_COMMAND_H
#define CLI_SHARED_COMMAND_H

#include <stddef.h>

enum shk_flag_kind {
  SHK_FLAG_SWITCH, /* stored in a bool */
  SHK_FLAG_TEXT,   /* stored in a const char *; if repeated, the last value */
  SHK_FLAG_NEEDED, /* like TEXT, but must be given */
  SHK_FLAG_COUNT,  /* stored in a long; a whole number, 1 or more */
  SHK_FLAG_WORDS   /* stored in a struct shk_words; can be repeated */
};

/* An option. Parsing, --help, completion and the manual page are all derived from it. */
struct shk_flag {
  const char *name; /* without the dashes; a list ends with NULL */
  char letter;      /* 0: none */
  enum shk_flag_kind kind;
  const char *argument; /* name of the argument in the help; NULL for a switch */
  const char *meaning;
  size_t offset; /* place of the value in the command's struct */
};

#define SHK_OPTION(kind, name, letter, at, argument, meaning)                                      \
  {                                                                                                \
    name, letter, SHK_FLAG_##kind, argument, meaning, at                                           \
  }
#define SHK_SWITCH(name, letter, at, meaning) SHK_OPTION(SWITCH, name, letter, at, NULL, meaning)

/* Options that several commands have in common. Bit i represents entry i of `common` in options.c.
 * An explicit start is --q, --p and --project. */
enum {
  SHK_TAKES_JOBS = 1,
  SHK_TAKES_QUIET = 2,
  SHK_TAKES_FILES = 4,
  SHK_TAKES_START = 8 + 16 + 32,
  SHK_TAKES_KICK = 64
};

/* A command. cli/commands/NAME.c defines one of these, shk_command_NAME, and commands.def lists
 * NAME. */
struct shk_command {
  const char *name;
  const char *synopsis; /* text after the name, with one line for each form */
  const char *summary;  /* one line */
  const char *help;     /* further text in lines of at most 80 columns; NULL if there is none */
  unsigned formats; /* bits 1 << enum shk_format (options.h adds TAP) of --format; 0: no --format */
  unsigned format;  /* the default, enum shk_format */
  /* The command line: the minimum and maximum number of arguments that are not options (maximum 0:
   * no limit), the bits SHK_TAKES_…, and the command's own options (NULL if there are none). */
  struct {
    int least, most;
    unsigned takes;
    const struct shk_flag *flags;
  } line;
  /* The command's struct begins with a struct shk_arguments. All other members except the values of
   * options are zero at the beginning. `run` returns the exit status. `clear` frees what `run`
   * stored; it is NULL if there is nothing to free. */
  struct {
    size_t size;
    int (*run)(void *self);
    void (*clear)(void *self);
  } does;
};

/* Parses the command line, in which argv[0] is the command's name, and runs the command. Returns
 * the command's exit status. */
int shk_run_command(const struct shk_command *command, int argc, char **argv);

#endif
