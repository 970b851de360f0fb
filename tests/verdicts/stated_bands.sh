#!/bin/sh
# The bands of a baseline: those that a study states, those that were made by hand and outlive an
# update, and the changes that they let pass.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

run='problems: [pendulum], integrators: [rattle], steps: {largest: 0.1, halvings: 4}, until: 1.2,
  measures: [order, energy, work]'
make_study short "$run"
check_short() {
  check=$1
  shift
  "$SHAKEDOWN" check "$check" -q --store short.db "$@"
}
gives 0 '' baseline short.yaml -q --store short.db -o first.txt
value() {
  sed -n "s/^rattle | pendulum | double | $1 | \([^ ]*\) .*/\1/p" first.txt
}

# ---- an update ----
# Four values are others than before. One is within its band, a band was widened, and a line has a comment.
gradient=$(value work-gradient)
sed "s/^study /# read by a person\n&/
  /| work-constraint |/s/| 2 % |/| 7 % + half-widths |/
  s/| work-iterations | [0-9]*/| work-iterations | $(($(value work-iterations) * 101 / 100))/
  s/| work-gradient | [0-9]*/| work-gradient | $((2 * gradient))/
  s/| work-jacobian | [0-9]* | - | 2 %/| work-jacobian | 7 | - | 3 %/
  s/| order of \([qp]\) | [0-9.]*/| order of \1 | 3/" first.txt >old.txt
cp old.txt base.txt
gives 1 'work-jacobian 7 → ' check short.yaml -q --store short.db --baseline base.txt
gives 0 'base.txt: 4 rewritten, 0 with a new band, 0 added, 0 removed' \
  baseline short.yaml -q --store short.db -o base.txt --update
diff old.txt base.txt >changes
is_text "$(grep -c '^<' changes) $(grep -c '^>' changes)" "4 4" "a change of four values is a diff of four lines"
is_text "$(grep -c '^base.txt:[0-9]*: ' out)" 4 "... and each is told"
line=$(grep -n '| work-gradient |' base.txt | cut -d: -f1)
has "base.txt:$line: work-gradient of rattle on pendulum in double $((2 * gradient)) → $gradient: the band was" \
  "... with its line, its values and its band"
holds "a comment and a band that were made by hand stay" \
  [ "$(grep -c -e '^# read by a person' -e '| 7 % + half-widths |' base.txt)" -eq 2 ]
is_text "$(sed -n 's/^.*| work-jacobian | //p' base.txt)" "$(value work-jacobian) | - | 3 % | counted | none" \
  "... and that of a value that is rewritten"
gives 0 ' 0 regressed' check short.yaml -q --store short.db --baseline base.txt
cp base.txt same.txt
gives 0 'base.txt: 0 rewritten' baseline short.yaml -q --store short.db -o base.txt --update
cmp base.txt same.txt >&2
ok_if $? "an update of what is within its bands changes nothing"
# A value that is gone, and one that is new; lines that end as those of another system do.
sed '/| order of p |/d; s/| work-steps |/| work-steps, mean of members |/; s/$/\r/' first.txt >base.txt
gives 0 'base.txt: 0 rewritten, 0 with a new band, 2 added, 1 removed' \
  baseline short.yaml -q --store short.db -o base.txt --update
tr -d '\r' <base.txt | cmp - first.txt >&2
ok_if $? "values are added in order, and those that the study does not have are removed"
is_text "$(grep -vc "$(printf '\r')" base.txt)" 0 "... with the ends of lines that the file has"
gives 2 'needs the name of the file to update' baseline short.yaml -q --update
gives 2 'none.txt: there is no baseline to update' baseline short.yaml -q --update -o none.txt
gives 0 'was rewritten without' baseline short.yaml -q --store short.db -o base.txt

# Values of cells that fail are no intended change.
make_study failing 'problems: [pendulum], integrators: [hostile(abort)], steps: [0.1], until: 1,
  measures: [constraint]'
sed 's/abort/rest/' failing.yaml >resting.yaml
gives 0 '' baseline resting.yaml -q --plugin "$SHAKEDOWN_HOSTILE" -o rests.txt
sed 's/^hostile[^|]*|/hostile(abort) |/' rests.txt >aborts.txt
cp aborts.txt kept.txt
gives 3 'were left unchanged because cells failed' baseline failing.yaml -q --plugin "$SHAKEDOWN_HOSTILE" \
  -o aborts.txt --update
cmp kept.txt aborts.txt >&2
ok_if $? "... and stay in the file"

# ---- bands that the study states ----
# stated NAME BAND [MORE]: the study with a band
stated() {
  make_study short "$run"
  printf 'bands:\n  %s: {within: %s%s}\n' "$1" "$2" "${3-, because: a thermostat}" >>short.yaml
}
sed "s/| work-gradient | [0-9]*/| work-gradient | $((gradient * 5 / 4))/" first.txt >base.txt
gives 1 'work-gradient' check short.yaml -q --store short.db --baseline base.txt
for name in work-gradient 'work-gradient of rattle' 'work-gradient in double' 'work-gradient of rattle on pendulum in double'; do
  stated "$name" '30 %'
  gives 0 ' 0 regressed' check short.yaml -q --store short.db --baseline base.txt
