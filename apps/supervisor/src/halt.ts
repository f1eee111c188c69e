/** Halts every process of a game, lets them go on, and ends them. */
import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createDescent, listProcesses, readStat } from './proc.ts'

export type ProcessesOfGame = {
  /** The one that was launched. */
  pid: number
  /** Whether every other process that can be seen is the game's, or a helper of ours. */
  isAlone: boolean
}

const LOOK_MS = 3
/** A process that waits for a disk halts once that has answered. */
const PATIENCE_MS = 10_000
/** What is left then is ended from outside, with all of the sandbox. */
const KILL_PASSES = 20
const HALTED = ['T', 't', 'Z', 'X', 'x']

/**
 * Halts them in passes until two in a row have found all of them halted: what was born during a pass is met by the next.
 * @returns false when the signal came, the game is gone or it keeps running; some may be halted then
 */
export async function haltGame(game: ProcessesOfGame, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS
  for (let quiet = 0; quiet < 2;) {
    if (signal.aborted || performance.now() > end) return false
    const pids = findGame(game)
    if (pids.length === 0) return false
    const areHalted = pids.every(isHalted)
    for (const pid of pids) send(pid, 'SIGSTOP')
    quiet = areHalted ? quiet + 1 : 0
    await delay(LOOK_MS)
  }
  return !signal.aborted
}

/** The last that was halted goes on first, so that parents find their children awake. */
export function resumeGame(game: ProcessesOfGame): void {
  for (const pid of findGame(game).toReversed()) send(pid, 'SIGCONT')
}

/**
 * Ends all of them in passes, each halted before it is killed, until there are none: what has left the game's process
 * group, and what is born meanwhile. What is ours, such as its MySQL, goes on.
 */
export function killGame(game: ProcessesOfGame): void {
  for (let pass = 0; pass < KILL_PASSES; pass++) {
    const pids = findGame(game).filter(isThere)
    if (pids.length === 0) return
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const pid of pids) send(pid, signal)
  }
}

/** Parents before their children. */
function findGame({ pid: gamePid, isAlone }: ProcessesOfGame): number[] {
  const all = listProcesses()
  const descends = createDescent(all)
  const isGame = ({ pid, group, session }: (typeof all)[number]) =>
    descends(pid, gamePid) ||
    (isAlone ? pid !== 1 && !descends(pid, process.pid) : group === gamePid || session === gamePid)
  const pids = all.filter(isGame).map(({ pid }) => pid)
  return pids.toSorted((one, other) => Number(descends(one, other)) - Number(descends(other, one)))
}

/** All of its threads: the first one may have ended while others run. */
function isHalted(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) =>
      HALTED.includes(readStat(`/proc/${pid}/task/${thread}/stat`)?.state ?? 'X'),
    )
  } catch {
    return true // it has ended
  }
}

const isThere = (pid: number) => !['Z', 'X', 'x'].includes(readStat(`/proc/${pid}/stat`)?.state ?? 'X')

function send(pid: number, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}
