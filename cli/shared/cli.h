/*
 * What the commands share: how they are called, what they end with, and how they speak.
 */
#ifndef CLI_SHARED_CLI_H
#define CLI_SHARED_CLI_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stdio.h>

/* What every command ends with. */
enum shk_exit {
  SHK_EXIT_HELD = 0,      /* all held; refused cells are answers */
  SHK_EXIT_SHORT = 1,     /* something measured fell short */
  SHK_EXIT_BAD_INPUT = 2, /* nothing was done */
  SHK_EXIT_INCOMPLETE = 3 /* cells failed, stopped or were interrupted */
};

/* A command: one file, which defines one of these. */
struct shk_command {
  const char *name;
  const char *synopsis; /* what follows the name; one line for each form */
  const char *summary;  /* one line */
  const char *help;     /* more, in lines of at most 80 columns; NULL: nothing */
  unsigned formats;     /* 1 << enum shk_format for those of --format; 0: it prints no data */
  unsigned format;      /* the default, enum shk_format */
  int (*run)(const struct shk_command *command, int argc, char **argv);
};

extern const struct shk_command shk_command_list, shk_command_describe, shk_command_simulate,
    shk_command_run, shk_command_show, shk_command_plot, shk_command_diagnose, shk_command_certify,
    shk_command_reference, shk_command_report, shk_command_baseline, shk_command_check,
    shk_command_compare, shk_command_merge, shk_command_plugin, shk_command_study,
    shk_command_submit, shk_command_worker;

/* "shakedown: …" on standard error, one line or several. Control characters are escaped: the text
 * may hold what a user or a file said. */
void shk_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The escape sequence of a colour, "" where the file is no terminal or colour is not wanted
 * (NO_COLOR, TERM=dumb). */
enum shk_colour { SHK_PLAIN, SHK_BOLD, SHK_RED, SHK_GREEN, SHK_YELLOW };
const char *shk_colour(FILE *file, enum shk_colour colour);

#endif
