/**
 * One game server's power: a state machine over `phaseTransitions`. Actions are taken one after another; a kill
 * passes them all by.
 */
import { type GamePhase, livePhases, phaseTransitions } from '@wakestone/protocol/phases'
import type { GameExit } from '@wakestone/protocol/supervisor'
import type { Launch } from '@wakestone/packager/manifest'
import type { GameConsole } from './console.ts'
import { judgeCrash } from './crash-policy.ts'
import { findFreePort, type GameProcess, spawnGame } from './game-process.ts'
import type { GameUser } from './game-user.ts'
import { haltGame, resumeGame } from './halt.ts'
import type { LaunchCommand } from './launch.ts'
import type { RunState } from './run-state.ts'

export type Crash = { exit: GameExit; crashCount: number; tooManyTimes: boolean }

export type GameOptions = {
  cwd: string
  /** As whom the game runs; null: as we do. */
  user: GameUser | null
  /** Whether nobody else's processes can be seen. */
  isAlone: boolean
  /** Descriptor of the file through which a process enters the game's cgroup. */
  cgroup?: number | undefined
  /** Where the game has to listen; without it any free port is taken. */
  port?: number | undefined
  console: GameConsole
  initialPhase: GamePhase
  runState: RunState
  saveRunState: (state: RunState) => void
  /** @throws Error with a reason for the console when the game cannot be launched. */
  prepareLaunch: (port: number) => Promise<{ launch: LaunchCommand } & Pick<Launch, 'stopCommand' | 'flush'>>
  /** Rejects until the game answers on its port. */
  probe: (port: number) => Promise<unknown>
  onPhase: (from: GamePhase) => void
  /** Every line that the game writes. @returns true where the console is not to show it */
  onLine?: (text: string) => boolean
  onCrash: (crash: Crash) => void
  /** Waits before restarts; shortened by tests. */
  backOffMs?: readonly number[]
}

const PROBE_MS = 250
/** How long a game that is to be frozen may take to write its world. */
const FLUSH_MS = 10_000
/** Lines by which games tell that somebody has stopped them from inside. */
const STOPPING_LINE = /(?:^|\]:? )(?:\[[^\]]*: )?Stopping (?:the )?server\b/

