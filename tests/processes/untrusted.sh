#!/bin/sh
# Reading a store opens no file that it names: not by the path of its study, not by `file=` in it,
# neither directly nor through links, pipes or /proc. The store keeps the replies of files, plug-ins
# and programs that planning and analysis need; where it lacks them, --files, --plugin and
# --allow-external permit access. Forged replies change the output, and crash nothing. Errors quote
# nothing from a file that is no study and no system.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
shakedown() {
  timeout 60 "$SHAKEDOWN" "$@"
}
# sql STORE STATEMENT [VALUE...]
sql() {
  python3 -c '
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
base.execute(sys.argv[2], sys.argv[3:])
base.commit()' "$@"
}
# forget STORE: as one that keeps no answers
forget() {
  sql "$1" 'DELETE FROM said'
}

mkdir open closed
cat >open/shadow <<'Y'
gravity: [0, -9.81]
fixed:
  - {name: left, position: [0, 0]}
particles:
  - {name: a, mass: 2, position: [0.1, -1], velocity: [1, 0.1]}
rods:
  - [left, a]
Y
cat >open/st.yaml <<'Y'
study: st
runs:
  - problems: ['particles(file="shadow")']
    integrators: [rattle]
    steps: [0.1, 0.05]
    until: 1
figures: [order, motion]
Y
printf 'root:$6$hush:19000:0:99999:7:::\n' >closed/shadow
gives 0 '' run open/st.yaml -o honest.db --quiet
gives 0 '' show honest.db
cp out shown
mkdir drawn
gives 0 '' plot honest.db -o drawn --type svg

# ---- the path of the study ----

readers='show @|show @ --records|show @ --format latex|plot @ -o figures --type svg|report @ -o page|compare @ @'
# reads STORE STATUS FRAGMENT: all that reads stores ends so and says so, and tells no secret
reads() {
  rest=$readers
  while [ -n "$rest" ]; do
    one=${rest%%|*}
    [ "$one" = "$rest" ] && rest= || rest=${rest#*|}
    # shellcheck disable=SC2046 # the words of a command
    gives "$2" "$3" $(printf '%s' "$one" | sed "s|@|$1|g")
    ! grep -rqs 'hush' both figures page
    ok_if $? "... and tells nothing of what it must not read"
    rm -rf figures page
  done
}
ln -s "$top/closed" link
mkfifo closed/pipe
# A reader of the pipe, even one that does not wait, lets this go on.
(printf 'particles: []\n' >closed/pipe; : >closed/read) 2>/dev/null &
writer=$!
# names PATH FILE: the store old.db of the version before, and new.db, whose study is at that path
# and names that file
names() {
  cp honest.db old.db
  sql old.db 'UPDATE studies SET path=?, text=replace(text, ?, ?)' "$1" shadow "$2"
  cp old.db new.db
  forget old.db
}
for path in "$top/closed/x.yaml" closed/x.yaml ../closed/x.yaml link/x.yaml "$top/link/x.yaml" ''; do
  names "$path" shadow
  cp closed/shadow shadow # also for those who look here
  diag "the study is at '$path'"
  [ "$path" = "$top/closed/x.yaml" ] || readers='show @|compare @ @'
  reads old.db 2 '"shadow" is named by a store and is therefore not opened'
  reads new.db 0 ''
  shakedown show new.db >out 2>err
  holds "what the store keeps is shown as before" cmp -s out shown
  gives 0 '' merge new.db -o merged.db
  shakedown show merged.db >out 2>err
  holds "and so is what is merged from it" cmp -s out shown
  rm -f merged.db shadow
done
for file in environ cmdline pipe nothing; do
  case $file in
  pipe) names "$top/closed/x.yaml" pipe ;;
  *) names /proc/self/x.yaml "$file" ;;
  esac
  reads old.db 2 "\"$file\" is named by a store and is therefore not opened"
  # The answers are those of another file.
  reads new.db 2 "\"$file\" is named by a store and is therefore not opened"
done
holds "nobody has opened the pipe" [ ! -e closed/read ]
kill $writer 2>/dev/null
wait $writer 2>/dev/null

# ---- what the command line gives ----

