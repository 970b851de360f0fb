/*
 * Command lines, by getopt_long: every command lists its own options. Common to all are --help,
 * --plugin FILE, --allow-external and, for commands that print data, --format.
 */
#ifndef CLI_SHARED_OPTIONS_H
#define CLI_SHARED_OPTIONS_H

#include "cli/shared/command.h"
#include "cli/shared/output/terminal.h"
#include "engine/context.h"
#include "results/export/export.h"

enum shk_flag_kind {
  SHK_FLAG_SWITCH, /* target: bool */
  SHK_FLAG_TEXT,   /* target: const char *; of several the last counts */
  SHK_FLAG_COUNT,  /* target: long; a whole number, 1 or more */
  SHK_FLAG_WORDS   /* target: struct shk_words; may be repeated */
};

/* The arguments of an option, in the order given; free the list. */
struct shk_words {
  int count;
  const char **all;
};

struct shk_flag {
  const char *name; /* without the dashes; NULL ends a list */
  char letter;      /* 0: none */
  enum shk_flag_kind kind;
  const char *argument; /* name of the argument in the help; NULL for a switch */
  const char *meaning;
  void *target;
};

/* The part that all command lines have in common. */
struct shk_said;
struct shk_host;
struct shk_servers;
struct shk_arguments {
  struct shk_context context; /* context in which specifications are read */
  struct shk_host *host;      /* the server that loaded the plug-ins; NULL: none */
  /* Cached descriptors of plug-ins, files and programs; NULL before shk_use_plugins. */
  struct shk_said *said;
  const char *files; /* folder of the files that a store's studies name; NULL: none is opened */
  char *reads;       /* further folder that the sandbox may read; owned */
  int count;
  char **words; /* arguments that are not options, in order */
  int plugin_count;
  const char **plugins; /* their files */
  enum shk_format format;
};

/* The option --files of commands that read stores. */
#define SHK_FILES_FLAG(arguments)                                                                  \
  {                                                                                                \
    "files", 0, SHK_FLAG_TEXT, "FOLDER",                                                           \
        "folder of the files that the store's studies name (default: none is opened)",             \
        &(arguments)->files                                                                        \
  }

/* Reads a command line: argv[0] is the command's name; `least` to `most` words are expected.
 * Returns false, with the exit status in *status, after --help or an error message. Clear the
 * arguments either way. */
bool shk_arguments_read(struct shk_arguments *arguments, int *status,
                        const struct shk_command *command, const struct shk_flag *flags, int least,
                        int most, int argc, char **argv);
/* Also ends the server of plug-ins. */
void shk_arguments_clear(struct shk_arguments *arguments);

/* Makes the names of plug-ins known in the context. A cell server loads the plug-ins and asks
 * external programs for their claims. Returns false after an error message. */
bool shk_use_plugins(struct shk_arguments *arguments);
/* How cell servers with the plug-ins are made. */
struct shk_servers shk_servers_asked(const struct shk_arguments *arguments);

#endif
