/* Commands and their options. */
#ifndef CLI_SHARED_COMMAND_H
#define CLI_SHARED_COMMAND_H

#include <stddef.h>

enum shk_flag_kind {
  SHK_FLAG_SWITCH, /* stored in a bool */
  SHK_FLAG_TEXT,   /* in a const char *; of several the last counts */
  SHK_FLAG_NEEDED, /* the same; the command needs it */
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

/* Options that several commands have; an explicit start is --q, --p and --project. */
enum {
  SHK_TAKES_JOBS = 1,
  SHK_TAKES_QUIET = 2,
  SHK_TAKES_FILES = 4,
  SHK_TAKES_START = 8 + 16 + 32
};

/* A command: one file that defines one of these, shk_command_NAME, and a line in
 * cli/commands/commands.def. */
struct shk_command {
  const char *name;
  const char *synopsis; /* text after the name; one line for each form */
  const char *summary;  /* one line */
  const char *help;     /* further text, in lines of at most 80 columns; NULL: none */
  unsigned formats;     /* 1 << enum shk_format for each --format; 0: the command prints no data */
  unsigned format;      /* the default, enum shk_format */
  /* Its command line: number of words that are no options (most 0: any number), SHK_TAKES_…, and
   * options of its own (NULL: none). */
  struct {
    int least, most;
    unsigned takes;
    const struct shk_flag *flags;
  } line;
  /* Its struct, which begins with a struct shk_arguments and is zeroed except for these and the
   * options; the function that runs the command on it and returns the exit status; and one that
   * frees what it stored there (NULL: nothing). */
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
