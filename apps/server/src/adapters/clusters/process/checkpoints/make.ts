/** Puts all that a placed server has in memory on disk, and ends it. To be called under the server's lock. */
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import type { SupervisorConfig } from '@wakestone/protocol/supervisor'
import { readAllotment } from '../allotment.ts'
import { hasWriter } from '../boxes/ending.ts'
import { findProcsFiles, type SandboxCgroup } from '../cgroup.ts'
import { configOf, type ServerPaths } from '../paths.ts'
import { findInside, findSandbox, readPlacement } from '../placement.ts'
import { findFirstChild, kill, waitUntil } from '../processes.ts'
import { inside } from '../sandbox.ts'
import { bound, dumpArguments, runCriu } from './criu.ts'
import { nodeIdentity } from './node-identity.ts'
import { type About, beginCheckpoint, completeCheckpoint, dropCheckpoint } from './record.ts'
import { lookAtSandbox, readOutside, type SeenMount } from './seen.ts'

const GONE_MS = 15_000
const PAGE_BYTES = 4096
/** Stays free for all others on this disk. */
const SPARE_BYTES = 1024 ** 3

/** By which a supervisor is told to listen again, once it has been asked to rest. */
export const GO_ON = 'SIGUSR2'

/** Those that are made for a sandbox alone come with it; the others have to be given. */
const MADE_INSIDE = ['tmpfs', 'proc', 'devpts']
export const givenMounts = (mounts: SeenMount[]) =>
  mounts
    .filter(({ at, type }) => at !== '/' && !MADE_INSIDE.includes(type))
    .map((mount, index) => ({ ...mount, name: `m${index}` }))

export type CheckpointTool = {
  criuPath: string
  version: string
  /** How long either way may take. */
  dumpMs: number
  restoreMs: number
}

/** What lies outside, and is open inside, by what it is. */
export const knownOutside = (paths: ServerPaths, { gameProcsFile, mysqlProcsFile }: Partial<SandboxCgroup> = {}) => ({
  nothing: '/dev/null',
  log: paths.log,
  ...(gameProcsFile !== undefined && { gameCgroup: gameProcsFile }),
  ...(mysqlProcsFile !== undefined && { mysqlCgroup: mysqlProcsFile }),
})

/** Tells a supervisor that it is not asked to rest any more. */
export function tellToGoOn(paths: ServerPaths): void {
  const init = findSandbox(paths)?.init
  const supervisor = init && findFirstChild(init.pid)
  if (supervisor !== undefined) kill(supervisor, GO_ON)
}

/**
 * @returns its size in bytes, when nothing of the server lives; `busy` where somebody may write to its volume, and it goes on
 * @throws Error where none can be made; the server goes on, unless it has ended meanwhile
 */
export async function makeCheckpoint(
  { criuPath, version, dumpMs }: CheckpointTool,
  { serverId, paths, nodePath }: { serverId: string; paths: ServerPaths; nodePath: string },
): Promise<number | 'busy'> {
  const sandbox = findSandbox(paths)
  const record = readPlacement(paths)
  const allotment = readAllotment(paths)
  if (sandbox?.init === undefined || record?.bundle === undefined || record.bootId === undefined || !allotment)
    throw new Error('it is not up')
  // Whoever writes to the volume goes on doing so, and would be overwritten.
  if (hasWriter(paths)) return 'busy'
  const { pid } = sandbox.init
  const pids = findInside(sandbox)
  const room = statfsSync(paths.host)
  if (room.bavail * room.bsize < 1.2 * residentBytes(pids) + SPARE_BYTES) throw new Error('the disk has no room for it')
  const seen = lookAtSandbox(pid, pids)
  const outside = readOutside(pid, pids, knownOutside(paths, findProcsFiles(serverId)))
  const { bootId, bundle } = record
  const about: About = {
    bootId,
    bundle,
    criu: version,
    node: nodeIdentity(nodePath),
    limits: (JSON.parse(readFileSync(configOf(paths), 'utf8')) as SupervisorConfig).limits,
    isImage: existsSync(paths.image),
    ...allotment,
    seen,
    outside,
  }
  const own = beginCheckpoint(paths, about)
  const external = [
    ...givenMounts(seen.mounts).map(({ at, name }) => `mnt[${at}]:${name}`),
    ...outside.map((one) => one.key),
  ]
  // In its network and below its root of cgroups: those are not part of what is written.
  const enter = ['nsenter', '--target', String(pid), '--net', '--cgroup', '--']
  try {
    await runCriu([...bound, ...enter, criuPath, ...dumpArguments(own.images, { init: pid, external })], {
      folder: own.images,
      log: 'dump.log',
      ms: dumpMs,
    })
    if (!(await waitUntil(() => findSandbox(paths) === undefined, GONE_MS))) throw new Error('it does not end')
    return await completeCheckpoint(own)
  } catch (error) {
    dropCheckpoint(paths)
    throw error
  }
}

function residentBytes(pids: number[]): number {
  return pids.reduce((sum, pid) => {
    try {
      return sum + Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
    } catch {
      return sum // it has ended
    }
  }, 0)
}

export const isVolume = ({ at }: SeenMount) => at === inside.volume
