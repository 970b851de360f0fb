#!/bin/sh
# shakedown reference: references that come with the program are printed at once, others are
# reported as missing, and recomputed ones agree with those that come with it. The study `matrix`
# covers every problem and every integrator.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
published=$SHAKEDOWN_SOURCE/results/published

# ---- what comes with the program ----
files=0
bad=
for file in "$published"/*.yaml; do
  files=$((files + 1))
  problem=$(sed -n 's/^problem: "\(.*\)"$/\1/p' "$file" | sed 's/\\"/"/g')
  (cd "$SHAKEDOWN_SOURCE/studies" && "$SHAKEDOWN" reference "$problem" --format csv) >out 2>err </dev/null ||
    bad="$bad $file"
  [ "$(head -n 1 out)" = t,component,value,digits ] || bad="$bad $file(header)"
  [ "$(grep -c component: "$file")" -eq "$(($(wc -l <out) - 1))" ] || bad="$bad $file(rows)"
  grep -q '^  - {method: ' "$file" || bad="$bad $file(no independent formulation)"
done
is_text "$bad" "" "every file is found and printed whole, and names what it was checked against"
holds "there are $files of them" [ "$files" -ge 15 ]
# those of mechanisms are of the files that come with the program, by any path, of copies of them, and
# of no others
(cd "$SHAKEDOWN_SOURCE/studies/mechanisms" &&
  "$SHAKEDOWN" reference 'mechanism(file="pendulum.yaml")' --format csv 2>/dev/null </dev/null) |
  grep -q '^2.3,lambda11,'
ok_if $? "a mechanism that comes with the program, from another folder"
mkdir mechanisms mine
cp "$SHAKEDOWN_SOURCE/studies/mechanisms/pendulum.yaml" mine
"$SHAKEDOWN" reference 'mechanism(file="mine/pendulum.yaml")' --format csv 2>err </dev/null |
  grep -q '^2.3,lambda11,'
ok_if $? "... and of a copy of it"
sed 's/moments/centre: [0.1, 0, 0], moments/' mine/pendulum.yaml >mechanisms/pendulum.yaml
"$SHAKEDOWN" reference 'mechanism(file="mechanisms/pendulum.yaml")' >out 2>err </dev/null
is_text $? 2 "another file of the same name: none comes with the program"
"$SHAKEDOWN" reference 'mechanism(file="mechanisms/none.yaml")' >out 2>err </dev/null
is_text $? 2 "nor of a file that is nowhere"
for file in "$SHAKEDOWN_SOURCE"/studies/mechanisms/*.yaml; do
  name=${file##*/}
  grep -q '^  - {method: "ida, ' "$published/mechanism-$name" || bad="$bad $name"
done
is_text "$bad" "" "every mechanism that comes with the program has a reference, and IDA agrees"
for problem in andrews car-axis slider-crank; do
  "$SHAKEDOWN" reference "$problem" --format csv 2>err </dev/null |
    awk -F, 'NR > 1 && $2 ~ /^q/ { n++; if ($4 < 20) bad = 1 } END { exit bad || n < 3 }'
  ok_if $? "$problem: 20 digits or more of every coordinate are agreed"
done
"$SHAKEDOWN" reference pendulum >out 2>err </dev/null
ok_if $? "the table"
holds "with what independent formulations say" grep -q 'agrees to 2[0-9] digits in q' out
"$SHAKEDOWN" reference pendulum --format json 2>err </dev/null | grep -q '"component": *"lambda1"'
ok_if $? "and as JSON"
"$SHAKEDOWN" reference 'pendulum(angle=0.123)' >out 2>err </dev/null
is_text $? 2 "other parameters: exit status 2"
holds "and how to have them" grep -q -e 'use --recompute to compute one' err
mkdir -p broken/bin broken/share/shakedown/published
cp "$SHAKEDOWN" broken/bin/shakedown
sed 's/digits: [0-9]*}/digits: many}/' "$published/pendulum.yaml" \
  >broken/share/shakedown/published/pendulum.yaml
