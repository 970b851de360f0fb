/* The output of `shakedown --version`. */
#ifndef CLI_COMMANDS_VERSION_H
#define CLI_COMMANDS_VERSION_H

/* Prints the version on the first line, then a line for each feature of the build. */
void shk_show_version(void);

#endif
