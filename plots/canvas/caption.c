/*
 * What the key says, in words, for a figure whose key is left to the caption of a paper:
 * NAME-caption.txt, and NAME-caption.tex to be read within a caption, `\caption{… \protect\input{…}}`.
 *
 *     title. method (blue solid line, discs): head value, head value, what stands under it; …. notes.
 */
#include "foundation/memory.h"
#include "plots/canvas/drawing.h"
#include "plots/canvas/figure.h"
#include <stdlib.h>
#include <string.h>

struct caption {
  char *text;
  bool latex, begun; /* a sentence */
};

/* The first part begins a sentence, the others go on with it. */
static void add(struct caption *caption, const char *before, const char *text)
{
  if (text[0] == '\0')
    return;
  shk_append_text(&caption->text, "%s%s", caption->begun ? before : "", text);
  caption->begun = true;
}

static void end_sentence(struct caption *caption)
{
  if (caption->begun)
    shk_append_text(&caption->text, ".\n");
  caption->begun = false;
}

static void add_users(struct caption *caption, const char *before, const char *text)
{
  char *const safe = caption->latex ? shk_latex_text(text) : shk_copy_text(text);
  add(caption, before, safe);
  free(safe);
}

static const char *words(const struct caption *caption, const struct shk_label *label)
{
  return caption->latex ? label->latex : label->plain;
}

static void add_sample(struct caption *caption, const struct shk_figure *figure,
                       const struct shk_key_row *row)
{
  char *const sample =
      row->letter ? shk_print_text(" (%c)", row->letter) : shk_style_words(figure, row->method);
  add(caption, "", sample);
  free(sample);
}

static void add_values(struct caption *caption, const struct shk_figure *figure,
                       const struct shk_key_row *row, const char *before)
{
  for (int c = 0; c < SHK_KEY_COLUMNS; c++) {
    if (!row->values[c].plain[0])
      continue;
    add(caption, before, words(caption, &figure->heads[c]));
    add(caption, figure->heads[c].plain[0] ? " " : before, words(caption, &row->values[c]));
    before = ", ";
  }
}

static void add_row(struct caption *caption, const struct shk_figure *figure,
                    const struct shk_key_row *row)
{
  if (row->kind == SHK_KEY_NOTE) {
    end_sentence(caption);
    add_users(caption, "", row->text);
    end_sentence(caption);
  } else if (row->kind == SHK_KEY_NAME) {
    add_users(caption, "; ", row->text);
    add_sample(caption, figure, row);
    add_values(caption, figure, row, ": ");
  } else {
    add(caption, ", ", words(caption, &row->under));
    add_values(caption, figure, row, " ");
  }
}

static bool write_as(const struct shk_figure *figure, bool latex, const char *directory,
                     struct shk_message *error)
{
  struct caption caption = {.text = shk_copy_text(""), .latex = latex};
  for (int i = 0; i < figure->row_count; i++)
    add_row(&caption, figure, &figure->key[i]);
  end_sentence(&caption);
  char *const name = shk_print_text("%s-caption.%s", figure->name, latex ? "tex" : "txt");
  const bool ok = shk_write_text(directory, name, caption.text, strlen(caption.text), error);
  free(name);
  free(caption.text);
  return ok;
}

bool shk_caption_write(const struct shk_figure *figure, const char *directory,
                       struct shk_message *error)
{
  return write_as(figure, false, directory, error) && write_as(figure, true, directory, error);
}
