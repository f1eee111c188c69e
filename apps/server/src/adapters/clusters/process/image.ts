/**
 * A server's volume as a file system in a file of its own: it refuses writes when it is full, whatever else the disk
 * holds. It is mounted nowhere but in the sandbox's own view, so with the sandbox the kernel takes the mount away.
 * Takes root.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { run } from './network/programs.ts'
import type { ServerPaths } from './paths.ts'
import { waitUntil } from './processes.ts'
import { MOUNT_OPTIONS } from './stage.ts'

const MIB = 1024 ** 2
const UNMOUNTED_MS = 15_000
const journalMiB = (size: number) => (size < 512 * MIB ? 4 : 16)
/** With what the file system needs for itself: inodes, its journal, and blocks that it keeps back. */
function imageBytes(bytes: number): number {
  const keptBack = Math.min(bytes * 0.02, 16 * MIB)
  return Math.ceil((bytes * 1.02 + keptBack) / MIB + journalMiB(bytes) + 2) * MIB
}
/** Stays free while a volume of before is moved into an image, for all others on this disk. */
const SPARE_BYTES = 1024 * MIB
const MOVE = `set -e
mount -o ${MOUNT_OPTIONS} "$1" "$2"
rmdir "$2/lost+found"
[ -z "$3" ] || cp -a --sparse=always "$3/." "$2/"
umount "$2"`

/** Of a device that is mounted elsewhere: the kernel has one file system for both. */
const GROW = `set -e
mount -o noatime,nosuid,nodev "$1" "$2"
resize2fs "$1"
umount "$2"`

type ImagePaths = Pick<ServerPaths, 'volume' | 'image' | 'host'>

/**
 * Sees to it that the volume is an image in which `bytes` find room, whatever was moved there before and however far. The
 * supervisor may not run.
 * @param endOthers ends all else of the server's; called only where something has to be done
 * @returns false where it stays a folder, as the disk has no room to move it
 * @throws Error where it is damaged
 */
export async function ensureImage(
  paths: ImagePaths,
  bytes: number,
  endOthers: () => Promise<void> = async () => {},
): Promise<boolean> {
  const { image, volume } = paths
  if (existsSync(image)) {
    removeMoved(volume)
    if (statSync(image).size === imageBytes(bytes) && !existsSync(`${image}.resizing`)) return true
    await endOthers()
    await waitUntilUnmounted(image)
    await resize(image, imageBytes(bytes))
    return true
  }
  const holds = existsSync(volume) && readdirSync(volume).length > 0
  if (holds && !(await hasRoomFor(volume))) return false
  await endOthers()
  const draft = `${image}.new`
  rmSync(draft, { force: true })
  await make(draft, imageBytes(bytes), holds ? volume : '')
  renameSync(draft, image) // from here on the folder is what is left over
  removeMoved(volume)
  return true
}

/** Makes an image with all that a folder holds. */
async function make(image: string, size: number, folder: string) {
  writeFileSync(image, '', { mode: 0o600 })
  truncateSync(image, size)
  const lazily = 'lazy_itable_init=1,lazy_journal_init=1'
  const options = ['-q', '-F', '-b', '4096', '-m', '0', '-i', '16384', '-J', `size=${journalMiB(size)}`, '-E', lazily]
  await run('mkfs.ext4', [...options, image])
  const mountPoint = mkdtempSync(`${image}-`)
  try {
    const inOwnView = ['--mount', '--propagation', 'private', 'sh', '-c', MOVE, 'sh']
    await run('unshare', [...inOwnView, image, mountPoint, folder])
  } finally {
    rmSync(mountPoint, { recursive: true, force: true })
  }
}

/** What a folder still holds whose content is in the image. An empty one stays in its place. */
function removeMoved(volume: string) {
  const old = `${volume}.moved`
  rmSync(old, { recursive: true, force: true })
  if (!existsSync(volume)) mkdirSync(volume, { recursive: true, mode: 0o700 })
  if (readdirSync(volume).length === 0) return
  renameSync(volume, old)
  mkdirSync(volume, { mode: 0o700 })
  rmSync(old, { recursive: true, force: true })
}

