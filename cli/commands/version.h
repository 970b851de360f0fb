/* What `shakedown --version` shows. */
#ifndef CLI_COMMANDS_VERSION_H
#define CLI_COMMANDS_VERSION_H

/* The version on the first line, then a line for each feature of the build. */
void shk_show_version(void);

#endif
