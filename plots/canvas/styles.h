/* Colours, dashes and marks of methods, as plots/kinds/style.gp has them. */
#ifndef PLOTS_CANVAS_STYLES_H
#define PLOTS_CANVAS_STYLES_H

enum { SHK_COLOURS = 7, SHK_STYLES = 210 };

/* The style in words, "blue, solid, discs"; the caller frees it. */
char *shk_style_words(int style);
/* Chooses a style for each name: mostly the same in all studies, and with different colours in one
 * study as long as there are colours. */
void shk_choose_styles(int *styles, const char *const *names, int count);

#endif
