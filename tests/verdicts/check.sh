#!/bin/sh
# `baseline`, `check` and `compare` as a CI uses them. A damaged method is reported by a sentence
# that names the property, the same method without damage passes; the recipes of docs/guides/ci.md
# work in a repository of their own; bad input is reported; the committed baselines hold.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
PATH=$(dirname "$SHAKEDOWN"):$PATH
export PATH

# ---- a method, and the same with a fault in its place ----
# write_study INTEGRATOR...: orders, constraints, momenta and counted work in quad, the defects of one
# step, energy over a long time in double
write_study() {
  list=
  for integrator; do
    list="${list:+$list, }$integrator"
  done
  make_study damaged "problems: [sprung-pendulum], integrators: [$list], steps: {largest: 0.05, halvings: 4},
    until: 2, precision: quad, measures: [order, constraint, work]" \
    "problems: [spherical-pendulum], integrators: [$list], steps: [0.1, 0.05], until: 2, precision: quad,
    measures: [momentum]" \
    "problems: [\"chain(links=2,start=zigzag,spring=1)\"], integrators: [$list], steps: {largest: 0.1,
    halvings: 3}, until: 0.1, precision: quad, measures: [symplecticity, symmetry, reversibility]" \
    "problems: [sprung-pendulum], integrators: [$list], steps: {largest: 0.08, halvings: 2}, until: 640,
    precision: double, measures: [energy, constraint]"
}

damaged_check() {
  gives "$1" "$2" check damaged.yaml --plugin "$SHAKEDOWN_BAD_RATTLE" -q --baseline "$3"
}
write_study bad-rattle
gives 0 '' baseline damaged.yaml --plugin "$SHAKEDOWN_BAD_RATTLE" -q -o right.txt
is_text "$(head -n 1 right.txt)" 'shakedown baseline 1' "the version of the format is the first line"
grep -v '^#' right.txt | tail -n +3 >lines
LC_ALL=C sort -c lines
ok_if $? "the values are sorted"
gives 0 '' baseline damaged.yaml --plugin "$SHAKEDOWN_BAD_RATTLE" -q -j 1 -o again.txt
cmp right.txt again.txt >&2
ok_if $? "the same study gives the same baseline, whatever the number of workers"
damaged_check 0 ' values: ' right.txt
is_text "$(head -n 1 out)" 'TAP version 13' "check prints TAP 13"
is_text "$(grep -c '^ok ' out)" "$(sed -n 's/^1\.\.//p' out)" "a point for each value"
holds "... of the baseline" [ "$(sed -n 's/^1\.\.//p' out)" -eq "$(wc -l <lines)" ]

# All faults at once: the right method's values are those that each is held against.
faults='gradient-old no-projection stale-factor damped side-wind'
integrators=
head -n "$(grep -n '^study' right.txt | cut -d: -f1)" right.txt >wrong.txt
for fault in $faults; do
  integrators="$integrators bad-rattle(fault=$fault)"
  sed "s/^bad-rattle |/bad-rattle(fault=$fault) |/" lines >>wrong.txt
done
# shellcheck disable=SC2086 # a word each
write_study $integrators
damaged_check 1 'regressed' wrong.txt
is_text "$(grep -c '^  \.\.\.$' out)" "$(grep -c '^not ok' out)" "every failed point has a block"
sed -n 3p out | grep -qE '^# [0-9]+ claims of bad-rattle\(fault=[a-z-]+\) failed: .*; [0-9]+ more methods are affected$'
ok_if $? "one headline before the points: $(sed -n 3p out)"
holds "... in at most fifteen lines" [ "$(grep -n '^not ok' out | head -n 1 | cut -d: -f1)" -le 16 ]
is_text "$(sed -n 's/^# likely cause bad-rattle(fault=\([a-z-]*\)): .*/\1/p' out | paste -sd ' ')" \
  "gradient-old no-projection" "likely causes of the methods in the headline, where there is one"