export function createGame(options: GameOptions) {
  const { console, runState } = options
  let phase = options.initialPhase
  let since = new Date()
  let port: number | null = null
  let child: GameProcess | undefined
  let launchedAt: Date | null = null
  let stopCommand = 'stop'
  let flush: Launch['flush']
  /** Called with each line of the game while its world is awaited. */
  let readFlush: ((text: string) => void) | undefined
  /** Calls off a freeze that is under way. */
  let freezing: AbortController | undefined
  /** Of a frozen game: it has said that its world is written. */
  let isSaved = false
  /** Somebody wants this process to end. */
  let endAsked = false
  let stoppedFromInside = false
  let killTimer: NodeJS.Timeout | undefined
  let killAt = Infinity
  let restartTimer: NodeJS.Timeout | undefined
  let exited: (() => void) | undefined
  let queue: Promise<void> = Promise.resolve()
  let queued = 0
  let generation = 0

  function enter(next: GamePhase) {
    if (next === phase) return
    if (!phaseTransitions[phase].includes(next)) throw new Error(`no way from ${phase} to ${next}`)
    const from = phase
    phase = next
    since = new Date()
    options.onPhase(from)
  }
  const say = (text: string) => console.write('system', text)
  const isAlive = () => child !== undefined

  /** Runs an action after those before it; at once when there are none, so that its first effects show immediately. */
  function enqueue(action: () => Promise<void> | void): Promise<void> {
    const mine = generation
    const run = async () => {
      if (mine === generation) await action()
    }
    queued++
    const result = queued === 1 ? run() : queue.then(run)
    queue = result.catch(() => {}).finally(() => queued--)
    return result
  }

  async function launch() {
    clearTimeout(restartTimer)
    enter('starting')
    endAsked = false
    stoppedFromInside = false
    const mine = generation
    const chosen = options.port ?? (await findFreePort())
    if (mine !== generation) return // killed meanwhile
    let prepared: Awaited<ReturnType<GameOptions['prepareLaunch']>>
    try {
      prepared = await options.prepareLaunch(chosen)
      if (mine !== generation) return
    } catch (error) {
      if (mine !== generation) return
      say(`Cannot start: ${(error as Error).message}`)
      handleExit(null, null)
      return
    }
    ;({ stopCommand, flush } = prepared)
    port = chosen
    launchedAt = new Date()
    runState.launchedAt = launchedAt.toISOString()
    options.saveRunState(runState)
    child = spawnGame({
      launch: prepared.launch,
      cwd: options.cwd,
      user: options.user,
      isAlone: options.isAlone,
      cgroup: options.cgroup,
      onLine(stream, text) {
        if (text.length < 300 && STOPPING_LINE.test(text)) stoppedFromInside = true
        readFlush?.(text)
        if (options.onLine?.(text) !== true) console.write(stream, text)
      },
      onExit: handleExit,
    })
    if (isAlive()) void watchUntilReady(child, chosen)
  }

  async function watchUntilReady(watched: GameProcess, at: number) {
    while (child === watched && phase === 'starting') {
      const answers = await options.probe(at).then(
        () => true,
        () => false,
      )
      if (child !== watched || phase !== 'starting') return
      if (answers) return enter('running')
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS))
    }
  }

  function handleExit(code: number | null, signal: string | null) {
    clearTimeout(killTimer)
    freezing?.abort()
    killAt = Infinity
    const ranMs = launchedAt ? Date.now() - launchedAt.getTime() : 0
    const expected = endAsked || (code === 0 && stoppedFromInside)
    const exit: GameExit = { at: new Date().toISOString(), code, signal, expected }
    child = undefined
    port = null
    launchedAt = null
    runState.launchedAt = null
    runState.lastExit = exit
    const how = signal ? `signal ${signal}` : `code ${code ?? 'none'}`
    if (expected) {
      say(`The game has ended (${how}).`)
      options.saveRunState(runState)
      enter('stopped')
    } else {
      const verdict = judgeCrash({
        crashes: runState.crashes,
        now: Date.now(),
        ranMs,
        ...(options.backOffMs && { backOffMs: options.backOffMs }),
      })
      runState.crashes = verdict.crashes
      runState.gaveUp = verdict.tooManyTimes
      options.saveRunState(runState)
      const next = verdict.tooManyTimes ? 'it stays off' : `it starts again in ${verdict.restartInMs / 1000} s`
      say(`The game has crashed (${how}); ${next}.`)
      options.onCrash({ exit, crashCount: verdict.crashes.length, tooManyTimes: verdict.tooManyTimes })
      enter(verdict.tooManyTimes ? 'crashed' : 'restarting')
      if (!verdict.tooManyTimes) restartTimer = setTimeout(restartAfterCrash, verdict.restartInMs)
    }
    exited?.()
    exited = undefined
  }

  function restartAfterCrash() {
    void enqueue(async () => {
      if (phase === 'restarting') await launch()
    })
  }

  function killIn(seconds: number) {
    const at = Date.now() + seconds * 1000
    if (at >= killAt) return
    killAt = at
    clearTimeout(killTimer)
    killTimer = setTimeout(() => {
      say('The game did not end in time and is killed.')
      child?.kill()
    }, seconds * 1000)
  }

  async function bringDown(timeoutSeconds: number) {
    if (phase === 'restarting' || phase === 'crashed') {
      clearTimeout(restartTimer)
      runState.gaveUp = false
      options.saveRunState(runState)
      return enter('stopped')
    }
    if (!isAlive()) return
    thaw()
    endAsked = true
    enter('stopping')
    const gone = new Promise<void>((resolve) => {
      exited = resolve
    })
    if (!child?.type(stopCommand)) killIn(0)
    killIn(timeoutSeconds)
    await gone
  }

  /** Ends the game for the end of the supervisor itself; that it had been given up stays known. */
  async function shutDown(timeoutSeconds: number) {
    clearTimeout(restartTimer)
    if (isAlive()) await bringDown(timeoutSeconds)
  }

  /** Halts the game once its world is written, unless it is needed again by then. */
  async function freeze(isIdle: () => boolean) {
    if (phase !== 'running' || child?.pid === undefined || !isIdle()) return
    const { pid } = child
    freezing = new AbortController()
    const { signal } = freezing
    try {
      isSaved = await flushWorld(child, signal)
      if (signal.aborted || !isIdle()) return
      const isHalted = await haltGame({ pid, isAlone: options.isAlone }, signal)
      if (signal.aborted) return
      if (!isHalted) {
        say('The game cannot be frozen: its processes do not halt.')
        return resumeGame({ pid, isAlone: options.isAlone })
      }
      say('The game is frozen, since nobody needs it.')
      enter('frozen')
    } finally {
      freezing = undefined
    }
  }

  /** Waits until the game says that its world is written, no longer than that may take. @returns whether it said so */
  async function flushWorld(game: GameProcess, signal: AbortSignal): Promise<boolean> {
    const wanted = flush
    if (wanted === undefined || !game.type(wanted.command)) return false
    const isWritten = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, FLUSH_MS, false)
      const end = (said: boolean) => (clearTimeout(timer), resolve(said))
      signal.addEventListener('abort', () => end(false))
      readFlush = (text) => {
        if (text.length < 300 && text.trimEnd().endsWith(wanted.answer)) end(true)
      }
    })
    readFlush = undefined
    return isWritten
  }

  /** At once. Does nothing to a game that is not frozen, nor about to be. */
  function thaw() {
    if (phase !== 'frozen' && freezing === undefined) return
    freezing?.abort()
    if (child?.pid !== undefined) resumeGame({ pid: child.pid, isAlone: options.isAlone })
    if (phase !== 'frozen') return
    say(`The game goes on; it was frozen for ${Math.round((Date.now() - since.getTime()) / 1000)} s.`)
    enter('running')
  }

  async function bringUp() {
    if (phase !== 'stopped' && phase !== 'crashed' && phase !== 'restarting') return
    if (phase === 'crashed') {
      runState.crashes = []
      runState.gaveUp = false
    }
    await launch()
  }

  return {
    state: () => ({ phase, since, port, launchedAt, pid: child?.pid, lastExit: runState.lastExit }),
    isDown: () => !livePhases.includes(phase) && queued === 0,
    /** Frozen with its world written, as the game has said itself. */
    isFrozenSaved: () => phase === 'frozen' && isSaved,
    enter,
    start() {
      thaw()
      return enqueue(bringUp)
    },
    freeze: (isIdle: () => boolean) => enqueue(() => freeze(isIdle)),
    thaw,
    stop(timeoutSeconds: number) {
      thaw()
      if (phase === 'stopping') killIn(timeoutSeconds)
      return enqueue(() => bringDown(timeoutSeconds))
    },
    restart(timeoutSeconds: number) {
      thaw()
      return enqueue(async () => {
        const mine = generation
        await bringDown(timeoutSeconds)
        if (mine === generation) await bringUp()
      })
    },
    shutDown(timeoutSeconds: number) {
      thaw()
      if (phase === 'stopping') killIn(timeoutSeconds)
      return enqueue(() => shutDown(timeoutSeconds))
    },
    /** Ends the game at once, and forgets what else was asked for. */
    kill() {
      generation++
      freezing?.abort()
      endAsked = true
      clearTimeout(restartTimer)
      if (child) return child.kill()
      if (phase === 'starting' || phase === 'restarting' || phase === 'crashed') enter('stopped')
    },
    /** Types a line into the game, which goes on for it if it was frozen; false when none runs or it does not read. */
    type(line: string): boolean {
      if (!child) return false
      thaw()
      if (line.replace(/^\//, '').trim() === stopCommand.replace(/^\//, '')) stoppedFromInside = true
      console.write('in', line)
      return child.type(line)
    },
    /** Types a line of ours, which wakes nothing and is nobody's command; false when no game reads. */
    whisper: (line: string): boolean => child?.type(line) ?? false,
  }
}
