/** Volumes refuse what is more than a server's plan has; those of before are moved, whatever interrupts it. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { mayGrowMounted } from './image.ts'
import { serverPaths } from './paths.ts'
import { canMountImages } from './test-support/machine.ts'
import { openSandboxBench, type SandboxBench } from './test-support/sandbox-bench.ts'

vi.setConfig({ testTimeout: 60_000 })

const MIB = 1024 ** 2

let bench: SandboxBench
beforeAll(async () => {
  bench = await openSandboxBench()
})
afterAll(() => bench.close())

/** Writes files until it may not, the way a log does, and goes on. */
const FILLER = `
import { appendFileSync } from 'node:fs'
let refused
for (let turn = 0; turn < 400 && !refused; turn++) {
  try { appendFileSync('/data/server.log', Buffer.alloc(1024 ** 2, turn)) } catch (error) { refused = error.code }
}
console.log('refused', refused)
setInterval(() => {}, 1e6)`

test.runIf(canMountImages)('a game that fills its disk is refused more, says so, and nobody else notices', async () => {
  const limits = { ...bench.limits, diskBytes: 64 * MIB }
  const serverId = randomUUID()
  const neighbour = await bench.placeNew()
  const before = statfsSync(bench.volumeOf(neighbour.serverId))
  const { endpoint } = await bench.cluster.place({ serverId, limits })
  const client = bench.connect(serverId, endpoint)
  await client.install(await bench.packScript(FILLER))
  await bench.reach(client, ['stopped'])
  const lines: string[] = []
  const stream = await client.openStream()
  stream.onMessage((message) => {
    if (message.type === 'console') lines.push(...message.lines.map(({ text }) => text))
  })
  await client.start()
  await vi.waitFor(() => expect(lines).toContain('refused ENOSPC'), 30_000)
  stream.close()
  const { blocks, bsize } = statfsSync(bench.volumeOf(serverId))
  expect((blocks * bsize) / limits.diskBytes).toBeGreaterThan(0.97)
  expect((blocks * bsize) / limits.diskBytes).toBeLessThan(1.1)
  await vi.waitFor(async () => {
    const { diskBytes } = await client.status()
    expect(diskBytes! / limits.diskBytes).toBeGreaterThan(0.9)
  }, 20_000)
  // Its supervisor goes on, full as it is, and so does everybody else.
  await client.kill()
  await bench.reach(client, ['stopped'])
  expect(statfsSync(bench.volumeOf(neighbour.serverId)).bfree).toBe(before.bfree)

  // A larger plan has room again.
  await bench.cluster.remove(serverId)
  await bench.cluster.place({ serverId, limits: { ...limits, diskBytes: 128 * MIB } })
  const grown = statfsSync(bench.volumeOf(serverId))
  expect((grown.bavail * grown.bsize) / MIB).toBeGreaterThan(50)
  expect(readdirSync(bench.volumeOf(serverId))).toContain('server.log')
})

test.runIf(canMountImages)(
  'a resize leaves no lost+found behind, and files recovered there belong to the game',
  async () => {
    const serverId = randomUUID()
    const placed = (mib: number) =>
      bench.cluster
        .place({ serverId, limits: { ...bench.limits, diskBytes: mib * MIB } })
        .then(() => bench.volumeOf(serverId))
    await placed(64)
    await bench.cluster.remove(serverId)
    // Which is checked before it grows.
    expect(readdirSync(await placed(96))).not.toContain('lost+found')

    await bench.cluster.remove(serverId)
    const { image } = serverPaths(bench.dataDir, serverId)
    const mountPoint = join(bench.dataDir, 'mounted')
    mkdirSync(mountPoint)
    const lose =
      'mount -o loop "$1" "$2" && mkdir -m 700 "$2/lost+found" && echo saved > "$2/lost+found/#12" && umount "$2"'
    execFileSync('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', lose, 'sh', image, mountPoint])
    const volume = await placed(96)
    const { gid } = lstatSync(volume)
    const found = ['lost+found', 'lost+found/#12'].map((name) => lstatSync(join(volume, name)).uid)
    expect(found).toEqual([gid, gid])
    expect(readFileSync(join(volume, 'lost+found/#12'), 'utf8')).toBe('saved\n')
  },
)

