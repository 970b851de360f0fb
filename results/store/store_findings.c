/*
 * The findings of the last analysis of a study, stored with the hash of their input. See
 * store_findings.h.
 */
#include "results/store/store_findings.h"

#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "results/store/statements.h"
#include "results/store/store_private.h"

#include <stdlib.h>
#include <string.h>

/* The number is to be incremented when the stored form of a finding changes. */
static const char basis_version[] = "shakedown findings 1";

/* ---- the input of the analysis ---- */

/* Adds all records by key, row and hash. Changes are not missed: a replaced record has a new row or
 * hash, and the transaction that replaces it deletes the findings. */
static bool add_records(struct shk_stream *digest, struct shk_store *store,
                        struct shk_message *error)
{
  sqlite3_stmt *const statement =
      shk_store_ask(store, error, "SELECT key, id, hash FROM cells ORDER BY key", "");
  const char *key;
  int64_t id, hash;
  bool ok;
  store->digest = digest;
  while (shk_store_next(store, statement, &ok, error))
    shk_store_row(store, statement, "cll", &key, &id, &hash);
  store->digest = NULL;
  return ok;
}

/* Hashes the bytes of the program: a rebuilt analysis may have other findings. The program is read
 * once, since it does not change while it runs. */
static bool hash_program(char hash[SHK_HASH_SIZE], struct shk_message *error)
{
  static char known[SHK_HASH_SIZE];
  if (known[0] == '\0' && !shk_hash_file(known, "/proc/self/exe", error))
    return false;
  memcpy(hash, known, sizeof known);
  return true;
}

bool shk_store_basis(struct shk_store *store, char basis[SHK_HASH_SIZE],
                     const struct shk_stored_study *study, const char *plugins,
                     struct shk_message *error)
{
  char program[SHK_HASH_SIZE];
  if (!hash_program(program, error))
    return false;
  struct shk_provenance provenance;
  shk_provenance_collect(&provenance, plugins, NULL);
  struct shk_stream digest = {0};
  const char *const texts[] = {basis_version, program,           study->name,
                               study->path,   study->text,       provenance.libraries,
                               plugins,       provenance.version};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    shk_pass_text(&digest, (char *[]){(char *)texts[i]});
  const bool ok = add_records(&digest, store, error);
  shk_hash_bytes(basis, digest.bytes, digest.at);
  free(digest.bytes);
  shk_provenance_clear(&provenance);
  return ok;
}

/* ---- writing ---- */

bool shk_store_forget_findings(struct shk_store *store, struct shk_message *error)
{
  return shk_store_run(store, error, "DELETE FROM findings", "") &&
         shk_store_run(store, error,
                       "UPDATE studies SET basis=NULL, analysed=NULL WHERE basis IS NOT NULL", "");
}

/* Computes a hash of the findings and the hash of their input, which shows changes of the store by
 * hand. Frees the digest. */
static void seal(char sealed[SHK_HASH_SIZE], const char *basis, struct shk_stream *digest)
{
  shk_pass_text(digest, (char *[]){(char *)basis});
  shk_hash_bytes(sealed, digest->bytes, digest->at);
  free(digest->bytes);
}

static bool put_finding(struct shk_store *store, const char *study, int position,
                        const struct shk_finding *f, struct shk_message *error)
{
  return shk_store_run(store, error, "INSERT INTO findings VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                       "txttttrtrrfftit", study, (int64_t)position, f->problem, f->integrator,
                       f->precision, f->quantity, f->value, f->word, f->uncertainty, f->floor,
                       f->adaptive, f->chaotic, f->expected, (int)f->verdict, f->reason);
}

bool shk_store_put_findings(struct shk_store *store, const char *study, const char *basis,
                            const struct shk_finding *findings, int count,
                            struct shk_message *error)
{
  if (!shk_store_execute(store, "BEGIN IMMEDIATE", error))
    return false;
  char *const date = shk_date_now(), sealed[SHK_HASH_SIZE];
  struct shk_stream digest = {0};
  bool ok = shk_store_run(store, error, "DELETE FROM findings WHERE study=?", "t", study);
  store->digest = &digest;
  for (int i = 0; ok && i < count; i++)
    ok = put_finding(store, study, i, &findings[i], error);
  store->digest = NULL;
  seal(sealed, basis, &digest);
  ok = ok && shk_store_run(store, error, "UPDATE studies SET basis=?, analysed=? WHERE name=?",
                           "ttt", sealed, date, study);
  free(date);
  return shk_store_end(store, ok, error);
}

/* ---- reading ---- */

/* Reads a finding. False for an unknown verdict: the file is untrusted. */
static bool read_finding(struct shk_store *store, sqlite3_stmt *statement, struct shk_finding *f)
{
  int verdict;
  const char *study;
  shk_store_row(store, statement, "cttttrtrrfftit", &study, &f->problem, &f->integrator,
                &f->precision, &f->quantity, &f->value, &f->word, &f->uncertainty, &f->floor,
                &f->adaptive, &f->chaotic, &f->expected, &verdict, &f->reason);
  f->verdict = (enum shk_verdict)verdict;
  f->named = shk_named_finding(f->quantity ? f->quantity : "");
  return verdict >= SHK_VERDICT_NONE && verdict < SHK_VERDICTS;
}

bool shk_store_findings(struct shk_store *store, struct shk_finding **findings, int *count,
                        const char *study, const char *basis, struct shk_message *error)
{
  sqlite3_stmt *const statement = shk_store_ask(
      store, error,
      "SELECT study, problem, integrator, precision, quantity, value, word, uncertainty, floor, "
      "adaptive, chaotic, expected, verdict, reason FROM findings WHERE study=? ORDER BY position",
      "t", study);
  struct shk_stream digest = {0};
  char sealed[SHK_HASH_SIZE];
  long valid = 0;
  bool ok, known = true;
  *findings = shk_allocate(1, sizeof **findings); /* not NULL, even for no findings */
  *count = 0;
  store->digest = &digest;
  while (shk_store_next(store, statement, &ok, error)) {
    *findings = shk_reallocate(*findings, (size_t)*count + 1, sizeof **findings);
    known = read_finding(store, statement, &(*findings)[(*count)++]) && known;
  }
  store->digest = NULL;
  seal(sealed, basis, &digest);
  ok = ok && shk_store_number(store, error, &valid,
                              "SELECT count(*) FROM studies WHERE name=? AND basis=?", "tt", study,
                              sealed);
  if (ok && known && valid > 0)
    return true;
  shk_findings_free(*findings, *count);
  *findings = NULL;
  *count = 0;
  return ok;
}
