#!/bin/sh
# The report: one page that holds everything, the same bytes each time, with texts of strangers as
# text, and that works in a browser without a network.
set -u
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
figures: [order, energy, constraint, work-precision, motion]
YAML
"$SHAKEDOWN" run evil.yaml -o evil.db >run.txt 2>&1
"$SHAKEDOWN" report evil.db -o one >out.txt 2>err.txt
ok_if $? "a report is written"
is_text "$(cat out.txt)" "one/index.html: 1 study" "... and said to be"
is_text "$(ls -A one)" index.html "it is one file"
"$SHAKEDOWN" report evil.db -o two >/dev/null 2>&1
cmp -s one/index.html two/index.html
ok_if $? "made twice it is the same"
cp evil.db anew.db
python3 -c '
import sqlite3
with sqlite3.connect("anew.db") as base:
    assert base.execute("UPDATE studies SET basis = NULL").rowcount == 1'
ok_if $? "the store has the findings"
"$SHAKEDOWN" report anew.db -o anew >/dev/null 2>&1
cmp -s one/index.html anew/index.html
ok_if $? "found anew they are the same, and the figures beside them"

page=one/index.html
is_text "$(grep -o '<script' $page | wc -l)" 2 "no text of the study begins a script"
! grep -q 'document.title="stolen"</script>' $page
ok_if $? "... or ends the one with the data"
# Names of XML's spaces are no addresses that are loaded.
! sed 's|http://www.w3.org/[a-z0-9/]*||g' $page | grep -qE '(https?:)?//[a-z]+\.|@import|url\([^#]'
ok_if $? "nothing in it is loaded from elsewhere"
grep -q "default-src 'none'" $page
ok_if $? "its policy loads nothing"
! grep -qE '@(nonce|title|style|script|data|version)@' $page
ok_if $? "every part is filled in"

"$SHAKEDOWN" report nothing.db -o three >/dev/null 2>err.txt
is_text $? 2 "a store that is not there is bad input"
"$SHAKEDOWN" report evil.db >/dev/null 2>err.txt
is_text $? 2 "so is no folder"
: >taken
"$SHAKEDOWN" report evil.db -o taken/below >/dev/null 2>err.txt
is_text $? 2 "a folder that cannot be made leaves the report undone"
grep -q 'taken' err.txt
ok_if $? "... and is named"

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
const click = (node) => node.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
said.push("title=" + document.title);
said.push("purpose=" + document.getElementById("lead").textContent);
said.push("held=" + document.querySelector(".counts b").textContent);
said.push("glance=" + all("#glance tbody tr").length);
click(all("#methods button").find((b) => b.textContent === "rattle"));
said.push("pressed=" + all('#methods button[aria-pressed="true"]').map((b) => b.textContent));
said.push("lit=" + (all("tr.lit").length > 0 && all("tr.lit").every((r) => r.dataset.method === "rattle")));
click(document.querySelector("#glance td a"));
said.push("records=" + all("#records tbody tr").length);
const status = () => all("#records tbody tr").map((r) => r.children[4].textContent);
click(all("#records thead button").find((b) => b.textContent === "step"));
const up = status();
click(all("#records thead button").find((b) => b.textContent === "step"));
said.push("sorted=" + (up.length > 1 && up.join() === [...up].sort((a, b) => a - b).join() && up.reverse().join() === status().join()));
click(document.querySelector("#records tbody .button"));
said.push("command=" + document.querySelector(".record code").textContent);
said.push("counters=" + (all(".counters div").length > 10));
window.scrollTo(0, document.getElementById("figures").offsetTop);
said.push("first=" + [...document.querySelectorAll("main > section")].slice(0, 3).map((s) => s.id));
said.push("large=" + (all("#learnt figure.large").length === 1 && all("#figures > figure.large").length === 1 && all("#figures > details:not([open]) figure").length > 3));
said.push("notes=" + all("main p.lead, section:not(#notes) > ul > li > .lead").length);
for (const folded of all("#figures details")) folded.open = true; // what is folded does not move
setTimeout(() => {
  for (const drawing of all(".drawing")) drawing.dispatchEvent(new Event("draw"));
  said.push("figures=" + (all(".drawing svg").length > 3 && all(".drawing").every((d) => d.querySelector("svg"))));
  said.push("dimmed=" + all("svg .method").every((g) => (g.style.opacity === "1") === (g.dataset.method === "rattle")));
  said.push("named=" + all(".drawing svg").every((s) => s.getAttribute("role") === (s.querySelector("[tabindex]") ? "group" : "img") && ["; with ", "rattle"].every((w) => s.getAttribute("aria-label").includes(w))));
  const stills = all("[id^='motion-'][id$='a'].method");
  said.push("moving=" + (document.getAnimations().length > 10 && stills.length > 4 && stills.every((s) => getComputedStyle(s).visibility === "hidden")));
  for (const folded of all("#figures details")) folded.open = false;
  const next = all("#values .button").find((b) => b.textContent === "next");
  next.focus();
  for (let i = 0; i < 9; i++) next.click();
  said.push("turned=" + (document.activeElement === next && next.getAttribute("aria-disabled") === "true"));
  said.push("captions=" + all("#values caption, #records caption").every((c) => /: (no row|rows \d+ to \d+ of \d+)$/.test(c.textContent)));
  const shut = all("details:not([open])").length;
  dispatchEvent(new Event("beforeprint"));
  const printed = all("details:not([open])").length;
  dispatchEvent(new Event("afterprint"));
  said.push("printed=" + (shut > 0 && printed === 0 && all("details:not([open])").length === shut));
  said.push("skips=" + (document.querySelector(document.querySelector(".skip").hash)?.tabIndex === -1));
  const ids = all("[id]").map((e) => e.id);
  said.push("unique-ids=" + (new Set(ids).size === ids.length));
  document.body.replaceChildren(document.createTextNode("\n" + said.join("\n") + "\n"));
}, 500);
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
  verdict=$?
  ok_if $verdict "$2"
  [ $verdict -eq 0 ] || diag "$(grep -F -e "${1%%=*}=" dom.txt | head -n 2)"
}
finds 'title=evil' "the page has the study's name, and nothing changed it"
finds 'purpose=</script><script>document.title="stolen"</script> & "quotes" `backticks` $(touch touched) a_b \LaTeX <!--' \
  "a purpose with markup is shown as it stands"
