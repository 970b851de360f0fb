# Prints the steps of a Containerfile as a shell script, which has the effect of building the container
# in a bare system; `context` is the source folder of COPY. Exit status 1, with a line on standard
# error, for an unknown instruction.

function quoted(text) {
  gsub("'", "'\\''", text)
  return "'" text "'"
}

BEGIN { print "set -eu" }
/^[ \t]*(#|$)/ { next }
{
  while (sub(/\\$/, "") && (getline line) > 0)
    $0 = $0 line
  word = $1
  rest = $0
  sub(/^[^ ]+ +/, "", rest)
}
word == "FROM" || word == "ENTRYPOINT" { next }
word == "WORKDIR" { print "mkdir -p " quoted(rest) " && cd " quoted(rest); next }
word == "COPY" && NF == 3 {
  print "mkdir -p " quoted($3) " && cp -a " quoted(context "/" $2 "/.") " " quoted($3)
  next
}
word == "RUN" { print "(" rest "\n)"; next }
{
  printf "container_steps: what is '%s'?\n", $0 >"/dev/stderr"
  unknown = 1
}
END { exit unknown }
