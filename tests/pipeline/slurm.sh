#!/usr/bin/env bash
# SLURM on this machine alone: its three daemons, with all their files in a folder, then a command.
# Root only, in namespaces of its own, with which all of it ends:
#   unshare --mount --pid --fork --mount-proc --kill-child slurm.sh FOLDER COMMAND...
set -euo pipefail
folder=$1
shift
host=$(hostname -s)
mkdir -p "$folder"/{etc,state,spool,munge}

cat >"$folder/etc/slurm.conf" <<CONFIGURATION
ClusterName=atlas
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=16817
SlurmdPort=16818
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=16000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE
CONFIGURATION
# Jobs do not inherit SLURM_CONF: the file must be where SLURM looks by default.
mount --bind "$folder/etc" /etc/slurm

chmod 700 "$folder/munge"
(umask 377 && head --bytes 1024 /dev/urandom >"$folder/munge/key")
munged --force --num-threads 1 --socket "$folder/munge/socket" --key-file "$folder/munge/key" \
  --pid-file "$folder/munge/pid" --log-file "$folder/munge/log" --seed-file "$folder/munge/seed"
slurmctld -c
slurmd
until sinfo --noheader --format %t | grep --quiet idle; do sleep 0.1; done
touch "$folder/ready"
exec "$@"
