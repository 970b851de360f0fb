# Counts the points of all TAP programs in Meson's testlog.txt and ends with "N passed, N failed".
#
#   awk -v ci=true|false -v status=N -f count.awk testlog.txt
#
# `status` is the exit status of `meson test`. Every `ok` is a point passed, every `not ok` one
# failed. A program with inconsistent output (no plan, a plan that differs from the points, killed, a
# failing exit status without a failed point, a bail-out, nothing tested) is one more failure, and so
# is a program that Meson announced and did not run. A skip is neither passed nor failed; with ci=true
# it is failed unless it is intended. Exit status 0 only if nothing failed.

function fault(why) {
  failed++
  print "FAILED  " name ": " why
}

function finish_program() {
  if (name == "")
    return
  programs++
  if (bailed)
    fault("bailed out")
  if (plan < 0)
    fault("no plan (it stopped after " points " points; " result ")")
  else if (plan != points)
    fault("the plan says " plan " points, there were " points)
  else if (points == 0)
    fault("it tested nothing")
  else if (result != "exit status 0" && !own_failures)
    fault("no point failed, but it ended with " result)
  else if (result == "exit status 0" && own_failures)
    fault("points failed, but it ended with " result)
  name = ""
  in_output = 0
}

BEGIN {
  passed = failed = skipped = by_design = programs = announced = 0
  name = ""
}

# ==================================== 3/17 ====================================
/^=+ [0-9]+\/[0-9]+ =+$/ {
  finish_program()
  split($2, place, "/")
  announced = place[2]
  name = "program " $2
  points = own_failures = bailed = in_output = 0
  plan = -1
  result = "an unknown result"
  next
}
name == "" { next }
/^=+$/ { finish_program(); next }
!in_output && /^test: / { name = $0; sub(/^test: */, "", name); next }
!in_output && /^result: / { result = $0; sub(/^result: */, "", result); next }
/^-+ (stdout|output) -+$/ { in_output = 1; next }
/^-+ stderr -+$/ { in_output = 0; next }
!in_output { next }

/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0; next }
/^Bail out!/ { bailed = 1; next }
/^ok( |$)/ {
  points++
  if (toupper($0) ~ /# *SKIP/) {
    if ($0 ~ /# SKIP by design: /)
      by_design++
    else
      skipped++
    print "skipped " name ": " $0
  } else
    passed++
  next
}
/^not ok( |$)/ {
  points++
  failed++
  own_failures++
  print "FAILED  " name ": " $0
}

END {
  finish_program()
  name = "meson test"
  if (programs == 0)
    fault("no test program ran")
  else if (programs != announced)
    fault((announced - programs) " of " announced " programs did not run")
  else if (status != 0 && failed == 0)
    fault("exit status " status)
  if (by_design > 0)
    print by_design " skipped by design"
  if (skipped > 0) {
    print skipped " skipped" (ci == "true" ? ", which counts as failed here" : "")
    if (ci == "true")
      failed += skipped
  }
  print passed " passed, " failed " failed"
  exit failed > 0
}
