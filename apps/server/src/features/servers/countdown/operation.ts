/**
 * The operation that counts down to a stop or restart and warns the players. The stop itself is requested in the
 * transaction that ends the operation, so a killed worker leaves it to the next one and it never happens twice.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { CountedAction } from '@wakestone/contract/servers/countdown'
import { refusePower } from '@wakestone/contract/states'
import type { Context } from '#src/context.ts'
import type { Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { defineOperation, type Ended, type Step } from '#src/features/servers/operations/service.ts'
import {
  findLocked,
  panelStateOf,
  restartServerWithin,
  type ServerRow,
  shouldRun,
  stopServerWithin,
} from '#src/features/servers/servers/service.ts'
import { callOff, type WarningNotes, warnPlayers } from './warn.ts'

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
type CountdownStep = Step<Wish, WarningNotes>

/** Whether the countdown is moot: somebody has already stopped or restarted the server. */
export function isNeedless(server: ServerRow, { action, restarts }: Pick<Wish, 'action' | 'restarts'>): boolean {
  if (action === 'stop') return !server.want_running
  return !shouldRun(server) || server.restarts_wanted !== restarts
}

const isMoot = (step: CountdownStep) => (server: ServerRow) => isNeedless(server, step.input)

export const countdown = defineOperation<'countdown', Wish, WarningNotes>('countdown', {
  exclusive: false,
  phases: {
    wait: {
      weight: 1,
      run: (step: CountdownStep) => warnPlayers(step, step.input, isMoot(step)),
      undo: (step: CountdownStep) => callOff(step, step.input.action, isMoot(step)),
    },
  },
  async ended(trx, end, deps) {
    if (end.outcome === 'done') await act(deps, trx, end)
  },
})

async function act(
  deps: Pick<Context, 'boss' | 'settings'>,
  trx: Transaction,
  { serverId, userId, input }: Ended<Wish, WarningNotes>,
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
