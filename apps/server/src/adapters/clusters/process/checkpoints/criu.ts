/** The program that writes processes to disk and brings them back (criu.org). */
import { type ChildProcess, execFile, spawn, type StdioOptions } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Earlier ones cannot do it on today's kernels. */
const OLDEST = [4, 2] as const
const VERSION_MS = 30_000
/** A game that hands on files that it has deleted keeps them; larger ones are not written. */
const GHOST_BYTES = 64 * 1024 ** 2

/** Ends with whoever has begun it: what is half done is never taken for whole. */
export const bound = ['setpriv', '--pdeathsig', 'KILL', '--']

/** @throws Error where it is missing or too old */
export async function readVersion(criuPath: string): Promise<string> {
  const { stdout } = await promisify(execFile)(criuPath, ['--version'], { timeout: VERSION_MS }).catch(
    (error: Error) => {
      throw new Error(`${criuPath} does not run: ${(error as NodeJS.ErrnoException).code ?? error.message}`)
    },
  )
  const version = /^Version: (\d+)\.(\d+)\S*$/m.exec(stdout)
  const [major, minor] = [Number(version?.[1]), Number(version?.[2])]
  if (version === null || major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new Error(`${OLDEST.join('.')} or later of CRIU is needed, and this is ${stdout.trim().split('\n')[0]}`)
  return version[0].slice('Version: '.length)
}

/**
 * What both ways have in common. Cgroups are ours; connections to others are closed, and whoever had them is told so by
 * the kernel.
 */
const common = (folder: string) =>
  ['--images-dir', folder, '--manage-cgroups=ignore', '--tcp-close', '--file-locks', '-v2'] as const

const repeat = (option: string, values: string[]) => values.flatMap((value) => [option, value])

export const dumpArguments = (folder: string, { init, external }: { init: number; external: string[] }): string[] =>
  ['dump', '--tree', String(init), ...common(folder), '--log-file', 'dump.log'].concat(
    ['--skip-in-flight', '--ghost-limit', String(GHOST_BYTES)],
    repeat('--external', external),
  )

export const restoreArguments = (
  folder: string,
  { root, pidFile, external, inherited }: { root: string; pidFile: string; external: string[]; inherited: string[] },
): string[] =>
  ['restore', '--restore-detached', ...common(folder), '--log-file', 'restore.log', '--root', root].concat(
    ['--pidfile', pidFile],
    repeat('--external', external),
    repeat('--inherit-fd', inherited),
  )

/**
 * @param folder of what it writes, and of what it says
 * @throws Error with what it says where it fails or takes longer
 */
export async function runCriu(
  [program = '', ...args]: string[],
  {
    folder,
    log,
    ms,
    more = [],
    begun,
  }: {
    folder: string
    log: 'dump.log' | 'restore.log'
    ms: number
    /** Descriptors from number 3 on. */
    more?: StdioOptions & unknown[]
    /** Told of it before it does anything that waits for a word. */
    begun?: (child: ChildProcess) => void
  },
): Promise<void> {
  const said = join(folder, 'said')
  const out = openSync(said, 'w', 0o600)
  let how: string | undefined
  try {
    const stdio = ['ignore', out, out, ...more] as StdioOptions
    const child = spawn(program, args, { cwd: '/', detached: true, stdio, env: { PATH: process.env['PATH'] } })
    const timer = setTimeout(() => child.kill('SIGKILL'), ms)
    const ended = new Promise<string | undefined>((resolve) => {
      child.on('error', (error) => resolve(error.message))
      child.on('exit', (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? code}`))
    })
    begun?.(child)
    how = await ended
    clearTimeout(timer)
  } finally {
    closeSync(out)
  }
  if (how !== undefined) throw new Error([how, ...readFaults(join(folder, log), said)].join(': '))
}

/** The first and the last of what it calls errors; it warns of limits that it cannot set for itself each time. */
function readFaults(log: string, said: string): string[] {
  const faults = linesOf(log)
    .filter((line) => line.includes('Error (') && !line.includes('RLIMIT_NOFILE'))
    .map((line) => line.replace(/^.*Error \([^)]*\): /, ''))
  const all = faults.length > 0 ? faults : linesOf(said)
  return [...new Set([all[0], all.at(-1)])].flatMap((line) => line?.slice(0, 200) ?? [])
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}
