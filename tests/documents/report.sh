#!/bin/sh
# The report: one page without other files, with the same bytes each time, in which texts of users
# are escaped, and that works in a browser without a network.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"

cat >evil.yaml <<'YAML'
study: evil
purpose: </script><script>document.title="stolen"</script> & "quotes" `backticks` $(touch touched) a_b \LaTeX <!--
runs:
  - problems:
      - pendulum(angle=0.7,rate=1.1)
      - sprung-pendulum
    integrators:
      - shake
      - rattle
    steps: {largest: 0.05, halvings: 5}
    until: 1.3
  - problems: ['pendulum(angle=0.7,rate=1.1)'] # one degree of freedom: undecided
    integrators: [rattle]
    steps: {largest: 0.05, halvings: 1}
    until: 1.3
    measures: [symplecticity]
figures: [{kind: order, notes: '</figcaption><script>document.title="stolen"</script>'}, energy, constraint,
  work-precision, motion]
YAML
"$SHAKEDOWN" run evil.yaml -o evil.db >run.txt 2>&1
"$SHAKEDOWN" report evil.db -o one >out.txt 2>err.txt
ok_if $? "a report is written"
is_text "$(cat out.txt)" "one/index.html: 1 study" "... and said to be"
is_text "$(ls -A one)" index.html "it is one file"
"$SHAKEDOWN" report evil.db -o two >/dev/null 2>&1
holds "made twice it is the same" cmp -s one/index.html two/index.html

page=one/index.html
is_text "$(grep -o '<script' $page | wc -l)" 1 "no text of the study begins a script"
! grep -q 'document.title="stolen"</script>' $page
ok_if $? "... or ends the one that is there"
# Names of XML's spaces are no addresses that are loaded.
! sed 's/src="data:image[^"]*//g' $page | grep -qE 'src="[^d]|href="[^d#]|@import|url\([^#]'
ok_if $? "nothing in it is loaded from elsewhere"
holds "its policy loads nothing" grep -q "default-src 'none'" $page
! grep -qE '@(nonce|title|body|version)@' $page
ok_if $? "every part is filled in"

"$SHAKEDOWN" report nothing.db -o three >/dev/null 2>err.txt
is_text $? 2 "a store that is not there is bad input"
"$SHAKEDOWN" report evil.db >/dev/null 2>err.txt
is_text $? 2 "so is no folder"
: >taken
"$SHAKEDOWN" report evil.db -o taken/below >/dev/null 2>err.txt
is_text $? 2 "a folder that cannot be made leaves the report undone"
holds "... and is named" grep -q 'taken' err.txt

# A page has so many cells, all that tell something among them, and says of how many: here the last one fails.
make_study large "problems: [pendulum], integrators: [rattle], steps: [0.1], until: 0.1, measures: [energy],
  sweep: {angle: [$(seq -s ', ' 0.0001 0.0001 0.55)]}" 'problems: [double-pendulum],
  integrators: [rattle(iterations=1)], steps: [0.1], until: 0.1, measures: [energy]'
"$SHAKEDOWN" run large.yaml -o large.db -q >/dev/null 2>&1
"$SHAKEDOWN" report large.db -o large >/dev/null 2>&1
holds "a large page says how many cells there are" grep -q 'There are 5501 cells in all. These are' large/index.html
is_text "$(grep -c '<td>run</td>' large/index.html)" 5000 "... of which 5,000 are on it"
is_text "$(grep -c '^<tr><td>double-pendulum</td>.*<td>not-converged</td>' large/index.html)" 2 \
  "with the last one, which failed, and what it says"

is_text "$(grep -oE '<(h3|summary)>[A-Z][A-Za-z ]*<' $page | sed 's/.*>\(.*\)</\1/' | tr '\n' ,)" \
  "Results,Figures,Verdicts,Records,The study file,Provenance," "it has its parts in this order"
is_text "$(sed -n 's/.*<summary class="[a-z]*">\([0-9]*\) held.*/\1/p' $page)" \
  "$("$SHAKEDOWN" show evil.db --format csv | grep -c ',held,')" "the verdicts are those of show"
