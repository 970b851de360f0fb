/* Command lines. See options.h. */
#include "cli/shared/options.h"
#include "cli/shared/install_paths.h"

#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "harness/run/said.h"
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FLAGS = 32, FIRST_LONG = 256 };

/* Options of the command and the common ones, as one list. */
struct all_flags {
  int count;
  struct shk_flag flags[MOST_FLAGS];
  bool help, programs, sandbox;
  const char *plugin, *format;
};

static void gather(struct all_flags *all, const struct shk_command *command,
                   const struct shk_flag *flags)
{
  *all = (struct all_flags){0};
  for (; flags && flags->name && all->count < MOST_FLAGS - 6; flags++)
    all->flags[all->count++] = *flags;
  if (command->formats != 0)
    all->flags[all->count++] = (struct shk_flag){
        "format",
        0,
        SHK_FLAG_TEXT,
        command->formats & 1u << SHK_FORMAT_LATEX ? "table|csv|json|latex" : "table|csv|json",
        "output format",
        &all->format};
  all->flags[all->count++] = (struct shk_flag){
      "plugin",
      0,
      SHK_FLAG_TEXT,
      "FILE",
      "load the integrators, problems and solvers of this plug-in; may be repeated",
      &all->plugin};
  all->flags[all->count++] = (struct shk_flag){"allow-external",
                                               0,
                                               SHK_FLAG_SWITCH,
                                               NULL,
                                               "run the programs that `external(command=…)`, "
                                               "`engine(command=…)` and `program(command=…)` name",
                                               &all->programs};
  all->flags[all->count++] =
      (struct shk_flag){"sandbox",
                        0,
                        SHK_FLAG_SWITCH,
                        NULL,
                        "confine plug-ins and programs: no other files, network or processes",
                        &all->sandbox};
  all->flags[all->count++] =
      (struct shk_flag){"help", 'h', SHK_FLAG_SWITCH, NULL, "show this help", &all->help};
}

static void print_help(const struct shk_command *command, const struct all_flags *all)
{
  const char *form = command->synopsis;
  for (int first = 1; form; first = 0) {
    const size_t length = strcspn(form, "\n");
    printf("%s shakedown %s%s%.*s\n", first ? "usage:" : "      ", command->name,
           length > 0 ? " " : "", (int)length, form);
    form = form[length] == '\n' ? form + length + 1 : NULL;
  }
  printf("\n%s.\n", command->summary);
  if (command->help)
    printf("\n%s\n", command->help);
  puts("\noptions:");
  for (int i = 0; i < all->count; i++) {
    const struct shk_flag *flag = &all->flags[i];
    char left[64], letter[8] = "";
    if (flag->letter != 0)
      snprintf(letter, sizeof letter, "-%c, ", flag->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, flag->name, flag->argument ? " " : "",
             flag->argument ? flag->argument : "");
    if (strlen(left) <= 24)
      printf("  %-24s  %s\n", left, flag->meaning);
    else
      printf("  %s\n  %-24s  %s\n", left, "", flag->meaning);
  }
}

static bool unknown_option(const struct shk_command *command, const struct all_flags *all,
                           const char *text)
{
  char near[256], word[64];
  const char *bare = text + strspn(text, "-");
  snprintf(word, sizeof word, "%.*s", (int)strcspn(bare, "="), bare);
  shk_nearest(near, sizeof near, word, &all->flags[0].name, sizeof all->flags[0], all->count);
  if (near[0] != '\0')
    shk_complain("%s has no option %s; did you mean --%s?", command->name, text, near);
  else
    shk_complain("%s has no option %s; `shakedown %s --help` shows all", command->name, text,
                 command->name);
  return false;
}

/* Stores the option's argument in its target. */
static bool take(const struct shk_flag *flag, const char *argument)
{
  if (flag->kind == SHK_FLAG_SWITCH) {
    *(bool *)flag->target = true;
  } else if (flag->kind == SHK_FLAG_TEXT) {
    *(const char **)flag->target = argument;
  } else if (flag->kind == SHK_FLAG_WORDS) {
    struct shk_words *const words = flag->target;
    words->all = shk_grow(words->all, (size_t)words->count, sizeof *words->all);
    words->all[words->count++] = argument;
  } else {
    char *end;
    errno = 0;
    const long value = strtol(argument, &end, 10);
    if (errno != 0 || end == argument || *end != '\0' || value < 1) {
      shk_complain("--%s: '%s' is not a whole number above zero", flag->name, argument);
      return false;
    }
    *(long *)flag->target = value;
  }
  return true;
}

static bool take_format(struct shk_arguments *arguments, const struct shk_command *command,
                        const char *word)
{
  struct shk_message error;
  if (shk_format_parse(&arguments->format, word, &error)) {
    if (command->formats & 1u << arguments->format)
      return true;
    shk_message_set(&error, "%s does not print %s", command->name, word);
  }
  shk_complain("--format: %s", error.text);
  return false;
}