grep -E '^#   .* of bad-rattle\(fault=[a-z-]*\) on .*: .* in the baseline, .* now' out |
  sed 's/^# *\(order of [a-z]*\|[a-z ]*\) of \(bad[^ ]*\) .*/\1 \2/' | sort | uniq -d >twice
holds "no claim is listed twice" [ ! -s twice ]
grep -q "^# to see more: shakedown try 'bad-rattle(fault=damped)' --plugin " out
ok_if $? "... and the command that shows more"
# What `try` says of the same method.
"$SHAKEDOWN" try 'bad-rattle(fault=gradient-old)' --plugin "$SHAKEDOWN_BAD_RATTLE" >tried 2>&1
is_text "$(grep -F 'likely cause bad-rattle(fault=gradient-old): ' out)" "# $(grep '^likely cause' tried)" \
  "the likely cause is that of try"
grep -q '^  likely cause: "the second half kick uses the force at the start of the step' out
ok_if $? "... below the points, too"
grep '^not ok' out | head -n 1 | grep -q '^not ok 1 - .*→ falsified), regressed$'
ok_if $? "a claim that fell is the first point"
# Methods of which a claim fell, and those that are said to have improved.
sed -n 's/^not ok .* - \(bad-rattle([^)]*)\) on .*→ falsified), regressed$/\1/p' out | sort -u >fell
sed -n 's/^# \(bad-rattle([^)]*)\) on .*, improved .*/\1/p' out | sort -u >improved
holds "claims fell" [ -s fell ]
is_text "$(comm -12 fell improved)" "" "no method of which a claim fell has improved"

# told FAULT PROPERTY: a sentence that names it
told() {
  grep -q "^# bad-rattle(fault=$1) on .*: $2.*, regressed" out
  ok_if $? "$1: a sentence about $2" || diag "$(grep -F "# bad-rattle(fault=$1)" out | head -n 20)"
}
told gradient-old 'symplecticity .* (held → falsified)'
told no-projection 'hidden max'
told stale-factor 'constraint max'
told damped 'energy class bounded → drift'
told side-wind 'invariant vertical-angular-momentum max'
grep -q '^# bad-rattle(fault=stale-factor) on .*: work-factorizations .*, changed' out
ok_if $? "less work than before is told too, of a wrong method as a change"
# The control claims less than the right method does, and does what it does.
write_study 'bad-rattle(fault=modest)'
sed 's/^bad-rattle |/bad-rattle(fault=modest) |/' right.txt >modest.txt
damaged_check 3 ' 0 regressed, 0 improved' modest.txt

# ---- the store, JUnit, bands that a reviewer sets ----
make_study short 'problems: [pendulum], integrators: [rattle], steps: {largest: 0.1, halvings: 4},
  until: 1.2, measures: [order, work]'
gives 0 '' baseline short.yaml -q --store short.db -o short.txt
gives 0 'within their bands' check short.yaml --baseline short.txt --store short.db \
  --junit short.xml
[ -s short.xml ] && python3 - short.xml <<'P'
import sys, xml.etree.ElementTree as tree
suites = tree.parse(sys.argv[1]).getroot()
cases = suites.findall('testsuite/testcase')
assert suites.tag == 'testsuites' and len(cases) == int(suites.get('tests')) > 10
assert not suites.findall('.//failure') and cases[0].get('classname') == 'rattle on pendulum in double'
P
ok_if $? "JUnit's XML is well formed and has every value"
gives 0 ' 0 regressed' check short.yaml --baseline short.db --store short.db -q
# Names that are markup, in a value that moved.
cp "$SHAKEDOWN_SOURCE/studies/systems/pendulum.yaml" '<#&>.yaml'
make_study odd "problems: ['particles(file=\"<#&>.yaml\")'], integrators: [rattle], steps: [0.1], until: 1,
  measures: [work]"
