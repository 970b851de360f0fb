/*
 * Parses command lines with getopt_long. Every command lists its own options. All commands also
 * have --help, --plugin FILE, --allow-external, --sandbox and, if they print data, --format.
 */
#ifndef CLI_SHARED_OPTIONS_H
#define CLI_SHARED_OPTIONS_H

#include "cli/shared/command.h"
#include "cli/shared/output/terminal.h"
#include "engine/context.h"
#include "results/export/export.h"

/* The arguments of an option in the order in which they are given. */
struct shk_words {
  int count;
  const char **all;
};

/* TAP, in addition to the formats of tables. */
enum { SHK_FORMAT_TAP = SHK_FORMAT_LATEX + 1, SHK_CLI_FORMATS };
/* The formats of most commands, in the form of the bits in struct shk_command. */
enum { SHK_DATA = 1 << SHK_FORMAT_TABLE | 1 << SHK_FORMAT_CSV | 1 << SHK_FORMAT_JSON };

struct shk_replies;
struct shk_workers;
/* The part that the command lines of all commands have in common. */
struct shk_arguments {
  const struct shk_command *command;
  struct shk_context context;  /* specifications are read in this context */
  struct shk_replies *replies; /* worker with the plug-ins, and cached descriptors of plug-ins,
                                  files and programs; owned */
  const char *files; /* folder of files that a store's studies name; NULL: none is opened */
  const char *q, *p; /* explicit start; NULL: the problem's own start */
  bool project;      /* if true, projects this start onto the constraints */
  long kick;         /* seed for random velocities of starts; 0 if there are none */
  char *reads;       /* additional folder that the sandbox may read; owned */
  int count;
  char **words; /* arguments that are not options, in order, followed by NULL */
  int plugin_count;
  const char **plugins; /* paths of the plug-ins in use; owned */
  enum shk_format format;
  long jobs; /* number of workers; 0: the number of processors */
  bool quiet, help;
  const char *format_word;
  struct shk_words named_plugins; /* the arguments of --plugin */
};

/* Returns the options that another command needs for the same methods, such as " --plugin FILE
 * --allow-external". The caller frees the text. */
char *shk_method_options(const struct shk_arguments *arguments);
/* Adds a plug-in to those in use. Its name is interpreted by shk_plugin_path. */
void shk_add_plugin(struct shk_arguments *arguments, const char *name);
/* Makes the items of the plug-ins known in the context. If there are plug-ins or if programs are
 * allowed, starts a worker, which loads the plug-ins and runs external programs. On failure, prints
 * an error message and returns false. This function is called before a command runs and must be
 * called again after shk_add_plugin. */
bool shk_use_plugins(struct shk_arguments *arguments);
/* Returns the context and the plug-ins for workers. The result points into `arguments`. */
struct shk_workers shk_workers_asked(const struct shk_arguments *arguments);

#endif
