#!/bin/sh
# Files of others run no program and read no other file: a study, a store, a baseline and a system
# of particles made to attack. Each point of the list in docs/reference/safety.md has its attack
# here; a successful one creates the file `ran`.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
# A bomb must not go off in the machine that runs the tests. Sanitizers need more room.
limit='prlimit --as=4294967296'
$limit "$SHAKEDOWN" --version >/dev/null 2>&1 || limit=

# try STATUS ARGUMENT...: runs the program, with its output in `both`, for 30 s and in 4 GiB at most
try() {
  want=$1
  shift
  # shellcheck disable=SC2086 # the words of a command
  $limit timeout 30 "$SHAKEDOWN" "$@" >out 2>err </dev/null
  got=$?
  cat out err >both
  [ $got -eq "$want" ]
  ok_if $? "exit status $want: shakedown $(printf '%s ' "$@" | tr -c '[:print:]' '?' | cut -c 1-90)" ||
    diag "exit status $got: $(head -n 5 both | tr -c '[:print:]\n' '?')"
}
# says FRAGMENT: the last attempt printed it
says() {
  grep -qF -e "$1" both
  ok_if $? "... and says: $1" || diag "$(head -n 5 both | tr -c '[:print:]\n' '?')"
}
# nothing_ran WHAT
nothing_ran() {
  [ ! -e ran ] && [ ! -e one/ran ] && [ ! -e figures/ran ]
  ok_if $? "nothing was run by $*"
  rm -f ran one/ran figures/ran
}
# plain WHAT: no control character but newlines and tabs came out
plain() {
  ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" both
  ok_if $? "no control character comes out of $*"
}
# sql STORE STATEMENT
sql() {
  python3 - "$1" "$2" <<'P'
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
base.executescript(sys.argv[2])
base.commit()
P
}
# study NAME INTEGRATOR PROBLEM: writes NAME.yaml
study() {
  cat >"$1.yaml" <<YAML
study: $1
runs:
  - problems:
      - $3
    integrators:
      - $2
    steps: [0.1, 0.05]
    until: 1
YAML
}

# ---- studies run no programs ----
# A process of a cell cannot write; whoever reads the bell is heard.
mkfifo bell
(: >bell; : >ran) &
writer=$!
printf '#!/bin/sh\ntouch %s/ran\nread -r line <%s/bell\n' "$top" "$top" >attack
chmod +x attack
study external 'external(command="./attack")' pendulum
study engine 'engine(command="./attack")' pendulum
study nested 'composition(base=external(command="./attack"))' pendulum
study deep 'adaptive(base=composition(base=external(command="./attack")))' pendulum
for one in external engine nested deep; do
  try 2 run $one.yaml
  says 'use --allow-external'
  try 2 run $one.yaml --dry-run
done
try 2 simulate pendulum 'external(command="./attack")' --step 0.1 --until 1
try 2 describe 'external(command="./attack")'
nothing_ran "a study or a specification with a program in it"
printf 'study: loads\nplugin: ./attack.so\nruns: []\n' >loads.yaml
try 2 run loads.yaml
says 'plugin'

# ---- a store's texts are texts ----
study honest rattle 'pendulum(angle=0.7,rate=1.1)'
try 0 run honest.yaml -o honest.db --quiet
cp honest.db program.db
sql program.db "UPDATE studies SET text = replace(text, 'rattle', 'external(command=\"./attack\")')"
for command in 'show program.db' 'plot program.db -o figures' 'report program.db -o one' \
  'show program.db --records'; do
  # shellcheck disable=SC2086
  try 2 $command
done
nothing_ran "a store whose study names a program"
kill $writer
wait $writer 2>/dev/null

# A name that is a command for gnuplot, a shell, LaTeX, HTML, SQL and a terminal at once.
cp honest.db evil.db
python3 - <<'P'
import os, sqlite3, subprocess
evil = ("`touch ran` $(touch ran) '; system(\"touch ran\"); !touch ran \\n\\input{/etc/passwd} "
        "\\write18{touch ran} </script><script>stolen()</script> <img src=x onerror=stolen()> "
        "'; DROP TABLE cells; -- %s%n \x1b]0;stolen\x07\x1b[2J\x9b31m ^{a}_b @1")
base = sqlite3.connect("evil.db")
base.execute("PRAGMA foreign_keys = OFF")
base.execute("UPDATE studies SET text = "
             "replace(text, 'study: honest', 'study: honest\npurpose: >\n  ' || ?)",
             (evil.replace("\x1b", "").replace("\x07", "").replace("\x9b", ""),))
base.execute("UPDATE studies SET name = ?, path = ?", (evil, evil))
base.execute("DELETE FROM findings")
base.execute("UPDATE provenance SET version = ?1, compiler = ?1, flags = ?1, processor = ?1, "
             "system = ?1, libraries = ?1, plugins = ?1, date = ?1", (evil,))
