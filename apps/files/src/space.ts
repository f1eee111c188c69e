/** Room on the volume: what the plan leaves, and what has to go for what comes. */
import { readFileSync, statfsSync } from 'node:fs'
import type { FilesConfig, DiskStats } from '@wakestone/protocol/files'
import { FileError } from './errors.ts'
import { runTool } from './tool.ts'
import type { Volume } from './volume.ts'

/** Left free on a disk that others share. */
const SPARE_BYTES = 256 * 1024 * 1024
const MEASURE_MS = 60_000

export type Space = ReturnType<typeof createSpace>

export type SpaceOptions = Pick<FilesConfig, 'diskBytes' | 'diskQuota'> & {
  volume: Volume
  /** Bytes that the trash holds, and a way to have its oldest go. @returns whether there was one */
  trash: { bytes(): Promise<number>; removeOldest(): Promise<boolean>; settled(): Promise<void> }
}

export function createSpace({ volume, diskBytes, diskQuota = false, trash }: SpaceOptions) {
  let used = 0
  let measuredAt = -Infinity
  let measuring: Promise<void> | undefined
  const reserved = new Map<string, number>()
  const statfs = () => statfsSync(volume.root)

  /** By `du`, which takes a fortieth of the time of a walk of our own. */
  async function measure(): Promise<void> {
    const began = performance.now()
    // What vanishes meanwhile makes it fail; the sum of the rest still stands there.
    const text = await runTool('sh', ['-c', 'du -skx -- /proc/self/fd/3/. 2>/dev/null || true'], {
      fds: [volume.top.fd],
      nice: 10,
    })
    const kibibytes = /^(\d+)\s/.exec(text)?.[1]
    if (kibibytes !== undefined) used = Number(kibibytes) * 1024
    measuredAt = began
  }

  async function usedBytes(atMostMs: number): Promise<number> {
    if (diskQuota) {
      const { blocks, bfree, bsize } = statfs()
      return (blocks - bfree) * bsize
    }
    if (performance.now() - measuredAt > atMostMs)
      await (measuring ??= measure().finally(() => (measuring = undefined)))
    return used
  }

  async function available(atMostMs: number): Promise<number> {
    const { bavail, bsize } = statfs()
    const promised = [...reserved.values()].reduce((sum, bytes) => sum + bytes, 0)
    if (diskQuota) return bavail * bsize - promised
    return Math.min(bavail * bsize - SPARE_BYTES, diskBytes - (await usedBytes(atMostMs))) - promised
  }

  async function require(bytes: number): Promise<void> {
    if (bytes <= (await available(MEASURE_MS))) return
    await trash.settled()
    for (;;) {
      // Nobody is refused by an old figure.
      const there = await available(0)
      if (bytes <= there) return
      if (bytes > there + (await trash.bytes()) || !(await trash.removeOldest()))
        throw new FileError('disc_quota_exceeding', { needed: bytes, available: Math.max(0, there) })
    }
  }

  return {
    /**
     * Makes room for so many bytes more, if need be by removing the oldest from the trash.
     * @throws FileError disc_quota_exceeding
     */
    require,
    /** So many bytes have come, or gone. */
    add(bytes: number) {
      used += bytes
    },
    /** Promises room to what comes by and by; 0 gives it back. */
    reserve(key: string, bytes: number) {
      if (bytes > 0) reserved.set(key, bytes)
      else reserved.delete(key)
    },
    async stats(): Promise<DiskStats> {
      const { type, bsize, blocks, bfree, bavail, files, ffree } = statfs()
      const flags = readFlags(volume.root)
      const taken = await usedBytes(MEASURE_MS)
      const all = { type, bsize, files, ffree, flags, used: taken, limit: diskBytes, trash: await trash.bytes() }
      if (diskQuota) return { ...all, blocks, bfree, bavail, limit: blocks * bsize }
      const free = (bytes: number) => Math.trunc(Math.max(0, Math.min(bytes * bsize, diskBytes - taken)) / bsize)
      return { ...all, blocks: Math.trunc(diskBytes / bsize), bfree: free(bfree), bavail: free(bavail) }
    },
  }
}

/** What `statfs` calls the options of a mount; Node.js leaves them out. */
const flagBits: Record<string, number> = {
  ro: 1,
  nosuid: 2,
  nodev: 4,
  noexec: 8,
  sync: 16,
  noatime: 1024,
  nodiratime: 2048,
  relatime: 4096,
}

function readFlags(root: string): number {
  let flags = 0
  let length = -1
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
    const [, , , , point = '', options = ''] = line.split(' ')
    const holds = point === '/' || root === point || root.startsWith(`${point}/`)
    if (!holds || point.length < length) continue
    length = point.length
    flags = options.split(',').reduce((bits, option) => bits | (flagBits[option] ?? 0), 0)
  }
  return flags
}