broken/bin/shakedown reference pendulum >out 2>err </dev/null
is_text $? 2 "a file that is broken: exit status 2"
holds "with its place" grep -q 'pendulum.yaml:[0-9]*:[0-9]*: found "many", expected' err

# ---- recomputed ----
# agrees PROBLEM: every component within the digits that come with the program
agrees() {
  "$SHAKEDOWN" reference "$1" --format csv >there 2>err </dev/null
  "$SHAKEDOWN" reference "$1" --recompute --quiet --write "$1.yaml" --format csv >here 2>err </dev/null
  ok_if $? "$1: recomputed"
  [ "$(wc -l <here)" -eq "$(wc -l <there)" ] && [ "$(wc -l <here)" -gt 4 ]
  ok_if $? "$1: as many components"
  # compared as text: the digits that are agreed but one are the same, or the last of them is rounded
  paste -d, here there | awk -F, '
    function digits(x) { sub(/e.*/, "", x); gsub(/[-.]/, "", x); sub(/^0*/, "", x); return x }
    NR > 1 {
      n = ($4 < $8 ? $4 : $8) - 2
      if ($2 != $6 || n < 15 || substr(digits($3), 1, n) != substr(digits($7), 1, n)) bad = 1
    }
    END { exit bad }'
  ok_if $? "$1: and the same digits"
}
agrees pendulum
agrees sprung-pendulum
"$SHAKEDOWN" reference pendulum --recompute --quiet --write broken/share/shakedown/published/pendulum.yaml \
  --format csv >here
broken/bin/shakedown reference pendulum --format csv >there 2>err
holds "--write writes a file that is read to the same: $(cat err)" cmp here there

# ---- what the matrix is written with ----
# study STEPS UNTIL: into few.yaml
study() {
  printf 'study: few\nruns:\n  - problems: [pendulum]\n    integrators: [rattle]\n' >few.yaml
  printf '    steps: %s\n    until: %s\n    measures: [energy]\n' "$1" "$2" >>few.yaml
}
study natural/16 '3 time scales'
"$SHAKEDOWN" run few.yaml --dry-run --format csv >out 2>err </dev/null
is_text "$(tail -n +2 out)" 'measured,pendulum,rattle,double,0.005859375,,3' \
  "natural/16 is one step, and time scales are multiplied out"
fault() {
  study "$1" "$2"
  "$SHAKEDOWN" run few.yaml --dry-run >out 2>err </dev/null
  is_text "$?" 2 "steps $1, until $2: exit status 2"
  holds "expected $4 in line $3" grep -q "few.yaml:$3:.*expected $4" err
}
fault natural/3 2 5 'natural/2, natural/4'
fault natural '0 time scales' 6 'a number of time scales above zero'
fault natural '-1 time scales' 6 'a number of time scales above zero'
fault natural '3 scales' 6 'natural or a number'
printf 'study: few\nruns:\n  - problems: all\n    integrators: all\n    until: 1 time scales\n' >few.yaml
printf '    steps: natural/2\n    measures: [energy]\n' >>few.yaml
"$SHAKEDOWN" run few.yaml --dry-run --format csv 2>err </dev/null |
  awk -F, '$2 == "neumann" && $3 == "hem5" { a = 1 } $2 == "dimer" && $3 == "exact" { b = 1 }
    /water-box/ { c = 1 } END { exit !(a && b) || c }'
ok_if $? "all problems but the largest, and all integrators"

# ---- the matrix ----
"$SHAKEDOWN" run matrix --dry-run --format csv >cells 2>err </dev/null
ok_if $? "studies/matrix.yaml can be run"
missing=
for name in $("$SHAKEDOWN" list problems --format csv | tail -n +2 | cut -d, -f1); do
  case $name in particles | mechanism | program) continue ;; esac # they need a file, or a program
  grep -qE "^[^,]*,\"?$name\b" cells || missing="$missing $name"
done
for name in $("$SHAKEDOWN" list integrators --format csv | tail -n +2 | cut -d, -f1); do
  case $name in external | engine) continue ;; esac # they need a program
  grep -qE ",\"?$name\b" cells || missing="$missing $name"
done
is_text "$missing" "" "it has every problem and every integrator"
tap_done