gives 0 '' baseline odd.yaml -q -o odd.txt
sed -i 's/| work-gradient | [0-9]*/| work-gradient | 1/' odd.txt
gives 1 'not ok 1 - rattle on particles(file="<\#&>.yaml") in double: work-gradient 1 →' check odd.yaml -q \
  --baseline odd.txt --junit odd.xml
grep -qF 'message: "rattle on particles(file=\"<#&>.yaml\") in double: work-gradient 1 →' out
ok_if $? "the block of the point has the name for a reader of YAML"
python3 - <<'P'
import xml.etree.ElementTree as tree
suites = tree.parse('odd.xml').getroot()
failed, = (case for case in suites.iter('testcase') if case.find('failure') is not None)
assert failed.get('classname') == 'rattle on particles(file="<#&>.yaml") in double'
assert failed.get('name') == 'work-gradient' and suites.get('failures') == '1'
assert 'was: 1' in failed.find('failure').text and 'band: 0.98 … 1.02' in failed.find('failure').text
P
ok_if $? "JUnit's XML has the name as it is, with the value before and the band"
sed 's/| work-gradient | [0-9]*/| work-gradient | 1/; s/| order of q | /&1/' short.txt >moved.txt
gives 1 'work-gradient 1 → ' check short.yaml --baseline moved.txt --store short.db -q
has ' 2 regressed, 0 improved, 0 changed, 0 missing, 0 new' "two values are moved"
sed '/order of p/d; s/| order of q |/| order of Q |/' short.txt >gone.txt
gives 1 'order of Q 2' check short.yaml --baseline gone.txt --store short.db -q
has ' 1 missing, 2 new' "a value that is gone fails, new ones are reported"
sed '/work-gradient/s/| 2 % |/| not gated |/' moved.txt | sed 's/order of q | 1/order of q | /' >loose.txt
gives 0 ' 0 regressed' check short.yaml --baseline loose.txt --store short.db -q

# A baseline as it is in a revision, whatever stands in the folder now.
if command -v git >/dev/null; then
  mkdir 'of git'
  git -C 'of git' -c init.defaultBranch=main init >git.out 2>&1
  cp short.txt 'of git/short.txt'
  git -C 'of git' add short.txt
  git -C 'of git' -c user.name=x -c user.email=x@example.org commit -m 1 >git.out 2>&1
  cp moved.txt 'of git/short.txt'
  gives 0 ' 0 regressed' check short.yaml --baseline 'HEAD:of git/short.txt' --store short.db -q
  gives 1 ' 2 regressed' check short.yaml --baseline 'of git/short.txt' --store short.db -q
  gives 2 'git show failed' check short.yaml --baseline 'none:of git/short.txt' --store short.db -q
  gives 2 "baseline of the study 'short', but found the study 'damaged'" check damaged.yaml \
    --plugin "$SHAKEDOWN_BAD_RATTLE" --baseline 'HEAD:of git/short.txt' -q
  # Since when the value was what it is in the baseline.
  gives 1 '#   work-gradient of rattle on pendulum in double: 1 in the baseline, ' \
    check short.yaml --baseline 'of git/short.txt' --store short.db -q
  sed 's/| work-jacobian | [0-9]*/| work-jacobian | 1/' moved.txt >'of git/short.txt'
  git -C 'of git' -c user.name=x -c user.email=x@example.org commit -qam 2 >git.out 2>&1
  since=$(git -C 'of git' log -1 --abbrev=7 --format='%h of %cs')
  for baseline in 'of git/short.txt' 'HEAD:of git/short.txt'; do
    gives 1 "#   work-gradient of rattle on pendulum in double: 1 since $since, " \
      check short.yaml --baseline "$baseline" --store short.db -q
  done
else
  skip_without git "git is not installed"
fi

# ---- bad input ----
gives 2 'needs --baseline FILE' check short.yaml
gives 2 'none.txt: No such file' check short.yaml --baseline none.txt
sed 's/| 2 % |/| 2 percent |/' short.txt >bad.txt
line=$(grep -n '2 percent' bad.txt | head -n 1 | cut -d: -f1)
gives 2 "bad.txt:$line: band: found \"2 percent\", expected" check short.yaml \
  --baseline bad.txt
