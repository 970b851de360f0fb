# Finds a Python with packages: they are installed for the system's Python, which may not be the first
# in PATH. Source it after tap.sh.
# shellcheck shell=sh

# python_with PACKAGE...: sets `python`; ends the test as skipped if there is none
python_with() {
  for python in python3 /usr/bin/python3; do
    "$python" -c "import $(echo "$*" | tr ' ' ',')" 2>/dev/null && return
  done
  skip "no Python with $*"
  tap_done
}