[ ! -e touched ]
ok_if $? "... and no shell saw it"
is_text "$(sed -n 's/^held=//p' dom.txt)" \
  "$("$SHAKEDOWN" show evil.db --format csv | grep -c ',held,')" "the verdicts are those of show"
finds 'glance=4' "every method has a row for each problem"
finds 'pressed=rattle' "a method is highlighted"
finds 'lit=true' "... in the tables"
finds 'dimmed=true' "... and in all figures"
finds 'records=6' "a number leads to the records that it was made from"
finds 'sorted=true' "which sort both ways"
finds 'command=shakedown simulate '"'"'pendulum(angle=0.7,rate=1.1)'"'"' shake --step 0.05 --until 1.3 --precision double' \
  "a record shows the command that makes it again"
finds 'counters=true' "and its counters"
finds 'figures=true' "figures are drawn"
finds 'named=true' "and have names for those who do not see them"
finds 'first=learnt,glance,figures' "what was learnt comes first, then tables and figures"
finds 'large=true' "one large figure a problem, the first beside what was learnt, the others folded"
finds 'notes=0' "notes stand apart from tables and figures"
finds 'moving=true' "what moves, moves in the page, and its still is not seen with it"
finds 'turned=true' "at the last page the button keeps the focus"
finds 'captions=true' "a table says which of its rows are there"
finds 'printed=true' "what printing opens is closed again"
finds 'skips=true' "the first link leads to the report's contents"
finds 'unique-ids=true' "no two things in the page have one id"

# The command that a record shows works.
command=$(sed -n 's/^command=shakedown //p' dom.txt)
eval "\"\$SHAKEDOWN\" $command" >rows.csv 2>err.txt
ok_if $? "the command of a record runs"

# Without its number a script does not run.
sed 's/<script nonce="[0-9a-f]*">/<script>/' $page >barred.html
browser --dump-dom "file://$top/barred.html" >dom.txt
! grep -q 'data-ready' dom.txt
ok_if $? "the policy bars a script that the page did not bring"
tap_done
