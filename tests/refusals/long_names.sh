#!/bin/sh
# Messages keep their end, where the remedy is, whatever the length of the names in them: of files,
# problems, methods, bodies, joints and particles. Terminals get them wrapped, and nothing is cut.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

long=$(printf 'name-%0295d' 7)
folder=$(printf 'folder-%0193d' 7)/$(printf 'folder-%0193d' 7)
mkdir -p "$folder"

# keeps END ARGUMENT...: refused, with this end, which is that of the message, of one line
keeps() {
  want=$1
  shift
  shakedown "$@" >out 2>err </dev/null
  got=$?
  [ "$got" -ne 0 ] && tail -n 1 err | grep -qE -e "$want"'$'
  ok_if $? "… $want" || diag "exit status $got
$(tail -n 3 err)"
}

keeps '`shakedown list problems` (shows|lists) all|did you mean .*\?' simulate "$long" rattle --step 0.1 --until 1
keeps '`shakedown list integrators` (shows|lists) all|did you mean .*\?' simulate pendulum "$long" --step 0.1 --until 1
keeps '\(`shakedown list studies`\)' run "$long"
keeps '(No such file or directory|File name too long)' simulate "particles(file=\"$folder/$long.yaml\")" rattle --step 0.1 --until 1
keeps 'known are length, mass, gravity, angle or rate' simulate "pendulum($long=1)" rattle --step 0.1 --until 1

# ---- names in files ----

cat >joints.yaml <<END
bodies: [{name: $long, mass: 1, shape: {box: [0.1, 0.1, 0.1]}, position: [0, 0, 0]}]
joints: [{name: $long, type: revolute, between: [ground, other$long], at: [0, 0, 0], axis: [0, 1, 0]}]
END
keeps 'known are ground or name-0*7' simulate 'mechanism(file="joints.yaml")' rattle --step 0.1 --until 1
cat >rods.yaml <<END
particles: [{name: $long, mass: 1, position: [0, 0]}]
rods: [[$long, other$long]]
END
keeps 'expected .*' simulate 'particles(file="rods.yaml")' rattle --step 0.1 --until 1
cp rods.yaml "$folder/$long.yaml" 2>/dev/null || cp rods.yaml "$folder/rods.yaml"
keeps 'expected .*' simulate "particles(file=\"$(ls "$folder"/*.yaml)\")" rattle --step 0.1 --until 1

# Paths that are longer than a message: they are shortened, and what was found, what was expected and the remedy are not.
deep=$folder/$(printf 'deeper-%0200d' 7)/$(printf 'deepest-%0200d' 7)
mkdir -p "$deep"
cp joints.yaml rods.yaml "$deep"
keeps '^shakedown: folder-[0…]*7/joints.yaml:2:[0-9]*: unknown body "othername-[0…]*7": known are ground or name-[0…]*7' \
  simulate "mechanism(file=\"$deep/joints.yaml\")" rattle --step 0.1 --until 1
sed "s/type: revolute/type: hinge$long$long$long/" joints.yaml >"$deep/hinge.yaml"
keeps '^shakedown: folder-[^ ]*7/hinge.yaml:2:[0-9]*: unknown joint "hingename-[^ ]*…[^ ]*7": did you mean .*\?' \
  simulate "mechanism(file=\"$deep/hinge.yaml\")" rattle --step 0.1 --until 1

# Redundant constraints: the remedy is the linear algebra that solves them.
{
  printf 'gravity: [0, 0, -9.81]\nbodies:\n'
  for k in 0 1; do
    echo "  - {name: left$k$long, mass: 1, shape: {box: [0.1, 0.1, 1]}, position: [$((3 * k)), 0, 0.5]}"
    echo "  - {name: right$k$long, mass: 1, shape: {box: [0.1, 0.1, 1]}, position: [$((3 * k + 1)), 0, 0.5]}"
    echo "  - {name: top$k$long, mass: 1, shape: {box: [1, 0.1, 0.1]}, position: [$((3 * k)).5, 0, 1]}"
  done
  echo 'joints:'
  for k in 0 1; do
    hinge="type: revolute, axis: [0, 1, 0]"
    echo "  - {name: A$k$long, $hinge, between: [ground, left$k$long], at: [$((3 * k)), 0, 0]}"
    echo "  - {name: B$k$long, $hinge, between: [left$k$long, top$k$long], at: [$((3 * k)), 0, 1]}"
    echo "  - {name: C$k$long, $hinge, between: [top$k$long, right$k$long], at: [$((3 * k + 1)), 0, 1]}"
    echo "  - {name: D$k$long, $hinge, between: [ground, right$k$long], at: [$((3 * k + 1)), 0, 0]}"
  done
} >"$folder/bench.yaml"
shakedown simulate "mechanism(file=\"$folder/bench.yaml\")" rattle --step 0.001 --until 0.002 >out 2>err
says 'linear=\(qr\|svd\)' "a refusal of redundant constraints names the remedy"
shakedown diagnose "mechanism(file=\"$folder/bench.yaml\")" --precision double --trial-seconds 1 --format csv >out 2>err
is_text "$(sed -n 's/^joints,\([ABCD][01]\)name-[0…]*7[.]angle,.*/\1/p' out | tr '\n' ' ')" "A0 B0 C0 D0 A1 B1 C1 D1 " \
  "columns of joints keep both ends of their names"
cat >bench.yaml <<END
study: bench
runs:
  - problems: ['mechanism(file="$folder/bench.yaml")']
    integrators: [rattle]
    steps: [0.001]
    until: 0.002
    measures: [constraint]
END
shakedown run bench.yaml -o bench.db -j 1 >out 2>err
says 'linear=\(qr\|svd\)' "and so does the table of a study"
shakedown show bench.db --cells --format csv >out 2>err
says 'linear=\(qr\|svd\)' "and its record"
cat >reference.yaml <<END
study: reference
runs:
  - {problems: ['mechanism(file="joints.yaml")'], integrators: [rattle]}
END
keeps 'known are ground or name-0*7' run reference.yaml -n

# ---- the width of the terminal ----

# flat FILE: its words on one line
flat() {
  tr -s ' \n' '  ' <"$1" | sed 's/ $//'
}
shakedown run nothing-of-this-name >out 2>wide
is_text "$(wc -l <wide)" 1 "a file gets it in one line"
COLUMNS=40 shakedown run nothing-of-this-name >out 2>same
is_text "$(cat same)" "$(cat wide)" "... whatever COLUMNS is, since programs read it"
python_with pty
"$python" - "$SHAKEDOWN" >terminal <<'END'
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    os.environ.pop("COLUMNS", None)
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    os.execv(sys.argv[1], ["shakedown", "run", "nothing-of-this-name"])
said = b""
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    said += part
os.waitpid(pid, 0)
sys.stdout.write(said.decode().replace("\r", ""))
END
sed 's/\x1b\[[0-9]*m//g' terminal >narrow
is_text "$(flat narrow)" "$(flat wide)" "a terminal gets the same words"
holds "... wrapped at its width" awk 'length($0) > 40 { bad = 1 } END { exit bad || NR < 3 }' narrow
tap_done
