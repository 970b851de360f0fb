/*
 * The findings of a study's last analysis, kept with what they were computed from. See
 * store_findings.h.
 */
#include "results/store/store_findings.h"

#include "foundation/memory.h"
#include "results/store/store_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Raised when what is kept of a finding changes. */
static const char basis_version[] = "shakedown findings 1";

/* ---- what they were computed from ---- */

static void add_text(XXH3_state_t *state, const char *text)
{
  XXH3_128bits_update(state, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* Every row of the records: a record that is replaced gets a row and key of its own, or the
 * findings are forgotten in the transaction that replaces it. */
static bool add_records(XXH3_state_t *state, struct shk_store *store, struct shk_message *error)
{
  sqlite3_stmt *statement =
      shk_store_prepare(store, "SELECT key, id, hash FROM cells ORDER BY key", error);
  int code = SQLITE_ERROR;
  while (statement && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    const int64_t numbers[] = {sqlite3_column_int64(statement, 1),
                               sqlite3_column_int64(statement, 2)};
    add_text(state, shk_store_column(statement, 0));
    XXH3_128bits_update(state, numbers, sizeof numbers);
  }
  const bool ok = code == SQLITE_DONE || (statement && shk_store_failed(store, error));
  sqlite3_finalize(statement);
  return ok;
}

bool shk_store_basis(struct shk_store *store, char basis[SHK_HASH_SIZE],
                     const struct shk_stored_study *study, const char *plugins,
                     struct shk_message *error)
{
  char program[SHK_HASH_SIZE];
  /* The program's own bytes: an analysis that was built anew may find something else. */
  if (!shk_hash_file(program, "/proc/self/exe", error))
    return false;
  struct shk_provenance provenance;
  shk_provenance_collect(&provenance, plugins, NULL);
  XXH3_state_t *state = XXH3_createState();
  if (!state)
    shk_out_of_memory();
  XXH3_128bits_reset(state);
  const char *const texts[] = {basis_version, program,           study->name,
                               study->path,   study->text,       provenance.libraries,
                               plugins,       provenance.version};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    add_text(state, texts[i]);
  const bool ok = add_records(state, store, error);
  shk_hash_print(basis, XXH3_128bits_digest(state));
  XXH3_freeState(state);
  shk_provenance_clear(&provenance);
  return ok;
}

/* ---- writing ---- */

bool shk_store_forget_findings(struct shk_store *store, struct shk_message *error)
{
  sqlite3_stmt *const remove = shk_store_kept(store, "DELETE FROM findings", error);
  if (!remove || !shk_store_run(store, remove, error))
    return false;
  sqlite3_stmt *const forget = shk_store_kept(
      store, "UPDATE studies SET basis=NULL, analysed=NULL WHERE basis IS NOT NULL", error);
  return forget && shk_store_run(store, forget, error);
}

static bool put_finding(struct shk_store *store, const char *study, int position,
                        const struct shk_finding *f, struct shk_message *error)
{
  sqlite3_stmt *statement =
      shk_store_kept(store, "INSERT INTO findings VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", error);
  if (!statement)
    return false;
  const struct {
    int at;
    const char *text;
  } texts[] = {{1, study},       {3, f->problem}, {4, f->integrator}, {5, f->precision},
               {6, f->quantity}, {8, f->word},    {13, f->expected},  {15, f->reason}};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    sqlite3_bind_text(statement, texts[i].at, texts[i].text, -1, SQLITE_STATIC);
  sqlite3_bind_int(statement, 2, position);
  sqlite3_bind_double(statement, 7, f->value); /* a NaN is a NULL */
  sqlite3_bind_double(statement, 9, f->uncertainty);
  sqlite3_bind_double(statement, 10, f->floor);
  sqlite3_bind_int(statement, 11, f->adaptive);
  sqlite3_bind_int(statement, 12, f->chaotic);
  sqlite3_bind_int(statement, 14, (int)f->verdict);
  return shk_store_run(store, statement, error);
}

/* SQLite keeps no sign of a zero. */
static bool is_minus_zero(double value)
{
  return value == 0 && signbit(value);
}

static bool can_be_kept(const struct shk_finding *f)
{
  return !is_minus_zero(f->value) && !is_minus_zero(f->uncertainty) && !is_minus_zero(f->floor);
}

bool shk_store_put_findings(struct shk_store *store, const char *study, const char *basis,
                            const struct shk_finding *findings, int count,
                            struct shk_message *error)
{
  for (int i = 0; i < count; i++)
    if (!can_be_kept(&findings[i]))
      return true; /* they are computed again */
  if (!shk_store_execute(store, "BEGIN IMMEDIATE", error))
    return false;
  char *date = shk_date_now();
  sqlite3_stmt *remove = shk_store_kept(store, "DELETE FROM findings WHERE study=?", error);
  if (remove)
    sqlite3_bind_text(remove, 1, study, -1, SQLITE_STATIC);
  bool ok = remove && shk_store_run(store, remove, error);
  sqlite3_stmt *say =
      ok ? shk_store_kept(store, "UPDATE studies SET basis=?, analysed=? WHERE name=?", error)
         : NULL;
  if (say) {
    sqlite3_bind_text(say, 1, basis, -1, SQLITE_STATIC);
    sqlite3_bind_text(say, 2, date, -1, SQLITE_STATIC);
    sqlite3_bind_text(say, 3, study, -1, SQLITE_STATIC);
  }
  ok = say && shk_store_run(store, say, error);
  for (int i = 0; ok && i < count; i++)
    ok = put_finding(store, study, i, &findings[i], error);
  ok = ok && shk_store_execute(store, "COMMIT", error);
  if (!ok)
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
  free(date);
  return ok;
}

/* ---- reading ---- */

static double real_or_nan(sqlite3_stmt *statement, int column)
{
  return sqlite3_column_type(statement, column) == SQLITE_NULL
             ? NAN
             : sqlite3_column_double(statement, column);
}

static char *text_or_null(sqlite3_stmt *statement, int column)
{
  return shk_copy_text((const char *)sqlite3_column_text(statement, column));
}

/* Whether the study's findings are there and of this basis. */
static bool is_kept(struct shk_store *store, bool *kept, const char *study, const char *basis,
                    struct shk_message *error)
{
  sqlite3_stmt *statement =
      shk_store_kept(store, "SELECT count(*) FROM studies WHERE name=? AND basis=?", error);
  if (!statement)
    return false;
  sqlite3_bind_text(statement, 1, study, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, basis, -1, SQLITE_STATIC);
  const bool ok = sqlite3_step(statement) == SQLITE_ROW;
  if (ok)
    *kept = sqlite3_column_int(statement, 0) > 0;
  else
    shk_store_failed(store, error);
  sqlite3_reset(statement);
  return ok;
}

/* The verdict is to be checked: the file may come from a stranger. */
static struct shk_finding read_finding(sqlite3_stmt *statement)
{
  struct shk_finding finding = {.problem = text_or_null(statement, 0),
                                .integrator = text_or_null(statement, 1),
                                .precision = text_or_null(statement, 2),
                                .quantity = text_or_null(statement, 3),
                                .value = real_or_nan(statement, 4),
                                .word = text_or_null(statement, 5),
                                .uncertainty = real_or_nan(statement, 6),
                                .floor = real_or_nan(statement, 7),
                                .adaptive = sqlite3_column_int(statement, 8) != 0,
                                .chaotic = sqlite3_column_int(statement, 9) != 0,
                                .expected = text_or_null(statement, 10),
                                .verdict = (enum shk_verdict)sqlite3_column_int(statement, 11),
                                .reason = text_or_null(statement, 12)};
  finding.named = shk_named_finding(finding.quantity ? finding.quantity : "");
  return finding;
}

bool shk_store_findings(struct shk_store *store, struct shk_finding **findings, int *count,
                        const char *study, const char *basis, struct shk_message *error)
{
  *findings = NULL;
  *count = 0;
  bool kept = false;
  if (!is_kept(store, &kept, study, basis, error))
    return false;
  if (!kept)
    return true;
  sqlite3_stmt *statement = shk_store_kept(
      store,
      "SELECT problem, integrator, precision, quantity, value, word, uncertainty, floor, adaptive, "
      "chaotic, expected, verdict, reason FROM findings WHERE study=? ORDER BY position",
      error);
  if (!statement)
    return false;
  sqlite3_bind_text(statement, 1, study, -1, SQLITE_STATIC);
  struct shk_finding *read = shk_allocate(1, sizeof *read); /* not NULL, even if there is none */
  int code, n = 0;
  bool ok = true;
  while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    const int verdict = sqlite3_column_int(statement, 11);
    ok = verdict >= SHK_VERDICT_NONE && verdict < SHK_VERDICTS;
    if (!ok) {
      shk_message_set(error, "%s: a finding of the study '%s' has the unknown verdict %d",
                      store->path ? store->path : "store", study, verdict);
      break;
    }
    read = shk_reallocate(read, (size_t)n + 1, sizeof *read);
    read[n++] = read_finding(statement);
  }
  if (ok && code != SQLITE_DONE)
    ok = shk_store_failed(store, error);
  sqlite3_reset(statement);
  if (ok) {
    *findings = read;
    *count = n;
  } else {
    shk_findings_free(read, n);
  }
  return ok;
}