holds "figures are in it" [ "$(grep -c 'src="data:image/svg+xml,' $page)" -gt 3 ]
# The command that a record shows works.
command=$(sed -n 's|.*<code>shakedown \(simulate [^<]*shake [^<]*\)</code>.*|\1|p' $page | head -n 1 | sed "s/&apos;/'/g; s/&#39;/'/g; s/&amp;/\&/g")
eval "\"\$SHAKEDOWN\" $command" >rows.csv 2>err.txt
ok_if $? "the command of a record runs: $command"
holds "no shell saw the texts of the study" [ ! -e touched ]

# ---- a document ----

cat >document.yaml <<'YAML'
study: document
purpose: >
  The first paragraph,
  in two lines.

  The second paragraph.
runs:
  - problems: [sprung-pendulum]
    integrators: [rattle, 'projection(base=rk4)', rattle(iterations=1), bad-rattle(tolerance=1e-5)]
    steps: {largest: 0.04, halvings: 5}
    until: 20
    measures: [order, energy, constraint]
  - problems: [sprung-pendulum]
    integrators: [rattle, 'projection(base=rk4)']
    steps: {largest: 0.04, halvings: 2}
    until: 1000
    measures: [energy, constraint]
figures:
  - {kind: energy, until: 1000}
  - {kind: phase, name: portrait, axes: [t, q1], until: 20, integrators: [projection]}
  - kind: constraint
    until: 1000
    legend: caption
    notes: |
      A first note.

      A second note,
      in two lines.
  - {kind: order, name: a, until: 20}
  - regularity
labels: {rattle: RATTLE}
YAML
"$SHAKEDOWN" run document.yaml -q --plugin "$SHAKEDOWN_BAD_RATTLE" >run.txt 2>&1
"$SHAKEDOWN" report document.db -o document --plugin "$SHAKEDOWN_BAD_RATTLE" >out.txt 2>err.txt
ok_if $? "a study is a document"
sed 's/src="data:[^"]*"//g; s/\xc2\xa0/ /g' document/index.html >marked
grep -q '^<p>The first paragraph, in two lines.</p>$' marked && grep -q '^<p>The second paragraph.</p>$' marked
ok_if $? "its purpose has paragraphs"
COLUMNS=200 "$SHAKEDOWN" show document.db --plugin "$SHAKEDOWN_BAD_RATTLE" | sed -n '/^integrator/,/^$/p' | sed '/^$/d' | tr -s ' ' >rows
sed -n '/<h3>Results/,/<h3>Figures/p' marked | grep -o '<tr>.*</tr>' |
  sed 's/<[^>]*>/ /g' | tr -s ' ' | sed 's/^ //; s/ $//' >results
is_text "$(cat results)" "$(cat rows)" "it begins with the table of the terminal"
grep -q '^rattle .* keeps all$' results && grep -q '^projection .* drift [-0-9.]*([0-9]*)e-[0-9]* .* energy drifts$' results
ok_if $? "which has the summary of each method, and the rate of a drift"
is_text "$(grep -c '<p>keeps all: ' marked)" 1 "with its meaning"

# Captions.
caption() {
  sed -n "s/.*<b>Figure $1\\.<.b> \\(.*\\)<.p>\$/\\1/p" marked
}
is_text "$(caption 1)" "Energy error along the run: sprung-pendulum, in double precision. Runs of sprung-pendulum have \
h = 0.02 and end at t = 1000. Curves show the largest value in each of up to 1000 time intervals, at its end. Dashed: |slope| t for straight lines \
fitted to the means over the whole run; the slopes are the drift rates, with two standard errors in parentheses, in units of the last digit. \
If a drift rate cannot be told from zero, its magnitude plus two standard errors is given as a bound. Parameters: \
sprung-pendulum (angle = 0.7)." \
  "figures are in the study's order, with captions in sentences"
caption 2 | grep -q '^Path: sprung-pendulum'
ok_if $? "the second has its own"
caption 3 | grep -q 'RATTLE (vermilion, dashed, hollow square); projection (green, dotted, triangle)\.'
ok_if $? "and the methods where the paper's figure has no legend"
is_text "$(sed -n '/<b>Figure 3/,/<.figure>/p' marked | sed '1d')" "$(printf '<p>A first note.</p>\n<p>A second note, in two lines.</p>\n</figcaption></figure>')" \
  "notes are below their figure"
caption 4 | grep -q 'iterations=1) is not drawn in order on sprung-pendulum: none of its runs finished'
ok_if $? "and what is left out, with the reason"
! caption 4 | grep -q 'projection is left out'
ok_if $? "which is no method that one of the panels draws"
grep -q '<p>There is no figure of the kind <code>regularity</code>: the study does not have the measure' marked
ok_if $? "a figure without data is not passed over in silence"

# Verdicts.
sed -n '/<h3>Verdicts/,/<h3>Records/p' marked >verdicts
is_text "$(sed -n 's/^<h4>\(.*\)<.h4>.*/\1/p' verdicts)" "$(printf 'bad-rattle(tolerance=1e-5)\nrattle(iterations=1)')" \
  "a method with something open has its own part, those that are falsified first"
grep -q '^<tr><td class="failed">failed</td><td>[^<]*status[^<]*</td><td>sprung-pendulum, double</td><td>.*did not finish' verdicts
ok_if $? "with what failed and why"
grep -q "<li>Falsified: .*<code>shakedown try &#39;bad-rattle(tolerance=1e-5)&#39;</code></li>" verdicts ||
  grep -q "<li>Falsified: .*<code>shakedown try 'bad-rattle(tolerance=1e-5)'</code></li>" verdicts
ok_if $? "and the command that looks for the cause"
grep -q '<li>Failed: Repeat a cell with a smaller step' verdicts
ok_if $? "and what to do"
grep -q '<p>All claims of these methods are held: rattle, projection' verdicts
ok_if $? "the others follow"
! grep -q '>0 [a-z]*<\|<th>uncertainty</th>.*<td></td>' verdicts
ok_if $? "no table is empty"
is_text "$(sed -n '/summary class="failed"/p' verdicts | grep -o '<th>[a-z]*' | sed 's/<th>//' | tr '\n' ' ')" \
  "problem integrator precision quantity value reason " "nor a column"

# ---- in a browser ----
if ! command -v chromium >/dev/null; then
  skip_without chromium "chromium is not installed"
  tap_done
fi
browser() {
  timeout 120 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$top/profile" \
    --host-resolver-rules='MAP * ~NOTFOUND' --window-size=1200,900 --virtual-time-budget=8000 \
    "$@" 2>/dev/null
}
# What a reader would do, by a script that is let in under the page's own number; what it finds is
# left in the page.
nonce=$(sed -n "s/.*script-src 'nonce-\([0-9a-f]*\)'.*/\1/p" $page)
cat >actions.js <<'JS'
const said = [];
const all = (what) => [...document.querySelectorAll(what)];
said.push("title=" + document.title);
said.push("purpose=" + document.querySelector("h2 + p").textContent);
const cells = document.querySelector("[data-name=cells]"), head = [...cells.tHead.rows[0].cells].find((h) => h.textContent === "step");
const steps = () => [...cells.tBodies[0].rows].map((r) => r.cells[head.cellIndex].textContent);
head.click();
const up = steps();
head.click();
said.push("sorted=" + (up.length > 1 && up.join() === [...up].sort((a, b) => a - b).join() && Number(up[0]) === Number(steps()[up.length - 1])));
const link = document.querySelector("[data-name=held]").closest("details").querySelector("a");
link.addEventListener("click", (event) => event.preventDefault());
link.click();
said.push("csv=" + (decodeURIComponent(link.href).match(/"order of q","[0-9.]{17,}","[0-9.e-]{12,}"/g)?.length >= 2));
said.push("figures=" + (all("img").length > 3 && all("img").every((i) => i.alt.length > 5)));
document.body.replaceChildren(document.createTextNode("\n" + said.join("\n") + "\n"));
JS
sed '$d' $page >acted.html # all but the last line, </html>
{
  printf '<script nonce="%s">\n' "$nonce"
  cat actions.js
  printf '</script></html>\n'
} >>acted.html
browser --dump-dom "file://$top/acted.html" | sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' >dom.txt
finds() {
  grep -qxF -e "$1" dom.txt
  ok_if $? "$2" || diag "$(grep -F -e "${1%%=*}=" dom.txt | head -n 2)"
}
finds 'title=evil' "the page has the study's name, and nothing changed it"
finds 'purpose=</script><script>document.title="stolen"</script> & "quotes" `backticks` $(touch touched) a_b \LaTeX <!--' \
  "a purpose with markup is shown as it stands"
finds 'sorted=true' "tables sort both ways"
finds 'csv=true' "a table is there as CSV, with all digits"
finds 'figures=true' "figures have names for those who do not see them"

# On paper: every figure is on one page with its caption, as large as in print.
browser --no-pdf-header-footer --print-to-pdf="$top/document.pdf" "file://$top/document/index.html"
if command -v pdftotext >/dev/null; then
  pages=$(pdfinfo document.pdf | sed -n 's/^Pages: *//p')
  for at in $(seq 1 "$pages"); do
    pdftotext -f "$at" -l "$at" document.pdf - | awk '/^(time t|step h|t)$/ { axes++ } /^Figure [0-9]+\. / { captions++ }
      END { print axes + 0, captions + 0 }'
  done >paper.txt
  is_text "$(awk '$1 < $2 || ($1 > 0 && $2 == 0)' paper.txt)" "" "no figure is cut where a page ends"
  is_text "$(awk '{ sum += $2 } END { print sum }' paper.txt)" "$(grep -c '<figure>' marked)" "and none is lost"
else
  skip "figures on paper: pdftotext is not installed (Debian package poppler-utils)"
fi

# Without its number a script does not run.
sed 's/<script nonce="[0-9a-f]*">/<script>/' $page >barred.html
browser --dump-dom "file://$top/barred.html" >dom.txt
! grep -q 'data-ready' dom.txt
ok_if $? "the policy bars a script that the page did not bring"
tap_done
