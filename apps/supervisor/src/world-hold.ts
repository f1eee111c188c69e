/**
 * Holds a game's world still for whoever reads its files: written to disk first, then not written to by the game. The hold
 * ends by itself when nobody asks for more of it, since whoever asked may be gone.
 */
import type { WorldHold } from '@wakestone/protocol/values'
import type { Launch } from '@wakestone/packager/manifest'

/** Lines to type, and what the game answers when all is written. `again`: it says so only when it is asked. */
type Commands = { hold: string; flush: string; again: boolean; answer: string; release: string }

/** How long a game may take to write its world; then its files are read as they are. */
const FLUSH_MS = 60_000
const ASK_MS = 1_000

/** By the ways of the two editions; undefined where a game has neither. */
export function holdCommands({ flush, probe }: Pick<Launch, 'flush' | 'probe'>): Commands | undefined {
  if (probe === 'bedrock')
    return {
      hold: 'save hold',
      flush: 'save query',
      again: true,
      answer: 'Data saved. Files are now ready to be copied.',
      release: 'save resume',
    }
  if (flush === undefined) return undefined
  return { hold: 'save-off', flush: flush.command, again: false, answer: flush.answer, release: 'save-on' }
}

export function createWorldHold({
  type,
  managed,
  onChange,
  flushMs = FLUSH_MS,
}: {
  /** Types a line into a game that reads; false when none does. */
  type: (line: string) => boolean
  /** By the management protocol, where the game has it: saving stops and everything is written, or saving goes on. */
  managed?: { isThere(): boolean; hold(): Promise<void>; release(): Promise<void> }
  onChange: () => void
  flushMs?: number
}) {
  let commands: Commands | undefined
  let state: WorldHold = 'none'
  /** Whether the game was told to hold, and is to be told the opposite. */
  let isTold = false
  let leaseTimer: NodeJS.Timeout | undefined
  let flushTimer: NodeJS.Timeout | undefined
  let askTimer: NodeJS.Timeout | undefined
  /** Whether it was told by the management protocol. */
  let isManaged = false
  let turn = 0

  function enter(next: WorldHold) {
    if (next === state) return
    state = next
    onChange()
  }
  function endWaiting() {
    clearTimeout(flushTimer)
    clearInterval(askTimer)
  }
  /** Has a game that runs stop writing, and write what it has. */
  function tell(flushes: boolean) {
    if (flushes && !isTold && managed?.isThere() === true) return tellManaged(managed)
    if (commands === undefined || isTold || !type(commands.hold)) return enter('held')
    isTold = true
    if (!flushes) return enter('held')
    const { flush, again } = commands
    enter('saving')
    type(flush)
    flushTimer = setTimeout(done, flushMs)
    if (again) askTimer = setInterval(() => type(flush), ASK_MS)
  }
  function tellManaged({ hold }: NonNullable<typeof managed>) {
    isTold = isManaged = true
    const mine = ++turn
    enter('saving')
    flushTimer = setTimeout(done, flushMs)
    hold().then(
      () => mine === turn && done(),
      () => {
        // What it could not do the console may.
        if (mine !== turn || state !== 'saving') return
        clearTimeout(flushTimer)
        isTold = isManaged = false
        if (commands === undefined || !type(commands.hold)) return enter('held')
        isTold = true
        type(commands.flush)
        flushTimer = setTimeout(done, flushMs)
      },
    )
  }
  function done() {
    endWaiting()
    if (state === 'saving') enter('held')
  }
  function release() {
    clearTimeout(leaseTimer)
    endWaiting()
    turn++
    if (isManaged) managed?.release().catch(() => commands !== undefined && type(commands.release))
    else if (isTold && commands !== undefined) type(commands.release)
    isTold = isManaged = false
    enter('none')
  }

  return {
    state: () => state,
    /** @param phase of the game: one that is frozen has written its world, and is told to hold it as soon as it goes on. */
    hold(seconds: number, phase: string, launch: Pick<Launch, 'flush' | 'probe'> | undefined) {
      clearTimeout(leaseTimer)
      leaseTimer = setTimeout(release, seconds * 1000)
      if (state !== 'none') return
      commands = launch && holdCommands(launch)
      if (phase === 'running') tell(true)
      else enter('held')
    },
    release,
    /** The game has come up or goes on: what holds for it holds from its first moment. */
    gameRuns() {
      if (state !== 'none' && !isTold) tell(false)
    },
    /** The game is gone, and what it was told with it. */
    gameEnded() {
      endWaiting()
      turn++
      isTold = isManaged = false
      if (state === 'saving') enter('held')
    },
    readLine(text: string) {
      if (state === 'saving' && text.length < 300 && text.trimEnd().endsWith(commands?.answer ?? '\n')) done()
    },
    close() {
      clearTimeout(leaseTimer)
      endWaiting()
    },
  }
}
