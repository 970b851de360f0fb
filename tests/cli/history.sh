#!/bin/sh
# Versions of a baseline: which values left their bands, and where; of files, and of commits.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

# version FILE ORDER WORK ERROR: a baseline with these
version() {
  cat >"$1" <<END
shakedown baseline 1
study | made
rattle | pendulum | double | error of q | $4 | - | 5 % | truncation | none
rattle | pendulum | double | order of q | $2 | 0.001 | 0.2 + half-widths | order | held
rattle | pendulum | double | work-gradient | $3 | - | 2 % | counted | none
shake | pendulum | double | order of q | 2 | 0.001 | 0.2 + half-widths | order | held
END
}

# The order falls in the third and stays; the work creeps by 0.9 % a version, out of the band in the
# fourth; the error moves within its band.
version 1.txt 2 10000 1e-6
version 2.txt 2.01 10090 1.01e-6
version 3.txt 1.5 10181 0.99e-6
version 4.txt 1.51 10273 1e-6
ends 0 "four versions are followed" history 1.txt 2.txt 3.txt 4.txt --format csv
is_text "$(tail -n +2 out | cut -d, -f 1-9)" \
  "$(printf '%s\n' 'rattle,pendulum,double,order of q,3.txt,2,1.5,held,regressed' \
    'rattle,pendulum,double,work-gradient,4.txt,10000,10273,none,regressed')" \
  "each value is told where it left its band, one that creeps too"
gives 0 '4 versions of 4 values, 1.txt to 4.txt: bands were left 2 times' history [1-4].txt
ends 0 "a table of them is printed" history [1-4].txt
grep -q '^rattle *3.txt *1.500 *0.990 *1.018 *1 *0 *0 *0$' out
ok_if $? "with a row for each method and version"
ends 0 "what each version says of each method" history [1-4].txt --methods --format csv
is_text "$(sed -n 's/^rattle,//p' out)" "$(printf '%s\n' '1.txt,2.000,,,1.000,1.000,1,0,0,0' \
  '2.txt,2.010,,,1.010,1.009,1,0,0,0' '3.txt,1.500,,,0.990,1.018,1,0,0,0' \
  '4.txt,1.510,,,1.000,1.027,1,0,0,0')" "is its orders, errors, work and verdicts"
gives 0 'bands were left 0 times' history 1.txt 2.txt
gives 0 'bands were left 1 times' history [1-4].txt --quantity order
version 5.txt 2 10273 1e-6
gives 0 'improved' history 4.txt 5.txt
grep -v '^shake |' 4.txt >6.txt
gives 0 'missing' history 4.txt 6.txt

gives 2 'history: found one version, expected two or more' history 1.txt
gives 2 'no.txt' history 1.txt no.txt
sed 's/made/other/' 1.txt >other.txt
gives 2 'expected one: 1.txt is of made, other.txt of other' history 1.txt other.txt

# ---- commits ----

if command -v git >/dev/null; then
  mkdir 'a repository'
  git() {
    command git -C 'a repository' -c user.name=x -c user.email=x@example.org \
      -c init.defaultBranch=main "$@" >git.out 2>&1
  }
  git init
  for i in 1 2 3 4; do
    cp "$i.txt" 'a repository/base.txt'
    git add base.txt
    git commit -m "$i"
    commits="${commits-} $(command git -C 'a repository' rev-parse --short HEAD)"
  done
  # shellcheck disable=SC2086 # words
  set -- $commits
  ends 0 "a file's versions in a range of commits" history 'a repository/base.txt' --range HEAD --format csv
  is_text "$(tail -n +2 out | cut -d, -f 4-7)" \
    "$(printf '%s\n' "order of q,$3,2,1.5" "work-gradient,$4,10000,10273")" \
    "have the commits at which bands were left"
  gives 0 "3 versions of 4 values, $2 to $4: bands were left 1 times" \
    history 'a repository/base.txt' --range "$1..HEAD"
  gives 1 '1 value of rattle left its band: order of q 2.01 → 1.51' \
    compare "$2:a repository/base.txt" 4.txt
  gives 0 'every value is within its band' compare "$3:a repository/base.txt" "$4:a repository/base.txt"
  gives 2 'git show failed' compare "nothing:a repository/base.txt" 4.txt
  gives 2 'git log failed' history 'a repository/base.txt' --range nothing..HEAD
  gives 2 "--range: found '-x', expected a range of commits" history 'a repository/base.txt' --range=-x
  gives 2 'found 2 files, expected one baseline file with --range' history 1.txt 2.txt --range HEAD
else
  skip_without git "git is not installed"
fi
tap_done
