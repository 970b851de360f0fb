#!/bin/sh
# `compare` over versions of a baseline, in files or in commits: values that left their bands, and
# the versions in which they did.
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
version 5.txt 2 10273 1e-6
gives 1 'improved' compare 4.txt 5.txt
grep -v '^shake |' 4.txt >6.txt
gives 1 'missing' compare 4.txt 6.txt
gives 2 'no.txt' compare 1.txt no.txt
gives 2 'B is missing' compare 1.txt
sed 's/made/other/' 1.txt >other.txt
gives 2 'no study in common' compare 1.txt other.txt

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
  ends 1 "a file's versions in a range of commits" \
    compare 'a repository/base.txt' --range HEAD --format csv
  is_text "$(sed -n 's/,regressed,/,/p' out | sed 's/\.*0\{9,\},/,/g' | cut -d, -f 5-7,9-)" \
    "$(printf '%s\n' "order of q,2,1.5,$3:a repository/base.txt" \
      "work-gradient,10000,10273,$4:a repository/base.txt")" \
    "each value is told where it left its band, one that creeps too"
  is_text "$(grep -c '^made,' out)" 12 "... and all others where they stayed"
  gives 1 "$3:a repository/base.txt: 1 value of rattle left its band: order of q 2.00 → 1.50" \
    compare 'a repository/base.txt' --range HEAD
  gives 1 '1 value of rattle left its band: order of q 2.01 → 1.51' \
    compare "$2:a repository/base.txt" 4.txt
  gives 0 'every value is within its band' compare "$3:a repository/base.txt" "$4:a repository/base.txt"
  gives 2 'git show failed' compare "nothing:a repository/base.txt" 4.txt
  gives 2 'git log failed' compare 'a repository/base.txt' --range nothing..HEAD
  gives 2 'git log failed' compare 'a repository/base.txt' --range=-x
  gives 2 "found '--output=x', expected" compare 'a repository/base.txt' --range '-2 --output=x'
  gives 2 'found 2 files, expected one baseline file with --range' compare 1.txt 2.txt --range HEAD
  # The last lines say since when.
  day=$(command git -C 'a repository' log -1 --format=%cs)
  ends 1 "the whole history" compare 'a repository/base.txt' --range HEAD
  is_text "$(tail -n 3 out)" "since $3 of $day: order of q of rattle on pendulum in double 2.00 → 1.50
since $4 of $day: work-gradient of rattle on pendulum in double 10000 → 10273
made: all other values have been the same since $1 of $day or earlier" "since when each value is what it is"
  # A range with one version compares it with the one that it replaced, which is not in the range.
  for range in "$2..$3" "-1 $3" "--skip=1 -1"; do
    gives 1 "since $3 of $day: order of q of rattle on pendulum in double 2.01 → 1.50" \
      compare 'a repository/base.txt' --range "$range"
    is_text "$(tail -n 1 out)" "made: all other values have been the same since $2 of $day or earlier" "... and $range is one version"
  done
  gives 0 "made: all other values have been the same since $1 of $day or earlier" compare 'a repository/base.txt' --range "$1"
  gives 2 'found no version of' compare 'a repository/base.txt' --range "$4..$4"
else
  skip_without git "git is not installed"
fi
tap_done