gives 2 "baseline of the study 'damaged', but found the study 'short'" check short.yaml \
  --baseline right.txt
gives 2 'there is no study' check shrt.yaml --baseline short.txt
gives 2 'there is no study' baseline shrt.yaml
gives 3 '/nowhere/x.txt: No such file' baseline short.yaml --store short.db -q \
  -o /nowhere/x.txt
mkdir folder
gives 3 'folder: Is a directory' baseline short.yaml --store short.db -q -o folder
is_text "$(ls -d ./*part* 2>/dev/null)" "" "what could not be written leaves nothing behind"

# ---- cells that fail ----
make_study failing 'problems: [pendulum], integrators: [hostile(rest)], steps: [0.1], until: 1,
  measures: [constraint]'
gives 0 '' baseline failing.yaml -q --plugin "$SHAKEDOWN_HOSTILE" -o fails.txt
sed 's/rest/abort/' failing.yaml >aborting.yaml
sed 's/^hostile[^|]*|/hostile(abort) |/' fails.txt >aborts.txt
gives 3 'status finished → crashed, regressed' check aborting.yaml -q \
  --plugin "$SHAKEDOWN_HOSTILE" --baseline aborts.txt
has '# cells of hostile(abort) did not finish: status finished → crashed' "cells that did not finish are a headline"
is_text "$(sed '/^not ok/,$d' out | grep -c '^#   ')" 1 "... and one line, with the values that they lack"
is_text "$(grep -c '^# hostile(abort) on ' out)" 1 "... and one of the changes"
gives 2 "there is no integrator named 'hostile'" check aborting.yaml -q --baseline aborts.txt
grep -q -e 'f a plug-in provides it, use --plugin FILE' err
ok_if $? "a plug-in that is forgotten is asked for by its option"

# ---- two stores ----
# The same method compiled twice, the second time damaged.
cp "$SHAKEDOWN_SOURCE/tests/bad/bad_rattle.c" method.c
cp "$SHAKEDOWN_SOURCE/tests/bad/faults.h" .
make_study method 'problems: [sprung-pendulum], integrators: [bad-rattle], steps: {largest: 0.05,
  halvings: 4}, until: 2, measures: [order, constraint, work]'
gives 0 bad-rattle plugin build method.c -o ./right.so
cp method.c damaged.c
sed -i 's/faults, "none"/faults, "gradient-old"/' faults.h
gives 0 bad-rattle plugin build damaged.c -o ./damaged.so
gives 0 '' run method.yaml -q --plugin ./right.so -o right.db
gives 0 'method: every value is within its band' compare right.db right.db --plugin ./right.so
has 'same program on the same machine' "a store differs from itself in nothing"
gives 0 '' baseline method.yaml -q --plugin ./right.so -o method.txt
gives 1 'order of q 2.00 → ' check method.yaml -q --plugin ./damaged.so --baseline method.txt
has ' of bad-rattle failed: order of q 2.00 → ' "... is the headline"
shakedown run method.yaml -q --plugin ./damaged.so -o damaged.db >/dev/null 2>&1
gives 1 'order of q 2.00 → ' compare right.db damaged.db --plugin ./right.so
holds "where the records come from is told" grep -q '^plugins  .*right\.so.*damaged\.so' out
has ' of bad-rattle failed: order of q 2.00 → ' "... is the headline"
# A baseline is held as its store is.
gives 0 'every value is within its band' compare method.txt right.db --plugin ./right.so
gives 1 ' of bad-rattle failed: order of q 2.00 → ' compare method.txt damaged.db --plugin ./right.so
gives 0 'every value is within its band' compare method.txt method.txt
gives 2 'README.md' compare right.db "$SHAKEDOWN_SOURCE/README.md" --plugin ./right.so
gives 1 'regressed' compare right.db damaged.db method --plugin ./right.so --format csv
is_text "$(head -n 1 out)" 'study,problem,integrator,precision,quantity,a,b,band,change' "as CSV"
gives 2 'no study in common' compare right.db short.db --plugin ./right.so
gives 2 'none.db' compare right.db none.db --plugin ./right.so

