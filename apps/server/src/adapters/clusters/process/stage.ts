/**
 * Bubblewrap runs as a user who can read nothing of the host's own. So what it shall show is bound into a folder of a
 * mount namespace that only it sees. Takes root.
 */

/** Of a volume that is an image. */
export const MOUNT_OPTIONS = 'loop,discard,noatime,nosuid,nodev'

/**
 * A second sandbox of the server gets the loop device that the first one has, and so the same file system; one that has
 * just ended may still be letting go of it. Only the kernel's note that it was not unmounted is mended; the volume is
 * given to its users as by `giveVolume`. e2fsck, which runs before each resize, leaves a `lost+found` of root's: it is removed,
 * or given to the game where it holds recovered files.
 */
const mountImage = `{
  tries=0
  until mount -o ${MOUNT_OPTIONS} "$1" "$stage/$2"; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || exit 1
    sleep 0.1
  done
  lost="$stage/$2/lost+found"
  [ "$(stat -c %u "$lost" 2> /dev/null)" != 0 ] || rmdir "$lost" 2> /dev/null ||
    chown -hR "$game:$game" -- "$lost" || exit 1
  [ "$(stat -c %u "$stage/$2")" = "$owner" ] || {
    chown -hR "$game:$game" -- "$stage/$2" &&
    { [ ! -e "$stage/$2/.wakestone" ] || chown -hR "$owner:$owner" -- "$stage/$2/.wakestone"; } &&
    chmod 1770 "$stage/$2" && chown "$owner:$game" "$stage/$2"; }; }`

/**
 * Where there is nothing yet, a folder is made, or what is inside could take the supervisor's place. The game has to get
 * to its packages in it, as in one that a supervisor makes. What is no folder of the supervisor's holds nothing to hide; a
 * game can neither replace nor rename one that is.
 */
const hideSupervisors = `
own="$stage/volume/.wakestone"
[ -e "$own" ] || [ -h "$own" ] || { mkdir -m 755 "$own" && chown -h "$owner:$owner" "$own"; } || exit 1
[ -h "$own" ] || [ ! -d "$own" ] || mount -t tmpfs -o ro,nosuid,nodev,noexec,mode=555,size=4k hidden "$own" || exit 1
`

/**
 * In a user namespace that is root's and not the supervisor's, or nobody could look at all that a checkpoint holds. Who is
 * who in it is told from outside; the way by which that is said is left to nobody.
 */
const becomeFirstUser = `read -r mapped <&4 || exit 1
exec 4<&-
exec setpriv --reuid 0 --regid 0 --clear-groups --inh-caps=-all --ambient-caps=-all -- "$@"`

/**
 * Shell commands that take the stage, the supervisor's and the game's user, the one as whom it goes on, `hide` or `show`
 * for what is the supervisor's, then pairs of a path and its name in the stage, and `--`. What follows is left to others.
 */
export const LAY_STAGE = `stage=$1 owner=$2 game=$3 user=$4 hide=$5; shift 5
mount -t tmpfs -o mode=755,size=1m stage "$stage" || exit 1
while [ "$1" != -- ]; do
  if [ -d "$1" ] || [ "$2" = volume ]; then mkdir "$stage/$2"; else : > "$stage/$2"; fi
  if [ -d "$1" ] || [ "$2" != volume ]; then mount --bind "$1" "$stage/$2" || exit 1
  else ${mountImage} || exit 1; fi
  if [ "$2 $hide" = "volume hide" ]; then ${hideSupervisors} fi
  shift 2
done
shift
`

/** The same with a command that goes on in it. */
export const STAGE = `${LAY_STAGE}
if [ $hide = show ]; then exec unshare --user --keep-caps -- /bin/sh -c '${becomeFirstUser}' sh "$@"; fi
exec 4<&-
exec setpriv --reuid "$user" --regid "$user" --clear-groups -- "$@"`
