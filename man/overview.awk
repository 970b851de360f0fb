# The manual page of the program: a template whose lines @SYNOPSIS@ and @COMMANDS@ stand for what
# the --help of all commands, one after the other, says of them.
#
#   … | awk -f overview.awk shakedown.1.in -

function escaped(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  return text
}

NR == FNR { template[++lines] = $0; next }

/^(usage:|      ) shakedown / {
  if ($1 == "usage:")
    name[++commands] = $3
  sub(/^(usage:|      ) shakedown [a-z]+ */, "")
  synopsis = synopsis ".Nm\n.Cm " name[commands] "\n" ($0 != "" ? escaped($0) "\n" : "")
  waiting = 1
  next
}
waiting && NF { summary[commands] = $0; waiting = 0 }

END {
  for (i = 1; i <= lines; i++)
    if (template[i] == "@SYNOPSIS@")
      printf "%s", synopsis
    else if (template[i] == "@COMMANDS@")
      for (k = 1; k <= commands; k++)
        print ".It Cm " name[k] "\n" escaped(summary[k])
    else
      print template[i]
}
