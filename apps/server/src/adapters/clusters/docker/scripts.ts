/**
 * What runs first in containers, as root of the container and before anything foreign. What it is told comes in its
 * environment, of which nothing is left to what it starts.
 */

/** Each server's programs have a user of their own; the image leads whoever looks for users there (`extrausers`). */
const passwd = `umask 022
echo "server:x:$WS_USER:$WS_USER::/data:/bin/sh" > /run/wakestone/passwd || exit 1
`
const unset = 'unset WS_USER WS_CONFIG WS_INPUT WS_MARK\n'
/** The game may write into the volume's folder, and take away only what is its own. Says last that it is done. */
const giveVolume = `[ "$(stat -c %u:%g /data)" = "0:$WS_USER" ] || {
  find /data -xdev -path /data/.wakestone -prune -o -exec chown -h "$WS_USER:$WS_USER" {} + &&
  chmod 1770 /data && chown "0:$WS_USER" /data || exit 1; }
`
const asGame = 'setpriv --reuid="$user" --regid="$user" --clear-groups --bounding-set=-all --inh-caps=-all --'
/** Waits for the command, whose number is in `child`, however often a signal interrupts that. */
export const wait = `wait $child; code=$?
while kill -0 $child 2> /dev/null; do wait $child; code=$?; done
`

/** Tells of the kernel's kills for want of memory. */
export const tellKills = `kills=$(cat /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control 2> /dev/null |
  sed -n 's/^oom_kill //p')
[ "\${kills:-0}" = 0 ] || printf '%s\\n' "$mark" >&2`

/** A supervisor. Stays as the first process: it reaps orphans, and with it all ends. */
export const supervisorScript = `${passwd}${giveVolume}
printf %s "$WS_CONFIG" > /run/wakestone/config.json || exit 1
${unset}"$@" &
child=$!
trap 'kill -TERM $child' TERM INT
${wait}exit $code`

/** A files service, as the game's user. */
export const filesScript = `${passwd}${giveVolume}
printf %s "$WS_CONFIG" > /run/wakestone/config.json || exit 1
user=$WS_USER
${unset}exec ${asGame} "$@"`

/**
 * A task, as the game's user. As many bytes of the input as are announced are the command's; the rest is the word of whoever
 * began it that they are there: with its end all ends. The kernel's kills for want of memory are told on the last line.
 * @param writes whether its volume is there to be written
 */
export const taskScript = (writes: boolean) => `${passwd}${writes ? giveVolume : ''}
for folder in /mnt/*/; do
  [ ! -w "$folder" ] || [ "$(stat -c %u "$folder")" = "$WS_USER" ] || chown -hR "$WS_USER:$WS_USER" "$folder" || exit 1
done
umask 077
head -c "$WS_INPUT" > /run/wakestone/input || exit 1
umask 022
user=$WS_USER mark=$WS_MARK
${unset}exec 3<&0
env --default-signal=INT,QUIT ${asGame} "$@" < /run/wakestone/input 3<&- &
child=$!
trap 'kill -INT $child' INT
{ cat <&3 > /dev/null; kill -KILL -1; } 2> /dev/null &
${wait}${tellKills}
exit $code`

/** Holds a network with its rules. Nothing else is ever in that container. */
export const guardScript = `printf %s "$WS_RULES" | nft -f - || exit 1
echo guarded
exec sleep infinity`

/** Tells whether anything of that user lives. What has ended and was not waited for counts as gone. */
export const findGameScript = `for status in /proc/[0-9]*/status; do
  grep -q '^State:.[ZX]' "$status" || grep -El "^Uid:.*[[:space:]]$1([[:space:]]|$)" "$status"
done 2> /dev/null
true`
