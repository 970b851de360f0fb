/* Commands and their exit status. */
#ifndef CLI_SHARED_COMMAND_H
#define CLI_SHARED_COMMAND_H

/* The exit status of every command. */
enum shk_exit {
  SHK_EXIT_HELD = 0,      /* all claims held; refused cells count as answers */
  SHK_EXIT_SHORT = 1,     /* a measured value does not meet its claim or band */
  SHK_EXIT_BAD_INPUT = 2, /* nothing was done */
  SHK_EXIT_INCOMPLETE = 3 /* cells failed, stopped or were interrupted */
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
  int (*run)(const struct shk_command *command, int argc, char **argv);
};

#endif
