/** Runs restic once in a box beside a server. */
import type { Settings } from '@wakestone/kit/settings'
import type { Cluster, Task } from '#src/adapters/clusters/cluster.ts'
import { faultOf, ResticError } from './errors.ts'
import { parseLine, readExitError, readFileError } from './messages.ts'
import { provideRestic } from './program.ts'
import { accessTo, type StorageSettings } from './storage.ts'

export type Repository = { serverId: string; location: string; password: string }
export type ResticDeps = {
  cluster: Pick<Cluster, 'runTask'>
  settings: StorageSettings & Pick<Settings, 'RESTIC_PATH'>
}

/** A backup was measured with 130 MB; its index grows with the repository. */
const memoryBytes = 1024 ** 3
export const resticInside = '/opt/wakestone/tools/restic'
const mostSaid = 20

export type ResticCall = {
  args: string[]
  /** What is run instead, with restic's arguments as its own. */
  command?: string[]
  /** Whether the repository is changed. */
  writes: boolean
  /** With what waits to be written to the disk; see `memoryBytes` below. */
  memoryBytes?: number
  volume?: Task['volume']
  tools?: Record<string, string>
  folders?: NonNullable<Task['folders']>
  /** Statuses that are no failures. */
  accepts?: readonly number[]
  onLine?: (text: string) => void
  onError?: (line: Record<string, unknown>) => void
  signal?: AbortSignal
}

/** Writes what SSH needs to where only this box sees it. */
const withSecretFiles =
  'umask 077; printf %s "$SECRET_key" >/tmp/key; printf %s "$SECRET_known_hosts" >/tmp/known_hosts; ' +
  'unset SECRET_key SECRET_known_hosts; exec "$@"'
const sshOptions = [
  '-o',
  'sftp.args=-i /tmp/key -o UserKnownHostsFile=/tmp/known_hosts -o StrictHostKeyChecking=yes -o BatchMode=yes',
]

/**
 * Resolves when it has ended as wanted, with its status and its last words on standard error.
 * @throws ResticError, NoRestic, or Error where no box can be started
 */
export async function runRestic(
  { cluster, settings }: ResticDeps,
  { serverId, location, password }: Repository,
  call: ResticCall,
): Promise<{ code: number; said: string[] }> {
  const { args, writes, volume = 'none', accepts = [], onLine, onError, signal } = call
  const program = await provideRestic(settings)
  const access = await accessTo(settings, { serverId, location }, writes)
  const hasFiles = Object.keys(access.files).length > 0
  const command = [
    ...(call.command ?? [resticInside]),
    ...access.options,
    ...(hasFiles ? sshOptions : []),
    // What only reads leaves no lock behind: a folder is shown to it read-only.
    ...(writes ? [] : ['--no-lock']),
    ...args,
  ]
  signal?.throwIfAborted()
  const run = await cluster.runTask(serverId, {
    name: `restic-${(args[0] ?? 'run').replace(/[^a-z-]/g, '')}`.slice(0, 20),
    command: hasFiles ? ['/bin/sh', '-c', withSecretFiles, 'sh', ...command] : command,
    volume,
    tools: { restic: program, ...call.tools },
    folders: { ...access.folders, ...call.folders },
    env: {
      ...access.env,
      ...Object.fromEntries(Object.entries(access.files).map(([name, text]) => [`SECRET_${name}`, text])),
      RESTIC_PASSWORD: password,
      RESTIC_PROGRESS_FPS: '2',
      HOME: '/tmp',
      TMPDIR: '/tmp',
      // Gives memory back sooner, for a little more of the processor.
      GOGC: '50',
    },
    network: access.network,
    memoryBytes: call.memoryBytes ?? memoryBytes,
  })
  const cancel = () => run.cancel()
  signal?.addEventListener('abort', cancel)
  if (signal?.aborted) cancel()
  const said: string[] = []
  try {
    for await (const { stream, text } of run.lines) {
      if (stream === 'out') {
        onLine?.(text)
        continue
      }
      const line = parseLine(text)
      if (line !== undefined) onError?.(line)
      const words = line === undefined ? text : (readExitError(line) ?? readFileError(line) ?? '')
      if (words !== '' && said.push(words.slice(0, 500)) > mostSaid) said.shift()
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
  const { code, signal: ended, outOfMemory } = await run.exit
  signal?.throwIfAborted()
  if (code === 0 || (code !== null && accepts.includes(code))) return { code, said }
  const how = outOfMemory ? 'out of memory' : (ended ?? `status ${code}`)
  throw new ResticError(faultOf(code), `restic ${args[0]}: ${how}: ${said.join(' · ')}`)
}
