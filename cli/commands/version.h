/* The output of `shakedown --version`. */
#ifndef CLI_COMMANDS_VERSION_H
#define CLI_COMMANDS_VERSION_H

/* Prints the version on the first line, then a line for each feature of the build. Returns
 * SHK_EXIT_HELD. */
int shk_show_version(void);

#endif
