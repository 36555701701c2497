#!/bin/sh
# Runs a program that ends when its parent process ends, even if the parent is killed with SIGKILL:
#   run-with-parent.sh program [argument...]
if command -v setpriv >/dev/null 2>&1; then
  exec setpriv --pdeathsig KILL -- "$@"
fi
# Without setpriv (on systems other than Linux), a background process checks every second that the parent of
# the program still runs.
parent=$PPID
(
  while [ "$(ps -o ppid= -p $$ | tr -d ' ')" = "$parent" ]; do sleep 1; done
  kill -9 $$
) <&- >/dev/null 2>&1 3>&- &
exec "$@"
