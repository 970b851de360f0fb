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

/* The part that all command lines have in common. */
struct shk_replies;
struct shk_servers;
struct shk_arguments {
  const struct shk_command *command;
  struct shk_context context;  /* context in which specifications are read */
  struct shk_replies *replies; /* the server with the plug-ins, and what was said of them, of files
                                 and programs */
  const char *files; /* folder of the files that a store's studies name; NULL: none is opened */
  const char *q, *p; /* explicit start; NULL: the problem's own */
  bool project;      /* make it consistent */
  char *reads;       /* further folder that the sandbox may read; owned */
  int count;
  char **words; /* arguments that are not options, in order; ended by NULL */
  int plugin_count;
  const char **plugins; /* their files; owned */
  enum shk_format format;
  long jobs; /* 0: as many as processors */
  bool quiet, help;
  const char *format_word;
  struct shk_words named_plugins; /* as they were named */
};

/* Adds a plug-in to those of --plugin, from a name as shk_plugin_path takes it. */
void shk_add_plugin(struct shk_arguments *arguments, const char *name);
/* Makes the names of plug-ins known in the context. A cell server loads the plug-ins and asks
 * external programs for their claims. Returns false after an error message. It was called when a
 * command runs; after shk_add_plugin it is called again. */
bool shk_use_plugins(struct shk_arguments *arguments);
/* Says with which plug-ins cell servers are made. */
struct shk_servers shk_servers_asked(const struct shk_arguments *arguments);

#endif
