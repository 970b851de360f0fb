# The fenced blocks of a Markdown file.
#
#   awk -v folder=DIR -f docs_commands.awk FILE.md
#
# A block is ```sh (commands), ```c, ```python or ```yaml (a file if its first line is a comment that begins
# with a file name and ends with ": …" or the name alone) or ```text (output, sketches). Named files
# are written into the folder. Prints one line for each command:
#
#   LINE <tab> EXIT <tab> COMMAND
#
# EXIT is 0 unless the line ends in "# exit N". A backslash at the end continues a line. A command that
# the test could not check is printed as LINE <tab> bad <tab> WHY.

function bad(why) { print FNR "\tbad\t" why }

/^```/ {
  if (inside == "") {
    inside = substr($0, 4)
    opened = FNR
    first = 1
    file = ""
    if (inside !~ /^(sh|c|python|r|octave|julia|yaml|text)$/)
      bad("a block must be ```sh, ```c, ```python, ```r, ```octave, ```julia, ```yaml or ```text, not ```" inside)
  } else {
    if ($0 != "```")
      bad("a block begins inside the one of line " opened)
    if (inside == "sh" && !commands_here)
      bad("a ```sh block without a command")
    if (file != "")
      close(file)
    inside = ""
  }
  commands_here = 0
  next
}

inside == "sh" {
  line = continued $0
  continued = ""
  if (line ~ /\\$/) {
    continued = substr(line, 1, length(line) - 1)
    next
  }
  if (line ~ /^[ \t]*(#|$)/)
    next
  status = 0
  if (match(line, /# exit [0-9]+$/))
    status = substr(line, RSTART + 7)
  sub(/[ \t]+# .*$/, "", line)
  commands_here++
  print FNR "\t" status "\t" line
  next
}

inside ~ /^(c|python|r|octave|julia|yaml)$/ {
  if (first && match($0, /^(\/\*|#) [a-z][a-z0-9_-]*\.(c|py|yaml|yml)/)) {
    name = substr($0, RSTART, RLENGTH)
    sub(/^[^ ]+ /, "", name)
    file = folder "/" name
    printf "" >file
  }
  first = 0
  if (file != "")
    print >file
}

END {
  if (inside != "")
    bad("the block of line " opened " is not closed")
}
