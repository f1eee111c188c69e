/** The box in which the files service of a server runs. */
import type { ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FilesEndpoint, Workload } from '../../cluster.ts'
import { type BundleSource, withBundle } from '../bundles.ts'
import { type Found, tailOf } from '../launch.ts'
import { withLock } from '../lock.ts'
import { boxPaths, type ServerPaths } from '../paths.ts'
import { waitUntil } from '../processes.ts'
import { bundleEnvironment, inside } from '../sandbox.ts'
import { answers } from '../sockets.ts'
import { endBox, isUp, removeBox } from './ending.ts'
import { type BoxHost, prepareServer, startBox, volumeOf } from './start-box.ts'

/** Name of the box. */
export const FILES = 'files'
const SOCKET = join(inside.runtime, 'files.sock')
const READY_MS = 20_000
const MEMORY_BYTES = 384 * 1024 ** 2
/** Unpacking takes a core for a moment, whatever the plan has for the game. */
const LEAST_CPU = 1
const NODE_FLAGS = ['--max-semi-space-size=1', '--max-old-space-size=160', '--no-warnings']

export type FilesHost = BoxHost & { publicKey: string; filesBundles: BundleSource }
type Limits = Workload['limits']

/** What the service is told; see `apps/files`. */
type FilesConfig = {
  serverId: string
  listen: { socket: string }
  publicKey: string
  volume: string
  diskBytes: number
  /** Whether the volume is a file system of its own. */
  diskQuota: boolean
}

/** @param know finds out what the machine can do, or refuses */
export async function openFiles(
  host: FilesHost,
  know: () => Promise<Found>,
  { serverId, paths, limits }: { serverId: string; paths: ServerPaths; limits: Limits },
): Promise<FilesEndpoint> {
  const own = boxPaths(paths, FILES)
  const endpoint = { kind: 'unix', path: own.socket } as const
  if (isUp(paths, FILES) && (await answers(own.socket))) return endpoint
  const found = await know()
  return withLock(paths.lock, async () => {
    // One that is up and does not answer is about to end, or will not.
    await waitUntil(async () => !isUp(paths, FILES) || answers(own.socket), READY_MS)
    if (isUp(paths, FILES) && (await answers(own.socket))) return endpoint
    await endBox(paths, serverId, FILES)
    const child = await start(host, found, { serverId, paths, limits })
    child.unref()
    child.once('exit', () => void removeWhenEnded(paths, serverId))
    const isReady = await waitUntil(async () => !isUp(paths, FILES) || answers(own.socket), READY_MS)
    if (isReady && isUp(paths, FILES)) return endpoint
    const reason = tailOf(own.log)
    await endBox(paths, serverId, FILES)
    throw new Error(`files service did not start: ${reason}`)
  })
}

async function start(
  host: FilesHost,
  found: Found,
  { serverId, paths, limits }: { serverId: string; paths: ServerPaths; limits: Limits },
): Promise<ChildProcess> {
  const own = boxPaths(paths, FILES)
  const server = await prepareServer(host, found, paths, serverId)
  const volumePath = await volumeOf(found, server, limits.diskBytes)
  const config: FilesConfig = {
    serverId,
    listen: { socket: found.sandboxed ? SOCKET : own.socket },
    publicKey: host.publicKey,
    volume: found.sandboxed ? inside.volume : volumePath,
    diskBytes: limits.diskBytes,
    diskQuota: volumePath === paths.image,
  }
  mkdirSync(own.folder, { recursive: true, mode: 0o700 })
  writeFileSync(own.config, JSON.stringify(config), { mode: 0o644 })
  chmodSync(own.config, 0o644)
  return withBundle(host.filesBundles, (bundle) => {
    const program = (folder: string, node: string) => [node, ...NODE_FLAGS, join(folder, host.filesBundles.file)]
    return startBox(host, found, server, {
      name: FILES,
      memoryBytes: MEMORY_BYTES,
      cpu: Math.max(LEAST_CPU, limits.cpu),
      volume: 'write',
      volumePath,
      ...(volumePath === paths.volume && { fileBytes: limits.diskBytes }),
      network: 'none',
      extras: [],
      bundleId: bundle.id,
      shown: { bundle: bundle.folder, runtime: own.runtime, config: own.config },
      env: bundleEnvironment(found.sandboxed ? join(inside.bundles, bundle.id) : bundle.folder),
      staysUp: true,
      command: {
        inside: [...program(join(inside.bundles, bundle.id), inside.node), inside.config],
        bare: [...program(bundle.folder, host.nodePath), own.config],
      },
    })
  })
}

/** The opener may be gone by then; what is left is taken away later in that case. */
async function removeWhenEnded(paths: ServerPaths, serverId: string) {
  const remove = async () => void (isUp(paths, FILES) || (await removeBox(paths, serverId, FILES)))
  if (existsSync(boxPaths(paths, FILES).folder)) await withLock(paths.lock, remove).catch(() => {})
}
