/** Tells players in the game that it moves, and for how long it will be away. */
import type { Language } from '@wakestone/contract/primitives'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import { warningText } from './game-texts.ts'
import { findOwn, isGameUp, type MoveStep, sleepOf } from './phases.ts'

const shortWarningSeconds = 10

/** What was said is written before it is said: who follows a worker that was killed waits on, and repeats nothing. */
export const warn = {
  weight: 3,
  async run(step: MoveStep) {
    const seconds = step.deps.settings.MOVE_WARNING_SECONDS
    if (step.notes.warnedAt === undefined) {
      const { players_online: players, phase } = await findOwn(step)
      const isTold = players > 0 && phase === 'running' && seconds > 0
      await step.note({ warnedAt: isTold ? Date.now() : null })
      if (isTold) await say(step, seconds)
    }
    const { warnedAt } = step.notes
    if (warnedAt != null) await waitFrom(step, warnedAt + seconds * 1000)
    const server = await findOwn(step)
    await step.note({ before: { isUp: isGameUp(server), sleep: sleepOf(server) } })
  },
}

async function waitFrom(step: MoveStep, end: number): Promise<void> {
  const left = () => end - Date.now()
  const short = shortWarningSeconds * 1000
  if (left() > short) await step.pause(left() - short)
  const isLong = step.deps.settings.MOVE_WARNING_SECONDS > shortWarningSeconds
  if (isLong && left() > 0 && step.notes.warnedAgain !== true) {
    await step.note({ warnedAgain: true })
    await say(step, Math.ceil(left() / 1000))
  }
  if (left() > 0) await step.pause(left())
}

async function say(step: MoveStep, seconds: number): Promise<void> {
  const { language } = await findOwn(step)
  const text = warningText(language as Language, { seconds, downSeconds: step.input.expectedSeconds })
  try {
    await (await step.deps.fleet.find(step.serverId))?.command(`say ${text}`)
  } catch (error) {
    if (!(error instanceof SupervisorError)) throw error // its game has ended meanwhile
  }
}