names closed/x.yaml shadow
gives 0 '' show old.db --files open
holds "--files shows what the store does not keep" cmp -s out shown
gives 0 '' plot old.db --files open -o figures --type svg
cmp -s figures/motion-particles-double.svg drawn/motion-particles-double.svg
ok_if $? "and draws it, as it was drawn before"
gives 0 '' plot new.db -o figures --type svg
holds "as does what the store keeps" cmp -s figures/motion-particles-double.svg drawn/motion-particles-double.svg
rm -rf figures
gives 2 '' show old.db --files closed
! grep -q hush both
ok_if $? "a file that is no system is not quoted: $(cat err)"
gives 2 '' diagnose 'particles(file="closed/shadow")'
! grep -q hush both
ok_if $? "on the command line neither: $(cat err)"
gives 2 '' run closed/shadow
! grep -q hush both
ok_if $? "nor as a study: $(cat err)"
for text in 'password: hush' '- hush' 'hush' '"hush": {' '%TAG !hush! x' 'a: !hush!x y' "'hush" '{particles: hush'; do
  printf '%s\n' "$text" >closed/shadow
  gives 2 '' diagnose 'particles(file="closed/shadow")'
  ! grep -q hush both
  ok_if $? "of $text: $(cat err)"
done

# ---- programs ----

cp "$SHAKEDOWN_SOURCE/examples/external/rattle.py" .
make_study program "problems: [pendulum], integrators: ['external(command=\"python3 rattle.py\")'],
  steps: [0.1, 0.05], until: 1"
gives 0 '' run program.yaml --allow-external --quiet
gives 0 '' show program.db --allow-external
cp out shown
mkfifo bell # a cell writes nothing, but whoever reads this is heard
(: >bell; : >ran) &
writer=$!
printf 'open("bell")\n' >rattle.py
reads program.db 0 ''
gives 0 '' show program.db
holds "a study with a program is shown without it" cmp -s out shown
holds "which is not run" [ ! -e ran ]
kill $writer
wait $writer 2>/dev/null
forget program.db
reads program.db 2 '--allow-external'

# ---- forged answers ----

names open/x.yaml shadow
forged=0
while IFS='|' read -r question reply; do
  cp new.db forged.db
  sql forged.db 'INSERT OR REPLACE INTO said VALUES(?,?,?)' st "$question" "$reply"
  for command in 'show forged.db' 'plot forged.db -o figures --type svg' 'report forged.db -o page'; do
    # shellcheck disable=SC2086
    shakedown $command >both 2>&1 </dev/null
    got=$?
    [ $got -le 3 ] || {
      forged=1
      diag "$command ends with $got after $question $reply: $(tail -n 3 both)"
    }
    rm -rf figures page
  done
done <<'F'
inspection double particles(file="shadow")|{}
inspection double particles(file="shadow")|[]
inspection double particles(file="shadow")|
inspection double particles(file="shadow")|{"error":"%s%n%s"}
inspection double particles(file="shadow")|{"n":-1,"m":1,"features":0,"undecidable":0,"initial-time":"0","time-scale":"1","horizon":"1","invariants":[]}
inspection double particles(file="shadow")|{"n":1073741824,"m":1073741824,"features":4294967295,"undecidable":4294967295,"initial-time":"0","time-scale":"1","horizon":"1","invariants":[]}
inspection double particles(file="shadow")|{"n":2,"m":1,"features":0,"undecidable":0,"initial-time":"nan","time-scale":"nan","horizon":"nan","invariants":[]}
inspection double particles(file="shadow")|{"n":2,"m":1,"features":0,"undecidable":0,"initial-time":"inf","time-scale":"-1","horizon":"inf","invariants":[]}
inspection double particles(file="shadow")|{"n":2,"m":1,"features":0,"undecidable":0,"initial-time":"0","time-scale":"1e-308","horizon":"1e308","invariants":["","x","%n"]}
inspection quad particles(file="shadow")|{"n":2,"m":1,"features":0,"undecidable":0,"initial-time":"0","time-scale":"0","horizon":"0","exact":true,"invariants":[1,2,3,4,5,6,7,8,9,10,11]}
problem pendulum|{"name":"pendulum"}
problem other|{"name":"pendulum"}
problem other|{"name":""}
problem other|{"name":"a b"}
problem other|{"name":"other","options":[{"name":"x","kind":4}]}
problem other|{"name":"other","options":[{"name":"x","kind":0,"fallback":"lots"}]}
integrator rattle|{"name":"rattle","supports":0}
integrator other|{"name":"other","supports":-1}
integrator other|{"name":"other","supports":1,"options":[{"name":"x","kind":99}]}
claims double rattle|{"order-q":-7}
bodies 0|{"sizes":[9,9,9]}
F
ok_if $forged "forged answers crash nothing"
cp new.db forged.db
sql forged.db "UPDATE said SET reply='{\"in-space\":true,\"count\":1000000,\"parts\":1000000,\"rows\":[]}' WHERE question LIKE 'bodies%'"
shakedown plot forged.db -o figures --type svg >both 2>&1
[ $? -le 3 ]
ok_if $? "nor does a forged answer of bodies: $(tail -n 1 both)"
tap_done
