/** The operating system's side of a game: its processes and their pipes. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { createLineSplitter } from './console-lines.ts'
import { type GameUser, runAsGame } from './game-user.ts'
import { killGame } from './halt.ts'
import type { LaunchCommand } from './launch.ts'

/** A game that leaves its input unread gets no more commands beyond this. */
const MAX_UNREAD_INPUT = 256 * 1024
/** How long output may still come from children of a game that has ended. */
const LAST_OUTPUT_MS = 500

export type GameProcess = {
  pid: number | undefined
  /** Types a line; false when the game does not read. */
  type(line: string): boolean
  /** Ends all of its processes at once. */
  kill(): void
}

export type GameProcessOptions = {
  launch: LaunchCommand
  cwd: string
  user: GameUser | null
  /** Whether every other process that can be seen is the game's, or a helper of ours that may end with it. */
  isAlone: boolean
  /** Descriptor of the file through which a process enters the game's cgroup. */
  cgroup?: number | undefined
  onLine: (stream: 'out' | 'err', text: string) => void
  /** Called once, after the last line. */
  onExit: (code: number | null, signal: string | null) => void
}

/**
 * Enters the game's cgroup before anything of the game is there, and lets go of the way in. Kernels before 5.16 ask who
 * writes, not who has opened it, and may refuse: then the game has the limits of its supervisor.
 */
const ENTER = 'echo 0 >&3 2> /dev/null; exec 3>&-; exec "$@"'

export function spawnGame({ launch, cwd, user, isAlone, cgroup, onLine, onExit }: GameProcessOptions): GameProcess {
  const command = runAsGame(launch.command, user)
  const [program, ...parameters] = cgroup === undefined ? command : ['/bin/sh', '-c', ENTER, 'game', ...command]
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: cwd, LANG: 'C.UTF-8', TZ: 'UTC', ...launch.env }
  const more = cgroup === undefined ? [] : [cgroup]
  const child = spawn(program as string, parameters, {
    cwd,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...more] as ['pipe', 'pipe', 'pipe'],
  })
  const out = createLineSplitter((text) => onLine('out', text))
  const err = createLineSplitter((text) => onLine('err', text))
  child.stdout.on('data', out.push)
  child.stderr.on('data', err.push)
  // A game that closes its input is no fault of ours.
  child.stdin.on('error', () => {})

  let over = false
  function finish(code: number | null, signal: string | null) {
    if (over) return
    over = true
    out.end()
    err.end()
    onExit(code, signal)
  }
  function kill() {
    if (child.pid === undefined) return
    if (isAlone) return killGame({ pid: child.pid, isAlone })
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // There are none any more.
    }
  }
  child.on('error', (error) => {
    if (child.pid !== undefined) return
    onLine('err', `could not start: ${error.message}`)
    finish(null, null)
  })
  child.on('exit', (code, signal) => {
    kill() // what the game has left running
    const last = setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
      finish(code, signal)
    }, LAST_OUTPUT_MS)
    child.on('close', () => {
      clearTimeout(last)
      finish(code, signal)
    })
  })

  return {
    pid: child.pid,
    type(line) {
      if (over || child.stdin.destroyed || child.stdin.writableLength > MAX_UNREAD_INPUT) return false
      child.stdin.write(`${line}\n`)
      return true
    },
    kill,
  }
}

/** A port of the loopback address that nobody listens on now. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
