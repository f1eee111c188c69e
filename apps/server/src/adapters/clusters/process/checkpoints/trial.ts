/** Finds out whether checkpoints work on this machine: by making and using one of a sandbox with nothing of anybody's in it. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { removeCgroup } from '../cgroup.ts'
import { killSandbox } from '../ending.ts'
import { type Found, launch, type Launch } from '../launch.ts'
import { isHeld, withLock } from '../lock.ts'
import { runtimeRoot, serverPaths } from '../paths.ts'
import { waitUntil } from '../processes.ts'
import { answers } from '../sockets.ts'
import { readVersion } from './criu.ts'
import { type CheckpointTool, makeCheckpoint } from './make.ts'
import { restoreCheckpoint } from './restore.ts'

const DUMP_MS = 60_000
/** A large one from a slow disk; whoever knocks is let in by an ordinary start after it. */
const RESTORE_MS = 30_000
/** It tells whether, and not how fast: many things begin at once when the product starts. */
const TRIAL_MS = 180_000
const LISTENS_MS = 60_000
const MIB = 1024 ** 2
const TRIAL = 'checkpoint-trial-'
const limits = { memoryBytes: 256 * MIB, cpu: 1, diskBytes: 32 * MIB, players: 1 }

/** @throws Error with what keeps this machine from it */
export async function findCheckpointTool(host: Launch, found: Found, criuPath: string): Promise<CheckpointTool> {
  if (criuPath === '') throw new Error('they are not wanted')
  if (!found.twoUsers) throw new Error('the product does not run as root, or supervisors have no user of their own')
  if (found.network?.means !== 'veth' || !found.limits)
    throw new Error('servers lack a network or a cgroup of their own')
  const version = await readVersion(criuPath)
  const tool = { criuPath, version, dumpMs: TRIAL_MS, restoreMs: TRIAL_MS }
  const serverId = randomUUID()
  const quiet = { ...host, logger: { ...host.logger, info: () => {} } }
  await endLeftTrials(quiet)
  await withLock(trialLock(host, serverId), () => tryCheckpoint(quiet, found, { tool, serverId }))
  return { ...tool, dumpMs: DUMP_MS, restoreMs: RESTORE_MS }
}

/** Held while there is a sandbox of that name, which is nobody's server. */
export const trialLock = ({ filesDir }: Pick<Launch, 'filesDir'>, serverId: string) =>
  join(filesDir, `.trial-${serverId}`)

/** The same walls as any server's, and a real supervisor within. */
async function tryCheckpoint(
  host: Launch,
  found: Found,
  { tool, serverId }: { tool: CheckpointTool; serverId: string },
): Promise<void> {
  const dataDir = join(host.filesDir, `${TRIAL}${serverId}`)
  mkdirSync(dataDir)
  const paths = serverPaths(dataDir, serverId)
  const own = { ...host, dataDir }
  const workload = { serverId, limits }
  const listens = async (when: string) => {
    if (!(await waitUntil(() => answers(paths.socket), LISTENS_MS))) throw new Error(`nothing answers ${when}`)
  }
  try {
    await launch(own, found, paths, workload)
    await listens('before')
    await makeCheckpoint(tool, { serverId, paths, nodePath: host.nodePath })
    const { from, why } = await restoreCheckpoint(own, found, { tool: async () => tool, paths, workload })
    if (from !== 'checkpoint') throw new Error(why)
    await listens('when it is back')
  } finally {
    await endTrial(own, serverId)
  }
}

async function endTrial({ dataDir, networks }: Pick<Launch, 'dataDir' | 'networks'>, serverId: string): Promise<void> {
  await killSandbox(serverPaths(dataDir, serverId), serverId)
  await networks.remove(serverId)
  await removeCgroup(serverId)
  rmSync(runtimeRoot(dataDir), { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}

/** Ends trials whose worker was killed; their sandboxes would otherwise run forever. */
async function endLeftTrials(host: Launch): Promise<void> {
  for (const name of readdirSync(host.filesDir).filter((one) => one.startsWith(TRIAL))) {
    const serverId = name.slice(TRIAL.length)
    if (!isHeld(trialLock(host, serverId))) await endTrial({ ...host, dataDir: join(host.filesDir, name) }, serverId)
  }
}
