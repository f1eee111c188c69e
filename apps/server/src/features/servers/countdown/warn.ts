/** Warning the players of a server before it goes down under them, again and again as the time comes nearer. */
import type { Language } from '@wakestone/contract/primitives'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import { hasOpenOfKind, type Phase, type Step } from '#src/features/servers/operations/service.ts'
import { findServer, isLive, type ServerRow } from '#src/features/servers/servers/service.ts'
import { calledOffText, type Interruption, sendOffTexts, soonText, type WarnedOf } from './game-texts.ts'

export type WarningNotes = {
  /** The last warning players got, in seconds before. */
  told: number
  calledOff: boolean
}
/** How long players are warned before the game is stopped for something else. Missing where there is no game. */
export type WarnedInput = { warning?: { seconds: number } }
type WarningStep = Pick<Step<never, WarningNotes>, 'serverId' | 'deps' | 'notes' | 'note' | 'pause'>
export type Warning = {
  action: WarnedOf
  /** When it happens. */
  at: string
  seconds: number
}
/** Whether there is nothing left to warn of. */
type IsMoot = (server: ServerRow) => boolean

/** When players are warned, in seconds before. */
const marks = [300, 60, 30, 10, 5, 4, 3, 2, 1]
const lookMilliseconds = 500

/** Warns until it is time, or nobody is left to warn. */
export async function warnPlayers(step: WarningStep, warning: Warning, isMoot: IsMoot): Promise<void> {
  const { deps, serverId } = step
  for (;;) {
    const server = await findServer(deps.db, serverId)
    if (server === undefined || isMoot(server) || server.players_online === 0) return
    const left = Date.parse(warning.at) - Date.now()
    if (left <= 0) return
    await tell(step, warning, { server, left: left / 1000 })
    const next = marks.find((mark) => mark * 1000 < left) ?? 0
    await step.pause(Math.max(1, Math.min(lookMilliseconds, left - next * 1000)))
  }
}

/** Notes each warning before sending it, so that a worker that takes over repeats none. */
async function tell(
  step: WarningStep,
  { action, seconds }: Warning,
  { server, left }: { server: ServerRow; left: number },
): Promise<void> {
  const { told } = step.notes
  // If the worker starts a moment late, the first warning still names the time that was asked for.
  const first = left > seconds * 0.9 ? seconds : Math.ceil(left)
  const due = told === undefined ? first : marks.findLast((mark) => mark >= left && mark < told)
  if (due === undefined) return
  await step.note({ told: due })
  await type(step, `say ${soonText(server.language as Language, action, due)}`)
}

/** Tells players who were warned that it does not happen. */
export async function callOff(step: WarningStep, action: WarnedOf, isMoot: IsMoot): Promise<void> {
  if (step.notes.told === undefined || step.notes.calledOff === true) return
  await step.note({ calledOff: true })
  const { deps, serverId } = step
  const server = await findServer(deps.db, serverId)
  // A new countdown has replaced this one and will warn them itself.
  if (server === undefined || isMoot(server) || (await hasOpenOfKind(deps.db, serverId, 'countdown'))) return
  await type(step, `say ${calledOffText(server.language as Language, action)}`)
}

const isDown = (server: ServerRow) => !isLive(server.phase)

/**
 * A phase before the game is stopped for something else: gives players their time, which is told with it, and those who
 * are still there then the reason why they have to go.
 */
export const warnBefore = (action: Interruption): Phase<WarnedInput, WarningNotes> => ({
  weight: 5,
  async run(step) {
    const { warning } = step.input
    if (warning === undefined) return
    const { seconds } = warning
    const end = step.since.getTime() + seconds * 1000
    const pause: WarningStep['pause'] = (milliseconds) => {
      const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
      const figures = { bytes_done: 0, bytes_total: 0, bytes_per_second: null, seconds_left: left }
      step.report(1 - left / seconds, null, figures)
      return step.pause(milliseconds)
    }
    await warnPlayers({ ...step, pause }, { action, at: new Date(end).toISOString(), seconds }, isDown)
    const server = await findServer(step.deps.db, step.serverId)
    if (server !== undefined && !isDown(server)) await sendOff(step, action)
  },
  undo: (step) => callOff(step, action, isDown),
})

/** Throws out whoever still plays, with a reason: a game that closes gives them none. */
async function sendOff(step: Pick<WarningStep, 'deps' | 'serverId'>, action: Interruption): Promise<void> {
  const { deps, serverId } = step
  const server = await findServer(deps.db, serverId)
  // Bedrock's names need not be one word.
  if (server === undefined || server.game !== 'minecraft-java') return
  const status = await asking(async () => (await deps.fleet.find(serverId))?.status())
  const names = status?.players.names.filter((name) => /^\w+$/.test(name)) ?? []
  for (const name of names) await type(step, `kick ${name} ${sendOffTexts[action][server.language as Language]}`)
}

/** Types a command into the console of a game that may have ended. */
const type = ({ deps, serverId }: Pick<WarningStep, 'deps' | 'serverId'>, command: string) =>
  asking(async () => (await deps.fleet.find(serverId))?.command(command))

async function asking<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof SupervisorError)) throw error // its game has ended meanwhile
    return undefined
  }
}
