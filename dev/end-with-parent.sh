#!/bin/sh
# Runs $CADENZA_PROGRAM under this process id, and kills it when process $CADENZA_PARENT is its parent no longer: whatever that died of.
parent_of() {
  if [ -d /proc/self ]; then
    read -r _ _ _ parent _ <"/proc/$1/stat" && echo "$parent"
  else
    ps -o ppid= -p "$1" | tr -d ' '
  fi
}
{
  while parent=$(parent_of $$) && [ "$parent" = "$CADENZA_PARENT" ]; do sleep 1; done
  [ -z "$parent" ] || kill -9 $$
} </dev/null >/dev/null 2>&1 3>&- &
exec "$CADENZA_PROGRAM" "$@"
