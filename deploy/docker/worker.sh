#!/bin/sh
# The worker in a container, whose games are in the same one and end with it. Told to end, it has their worlds saved; one
# that dies is started again beside its games, as on a plain machine.
set -u
told=
child=
trap 'told=1; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null' TERM INT

run() {
  node --disable-warning=ExperimentalWarning "/app/apps/server/src/$1.ts" &
  child=$!
  # A signal ends `wait`, not the program.
  while wait "$child"; status=$?; kill -0 "$child" 2>/dev/null; do :; done
  child=
}

run worker
while [ -z "$told" ] && [ "$status" -ne 2 ]; do # 2: with these settings, or this database, it never will
  echo "the worker ended ($status), starting it again" >&2
  sleep 1
  run worker
done
ended=$status
echo 'stopping games, saving worlds' >&2
trap '' TERM INT
run drain
[ -n "$told" ] && exit 0
exit "$ended"
