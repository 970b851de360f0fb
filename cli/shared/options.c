/* Parses command lines. See options.h. */
#include "cli/shared/options.h"
#include "cli/shared/install_paths.h"

#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "harness/run/replies.h"
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FLAGS = 32, FIRST_LONG = 256, MOST_JOBS = 1024 };

static const char *const format_words[SHK_CLI_FORMATS] = {"table", "csv", "json", "latex", "tap"};

/* The options that a command accepts: its own options, followed by the common ones. */
struct all_flags {
  int count;
  struct shk_flag flags[MOST_FLAGS];
  char formats[64]; /* "table|csv|json" */
};

#define AT(member) offsetof(struct shk_arguments, member)
/* Entries before FORMAT correspond to the bits of `takes`. FORMAT is accepted if the command
 * supports a choice of output formats. EVERYWHERE and all later entries are accepted by every
 * command. */
enum { FORMAT = 7, EVERYWHERE };
static const struct shk_flag common[] = {
    SHK_OPTION(COUNT, "jobs", 'j', AT(jobs), "N",
               "number of workers (default: the number of processors)"),
    SHK_SWITCH("quiet", 'q', AT(quiet), "no progress"),
    SHK_OPTION(TEXT, "files", 0, AT(files), "FOLDER",
               "folder with the files that the store's studies name (default: open none)"),
    SHK_OPTION(TEXT, "q", 0, AT(q), "Q1,Q2,…", "initial coordinates; requires --p"),
    SHK_OPTION(TEXT, "p", 0, AT(p), "P1,P2,…", "initial momenta; requires --q"),
    SHK_SWITCH("project", 0, AT(project), "project this start onto the constraints"),
    SHK_OPTION(COUNT, "kick", 0, AT(kick), "SEED",
               "give a start at rest random velocities, determined by this seed"),
    SHK_OPTION(TEXT, "format", 0, AT(format_word), NULL, "output format"),
    SHK_OPTION(WORDS, "plugin", 0, AT(named_plugins), "FILE",
               "load the integrators, problems and solvers of this plug-in; may be repeated"),
    SHK_SWITCH("allow-external", 0, AT(context.access.programs),
               "run the programs that `external(command=…)`, `engine(command=…)` and "
               "`program(command=…)` name"),
    SHK_SWITCH("sandbox", 0, AT(context.access.sandbox),
               "run plug-ins and programs under bubblewrap, without access to other files, the "
               "network or other processes"),
    SHK_SWITCH("help", 'h', AT(help), "show this help")};

static void gather_options(struct all_flags *all, const struct shk_command *command)
{
  *all = (struct all_flags){0};
  for (const struct shk_flag *flag = command->line.flags; flag && flag->name; flag++)
    all->flags[all->count++] = *flag;
  for (int i = 0; i < SHK_CLI_FORMATS; i++)
    if (command->formats & 1u << i)
      snprintf(all->formats + strlen(all->formats), sizeof all->formats - strlen(all->formats),
               "%s%s", *all->formats != '\0' ? "|" : "", format_words[i]);
  for (int i = 0; i < (int)(sizeof common / sizeof common[0]); i++)
    if (i >= EVERYWHERE || (i == FORMAT ? command->formats != 0 : command->line.takes & 1u << i)) {
      struct shk_flag *const flag = &all->flags[all->count++];
      *flag = common[i];
      flag->argument = i == FORMAT ? all->formats : flag->argument;
    }
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
    int width = 24; /* width in bytes, which corresponds to 24 characters */
    for (const char *at = left; *at; at++)
      width += ((unsigned char)*at & 0xC0) == 0x80;
    if (strlen(left) <= (size_t)width)
      printf("  %-*s  %s\n", width, left, flag->meaning);
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
  return near[0] != '\0'
             ? shk_complain("%s has no option %s; did you mean --%s?", command->name, text, near)
             : shk_complain("%s has no option %s; `shakedown %s --help` shows all", command->name,
                            text, command->name);
}

/* Stores the option's argument in the command's struct. On failure, prints an error message and
 * returns false. */
