/*
 * Command lines, by getopt_long: every command lists its own options; --help, --plugin FILE,
 * --allow-external and, where it prints data, --format are common to all.
 */
#ifndef CLI_SHARED_OPTIONS_H
#define CLI_SHARED_OPTIONS_H

#include "cli/shared/command.h"
#include "cli/shared/output/terminal.h"
#include "engine/context.h"
#include "results/export/export.h"

enum shk_flag_kind {
  SHK_FLAG_SWITCH, /* target: bool */
  SHK_FLAG_TEXT,   /* target: const char *; given twice, the last counts */
  SHK_FLAG_COUNT,  /* target: long; a whole number, 1 or more */
  SHK_FLAG_WORDS   /* target: struct shk_words; may be repeated */
};

/* What an option was given, in that order; free the list. */
struct shk_words {
  int count;
  const char **all;
};

struct shk_flag {
  const char *name; /* without the dashes; NULL ends a list */
  char letter;      /* 0: none */
  enum shk_flag_kind kind;
  const char *argument; /* what the help calls it; NULL for a switch */
  const char *meaning;
  void *target;
};

/* What all command lines have in common. */
struct shk_said;
struct shk_host;
struct shk_launcher;
struct shk_arguments {
  struct shk_context context;    /* what specifications are read in */
  struct shk_launcher *launcher; /* of cell servers; NULL: none is needed */
  struct shk_host *host;         /* the server that loaded the plug-ins; NULL: none */
  /* What was asked of plug-ins, files and programs; NULL before shk_use_plugins. */
  struct shk_said *said;
  const char *files; /* where files that a store's studies name are found; NULL: nowhere */
  char *reads;       /* the folder that a sandbox may read beside others; owned */
  int count;
  char **words; /* what is not an option, in order */
  int plugin_count;
  const char **plugins; /* the file of each */
  enum shk_format format;
};

/* The option of commands that read stores. */
#define SHK_FILES_FLAG(arguments)                                                                  \
  {                                                                                                \
    "files", 0, SHK_FLAG_TEXT, "FOLDER",                                                           \
        "folder of the files that the store's studies name (default: none is opened)",             \
        &(arguments)->files                                                                        \
  }

/* Reads a command line: argv[0] is the command's name. False if there is nothing left to do,
 * because of --help or after a complaint; *status is then the exit status. Between `least` and
 * `most` words are expected. Clear the arguments either way. */
bool shk_arguments_read(struct shk_arguments *arguments, int *status,
                        const struct shk_command *command, const struct shk_flag *flags, int least,
                        int most, int argc, char **argv);
/* Ends cell servers and their launcher too. */
void shk_arguments_clear(struct shk_arguments *arguments);

/* Makes the names of plug-ins known in the context, through a cell server that loads them and also
 * asks external programs for their claims; false after a complaint. */
bool shk_use_plugins(struct shk_arguments *arguments);
/* The same for a command that runs cells, before it opens a store. */
bool shk_use_servers(struct shk_arguments *arguments);

#endif
