/* Commands and their options. */
#ifndef CLI_SHARED_COMMAND_H
#define CLI_SHARED_COMMAND_H

#include <stddef.h>

enum shk_flag_kind {
  SHK_FLAG_SWITCH, /* stored in a bool */
  SHK_FLAG_TEXT,   /* in a const char *; if it is repeated, the last value */
  SHK_FLAG_NEEDED, /* as TEXT; it must be given */
  SHK_FLAG_COUNT,  /* in a long; a whole number, 1 or more */
  SHK_FLAG_WORDS   /* in a struct shk_words; may be repeated */
};

/* An option: the source of parsing, --help, completion and manual page. */
struct shk_flag {
  const char *name; /* without the dashes; NULL ends a list */
  char letter;      /* 0: none */
  enum shk_flag_kind kind;
  const char *argument; /* name of the argument in the help; NULL for a switch */
  const char *meaning;
  size_t offset; /* of the value in the command's struct */
};

#define SHK_OPTION(kind, name, letter, at, argument, meaning)                                      \
  {                                                                                                \
    name, letter, SHK_FLAG_##kind, argument, meaning, at                                           \
  }
#define SHK_SWITCH(name, letter, at, meaning) SHK_OPTION(SWITCH, name, letter, at, NULL, meaning)

/* Options that several commands have. Bit i stands for entry i of `common` in options.c; an
 * explicit start is --q, --p and --project. */
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
  const char *synopsis; /* text after the name; one line for each form */
  const char *summary;  /* one line */
  const char *help;     /* further text, in lines of at most 80 columns; NULL: none */
  unsigned formats; /* bits 1 << enum shk_format (options.h adds TAP) of --format; 0: no --format */
  unsigned format;  /* the default, enum shk_format */
  /* The command line: least and largest number of arguments that are not options (most 0: no
   * limit), bits SHK_TAKES_…, and the command's own options (NULL: none). */
  struct {
    int least, most;
    unsigned takes;
    const struct shk_flag *flags;
  } line;
  /* The command's struct begins with a struct shk_arguments; all other members but the options'
   * values are zero. `run` returns the exit status. `clear` frees what `run` stored; NULL:
   * nothing. */
  struct {
    size_t size;
    int (*run)(void *self);
    void (*clear)(void *self);
  } does;
};

/* Reads the command line, where argv[0] is the command's name, and runs the command. Returns its
 * exit status. */
int shk_run_command(const struct shk_command *command, int argc, char **argv);

#endif
