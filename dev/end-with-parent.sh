#!/bin/sh
# Runs $CADENZA_PROGRAM under this process id, and kills it when process $CADENZA_PARENT is its parent no longer: whatever that died of.
find_parent() {
  parent=
  if [ -d /proc/self ]; then
    # Not by `$()`, which forks, each second, for each server of a test.
    read -r _ _ _ parent _ <"/proc/$1/stat"
  else
    parent=$(ps -o ppid= -p "$1" | tr -d ' ')
  fi
}
{
  while find_parent $$ && [ "$parent" = "$CADENZA_PARENT" ]; do sleep 1; done
  [ -z "$parent" ] || kill -9 $$
} </dev/null >/dev/null 2>&1 3>&- &
exec "$CADENZA_PROGRAM" "$@"
