/**
 * Start, stop, restart, kill, autostart: each writes what the server should be and enqueues the job that sees to it.
 */
import { DomainError } from '@wakestone/contract/errors'
import { type PowerAction, refusePower } from '@wakestone/contract/states'
import type { EventDetails } from '@wakestone/contract/ground/event'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { requirePlace } from '#src/features/servers/free-places/service.ts'
import { requestKill, requestReconcile } from './jobs.ts'
import { findServer, type ServerRow } from './repo.ts'
import { isKeptDown, panelStateOf, requirePaid } from './status.ts'
import { lockServer, setAutostartFlag, wantRestart, wantRunning, wantStopped } from './wanted-repo.ts'

type Deps = Pick<Context, 'db' | 'boss' | 'settings'>
/** Who asks for it. */
export type Executor = { userId: string }

/** @throws DomainError when the server may not run or is not ready for it. */
export function requireRunnable(server: ServerRow): void {
  requirePaid(server)
  if (isKeptDown(server)) throw new DomainError('server_is_disabled', { resource: 'server' })
  if (server.prepared_at === null && server.preparation_error === null)
    throw new DomainError('server_is_preparing', { resource: 'server' })
}

/** @throws DomainError for what does not fit the state that the server is in; buttons read the same table. */
export function requireFitting(server: ServerRow, action: PowerAction): void {
  const code = refusePower(action, panelStateOf(server))
  if (code !== undefined) throw new DomainError(code, { resource: 'server' })
}

type Action = 'SERVER_GAME_START' | 'SERVER_GAME_STOP'
type Change = {
  /** Null: who asked for it is gone. */
  executor: Executor | null
  action: Action
  /** Throws where the server, as it is now, does not allow this. */
  require?: (server: ServerRow, trx: Transaction) => void | Promise<void>
  data?: Omit<EventDetails<Action>, 'executor'>
}

/** Writes a wish, tells of it, and has it seen to; answers with the server as it then stands. */
function change(
  { db, boss }: Pick<Deps, 'db' | 'boss'>,
  serverId: string,
  wish: Change,
  write: (trx: Transaction) => Promise<void>,
): Promise<ServerRow> {
  return inTransaction(db, (trx) => changeWithin({ boss }, trx, serverId, wish, write))
}

async function changeWithin(
  { boss }: Pick<Deps, 'boss'>,
  trx: Transaction,
  serverId: string,
  { executor, action, require, data = {} }: Change,
  write: (trx: Transaction) => Promise<void>,
): Promise<ServerRow> {
  if (require !== undefined) await require(await findLocked(trx, serverId), trx)
  await write(trx)
  await recordServerEvent(trx, serverId, {
    action,
    data: { ...(executor !== null && { executor: executor.userId }), ...data },
  })
  await requestReconcile(boss, trx, serverId)
  return findLocked(trx, serverId)
}

/** The server as it is and stays until the transaction ends. */
export async function findLocked(trx: Transaction, serverId: string): Promise<ServerRow> {
  await lockServer(trx, serverId)
  const server = await findServer(trx, serverId)
  if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
  return server
}

/** @param whatever also while its game is stopping: it then comes up again */
export async function startServer(
  deps: Deps,
  server: Pick<ServerRow, 'id'>,
  executor: Executor,
  { whatever = false }: { whatever?: boolean } = {},
): Promise<ServerRow> {
  const require = async (present: ServerRow, trx: Transaction) => {
    requireRunnable(present)
    if (!whatever) requireFitting(present, 'start')
    await requirePlace(trx, present, { settings: deps.settings, now: new Date() })
  }
  return change(deps, server.id, { executor, action: 'SERVER_GAME_START', require }, (trx) =>
    wantRunning(trx, server.id),
  )
}

type Ask = { executor: Executor | null; timeout: number }

/** @param timeout seconds after which the game is killed */
export async function stopServer(deps: Deps, server: ServerRow, ask: Ask): Promise<ServerRow> {
  return inTransaction(deps.db, (trx) => stopServerWithin(deps, trx, server.id, ask))
}

export function stopServerWithin(
  deps: Pick<Deps, 'boss'>,
  trx: Transaction,
  serverId: string,
  { executor, timeout }: Ask,
): Promise<ServerRow> {
  const require = (present: ServerRow) => requireFitting(present, 'stop')
  return changeWithin(deps, trx, serverId, { executor, action: 'SERVER_GAME_STOP', require, data: { timeout } }, () =>
    wantStopped(trx, serverId, { timeout }),
  )
}

/** @param whatever also while it sleeps: its game is begun anew, not woken */
export async function restartServer(
  deps: Deps,
  server: ServerRow,
  ask: Ask & { whatever?: boolean },
): Promise<ServerRow> {
  return inTransaction(deps.db, (trx) => restartServerWithin(deps, trx, server.id, ask))
}

export function restartServerWithin(
  deps: Pick<Deps, 'boss' | 'settings'>,
  trx: Transaction,
  serverId: string,
  { executor, timeout, whatever = false }: Ask & { whatever?: boolean },
): Promise<ServerRow> {
  const require = async (present: ServerRow) => {
    requireRunnable(present)
    if (!whatever) requireFitting(present, 'restart')
    await requirePlace(trx, present, { settings: deps.settings, now: new Date() })
  }
  const data = { restart: true, timeout }
  return changeWithin(deps, trx, serverId, { executor, action: 'SERVER_GAME_START', require, data }, () =>
    wantRestart(trx, serverId, { timeout }),
  )
}

/** Ends the game without saving, whatever state it is in; not even a stop under way is waited for. */
export async function killServer(deps: Deps, server: ServerRow, executor: Executor): Promise<ServerRow> {
  if (server.placed_at === null) throw new DomainError('server_has_not_pod', { resource: 'server' })
  return change(deps, server.id, { executor, action: 'SERVER_GAME_STOP', data: { kill: true } }, async (trx) => {
    await wantStopped(trx, server.id, { timeout: 0 })
    await requestKill(deps.boss, trx, server.id)
  })
}

export async function setAutostart(
  deps: Deps,
  server: ServerRow,
  options: { executor: Executor; value: boolean; stop: boolean; hard: boolean; timeout: number },
): Promise<ServerRow> {
  const { executor, value, stop, hard } = options
  const timeout = hard ? 0 : options.timeout
  if (value) {
    const require = (present: ServerRow, trx: Transaction) => {
      requireRunnable(present)
      return requirePlace(trx, present, { settings: deps.settings, now: new Date() })
    }
    return change(
      deps,
      server.id,
      { executor, action: 'SERVER_GAME_START', require, data: { autostart: true } },
      async (trx) => {
        await wantRunning(trx, server.id, { autostart: true })
        if (hard) await wantRestart(trx, server.id, { timeout })
      },
    )
  }
  if (stop) {
    return change(deps, server.id, { executor, action: 'SERVER_GAME_STOP', data: { autostart: false } }, (trx) =>
      wantStopped(trx, server.id, { timeout, autostart: false }),
    )
  }
  return change(
    deps,
    server.id,
    { executor, action: 'SERVER_GAME_STOP', data: { autostart: false, game: 'kept' } },
    (trx) => setAutostartFlag(trx, server.id, false),
  )
}
