/* Stores the findings of a study. See store_findings.h. */
#include "results/store/store_findings.h"

#include "results/store/statements.h"

bool shk_store_forget_findings(struct shk_store *store, struct shk_message *error)
{
  return shk_store_run(store, error, "DELETE FROM findings", "");
}

static bool put_finding(struct shk_store *store, const char *study, int position,
                        const struct shk_finding *f, struct shk_message *error)
{
  return shk_store_run(store, error, "INSERT INTO findings VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                       "txttttrtrrfftit", study, (int64_t)position, f->problem, f->integrator,
                       f->precision, f->quantity, f->value, f->word, f->uncertainty, f->floor,
                       f->adaptive, f->chaotic, f->expected, (int)f->verdict, f->reason);
}

bool shk_store_put_findings(struct shk_store *store, const char *study,
                            const struct shk_finding *findings, int count,
                            struct shk_message *error)
{
  if (!shk_store_execute(store, "BEGIN IMMEDIATE", error))
    return false;
  bool ok = shk_store_run(store, error, "DELETE FROM findings WHERE study=?", "t", study);
  for (int i = 0; ok && i < count; i++)
    ok = put_finding(store, study, i, &findings[i], error);
  return shk_store_end(store, ok, error);
}