async function hasRoomFor(volume: string): Promise<boolean> {
  const taken = Number((await run('du', ['-skx', '--', volume])).split(/\s/)[0]) * 1024
  const { bavail, bsize } = statfsSync(volume)
  return bavail * bsize > taken + SPARE_BYTES
}

/** The kernel lets go of a mount a moment after the last process that saw it. @throws Error where it does not */
async function waitUntilUnmounted(image: string) {
  const isFree = async () => (await run('losetup', ['--associated', image])) === ''
  if (!(await waitUntil(isFree, UNMOUNTED_MS))) throw new Error('the volume is still mounted')
}

/** Brings to its end what a kill has cut off. Nothing of the server's may run. */
export async function finishResize(image: string): Promise<void> {
  if (!existsSync(`${image}.resizing`)) return
  await waitUntilUnmounted(image)
  await resize(image, statSync(image).size)
}

/** Larger or smaller; what is in it keeps it from becoming too small. */
async function resize(image: string, size: number) {
  const before = statSync(image).size
  // The size is changed last when it shrinks and first when it grows: an image is never shorter than its file system.
  writeFileSync(`${image}.resizing`, '')
  await run('sh', ['-c', 'e2fsck -f -p "$1" || [ $? = 1 ]', 'sh', image]) // 1: faults were mended
  if (size > before) truncateSync(image, size)
  const shrunk = await run('resize2fs', [image, `${size / 1024}K`]).then(
    () => true,
    () => false, // it holds more than the plan has: writes are refused as before
  )
  if (size < before && shrunk) truncateSync(image, size)
  rmSync(`${image}.resizing`)
}

/** Of the kernel's list; without it nobody enlarges a file system that is mounted. */
const CAP_SYS_RESOURCE = 24

export function mayGrowMounted(): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  return ((BigInt(`0x${effective}`) >> BigInt(CAP_SYS_RESOURCE)) & 1n) === 1n
}

/**
 * Enlarges a volume while it is in use. What a kill cuts off, or what fails, is brought to its end when the server is
 * placed next.
 * @returns whether it is as large as wanted now
 */
export async function growMounted(image: string, bytes: number): Promise<boolean> {
  if (!existsSync(image) || !mayGrowMounted()) return false
  const size = imageBytes(bytes)
  if (statSync(image).size > size) return false
  if (statSync(image).size === size && !existsSync(`${image}.resizing`)) return true
  const device = /^(\/dev\/loop\d+):/m.exec(await run('losetup', ['--associated', image]))?.[1]
  if (device === undefined) return false // nobody uses it: it grows when it is placed
  writeFileSync(`${image}.resizing`, '')
  truncateSync(image, size)
  const mountPoint = mkdtempSync(`${image}-`)
  try {
    await run('losetup', ['--set-capacity', device])
    const inOwnView = ['--mount', '--propagation', 'private', 'sh', '-c', GROW, 'sh']
    await run('unshare', [...inOwnView, device, mountPoint])
    rmSync(`${image}.resizing`)
    return true
  } catch {
    return false
  } finally {
    rmSync(mountPoint, { recursive: true, force: true })
  }
}

/** Why there can be no images; undefined where there can. Found out by filling one. */
export async function findImageFault(filesDir: string): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'file systems are mounted by root alone'
  const folder = mkdtempSync(join(filesDir, 'trial-'))
  const image = join(folder, 'image')
  try {
    await make(image, 16 * MIB, '')
    const fill = `mount -o ${MOUNT_OPTIONS} "$1" "$2" || exit 2
head -c 32M /dev/zero > "$2/x" 2> /dev/null && exit 3
umount "$2"`
    const mountPoint = join(folder, 'mounted')
    mkdirSync(mountPoint)
    await run('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', fill, 'sh', image, mountPoint])
    return undefined
  } catch (error) {
    return `no file system in a file: ${(error as Error).message}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
