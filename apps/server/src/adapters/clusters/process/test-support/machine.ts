/**
 * What this machine lets tests do, found by commands that are not the product's: where they work, the product has to
 * make do with them.
 */
import { spawnSync } from 'node:child_process'

const works = (script: string) =>
  spawnSync('/bin/sh', ['-ec', script], { stdio: 'ignore', timeout: 20_000 }).status === 0
const isRoot = process.getuid?.() === 0
const name = `wst-${process.pid}`

/** Network namespaces, pairs of links and rules of nftables. */
export const canSeparateNetworks =
  isRoot &&
  works(`ip netns add ${name}
    trap 'ip netns delete ${name}' EXIT
    ip link add ${name}a type veth peer name ${name}b netns ${name}
    ip netns exec ${name} nft add table inet ${name}
    ip link delete ${name}a`)

/** File systems in files. */
export const canMountImages =
  isRoot &&
  works(`image=$(mktemp)
    trap 'rm -f "$image"' EXIT
    truncate -s 16M "$image"
    mkfs.ext4 -q -F "$image"
    unshare -m sh -ec 'mkdir -p /tmp/${name} && mount -o loop "$0" /tmp/${name} && umount /tmp/${name} && rmdir /tmp/${name}' "$image"`)

/** Networks of ordinary users, by programs of that name; some machines keep the device for root. */
export const canPassPackets = (program: 'pasta' | 'slirp4netns') =>
  canSeparateNetworks &&
  works(`command -v ${program} && setpriv --reuid=64123 --regid=64123 --clear-groups -- sh -ec ': <> /dev/net/tun'`)

for (const [what, can] of Object.entries({ canSeparateNetworks, canMountImages }))
  if (isRoot && !can) console.error(`not tested here: ${what}`)
