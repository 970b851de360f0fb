#!/bin/sh
# The example paper: its study, figures and table by the program, typeset by LaTeX. Then names with
# characters that are special to LaTeX, through a table and a figure of their own.
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

if ! command -v pdflatex >/dev/null 2>&1 || ! kpsewhich siunitx.sty >/dev/null 2>&1; then
  skip "the example paper: pdflatex, booktabs or siunitx is not installed (Debian packages" \
    "texlive-latex-recommended and texlive-science)"
  tap_done
fi

# typeset FILE: twice, for the references.
typeset_twice() {
  for _ in 1 2; do
    pdflatex -interaction=nonstopmode -halt-on-error -no-shell-escape "$1" >"$1.out" 2>&1 || return 1
  done
}

cp "$SHAKEDOWN_SOURCE"/docs/example-paper/* "$scratch" && cd "$scratch" || exit 1
# The commands at the head of the paper, one after the other.
shakedown() { "$SHAKEDOWN" "$@"; }
shakedown plugin new integrator projected-heun >out 2>&1 &&
  shakedown plugin build projected-heun.c >out 2>&1
ok_if $? "the method of the paper is made from its template"
shakedown run paper.yaml --plugin ./projected-heun.so -q >out 2>&1
ok_if $? "the study of the paper runs, and nothing of it is falsified"
"$SHAKEDOWN" plot paper.db -o figures --type tex >out 2>&1
ok_if $? "its figures are drawn for LaTeX"
eval "$(sed -n 's/^%   \(shakedown show .*\)/\1/p' paper.tex)"
grep -q '^Heun, projected\( & \\num{2\.0[0-9]*([0-9]*)}\)\{4\} ..$' table.tex
ok_if $? "the table has orders with their half-widths, for siunitx, under the labels of the study"
is_text "$(grep -c '^.parbox.*order of \$q\$} & .*sprung.*spherical.*double.*neumann' table.tex)" 1 \
  "it has methods in rows and problems in columns, in one part"
grep -q '^Runge--Kutta, projected & drift \\num{[-0-9.]*([0-9]*)e-9} ..$' table.tex
ok_if $? "a drift has its rate"
is_text "$(grep -c '^%   \(shakedown\|pdflatex\) ' paper.tex)" 6 "commands at the head of the paper"
holds "the paper is typeset" typeset_twice paper
! grep -q 'LaTeX Warning: \(Reference\|There were\|File\)' paper.log
ok_if $? "with every reference and file found"
! grep -q '^Overfull' paper.log
ok_if $? "and nothing wider than its place"
pages=$(pdfinfo paper.pdf 2>/dev/null | sed -n 's/^Pages: *//p')
holds "it has two pages" [ "$pages" = 2 ]
text=$(pdftotext paper.pdf - 2>/dev/null | tr '\n' ' ')
printf '%s\n' "$text" | grep -q 'Heun, projected (sky-blue, long-dashed, circle)'
ok_if $? "a caption says what the method's line looks like"
printf '%s\n' "$text" | grep -q 'half-width (at least 0.001), which is twice the change'
ok_if $? "and the half-widths"

# Tables of studies that were not made for a paper, in a column of 8.6 cm beside another.
"$SHAKEDOWN" run quick -o quick.db -q >out 2>&1
cat >open.yaml <<'END'
study: open
runs:
  - problems: [pendulum, sprung-pendulum, "double-pendulum(rate1=0.6,rate2=-0.4)"]
    integrators: [rattle, rattle(iterations=1), penalty]
    steps: [0.1, 0.05, 0.025]
    until: 1
    measures: [order, constraint]
    exclude: [double-pendulum with penalty, sprung-pendulum with penalty]
END
"$SHAKEDOWN" run open.yaml -q >out 2>&1
for store in quick open; do
  for rows in methods problems; do
    "$SHAKEDOWN" show $store.db --format latex --rows $rows >$store-$rows.tex
  done
done
cat >columns.tex <<'END'
\documentclass[twocolumn,10pt]{article}
\usepackage{amsmath,textcomp,booktabs,siunitx}
\usepackage[a4paper,textwidth=17.8cm,columnsep=0.6cm,textheight=26.8cm]{geometry}
\begin{document}
\input{quick-methods}\input{quick-problems}\input{open-methods}\input{open-problems}
\end{document}
END
holds "tables of other studies are typeset" typeset_twice columns
! grep '^Overfull' columns.log
ok_if $? "and none is wider than its column"
is_text "$(sed -n '/^% order of q/,/minipage}.par/p' open-methods.tex | grep -c 'penalty &.* & .* &')" 1 \
  "a method has its row"
is_text "$(sed -n '/^% order of q/,/minipage}.par/p' open-problems.tex | grep -c '^sprung-pendulum &')" 1 \
  "or a problem, if it is asked for"