done
sed "s/| work-gradient | [0-9]*/| work-gradient | $((gradient * 2))/" first.txt >far.txt
gives 1 'why: "a thermostat"' check short.yaml -q --store short.db --baseline far.txt
gives 0 '1 with a new band' baseline short.yaml -q --store short.db -o base.txt --update
has 'work-gradient of rattle on pendulum in double has the band 30 %: a thermostat' "an update writes the band"
is_text "$(diff first.txt base.txt | grep -c '^>.*| 30 % | study |')" 1 "... into its line"
make_study short "$run"
gives 1 'work-gradient' check short.yaml -q --store short.db --baseline base.txt
gives 0 '1 rewritten' baseline short.yaml -q --store short.db -o base.txt --update
cmp first.txt base.txt >&2
ok_if $? "a band that the study no longer states gives way to the one from theory"

# refuses NAME BAND FRAGMENT [MORE]: the study is an error with file, line, found and expected
refuses() {
  stated "$1" "$2" "${4-, because: x}"
  gives 2 "short.yaml:$(grep -n within short.yaml | cut -d: -f1): $3" check short.yaml -q --baseline first.txt
}
refuses 'work-gradients of rattle' '30 %' 'bands: found "work-gradients of rattle", expected a quantity'
has_hint() { grep -qF -e "did you mean work-gradient of rattle" both; }
holds "... with the nearest names" has_hint
refuses 'work-gradient of ratle' '30 %' 'bands: found "work-gradient of ratle", expected'
refuses 'work-gradient on chain' '30 %' 'bands: found "work-gradient on chain", expected'
refuses 'momentum max of rattle' '30 %' 'bands: found'
refuses 'order of q' '30 percent' 'within: found "30 percent", expected "not gated", "equal"'
stated 'order of q' '30 %' ''
gives 2 'the key "because" is missing' check short.yaml -q --baseline first.txt
stated 'order of q' '30 %' ', because: '
gives 2 'expected the reason for the band' check short.yaml -q --baseline first.txt
stated 'invariant none max' '30 %'
gives 2 'no run of it has the measure "momentum"' check short.yaml -q --baseline first.txt
stated 'order of wrench' '30 %'
gives 0 'bands: no value of this study is called "order of wrench"' check short.yaml -q --store short.db \
  --baseline first.txt

# ---- what a check cannot see ----
make_study short "$run"
notices=$(sed -n 's/^.*| energy slope |.*| notices //p' first.txt)
slope=$(value 'energy slope')
python3 - "$(grep '| energy slope |' first.txt)" <<'P'
import sys
fields = sys.argv[1].split(' | ')
value, half_width = abs(float(fields[4])), float(fields[5])
expected = 0.05 * value + 2 * (half_width + half_width)
assert abs(float(fields[9].split()[1]) / expected - 1) < 0.06, (fields[9], expected)
P
ok_if $? "a slope says the smallest drift that is noticed: five percent and two half-widths of each value"
lacks() {
  ! grep -qF -e "$1" out
  ok_if $? "$2"
}
# shifted FACTOR: the baseline with a slope that lies so many of these drifts off
shifted() {
  sed "s/| energy slope | [^ ]* /| energy slope | $(python3 -c "print($slope + $1 * $notices)") /" first.txt >base.txt
}
shifted 1.2
gives 1 'energy slope' check short.yaml -q --store short.db --baseline base.txt
shifted 0.8
gives 0 ' 0 regressed' check short.yaml -q --store short.db --baseline base.txt
sed 's/| notices .*/| notices much/' first.txt >base.txt
gives 2 'found "notices much", expected "notices N"' check short.yaml -q --baseline base.txt
sed 's/ | notices .*//' first.txt >base.txt
gives 0 ' 0 regressed' check short.yaml -q --store short.db --baseline base.txt

gives 0 'A check of the study short cannot detect:' check short.yaml --baseline first.txt --power
has "- drifts below $notices: energy slope of rattle on pendulum in double" "--power lists the slopes"
has '- changes of up to 2 %: ' "... the bands of work"
grep -q '^- claims made by rattle that no run measures: .*(measure symplecticity)' out
ok_if $? "... claims that no run measures"
has "- kinds of systems that rattle supports but that are not among the study's problems: general-hamiltonian" "... kinds of systems"
has 'systems with two constraints or more, such as two molecules' "... systems that no problem is"
has '- anything after t = 1.2, ' "... and times that no run reaches"
lacks 'in its own code' "the work of a method that comes with Shakedown is all counted"
sed 's/rattle/bad-rattle/' short.yaml >own.yaml
sed 's/^rattle |/bad-rattle |/' first.txt >own.txt
gives 0 'work that bad-rattle does in its own code' check own.yaml --baseline own.txt --power \
  --plugin "$SHAKEDOWN_BAD_RATTLE"
sed "s/pendulum/'chain(links=2)'/; s/, work//; s/1.2/3/" short.yaml >more.yaml
gives 0 'any work of rattle: no run has the measure work' check more.yaml --baseline first.txt --power
has '- systems with more than 2 constraints' "what is listed follows from the study"
tap_done
