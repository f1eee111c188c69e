/**
 * The operation that counts down to a stop or restart and warns the players. The stop itself is requested in the
 * transaction that ends the operation, so a killed worker leaves it to the next one and it never happens twice.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import type { CountedAction } from '@wakestone/contract/servers/countdown'
import { refusePower } from '@wakestone/contract/states'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import type { Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { defineOperation, type Ended, hasOpenOfKind, type Step } from '#src/features/servers/operations/service.ts'
import {
  findLocked,
  findServer,
  panelStateOf,
  restartServerWithin,
  type ServerRow,
  shouldRun,
  stopServerWithin,
} from '#src/features/servers/servers/service.ts'
import { calledOffText, soonText } from './game-texts.ts'

export type Wish = {
  action: CountedAction
  /** When to stop or restart. */
  at: string
  seconds: number
  /** Of the stop, in seconds. */
  timeout: number
  /** How many restarts had been requested by then: another one since makes this one unnecessary. */
  restarts: number
}
type Notes = {
  /** The last warning players got, in seconds before. */
  told: number
  calledOff: boolean
}
type CountdownStep = Step<Wish, Notes>

/** When players are warned, in seconds before. */
const marks = [300, 60, 30, 10, 5, 4, 3, 2, 1]
const lookMilliseconds = 500

/** Whether the countdown is moot: somebody has already stopped or restarted the server. */
export function isNeedless(server: ServerRow, { action, restarts }: Pick<Wish, 'action' | 'restarts'>): boolean {
  if (action === 'stop') return !server.want_running
  return !shouldRun(server) || server.restarts_wanted !== restarts
}

async function countDown(step: CountdownStep): Promise<void> {
  const { input, deps, serverId } = step
  for (;;) {
    const server = await findServer(deps.db, serverId)
    // With nobody left to warn there is no reason to wait.
    if (server === undefined || isNeedless(server, input) || server.players_online === 0) return
    const left = Date.parse(input.at) - Date.now()
    if (left <= 0) return
    await tell(step, server, left / 1000)
    const next = marks.find((mark) => mark * 1000 < left) ?? 0
    await step.pause(Math.max(1, Math.min(lookMilliseconds, left - next * 1000)))
  }
}

/** Notes each warning before sending it, so that a worker that takes over repeats none. */
async function tell(step: CountdownStep, server: ServerRow, left: number): Promise<void> {
  const { told } = step.notes
  // If the worker starts a moment late, the first warning still names the time that was asked for.
  const first = left > step.input.seconds * 0.9 ? step.input.seconds : Math.ceil(left)
  const due = told === undefined ? first : marks.findLast((mark) => mark >= left && mark < told)
  if (due === undefined) return
  await step.note({ told: due })
  await say(step, soonText(server.language as Language, step.input.action, due))
}

async function callOff(step: CountdownStep): Promise<void> {
  if (step.notes.told === undefined || step.notes.calledOff === true) return
  await step.note({ calledOff: true })
  const { deps, serverId, input } = step
  const server = await findServer(deps.db, serverId)
  // A new countdown has replaced this one and will warn them itself.
  if (server === undefined || isNeedless(server, input) || (await hasOpenOfKind(deps.db, serverId, 'countdown'))) return
  await say(step, calledOffText(server.language as Language, input.action))
}

async function say({ deps, serverId }: CountdownStep, text: string): Promise<void> {
  try {
    await (await deps.fleet.find(serverId))?.command(`say ${text}`)
  } catch (error) {
    if (!(error instanceof SupervisorError)) throw error // its game has ended meanwhile
  }
}

export const countdown = defineOperation<'countdown', Wish, Notes>('countdown', {
  exclusive: false,
  phases: { wait: { weight: 1, run: countDown, undo: callOff } },
  async ended(trx, end, deps) {
    if (end.outcome === 'done') await act(deps, trx, end)
  },
})

async function act(
  deps: Pick<Context, 'boss' | 'settings'>,
  trx: Transaction,
  { serverId, userId, input }: Ended<Wish, Notes>,
): Promise<void> {
  const server = await findLocked(trx, serverId)
  const { action, timeout } = input
  if (isNeedless(server, input) || refusePower(action, panelStateOf(server)) !== undefined) return
  const ask = { executor: userId === null ? null : { userId }, timeout }
  try {
    await (action === 'stop'
      ? stopServerWithin(deps, trx, serverId, ask)
      : restartServerWithin(deps, trx, serverId, ask))
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { code, fields } = error
    await recordServerEvent(trx, serverId, {
      action: action === 'stop' ? 'SERVER_GAME_STOP' : 'SERVER_GAME_START',
      success: false,
      error: { code, ...(fields !== undefined && { fields }) },
      data: { ...(userId !== null && { executor: userId }), restart: action === 'restart' },
    })
  }
}