static bool take_options(const struct shk_flag *flag, void *self, const char *argument)
{
  void *const target = (char *)self + flag->offset;
  char *end;
  switch (flag->kind) {
  case SHK_FLAG_SWITCH:
    *(bool *)target = true;
    break;
  case SHK_FLAG_TEXT:
  case SHK_FLAG_NEEDED:
    *(const char **)target = argument;
    break;
  case SHK_FLAG_WORDS: {
    struct shk_words *const words = target;
    *SHK_APPEND(words->all, words->count) = argument;
    break;
  }
  case SHK_FLAG_COUNT:
    errno = 0;
    *(long *)target = strtol(argument, &end, 10);
    if (errno != 0 || end == argument || *end != '\0' || *(long *)target < 1)
      return shk_complain("--%s: '%s' is not a whole number above zero", flag->name, argument);
  }
  return true;
}

/* Reads the options into the command's struct. On failure, prints an error message and returns
 * false. */
static bool read_options(void *self, const struct all_flags *all, const struct shk_command *command,
                         int argc, char **argv)
{
  struct option longs[MOST_FLAGS + 1] = {0};
  char shorts[2 * MOST_FLAGS + 2] = ":";
  size_t at = 1;
  for (int i = 0; i < all->count; i++) {
    const struct shk_flag *flag = &all->flags[i];
    const bool plain = flag->kind == SHK_FLAG_SWITCH;
    longs[i] =
        (struct option){flag->name, plain ? no_argument : required_argument, NULL, FIRST_LONG + i};
    if (flag->letter != 0) {
      shorts[at++] = flag->letter;
      if (!plain)
        shorts[at++] = ':';
    }
  }
  opterr = 0;
  optind = 0; /* in glibc, the value 0 resets getopt */
  for (int found; (found = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
    if (found == ':')
      return shk_complain("%s needs a value; `shakedown %s --help` shows which", argv[optind - 1],
                          command->name);
    if (found == '?' && optopt >= FIRST_LONG)
      return shk_complain("--%s takes no value", all->flags[optopt - FIRST_LONG].name);
    if (found == '?') {
      const char letter[3] = {'-', (char)optopt, '\0'};
      return unknown_option(command, all, optopt != 0 ? letter : argv[optind - 1]);
    }
    for (int i = 0; i < all->count; i++)
      if ((found == FIRST_LONG + i || found == all->flags[i].letter) &&
          !take_options(&all->flags[i], self, optarg))
        return false;
  }
  return true;
}

/* Prints "STUDY is missing", where STUDY is the word in the synopsis that follows the `count` words
 * that were given. */
static void complain_of_missing(const struct shk_command *command, int count)
{
  static const char *const hints[][2] = {
      {"STUDY", ": a file, or one that comes with shakedown (`shakedown list studies`)"},
      {"STORE", ": the results file that `run` wrote, NAME.db"},
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

/* Returns the folder that a sandbox may read: the argument of --files or, by default, the folder
 * part of the first word. Returns NULL if that word contains no slash. The caller frees the
 * path. */
static char *folder_to_read(const struct shk_arguments *arguments)
{
  const char *const slash = arguments->count > 0 ? strrchr(arguments->words[0], '/') : NULL;
  if (arguments->files)
    return shk_copy_text(arguments->files);
  return slash ? shk_print_text("%.*s", (int)(slash - arguments->words[0]) + 1, arguments->words[0])
               : NULL;
}

/* Reads --format, checks --jobs and adds the plug-ins. On failure, prints an error message and
 * returns false. */
static bool check_common(struct shk_arguments *arguments, const struct all_flags *all)
{
  const struct shk_command *const command = arguments->command;
  const char *const word = arguments->format_word;
  int format = word ? 0 : (int)command->format;
  while (word && format < SHK_CLI_FORMATS &&
         (!(command->formats & 1u << format) || strcmp(word, format_words[format]) != 0))
    format++;
  arguments->format = (enum shk_format)format;
  if (format == SHK_CLI_FORMATS)
    return shk_complain("--format: found '%s', expected %s", word, all->formats);
  if (arguments->jobs > MOST_JOBS)
    return shk_complain("--jobs: %ld workers exceed the limit of %d", arguments->jobs, MOST_JOBS);
  for (int i = 0; i < arguments->named_plugins.count; i++) {
    const char *const name = arguments->named_plugins.all[i];
    if (shk_ends_with(name, ".c")) {
      char *const quoted = shk_shell_word(name);
      shk_complain("--plugin: %s is a source file: use `shakedown plugin build %s` to make a "
                   "plug-in from it",
                   name, quoted);
      free(quoted);
      return false;
    }
    shk_add_plugin(arguments, name);
  }
  return true;
}

/* Checks the number of words and whether all required options are given. On failure, prints an
 * error message and returns false. */
static bool check_words(void *self)
{
  const struct shk_arguments *const arguments = self;
  const struct shk_command *const command = arguments->command;
  const int count = arguments->count, most = command->line.most;
  const bool few = count < command->line.least;
  const bool many = most > 0 && count > most;
  if (few)
    complain_of_missing(command, count);
  if (many)
    shk_complain("%s: found '%s', expected no more arguments", command->name,
                 arguments->words[most]);
  if (few || many) {
    const int length = (int)strcspn(command->synopsis, "\n");
    fprintf(stderr, "usage: shakedown %s %.*s\n", command->name, length, command->synopsis);
    return false;
  }
  for (const struct shk_flag *flag = command->line.flags; flag && flag->name; flag++)
    if (flag->kind == SHK_FLAG_NEEDED && !*(const char **)((char *)self + flag->offset))
      return shk_complain("%s: -%c %s is missing: %s", command->name, flag->letter, flag->argument,
                          flag->meaning);
  return true;
}

static void clear_options(struct shk_arguments *arguments)
{
  const struct shk_command *const command = arguments->command;
  if (command->does.clear)
    command->does.clear(arguments);
  for (const struct shk_flag *flag = command->line.flags; flag && flag->name; flag++)
    if (flag->kind == SHK_FLAG_WORDS)
      free(((struct shk_words *)((char *)arguments + flag->offset))->all);
  shk_replies_free(arguments->replies);
  shk_free_texts((char **)arguments->plugins, arguments->plugin_count);
  free(arguments->named_plugins.all);
  free(arguments->reads);
  free(arguments);
}

int shk_run_command(const struct shk_command *command, int argc, char **argv)
{
  struct shk_arguments *const arguments = shk_allocate(1, command->does.size);
  struct all_flags all;
  int status = SHK_EXIT_BAD_INPUT;
  arguments->command = command;
  gather_options(&all, command);
  const bool read = read_options(arguments, &all, command, argc, argv);
  arguments->count = argc - optind;
  arguments->words = argv + optind;
  if (read && arguments->help) {
    print_help(command, &all);
    status = SHK_EXIT_HELD;
  } else if (read && check_common(arguments, &all) && check_words(arguments)) {
    if (arguments->context.access.sandbox)
      arguments->context.access.reads = arguments->reads = folder_to_read(arguments);
    if (shk_use_plugins(arguments))
      status = command->does.run(arguments);
  }
  clear_options(arguments);
  return status;
}

/* ---- plug-ins ---- */

char *shk_method_options(const struct shk_arguments *arguments)
{
  const struct shk_words *const named = &arguments->named_plugins;
  char *const plugins = shk_shell_words(" --plugin ", named->all, named->count);
  char *const options = shk_print_text(
      "%s%s", plugins, arguments->context.access.programs ? " --allow-external" : "");
  free(plugins);
  return options;
}

void shk_add_plugin(struct shk_arguments *arguments, const char *name)
{
  *SHK_APPEND(arguments->plugins, arguments->plugin_count) = shk_plugin_path(name);
}

struct shk_workers shk_workers_asked(const struct shk_arguments *arguments)
{
  return (struct shk_workers){&arguments->context, arguments->plugins, arguments->plugin_count};
}

bool shk_use_plugins(struct shk_arguments *arguments)
{
  struct shk_message error = {""};
  const struct shk_workers setup = shk_workers_asked(arguments);
  shk_replies_free(arguments->replies);
  arguments->context.remote = NULL;
  arguments->replies = arguments->plugin_count > 0 || arguments->context.access.programs
                           ? shk_replies_start(&setup, &error)
                           : shk_replies_new(NULL);
  if (arguments->replies)
    arguments->context.remote = shk_replies_provider(arguments->replies);
  return shk_accept(arguments->replies, &error);
}