row=$(sed -n '/^% order of q/,/minipage}.par/{/^rattle &/p;/^rattle(/p;/^.textsuperscript/p;}' open-methods.tex)
is_text "$(printf '%s\n' "$row" | sed -n 's/.*textsuperscript{\(.\)} \(undecided\): .*/\1 \2/p')" \
  "a undecided" "an undecided entry has a footnote with the reason, once"
is_text "$(printf '%s\n' "$row" | grep -c '^rattle &\( --.textsuperscript{a} &*\)\{3\}')" 1 "... to which each refers"
is_text "$(printf '%s\n' "$row" | grep -c 'failed: .*did not finish')" 4 \
  "and so has a method whose runs failed"
is_text "$(sed -n '/^% cpu-seconds at error 1e-8/,/minipage}.par/{/^shake &/p;/^projection &/p;}' quick-methods.tex |
  sed 's/ .*//')" projection "a row without a value is left out"
! sed -n '/^% cpu-seconds at error 1e-8/,/minipage}.par/p' quick-problems.tex | grep -q '& shake'
ok_if $? "and a column"
"$SHAKEDOWN" show quick.db --format latex --quantity 'order of q' --width 5.4 >narrow.tex
is_text "$(grep -c 'begin{tabular}{@{}l' narrow.tex)" 2 "a narrow table has its columns in parts"

# The same inputs, the same bytes of figures.
"$SHAKEDOWN" plot paper.db -o again --type tex,svg,png,pdf >out 2>&1
"$SHAKEDOWN" plot paper.db -o once-more --type tex,svg,png,pdf >out 2>&1
diff -r -x '*.pdf' again once-more >out 2>&1
ok_if $? "figures made twice are the same, byte for byte; PDF has the date of its drawing"

# Every kind, with names and numbers as long as studies have them.
"$SHAKEDOWN" run "$SHAKEDOWN_SOURCE/tests/data/every_figure.yaml" -o every.db -q >out 2>&1
"$SHAKEDOWN" plot every.db -o every --all --type tex >out 2>&1
ok_if $? "a figure of every kind is drawn for LaTeX"
{
  printf '%s\n' '\documentclass{article}\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}' \
    '\usepackage{amsmath,textcomp,graphicx,color}\usepackage[a3paper,margin=1cm]{geometry}' \
    '\graphicspath{{every/}}\begin{document}'
  for figure in every/*-latex.tex; do
    printf '\\input{%s}\\par\n' "$figure"
  done
  printf '%s\n' '\end{document}'
} >kinds.tex
is_text "$(grep -c 'input{every' kinds.tex)" "$(find every -name '*.dat' | wc -l)" "all of them"
holds "are typeset" typeset_twice kinds

# What a study's author may write; the words before and after show that nothing is lost.
mkdir hostile && cd hostile || exit 1
cat >hostile.yaml <<'END'
study: a_b.c-1
purpose: 'ends with $(touch pwned) `touch pwned` <script> & _ ^ ~ # % { } \'
runs:
  - problems:
      - 'particles(file="odd_`$(x)` & 50% #1 {a}^~\b <script>.yaml")'
    integrators: [rattle]
    steps: {largest: 0.04, halvings: 4}
    until: 1.6
    times: [0.96, 1.6]
    measures: [order]
END
cp "$SHAKEDOWN_SOURCE/studies/systems/linkage.yaml" 'odd_`$(x)` & 50% #1 {a}^~\b <script>.yaml'
"$SHAKEDOWN" run hostile.yaml -q >out 2>&1
[ $? -ne 2 ]
ok_if $? "a file with a name of special characters is a problem like others"
"$SHAKEDOWN" plot a_b.c-1.db -o f --all --type tex,svg,pdf,png >out 2>&1
ok_if $? "its figures are drawn"
"$SHAKEDOWN" show a_b.c-1.db --quantity order --format latex --width 20 >table.tex
figure=$(cd f && ls ./order-*-latex.tex | head -n 1)
cat >odd.tex <<END
\\documentclass{article}
\\usepackage[T1]{fontenc}
\\usepackage{amsmath}
\\usepackage{textcomp}\\usepackage{graphicx,color}\\usepackage{booktabs,siunitx}
\\usepackage[a3paper,landscape,margin=1cm]{geometry}
\\graphicspath{{f/}}
\\begin{document}\\footnotesize
\\input{table}\\par\\input{f/$figure}
\\end{document}
END
holds "and typeset with its table" typeset_twice odd
pdftotext -raw odd.pdf odd.txt
tr -d ' \n' <odd.txt | grep -qF 'odd_`$(x)`&50%#1{a}^~\\b<script>.yaml'
ok_if $? "in which the name stands as it was written"
[ ! -e pwned ] && [ ! -e f/pwned ]
ok_if $? "and nothing was run"
for svg in f/*.svg; do
  ! grep -q '<script' "$svg" || printf '%s\n' "$svg"
done >found
holds "no SVG has a script" [ ! -s found ]
tap_done