# ---- the recipes, in a repository of their own ----
cp -R "$SHAKEDOWN_SOURCE/examples/regression" repository
cd repository || exit 1
for file in .github/workflows/shakedown.yml .gitlab-ci.yml; do
  is_text "$(sed -n 's/.*\(RELEASE\|release\): \[\(.*\)\]/\2/p' "$file")" "bookworm, trixie, testing" \
    "$file: on every release where Shakedown is tried"
done
# The shell commands of GitLab's file, in order; those of GitHub's action are run by processes/acceptance.sh.
cat >../steps.py <<'P'
import sys, yaml
with open(sys.argv[1]) as file:
    job = yaml.safe_load(file)['regression']
print('\n'.join(job['before_script'] + job['script'] + ['status=$?'] + job['after_script'] + ['exit $status']))
P
python3 ../steps.py .gitlab-ci.yml >../steps.sh
ok_if $? ".gitlab-ci.yml is YAML"
# Getting shakedown itself needs the world outside.
sed '/apt-get/d; / git clone /d; /^git clone/d; /bootstrap\.sh build/d; /^export PATH=/d; /shakedown.build/d; /^commit=/d' \
  ../steps.sh >../here.sh
holds "... and runs a check" grep -q 'shakedown check' ../here.sh
sh ../here.sh >../out 2>&1
ok_if $? "the commands of .gitlab-ci.yml" || diag "$(tail -n 10 ../out)"
holds "... leave a JUnit file, and figures" [ -s results/junit.xml -a -s results/page/index.html ]
prove ./check.sh >../out 2>&1
ok_if $? "prove"
holds "... reads the points" grep -q 'Result: PASS' ../out
meson setup build >../out 2>&1 && meson test -C build >>../out 2>&1
ok_if $? "Meson"
holds "... reads the points" grep -qE '^Ok: +1' ../out
# Each patch of the folder sabotage makes the check fail as it says.
cp my_method.c ../whole.c
for patch in sabotage/*.patch; do
  git apply "$patch" && "$SHAKEDOWN" plugin build my_method.c -o ../sabotaged.so >../out 2>&1
  ok_if $? "$patch is applied, and built" || diag "$(cat ../out)"
  expected=$(sed -n 's/^Expect: //p' "$patch")
  gives "${expected%%,*}" "# ${expected#*, }" check study.yaml --baseline baseline.txt --plugin ../sabotaged.so -q
  cp ../whole.c my_method.c
done
# The damage is seen by each of them.
sed 's|h / 2 \* (self->dp|h * (self->dp|' my_method.c >damaged.c
cmp -s damaged.c my_method.c
is_text $? 1 "one coefficient is damaged"
mv damaged.c my_method.c
sh ../here.sh >../out 2>&1
is_text $? 1 "a damaged method fails the CI"
prove ./check.sh >../out 2>&1
[ $? -ne 0 ] && grep -q 'Result: FAIL' ../out
ok_if $? "... and prove"
meson test -C build >../out 2>&1
[ $? -ne 0 ] && grep -qE '^Fail: +1' ../out
ok_if $? "... and Meson"
holds "... whose log has the sentence" grep -q 'order of q [0-9.]* → .*, regressed' build/meson-logs/testlog.txt
cd ..

# ---- shakedown's own ----
own=$SHAKEDOWN_SOURCE/results/baselines
for name in geometric guard; do
  study=$own/$name.yaml
  [ -e "$study" ] || study=$name
  gives 0 ' 0 missing' check "$study" -q --baseline "$own/$name.txt"
done
tap_done
