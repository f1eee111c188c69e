/** What runs first in containers, as their user, which has no right at all, and before anything foreign. */
import { tellKills, wait } from '../docker/scripts.ts'

const passwd = `umask 022
echo "server:x:$(id -u):$(id -g)::/data:/bin/sh" > /run/wakestone/passwd || exit 1
`
/** Code of ours comes packed, so that there is room for it in a ConfigMap. */
const unpack = `mkdir -p /run/wakestone/code && for file in /opt/wakestone/given/*.gz; do
  name=\${file##*/} && gzip -dc "$file" > "/run/wakestone/code/\${name%.gz}" || exit 1
done
printf %s "$WS_CONFIG" > /run/wakestone/config.json || exit 1
`
/** Neither larger files than the plan has room, nor more processes of this user, who is no other server's. */
const limit = 'prlimit --fsize="$WS_FILE:$WS_FILE" --nproc="$WS_PROCESSES:$WS_PROCESSES" --core=0:0 --'
const unset = 'unset WS_CONFIG'

/**
 * A supervisor. Stays as the first process: it reaps orphans, and with it all ends. A kubelet starts it again, as it does
 * everything in a StatefulSet; it then only waits, as whoever has placed it decides what follows. What is in memory goes
 * with the Pod, and with the machine's power: a new one begins.
 */
export const supervisorScript = `${passwd}if [ -e /run/wakestone/begun ]; then
  trap 'exit 0' TERM INT
  sleep infinity &
  wait
  exit 0
fi
: > /run/wakestone/begun
${unpack}${unset}
cd /data || exit 1
${limit} "$@" &
child=$!
trap 'kill -TERM $child' TERM INT
${wait}exit $code`

export const filesScript = `${passwd}${unpack}${unset}
exec ${limit} "$@"`

/** Before a box: what covers the supervisor's part of the volume needs a place, and what is shown of the panel's comes in. */
export const bringScript = `[ ! -d /data ] || mkdir -p /data/.wakestone || exit 1
[ "$WS_BRINGS" = 0 ] || exec tar -x -C /bring -f -`

/**
 * A task. Its environment and as many bytes of the input as are announced come first, so that neither stands in the API. What
 * follows is the word of whoever began it: a line interrupts it, and with the end all ends. The kernel's kills for want of
 * memory are told on the last line.
 */
export const taskScript = `${passwd}umask 077
head -c "$WS_ENV" > /run/wakestone/env && head -c "$WS_INPUT" > /run/wakestone/input || exit 1
umask 022
mark=$WS_MARK
unset WS_ENV WS_INPUT WS_MARK
set -a
. /run/wakestone/env || exit 1
set +a
rm -f /run/wakestone/env
exec 3<&0
env --default-signal=INT,QUIT "$@" < /run/wakestone/input 3<&- &
child=$!
{ while read -r word <&3; do kill -INT $child; done; kill -KILL -1; } 2> /dev/null &
${wait}${tellKills}
exit $code`

/** After a task: gives what it has written, when it is asked to. */
export const takeScript = `read -r word || exit 0
exec tar -c -C /bring -f - .`

/**
 * Tells whether anything of a game lives: whatever descends from the first process, but the oldest child of that, which is
 * the supervisor. What is started from outside, as this is, descends from nobody.
 */
export const findGameScript = `for stat in /proc/[0-9]*/stat; do
  tr '\\n' ' ' < "$stat" | sed 's/^\\([0-9]*\\) .*) /\\1 /'
  echo
done 2> /dev/null | awk '
  NF > 20 && $2 !~ /[ZX]/ { parent[$1] = $3; start[$1] = $21 }
  END {
    for (pid in parent) if (parent[pid] == 1 && (first == "" || start[pid] < start[first])) first = pid
    for (pid in parent) {
      if (pid == 1 || pid == first) continue
      for (at = pid; at in parent && at != 1 && at != 0; at = parent[at]);
      if (at == 1) print pid
    }
  }'`

export const stopScript = 'kill -TERM 1'
/** All but the first process, which ends by that. */
export const killScript = 'kill -KILL -1'

/** Receives a file. */
export const receiveScript = `umask 022
head -c "$2" > "/run/downloads/$1.new" && mv "/run/downloads/$1.new" "/run/downloads/$1"`

/** A trial: whether a Pod reaches what no server may, and whether its volume is one of its own. */
export const trialScript = `timeout 5 /opt/wakestone/bin/node -e '
  const socket = require("net").connect(Number(process.env.KUBERNETES_SERVICE_PORT), process.env.KUBERNETES_SERVICE_HOST)
  socket.on("connect", () => { console.log("reached"); process.exit(0) }).on("error", () => process.exit(0))
'
echo "disk $(($(stat -f -c '%b * %S' /data)))"
echo tried`
