#!/bin/sh
# `submit` with a real Slurm: munged, slurmctld and slurmd are started here, on loopback, as the
# user of the test, with all their files in a scratch folder. A study is cut into 8 parts, one task
# is killed and requeued, and the merged store has the records of a run of the whole, bit for bit.
#
# Skipped where Slurm is not installed, or where its daemons do not come up: the reason is the first
# error in their logs.
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
top=$(mktemp -d) || exit 1
chmod 711 "$top" # munged asks for it
daemons=
# shellcheck disable=SC2317 # the trap calls it
finish() {
  [ -z "$daemons" ] || scancel --quiet --full --state=RUNNING 2>/dev/null
  # shellcheck disable=SC2086 # numbers of processes
  [ -z "$daemons" ] || kill $daemons 2>/dev/null
  wait
  rm -rf "$top"
}
trap finish EXIT
PATH=$PATH:/usr/sbin
export PATH NO_COLOR=1

for program in munged slurmctld slurmd sbatch squeue scontrol sinfo; do
  if ! command -v $program >/dev/null; then
    skip "there is no $program: install munge, slurmctld, slurmd and slurm-client"
    tap_done
  fi
done

# ---- a cluster of one node ----
node=$(hostname -s)
user=$(id -un)
port=$((20000 + $$ % 20000))
mkdir "$top/munge" "$top/spool" "$top/state" "$top/work"
head -c 128 /dev/urandom >"$top/munge/key"
chmod 600 "$top/munge/key"
chmod 711 "$top/munge"
# A requeued task waits until its old credential has expired: 120 s unless cred_expire says less.
cat >"$top/slurm.conf" <<EOF
ClusterName=trial
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthInfo=socket=$top/munge/socket,cred_expire=5
SlurmUser=$user
SlurmdUser=$user
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=1
SlurmctldPidFile=$top/slurmctld.pid
SlurmdPidFile=$top/slurmd.pid
SlurmdSpoolDir=$top/spool
StateSaveLocation=$top/state
SlurmctldLogFile=$top/slurmctld.log
SlurmdLogFile=$top/slurmd.log
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=trial Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOF
echo CgroupPlugin=cgroup/v1 >"$top/cgroup.conf"
SLURM_CONF=$top/slurm.conf
export SLURM_CONF

# The node may have fewer processors than the configuration says.
start() {
  "$@" >>"$top/$1.out" 2>&1 </dev/null &
  daemons="$daemons $!"
}
sed -i "s/CPUs=2/CPUs=$(nproc)/" "$top/slurm.conf"
start munged -F --key-file="$top/munge/key" --socket="$top/munge/socket" \
  --pid-file="$top/munge/pid" --log-file="$top/munge/log" --seed-file="$top/munge/seed"
tries=0
until [ -S "$top/munge/socket" ] || [ $tries -ge 50 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
start slurmctld -D -i
start slurmd -D
tries=0
until sinfo --noheader --format=%T 2>/dev/null | grep -q '^idle$' || [ $tries -ge 150 ]; do
  sleep 0.2
  tries=$((tries + 1))
done
if [ $tries -ge 150 ]; then
  skip "Slurm does not come up: $(cat "$top"/*.out "$top"/*.log | grep -m 1 -i -e error -e fatal)"
  tap_done
fi

# ---- the study, whole and in parts ----
cd "$top/work" || exit 1
cat >mine.yaml <<'EOF'
study: mine
runs:
  - problems: [sprung-pendulum, pendulum, double-pendulum, spherical-pendulum]
    integrators: [rattle, shake]
    steps: {largest: 0.0001, halvings: 4}
    until: 10
    measures: [energy, constraint]
EOF
"$SHAKEDOWN" run mine.yaml -o whole.db --quiet >out 2>err </dev/null
is_text $? 0 "the whole study, without Slurm"

"$SHAKEDOWN" submit mine.yaml --shards 8 >out 2>err </dev/null
is_text $? 0 "submit"
array=$(sed -n 's/^job \([0-9]*\) runs 40 cells in 8 parts.*/\1/p' out)
holds "it tells the job: $(cat out err)" [ -n "$array" ]

# The first task is killed while it runs, by Slurm, and runs anew.
tries=0
until [ -s mine.slurm/part-1.db ] || [ $tries -ge 300 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
scontrol requeue "${array}_1" 2>err
is_text $? 0 "a running task is requeued $(cat err)"
restarts=
tries=0
while [ -n "$(squeue --noheader)" ] && [ $tries -lt 400 ]; do
  shown=$(scontrol show job "${array}_1" 2>/dev/null | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p')
  restarts=${shown:-$restarts}
  sleep 0.2
  tries=$((tries + 1))
done
is_text "$(squeue)" "$(squeue | head -n 1)" "all jobs have ended"
is_text "$restarts" 1 "the task was started again"
holds "and had been running" grep -q 'DUE TO JOB REQUEUE' mine.slurm/part-1.log

# ---- the same records ----
grep -q '^8 stores: 40 records added, 0 already present, .* 0 conflicts; 40 in all$' \
  mine.slurm/merge.log
ok_if $? "the merging job joined all: $(cat mine.slurm/merge.log)"
"$SHAKEDOWN" merge whole.db -o mine.db >out 2>err </dev/null
is_text $? 0 "held against the whole study there is no conflict"
grep -q '^1 store: 0 records added, 40 already present, 0 replaced .* 0 from other .* 0 conflicts' out
ok_if $? "and every record is the same: $(cat out err)"
tap_done
