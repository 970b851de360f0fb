# The manual page of one command, from what its --help prints.
#
#   shakedown COMMAND --help | awk -v command=COMMAND -v version=VERSION -v date=DATE -f page.awk

function escaped(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  if (text ~ /^[.']/)
    text = "\\&" text
  return text
}

BEGIN { part = "usage" }

part == "usage" && /^(usage:|      ) shakedown / {
  sub(/^(usage:|      ) /, "")
  usage[++forms] = $0
  next
}
part == "usage" && NF { summary = $0; sub(/\.$/, "", summary); part = "text"; next }
part == "text" && /^options:$/ { part = "options"; next }
part == "text" { text[++lines] = $0; next }
part == "options" && /^  -/ {
  line = substr($0, 3)
  at = match(line, /  +/)
  names[++count] = at ? substr(line, 1, at - 1) : line
  meaning[count] = at ? substr(line, at + RLENGTH) : ""
  next
}
part == "options" && NF { sub(/^ +/, ""); meaning[count] = $0 }

END {
  title = toupper("shakedown-" command)
  print ".\\\" Made from `shakedown " command " --help`."
  print ".TH " title " 1 \"" date "\" \"Shakedown " version "\" \"Shakedown\""
  print ".SH NAME"
  print "shakedown\\-" command " \\- " escaped(summary)
  print ".SH SYNOPSIS"
  print ".nf"
  for (i = 1; i <= forms; i++)
    print escaped(usage[i])
  print ".fi"
  print ".SH DESCRIPTION"
  print escaped(summary) "."
  literal = 0
  for (i = 1; i <= lines; i++) {
    if (text[i] ~ /^ / && !literal) { print ".PP"; print ".nf"; literal = 1 }
    if (text[i] !~ /^ / && text[i] != "" && literal) { print ".fi"; literal = 0 }
    if (text[i] == "" && !literal) { if (i > 1 && i < lines && text[i + 1] !~ /^ /) print ".PP" }
    else if (text[i] != "") print escaped(text[i])
  }
  if (literal)
    print ".fi"
  print ".SH OPTIONS"
  for (i = 1; i <= count; i++) {
    print ".TP"
    print ".B \"" escaped(names[i]) "\""
    print escaped(meaning[i])
  }
  print ".SH SEE ALSO"
  print ".BR shakedown (1)"
}