test.runIf(canMountImages)(
  'the folder of a server of before becomes a volume with a quota, killed at any line',
  async () => {
    const serverId = randomUUID()
    const { volume, image } = serverPaths(bench.dataDir, serverId)
    mkdirSync(join(volume, 'world'), { recursive: true })
    writeFileSync(join(volume, 'world/level.dat'), 'blocks')
    writeFileSync(`${image}.new`, 'half of an image')
    const place = () => bench.cluster.place({ serverId, limits: bench.limits })
    const level = () => readFileSync(join(bench.volumeOf(serverId), 'world/level.dat'), 'utf8')
    await place()
    expect([level(), readdirSync(volume), existsSync(`${image}.new`)]).toEqual(['blocks', [], false])
    writeFileSync(join(bench.volumeOf(serverId), 'world/level.dat'), 'more blocks')
    await bench.cluster.remove(serverId)

    // Killed when the image was there, before the folder was gone; and a moment later.
    for (const folder of [volume, `${volume}.moved`]) {
      mkdirSync(join(folder, 'world'), { recursive: true })
      writeFileSync(join(folder, 'world/level.dat'), 'blocks')
      await place()
      expect(level()).toBe('more blocks')
      await bench.cluster.remove(serverId)
      expect([readdirSync(volume), existsSync(`${volume}.moved`)]).toEqual([[], false])
    }

    // What cannot be mounted is not taken for a volume without anything in it.
    renameSync(image, `${image}.kept`)
    writeFileSync(image, 'no image')
    await expect(place()).rejects.toThrow(/supervisor did not start|e2fsck/)
    renameSync(`${image}.kept`, image)
    await place()
    expect(level()).toBe('more blocks')
  },
)

test.runIf(canMountImages)('a volume that is a folder still is named, until it is moved', async () => {
  const serverId = randomUUID()
  await bench.openCluster({ withoutQuota: true }).place({ serverId, limits: bench.limits })
  const problems = async () => (await bench.cluster.check()).problems.join()
  expect(await problems()).toContain(`no quota yet for 1 volumes (${serverId})`)
  await bench.cluster.remove(serverId)
  await bench.cluster.place({ serverId, limits: bench.limits })
  expect(await problems()).not.toContain('no quota yet')
})

test.runIf(canMountImages)(
  'a larger plan has more room at once where the kernel lets us, else from the next start',
  async () => {
    const serverId = randomUUID()
    const limits = { ...bench.limits, diskBytes: 64 * MIB }
    await bench.cluster.place({ serverId, limits })
    const roomOf = () => {
      const { blocks, bsize } = statfsSync(bench.volumeOf(serverId))
      return (blocks * bsize) / MIB
    }
    writeFileSync(join(bench.volumeOf(serverId), 'world'), 'blocks')
    const before = roomOf()
    const isGrown = await bench.cluster.growDisk(serverId, 128 * MIB)
    expect(isGrown).toBe(mayGrowMounted())
    expect(roomOf()).toSatisfy((room: number) => (isGrown ? room > 120 : room === before))
    // Never smaller while it is used, and nothing where there is no such volume.
    expect(await bench.cluster.growDisk(serverId, 32 * MIB)).toBe(false)
    expect(await bench.cluster.growDisk(randomUUID(), 32 * MIB)).toBe(false)
    await bench.cluster.remove(serverId)
    await bench.cluster.place({ serverId, limits: { ...limits, diskBytes: 128 * MIB } })
    expect(roomOf()).toBeGreaterThan(120)
    expect(readFileSync(join(bench.volumeOf(serverId), 'world'), 'utf8')).toBe('blocks')
  },
)
