/*
 * The findings of a study's last analysis, kept with what they were computed from. See
 * store_findings.h.
 */
#include "results/store/store_findings.h"

#include "foundation/memory.h"
#include "results/store/statements.h"
#include "results/store/store_blobs.h"
#include "results/store/store_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Raised when what is kept of a finding changes. */
static const char basis_version[] = "shakedown findings 1";

/* ---- what they were computed from ---- */

/* Every row of the records: a record that is replaced gets a row and key of its own, or the
 * findings are forgotten in the transaction that replaces it. */
static bool add_records(struct shk_stream *digest, struct shk_store *store,
                        struct shk_message *error)
{
  sqlite3_stmt *const statement =
      shk_store_ask(store, "SELECT key, id, hash FROM cells ORDER BY key", NULL, error);
  bool ok;
  while (shk_store_next(store, statement, &ok, error)) {
    int64_t numbers[] = {sqlite3_column_int64(statement, 1), sqlite3_column_int64(statement, 2)};
    shk_digest_text(digest, shk_store_column(statement, 0));
    shk_pass_numbers(digest, numbers, 2, 64);
  }
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
  struct shk_stream digest = {0};
  const char *const texts[] = {basis_version, program,           study->name,
                               study->path,   study->text,       provenance.libraries,
                               plugins,       provenance.version};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    shk_digest_text(&digest, texts[i]);
  const bool ok = add_records(&digest, store, error);
  shk_hash_bytes(basis, digest.bytes, digest.at);
  free(digest.bytes);
  shk_provenance_clear(&provenance);
  return ok;
}

/* ---- writing ---- */

bool shk_store_forget_findings(struct shk_store *store, struct shk_message *error)
{
  return shk_store_run(store, "DELETE FROM findings", NULL, error) &&
         shk_store_run(store,
                       "UPDATE studies SET basis=NULL, analysed=NULL WHERE basis IS NOT NULL", NULL,
                       error);
}

static bool put_finding(struct shk_store *store, const char *study, int position,
                        const struct shk_finding *f, struct shk_message *error)
{
  return shk_store_run(
      store, "INSERT INTO findings VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
      SHK_SQL(shk_sql_text(study), shk_sql_integer(position), shk_sql_text(f->problem),
              shk_sql_text(f->integrator), shk_sql_text(f->precision), shk_sql_text(f->quantity),
              shk_sql_real(f->value), shk_sql_text(f->word), shk_sql_real(f->uncertainty),
              shk_sql_real(f->floor), shk_sql_integer(f->adaptive), shk_sql_integer(f->chaotic),
              shk_sql_text(f->expected), shk_sql_integer(f->verdict), shk_sql_text(f->reason)),
      error);
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
  char *const date = shk_date_now();
  bool ok =
      shk_store_run(store, "DELETE FROM findings WHERE study=?", SHK_SQL(shk_sql_text(study)),
                    error) &&
      shk_store_run(store, "UPDATE studies SET basis=?, analysed=? WHERE name=?",
                    SHK_SQL(shk_sql_text(basis), shk_sql_text(date), shk_sql_text(study)), error);
  for (int i = 0; ok && i < count; i++)
    ok = put_finding(store, study, i, &findings[i], error);
  free(date);
  return shk_store_end(store, ok, error);
}

/* ---- reading ---- */

/* The verdict is to be checked: the file may come from a stranger. */
static struct shk_finding read_finding(sqlite3_stmt *statement)
{
  struct shk_finding finding = {.problem = shk_store_copy(statement, 0),
                                .integrator = shk_store_copy(statement, 1),
                                .precision = shk_store_copy(statement, 2),
                                .quantity = shk_store_copy(statement, 3),
                                .value = shk_store_real(statement, 4),
                                .word = shk_store_copy(statement, 5),
                                .uncertainty = shk_store_real(statement, 6),
                                .floor = shk_store_real(statement, 7),
                                .adaptive = sqlite3_column_int(statement, 8) != 0,
                                .chaotic = sqlite3_column_int(statement, 9) != 0,
                                .expected = shk_store_copy(statement, 10),
                                .verdict = (enum shk_verdict)sqlite3_column_int(statement, 11),
                                .reason = shk_store_copy(statement, 12)};
  finding.named = shk_named_finding(finding.quantity ? finding.quantity : "");
  return finding;
}

bool shk_store_findings(struct shk_store *store, struct shk_finding **findings, int *count,
                        const char *study, const char *basis, struct shk_message *error)
{
  *findings = NULL;
  *count = 0;
  long kept = 0;
  if (!shk_store_number(store, &kept, "SELECT count(*) FROM studies WHERE name=? AND basis=?",
                        SHK_SQL(shk_sql_text(study), shk_sql_text(basis)), error))
    return false;
  if (kept == 0)
    return true;
  sqlite3_stmt *const statement = shk_store_ask(
      store,
      "SELECT problem, integrator, precision, quantity, value, word, uncertainty, floor, adaptive, "
      "chaotic, expected, verdict, reason FROM findings WHERE study=? ORDER BY position",
      SHK_SQL(shk_sql_text(study)), error);
  *findings = shk_allocate(1, sizeof **findings); /* not NULL, even if there is none */
  bool ok = true;
  while (ok && shk_store_next(store, statement, &ok, error)) {
    const int verdict = sqlite3_column_int(statement, 11);
    ok = verdict >= SHK_VERDICT_NONE && verdict < SHK_VERDICTS;
    if (!ok) {
      shk_message_set(error, "%s: a finding of the study '%s' has the unknown verdict %d",
                      shk_store_name(store), study, verdict);
      break;
    }
    *findings = shk_reallocate(*findings, (size_t)*count + 1, sizeof **findings);
    (*findings)[(*count)++] = read_finding(statement);
  }
  sqlite3_reset(statement);
  if (!ok) {
    shk_findings_free(*findings, *count);
    *findings = NULL;
    *count = 0;
  }
  return ok;
}
