/*
 * Command lines, by getopt_long: every command lists its own options. Common to all are --help,
 * --plugin FILE, --allow-external, --sandbox and, for commands that print data, --format.
 */
#ifndef CLI_SHARED_OPTIONS_H
#define CLI_SHARED_OPTIONS_H

#include "cli/shared/command.h"
#include "cli/shared/output/terminal.h"
#include "engine/context.h"
#include "results/export/export.h"

/* The arguments of an option, in the order given. */
struct shk_words {
  int count;
  const char **all;
};

/* TAP, beside the formats of tables. */
enum { SHK_FORMAT_TAP = SHK_FORMAT_LATEX + 1, SHK_CLI_FORMATS };
/* The formats of most commands, as the bits of struct shk_command. */
enum { SHK_DATA = 1 << SHK_FORMAT_TABLE | 1 << SHK_FORMAT_CSV | 1 << SHK_FORMAT_JSON };

struct shk_replies;
struct shk_workers;
/* The part that all command lines have in common. */
struct shk_arguments {
  const struct shk_command *command;
  struct shk_context context;  /* context in which specifications are read */
  struct shk_replies *replies; /* worker with the plug-ins, and cached descriptors of plug-ins,
                                  files and programs; owned */
  const char *files; /* folder of the files that a store's studies name; NULL: none is opened */
  const char *q, *p; /* explicit start; NULL: the problem's own */
  bool project;      /* project this start onto the constraints */
  long kick;         /* seed of random velocities of starts; 0: none */
  char *reads;       /* further folder that the sandbox may read; owned */
  int count;
  char **words; /* arguments that are not options, in order; ended by NULL */
  int plugin_count;
  const char **plugins; /* paths of the plug-ins in use; owned */
  enum shk_format format;
  long jobs; /* workers; 0: as many as processors */
  bool quiet, help;
  const char *format_word;
  struct shk_words named_plugins; /* the arguments of --plugin */
};

/* Returns the options that another command needs for the same methods, " --plugin FILE
 * --allow-external"; the caller frees them. */
char *shk_method_options(const struct shk_arguments *arguments);
/* Adds a plug-in to those in use, by a name as shk_plugin_path takes it. */
void shk_add_plugin(struct shk_arguments *arguments, const char *name);
/* Makes the items of the plug-ins known in the context. Starts a worker, which loads them and
 * runs external programs, if there are plug-ins or programs are allowed. Returns false after an
 * error message. It is called before a command runs; call it again after shk_add_plugin. */
bool shk_use_plugins(struct shk_arguments *arguments);
/* Returns the context and the plug-ins of workers; it points into `arguments`. */
struct shk_workers shk_workers_asked(const struct shk_arguments *arguments);

#endif
