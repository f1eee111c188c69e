/** The parts of the product as child processes: started, watched, started again when they die, stopped. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openPartLog } from './log-files.ts'
import { watchSources } from './watch-sources.ts'

export const repoRoot = join(import.meta.dirname, '../../..')

export type PartOptions = {
  name: string
  /** Path of the entry point within the repository. */
  script: string
  env: Record<string, string>
  logFolder: string
  /** Bound of JavaScript's heap in MiB. */
  memory: number
  /** Folders whose changes start it again; none outside of development. */
  watch: string[]
  /** While true, warnings stay off the terminal: parts that start together miss each other for a moment. */
  isQuiet: () => boolean
  onStart: (pid: number) => void
  /** What the part tells of itself. */
  onTold?: (message: unknown) => void
}

export type Part = {
  name: string
  readonly pid: number
  /** Why it does not come up: set once it died five times within a minute, or said that only the operator can help. */
  readonly fault: string | undefined
  /** Ends it and starts it again with these variables besides its own. Resolves once it has ended. */
  restartWith(env: Record<string, string>): Promise<void>
  stop(): Promise<void>
}

const stopWithin = 15_000
/** How a part ends that cannot run with these settings, or this database. */
const operatorNeeded = 2

/** Starts a part and keeps it running until `stop`. */
export function startPart(options: PartOptions): Part {
  const { name, logFolder, isQuiet } = options
  const log = openPartLog({ folder: logFolder, part: name, isQuiet })
  let wanted = true
  let deaths: number[] = []
  let refusal: string | undefined
  let besides: Record<string, string> = {}
  let changed: string | undefined
  let child = launch()
  const stopWatching = watchSources({
    root: repoRoot,
    folders: options.watch,
    onChange: () => void restart('sources changed'),
  })

  function restart(reason: string): Promise<void> {
    if (isAlive(child)) changed = reason // otherwise it is about to be started anyway
    return endChild(child)
  }

  function launch(): ChildProcess {
    const started = spawnScript({ ...options, env: { ...options.env, ...besides } })
    noteStart(started)
    log.write(`${new Date().toISOString()} started as process ${started.pid}`)
    if (started.stdout) log.follow(started.stdout)
    if (started.stderr) log.follow(started.stderr)
    if (options.onTold) started.on('message', options.onTold)
    started.once('exit', (code, signal) => void revive(signal ?? code ?? 'an error'))
    return started
  }

  function noteStart({ pid }: ChildProcess) {
    try {
      if (pid !== undefined) options.onStart(pid)
    } catch (error) {
      console.error(`${name}: its start cannot be noted (${(error as Error).message})`)
    }
  }

  /** Again at once after the first death, then after ever longer pauses, up to 5 s, until a minute has passed without. */
  async function revive(reason: string | number) {
    if (!wanted) return
    if (changed !== undefined) {
      console.log(`${name}: ${changed}, starting it again`)
      changed = undefined
      child = launch()
      return
    }
    const now = Date.now()
    deaths = [...deaths.filter((at) => now - at < 60_000), now]
    const pause = deaths.length === 1 ? 0 : Math.min(5_000, 250 * 2 ** (deaths.length - 2))
    const fault = log.lastFault() ?? ''
    if (reason === operatorNeeded) refusal = fault
    const taken = isQuiet() ? takenPort(fault) : undefined
    if (taken !== undefined) {
      wanted = false
      refusal = `port ${taken} was taken by another program in the meantime. Set HTTP_PORT, GAME_PORT, SFTP_PORT or whichever setting names it to a free one`
      return
    }
    console.error(`${name} ended (${reason}), starting it again${pause ? ` in ${pause} ms` : ''}. ${fault}`.trim())
    await delay(pause)
    if (wanted) child = launch()
  }

  return {
    name,
    get pid() {
      return child.pid ?? 0
    },
    get fault() {
      return refusal ?? (deaths.length < 5 ? undefined : (log.lastFault() ?? 'it ends again and again'))
    },
    restartWith(env) {
      besides = env
      return restart('other settings')
    },
    async stop() {
      wanted = false
      stopWatching()
      await endChild(child)
    },
  }
}

/** While everything starts no predecessor of ours can hold it, so that trying again would not help. */
const takenPort = (fault: string) => /EADDRINUSE\b.*:(\d+)/.exec(fault)?.[1]

const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

async function endChild(child: ChildProcess) {
  const { pid } = child
  if (pid === undefined || !isAlive(child)) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  process.kill(-pid, 'SIGTERM')
  const forced = setTimeout(() => process.kill(-pid, 'SIGKILL'), stopWithin)
  await ended
  clearTimeout(forced)
}

/**
 * Runs a script of the repository to its end.
 * @returns what it printed. @throws when it fails, with the same.
 */
export async function runScript({
  script,
  env,
  args = [],
}: Pick<PartOptions, 'script' | 'env'> & { args?: string[] }): Promise<string> {
  const child = spawnScript({ script, env, args, memory: 256, watch: [] })
  let output = ''
  child.stdout?.on('data', (text: Buffer) => (output += text))
  child.stderr?.on('data', (text: Buffer) => (output += text))
  const status = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(signal ?? code ?? 'an error'))
  })
  if (status !== 0) throw new Error(`${script} ended with ${status}\n${output.trim()}`)
  return output.trim()
}

function spawnScript({
  script,
  env,
  memory,
  watch,
  args = [],
}: Pick<PartOptions, 'script' | 'env' | 'memory' | 'watch'> & { args?: string[] }) {
  const options = [`--max-old-space-size=${memory}`, '--max-semi-space-size=8', '--disable-warning=ExperimentalWarning']
  options.push('--import', join(import.meta.dirname, 'end-with-parent.ts'))
  // As Vite does: pages from their sources and the API must share one React Router.
  if (watch.length > 0) options.push('--conditions=development')
  // A process group of its own, so that Ctrl-C reaches us alone and we choose the order of the end.
  return spawn(process.execPath, [...options, join(repoRoot, script), ...args], {
    cwd: repoRoot,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}
