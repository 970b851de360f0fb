/*
 * Parses command lines with getopt_long. Every command lists its own options. All commands also
 * accept --help, --plugin FILE, --allow-external and --sandbox; those that print data also accept
 * --format.
 */
#ifndef CLI_SHARED_OPTIONS_H
#define CLI_SHARED_OPTIONS_H

#include "cli/shared/command.h"
#include "cli/shared/output/terminal.h"
#include "engine/context.h"
#include "results/export/export.h"

/* The arguments of a repeatable option, in the order in which they are given. */
struct shk_words {
  int count;
  const char **all;
};

/* The TAP format, in addition to the table formats. */
enum { SHK_FORMAT_TAP = SHK_FORMAT_LATEX + 1, SHK_CLI_FORMATS };
/* The formats that most commands accept, as a bit mask for struct shk_command. */
enum { SHK_DATA = 1 << SHK_FORMAT_TABLE | 1 << SHK_FORMAT_CSV | 1 << SHK_FORMAT_JSON };

struct shk_replies;
struct shk_workers;
/* The arguments common to all commands. */
struct shk_arguments {
  const struct shk_command *command;
  struct shk_context context; /* context in which specifications are read */
  /* the worker that has loaded the plug-ins, and the cached descriptors of plug-ins, files and
   * programs; owned */
  struct shk_replies *replies;
  /* folder that contains the files named by a store's studies; if NULL, no files are opened */
  const char *files;
  const char *q, *p; /* explicit start; NULL selects the problem's own start */
  bool project;      /* if true, the explicit start is projected onto the constraints */
  long kick;         /* seed for random velocities added to starts; 0 adds none */
  char *reads;       /* additional folder that the sandbox may read; owned */
  int count;
  char **words; /* non-option arguments in their original order, terminated by NULL */
  int plugin_count;
  const char **plugins; /* paths of the plug-ins in use; owned */
  enum shk_format format;
  long jobs; /* number of workers; 0 means the number of processors */
  bool quiet, help;
  const char *format_word;
  struct shk_words named_plugins; /* the arguments of --plugin */
};

/* Returns the options that another command needs in order to use the same methods, such as "
 * --plugin FILE --allow-external". The caller frees the string. */
char *shk_method_options(const struct shk_arguments *arguments);
/* Adds a plug-in to those in use. The name is resolved by shk_plugin_path. */
void shk_add_plugin(struct shk_arguments *arguments, const char *name);
/* Registers the items of the plug-ins in the context. If there are plug-ins or if programs are
 * allowed, starts a worker, which loads the plug-ins and runs external programs. On failure, prints
 * an error message and returns false. This function is called before a command runs and must be
 * called again after shk_add_plugin. */
bool shk_use_plugins(struct shk_arguments *arguments);
/* Returns the context and the plug-ins for workers. The result contains pointers into
 * `arguments`. */
struct shk_workers shk_workers_asked(const struct shk_arguments *arguments);

#endif
