/* Commands and their options. */
#ifndef CLI_SHARED_COMMAND_H
#define CLI_SHARED_COMMAND_H

#include <stddef.h>

enum shk_flag_kind {
  SHK_FLAG_SWITCH, /* stored in a bool */
  SHK_FLAG_TEXT,   /* stored in a const char *; the last value is used if it is repeated */
  SHK_FLAG_NEEDED, /* like TEXT, but mandatory */
  SHK_FLAG_COUNT,  /* stored in a long; must be a positive integer */
  SHK_FLAG_WORDS   /* stored in a struct shk_words; can be repeated */
};

/* An option. These fields define parsing, --help, completion and the manual page. */
struct shk_flag {
  const char *name; /* name without the dashes; NULL terminates a list */
  char letter;      /* 0 if there is none */
  enum shk_flag_kind kind;
  const char *argument; /* name of the argument in the help text; NULL for a switch */
  const char *meaning;
  size_t offset; /* offset of the value in the command's struct */
};

#define SHK_OPTION(kind, name, letter, at, argument, meaning)                                      \
  {                                                                                                \
    name, letter, SHK_FLAG_##kind, argument, meaning, at                                           \
  }
#define SHK_SWITCH(name, letter, at, meaning) SHK_OPTION(SWITCH, name, letter, at, NULL, meaning)

/* Options shared by several commands. Bit i represents entry i of `common` in options.c. An
 * explicit start is given by --q, --p and --project. */
enum {
  SHK_TAKES_JOBS = 1,
  SHK_TAKES_QUIET = 2,
  SHK_TAKES_FILES = 4,
  SHK_TAKES_START = 8 + 16 + 32,
  SHK_TAKES_KICK = 64
};

/* A command. Each one is defined as shk_command_NAME in cli/commands/NAME.c, and NAME is listed in
 * commands.def. */
struct shk_command {
  const char *name;
  const char *synopsis; /* synopsis without the command's name; each form is on its own line */
  const char *summary;  /* one-line summary */
  const char *help;     /* additional help, in lines of at most 80 columns; NULL if there is none */
  /* formats accepted by --format, as bits 1 << enum shk_format (options.h adds TAP); 0 if the
   * command has no --format */
  unsigned formats;
  unsigned format; /* the default format (enum shk_format) */
  /* The command line: the minimum and maximum number of non-option arguments (a maximum of 0 means
   * no limit), the bits SHK_TAKES_…, and the command's own options (NULL if there are none). */
  struct {
    int least, most;
    unsigned takes;
    const struct shk_flag *flags;
  } line;
  /* The command's struct begins with a struct shk_arguments. All other members, except the values
   * of options, are initialized to zero. `run` returns the exit status. `clear` frees everything
   * that `run` allocated; it is NULL if there is nothing to free. */
  struct {
    size_t size;
    int (*run)(void *self);
    void (*clear)(void *self);
  } does;
};

/* Parses the command line, where argv[0] is the name of the command, and runs the command. Returns
 * the command's exit status. */
int shk_run_command(const struct shk_command *command, int argc, char **argv);

#endif