base.commit()
subprocess.run([os.environ["SHAKEDOWN_ALTER"], "evil.db", "texts", evil], check=True)
P
rm -rf figures one
for command in 'show evil.db' 'show evil.db --records' 'show evil.db --format latex' \
  'show evil.db --format csv' 'plot evil.db -o figures --type svg' \
  'plot evil.db -o figures --type tex' 'report evil.db -o one' 'compare evil.db honest.db'; do
  # shellcheck disable=SC2086
  $limit timeout 60 "$SHAKEDOWN" $command >out 2>err </dev/null
  got=$?
  cat out err >both
  holds "shakedown $command ends by itself ($got)" [ $got -le 3 ]
  plain "$command"
done
"$SHAKEDOWN" show evil.db --format latex >table.tex 2>&1
! grep -rq '\\input{/etc\|\\write18{touch' table.tex figures
ok_if $? "no text of a store is a command of LaTeX"
nothing_ran "what is in the texts of a store"
if [ -d one ]; then
  ! grep -rq '<script>stolen\|<img src=x' one
  ok_if $? "no text of a store is markup in the report"
fi
python3 -c 'import sqlite3
assert sqlite3.connect("evil.db").execute("SELECT count(*) FROM cells").fetchone()[0] > 0'
ok_if $? "the records are still there"

# ---- stores that carry code ----
for attack in 'CREATE TRIGGER t AFTER INSERT ON cells BEGIN DELETE FROM cells; END' \
  'CREATE VIEW v AS SELECT load_extension("./attack.so")' \
  'CREATE INDEX i ON cells(hex(cell))' \
  'CREATE VIRTUAL TABLE f USING fts5(x)' \
  'ALTER TABLE cells ADD COLUMN g INT GENERATED ALWAYS AS (abs(id)) VIRTUAL'; do
  cp honest.db coded.db
  sql coded.db "$attack" 2>/dev/null
  cmp -s honest.db coded.db && diag "this SQLite cannot: $attack"
  cp coded.db before.db
  try 2 show coded.db
  try 2 run honest.yaml -o coded.db
  holds "and leaves it as it was: $attack" cmp -s before.db coded.db
done

# ---- files that are bombs ----
{
  echo 'study: laughs'
  echo 'a: &a [x, x, x, x, x, x, x, x, x]'
  last=a
  for next in b c d e f g h i; do
    echo "$next: &$next [*$last, *$last, *$last, *$last, *$last, *$last, *$last, *$last, *$last]"
    last=$next
  done
} >laughs.yaml
try 2 run laughs.yaml
says 'laughs.yaml:'
head -c 1100000 /dev/zero | tr '\0' ' ' >large.yaml
try 2 run large.yaml
says '1 MiB'
try 2 run /dev/zero
try 2 check honest.yaml --baseline /dev/zero
{
  printf 'study: deep\nruns: '
  head -c 200000 /dev/zero | tr '\0' '['
} >deep.yaml
try 2 run deep.yaml
{
  printf 'study: many\nruns:\n  - problems: [pendulum]\n    sweep:\n'
  for option in angle rate; do
    printf '      %s: [0' $option
    seq -f ', 0.%04g' 1 99 | tr -d '\n'
    printf ']\n'
  done
  printf '    integrators: [rattle, shake, spark, reference, variational]\n'
  printf '    steps: {largest: 1, halvings: 26}\n    until: 1\n'
} >many.yaml
try 2 run many.yaml --dry-run
says '1000000'
for problem in 'chain(links=1000000000)' 'chain(links=99999999999999999999)' \
  'water-box(molecules=100000000)' 'fekete(points=1000000)' 'alkane(carbons=100000000)'; do
  try 2 simulate "$problem" rattle --step 0.1 --until 0.1
  says 'expected'
done
try 2 simulate pendulum rattle --step 1e-300 --until 1e300

# ---- files outside ----
mkdir inside
printf 'secret: 1\n' >secret.yaml
ln -s ../secret.yaml inside/link.yaml
ln -s .. inside/up
for file in ../secret.yaml "$top/secret.yaml" link.yaml up/secret.yaml /etc/passwd \
  './.././secret.yaml'; do
  study inside/reads rattle "'particles(file=\"$file\")'" 2>/dev/null
  sed -i 's|study: .*|study: reads|' inside/reads.yaml
  try 2 run inside/reads.yaml --dry-run
  ! grep -q 'secret: 1\|root:' both
  ok_if $? "... and nothing of the file is shown"
done

# ---- terminals ----
escape=$(printf '\033]0;stolen\007\033[2J')
for word in "describe $escape" "simulate $escape rattle" "show $escape" "run $escape" "$escape"; do
  # shellcheck disable=SC2086
  try 2 $word
  plain "a name that is a terminal's command"
done
printf 'study: a\nruns:\n  - problems: ["pen\\e[31mdulum"]\n    integrators: [rattle]\n' >escape.yaml
try 2 run escape.yaml
plain "a study with such a name"

tap_done
