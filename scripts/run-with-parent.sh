#!/bin/sh
# Runs a program that ends when its parent does, also when the parent is killed with SIGKILL:
#   run-with-parent.sh program [argument...]
if command -v setpriv >/dev/null 2>&1; then
  exec setpriv --pdeathsig KILL -- "$@"
fi
# Not on Linux: a watcher compares the program's parent every second.
parent=$PPID
(
  while [ "$(ps -o ppid= -p $$ | tr -d ' ')" = "$parent" ]; do sleep 1; done
  kill -9 $$
) <&- >/dev/null 2>&1 3>&- &
exec "$@"
