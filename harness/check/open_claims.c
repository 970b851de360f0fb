/* Finds open claims; see open_claims.h. */
#include "harness/check/open_claims.h"

#include "foundation/index.h"
#include "foundation/memory.h"

#include <stdlib.h>
#include <string.h>

/* What the findings show about a claim of a method. */
struct state {
  bool decided, failed;
  /* the reason given by the last finding that decided nothing; NULL if there is no such finding */
  const char *reason;
};

static void add_verdict(struct state *state, enum shk_verdict verdict, const char *reason)
{
  state->decided =
      state->decided || verdict == SHK_VERDICT_HELD || verdict == SHK_VERDICT_FALSIFIED;
  state->failed = state->failed || verdict == SHK_VERDICT_FAILED;
  if (verdict != SHK_VERDICT_HELD && reason)
    state->reason = reason;
}

void shk_open_claims_add(struct shk_open_claims *open, const char *integrator, const char *claim,
                         const char *reason)
{
  for (int i = 0; i < open->count; i++)
    if (strcmp(open->all[i].integrator, integrator) == 0 && strcmp(open->all[i].claim, claim) == 0)
      return;
  *SHK_APPEND(open->all, open->count) = (struct shk_open_claim){
      shk_copy_text(integrator), shk_copy_text(claim), shk_copy_text(reason)};
}

void shk_open_claims_of_certificate(struct shk_open_claims *open,
                                    const struct shk_certificate *certificate)
{
  for (int at = 0, end; at < certificate->count; at = end) {
    const struct shk_certificate_row *const first = &certificate->rows[at];
    struct state state = {.decided = false};
    bool demanded =
        false; /* true if a row reports that all problems together do not demonstrate the claim */
    for (end = at; end < certificate->count && certificate->rows[end].about == first->about &&
                   strcmp(certificate->rows[end].integrator, first->integrator) == 0;
         end++) {
      const struct shk_certificate_row *const row = &certificate->rows[end];
      add_verdict(&state, row->verdict, row->reason);
      demanded = demanded || (!row->of->problem && row->verdict != SHK_VERDICT_HELD);
    }
    if (first->about == 0)
      open->claims_nothing = true;
    else if (first->counts && (!state.decided || state.failed || demanded))
      shk_open_claims_add(open, first->integrator, first->claim, state.reason);
  }
}

/* Returns true if any run of the study that includes this method names the measure. */
static bool is_asked(const struct shk_study *study, const char *integrator,
                     enum shk_measure_id measure)
{
  for (int r = 0; r < study->run_count; r++) {
    const struct shk_study_run *const run = &study->runs[r];
    if (run->measures_named && shk_run_measures(run, measure) &&
        shk_index_find(&run->integrators, integrator) >= 0)
      return true;
  }
  return false;
}

void shk_open_claims_of_study(struct shk_open_claims *open, const struct shk_study *study,
                              const struct shk_analysis *analysis)
{
  struct shk_index integrators = {0};
  for (int i = 0; i < analysis->finding_count; i++)
    shk_index_text(&integrators, analysis->findings[i].integrator);
  for (int i = 0; i < integrators.count; i++) {
    const char *const integrator = integrators.texts[i];
    struct state states[SHK_CLAIMS] = {{.decided = false}};
    bool asked[SHK_CLAIMS] = {false};
    struct shk_claims claims;
    struct shk_message unused;
    bool in_quad;
    for (int k = 0; k < analysis->finding_count; k++) {
      const struct shk_finding *const f = &analysis->findings[k];
      const enum shk_claim claim = shk_decided_by(&f->named);
      if (claim == SHK_NO_CLAIM || strcmp(f->integrator, integrator) != 0)
        continue;
      add_verdict(&states[claim], f->verdict, f->reason);
      asked[claim] = asked[claim] || (f->verdict == SHK_VERDICT_UNDECIDED &&
                                      is_asked(study, integrator, f->named.entry->measure));
    }
    if (!shk_finest_claims(&study->context, &claims, &in_quad, integrator, &unused))
      continue;
    for (int k = 1; k < SHK_CLAIMS; k++)
      if (asked[k] && !states[k].decided && !shk_claim_is_assumed(&claims, (enum shk_claim)k))
        shk_open_claims_add(open, integrator, shk_claim_entries[k].words, states[k].reason);
  }
  shk_index_clear(&integrators);
}

void shk_open_claims_clear(struct shk_open_claims *open)
{
  for (int i = 0; i < open->count; i++) {
    free(open->all[i].integrator);
    free(open->all[i].claim);
    free(open->all[i].reason);
  }
  free(open->all);
  *open = (struct shk_open_claims){.count = 0};
}

int shk_open_claims_exit_code(const struct shk_open_claims *open, int code)
{
  return code == 0 && (open->count > 0 || open->claims_nothing) ? 3 : code;
}

int shk_certificate_exit_code(const struct shk_certificate *certificate)
{
  int code = 0;
  for (int i = 0; i < certificate->count; i++)
    code = shk_exit_code_with(code, certificate->rows[i].verdict);
  struct shk_open_claims open = {.count = 0};
  shk_open_claims_of_certificate(&open, certificate);
  code = shk_open_claims_exit_code(&open, code);
  shk_open_claims_clear(&open);
  return code;
}