static bool read_options(struct shk_arguments *arguments, struct all_flags *all,
                         const struct shk_command *command, int argc, char **argv)
{
  struct option longs[MOST_FLAGS + 1] = {0};
  char shorts[2 * MOST_FLAGS + 2] = ":";
  size_t at = 1;
  for (int i = 0; i < all->count; i++) {
    const struct shk_flag *flag = &all->flags[i];
    longs[i] =
        (struct option){flag->name, flag->kind == SHK_FLAG_SWITCH ? no_argument : required_argument,
                        NULL, FIRST_LONG + i};
    if (flag->letter != 0) {
      shorts[at++] = flag->letter;
      if (flag->kind != SHK_FLAG_SWITCH)
        shorts[at++] = ':';
    }
  }
  opterr = 0;
  optind = 0; /* glibc: 0 resets getopt */
  for (int found; (found = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
    if (found == ':') {
      shk_complain("%s needs a value; `shakedown %s --help` shows which", argv[optind - 1],
                   command->name);
      return false;
    }
    if (found == '?') {
      if (optopt >= FIRST_LONG) {
        shk_complain("--%s takes no value", all->flags[optopt - FIRST_LONG].name);
        return false;
      }
      char letter[3] = {'-', (char)optopt, '\0'};
      return unknown_option(command, all, optopt != 0 ? letter : argv[optind - 1]);
    }
    const struct shk_flag *flag = NULL;
    for (int i = 0; i < all->count; i++)
      if (found == FIRST_LONG + i || found == all->flags[i].letter)
        flag = &all->flags[i];
    if (!take(flag, optarg))
      return false;
    if (flag->target == &all->plugin && shk_ends_with(all->plugin, ".c")) {
      shk_complain(
          "--plugin: %s is a source file: `shakedown plugin build %s` makes a plug-in of it",
          all->plugin, all->plugin);
      return false;
    }
    if (flag->target == &all->plugin) {
      arguments->plugins =
          shk_grow(arguments->plugins, (size_t)arguments->plugin_count, sizeof(char *));
      arguments->plugins[arguments->plugin_count++] = shk_plugin_path(all->plugin);
    }
  }
  return true;
}

/* Prints "STUDY is missing": the word of the synopsis after the `count` that were given. */
static void complain_of_missing(const struct shk_command *command, int count)
{
  static const char *const hints[][2] = {
      {"STUDY", ": a file, or one that comes with shakedown (`shakedown list studies`)"},
      {"STORE", ": the file of results that `run` wrote, NAME.db"},
      {"PROBLEM", " (`shakedown list problems`)"},
      {"INTEGRATOR", " (`shakedown list integrators`)"}};
  const char *at = command->synopsis;
  for (int i = 0; i < count && strchr(at, ' ') != NULL; i++)
    at = strchr(at, ' ') + 1;
  const int length = (int)strcspn(at, " \n");
  const char *hint = "";
  for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
    if (strncmp(at, hints[i][0], strlen(hints[i][0])) == 0)
      hint = hints[i][1];
  shk_complain("%s: %.*s is missing%s", command->name, length, at, hint);
}

/* Folder of the files that studies name: the argument of --files, or else the study's folder. */
static char *folder_to_read(const struct shk_arguments *arguments)
{
  const char *const slash = arguments->count > 0 ? strrchr(arguments->words[0], '/') : NULL;
  if (arguments->files)
    return shk_copy_text(arguments->files);
  return slash ? shk_print_text("%.*s", (int)(slash - arguments->words[0]) + 1, arguments->words[0])
               : NULL;
}

bool shk_arguments_read(struct shk_arguments *arguments, int *status,
                        const struct shk_command *command, const struct shk_flag *flags, int least,
                        int most, int argc, char **argv)
{
  struct all_flags all;
  gather(&all, command, flags);
  *arguments = (struct shk_arguments){.format = (enum shk_format)command->format};
  *status = SHK_EXIT_BAD_INPUT;
  if (!read_options(arguments, &all, command, argc, argv))
    return false;
  arguments->context.access.programs = all.programs;
  if (all.help) {
    print_help(command, &all);
    *status = SHK_EXIT_HELD;
    return false;
  }
  if (all.format && !take_format(arguments, command, all.format))
    return false;
  arguments->count = argc - optind;
  arguments->words = argv + optind;
  arguments->context.access.sandbox = all.sandbox;
  if (all.sandbox && !arguments->context.access.reads)
    arguments->context.access.reads = arguments->reads = folder_to_read(arguments);
  if (arguments->count >= least && arguments->count <= most)
    return true;
  if (arguments->count > most)
    shk_complain("%s: found '%s', expected no more arguments", command->name,
                 arguments->words[most]);
  else
    complain_of_missing(command, arguments->count);
  const size_t length = strcspn(command->synopsis, "\n");
  fprintf(stderr, "usage: shakedown %s %.*s\n", command->name, (int)length, command->synopsis);
  return false;
}

void shk_arguments_clear(struct shk_arguments *arguments)
{
  shk_said_free(arguments->said);
  shk_host_stop(arguments->host);
  for (int i = 0; i < arguments->plugin_count; i++)
    free((char *)arguments->plugins[i]);
  free(arguments->plugins);
  free(arguments->reads);
  *arguments = (struct shk_arguments){0};
}

/* ---- plug-ins ---- */

struct shk_servers shk_servers_asked(const struct shk_arguments *arguments)
{
  return (struct shk_servers){&arguments->context, arguments->plugins, arguments->plugin_count};
}

bool shk_use_plugins(struct shk_arguments *arguments)
{
  struct shk_message error = {.text = ""};
  const struct shk_servers servers = shk_servers_asked(arguments);
  if (arguments->plugin_count > 0 || arguments->context.access.programs) {
    arguments->host = shk_host_start(&servers, &error);
    if (!arguments->host) {
      shk_complain("%s", error.text);
      return false;
    }
  }
  arguments->said = shk_said_new(arguments->host);
  arguments->context.remote = shk_said_provider(arguments->said);
  return true;
}
