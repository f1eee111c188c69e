/**
 * Everything on a server that takes longer than a request: begun here, done by a worker (`runner.ts`).
 */
import { DomainError } from '@wakestone/contract/errors'
import {
  busyCodes,
  holdsFiles,
  type ExclusiveKind,
  isOver,
  type Operation,
  type OperationKind,
} from '@wakestone/contract/servers/operations'
import type { Context } from '#src/context.ts'
import { inTransaction, type Handle, type Transaction } from '#src/db/client.ts'
import { lockServer } from '#src/features/servers/servers/service.ts'
import { requestRun } from './jobs.ts'
import * as repo from './repo.ts'

export { defineOperation, type Ended, type OperationDefinition, type Phase, type Step } from './define.ts'
export { findSupervisor, untilDown, untilInstalled, untilUp } from './game-phases.ts'
export { runOperationJob } from './jobs.ts'
export { beginPreparation, endPreparation, notePreparation, noteTrouble, type PreparationStep } from './preparation.ts'
export { hasOpenOfKind, hasOperationUnderWay, settleOperation } from './repo.ts'
export { beginOperations } from './runner.ts'

/** How many of a server are shown. */
const listed = 20
/** Those that are over are told of this long, to whoever comes then. */
const toldSeconds = 15

/** Who has asked for it; null: nobody, or their account is gone. */
export async function findOperationUser(db: Handle, id: string): Promise<string | null> {
  return (await repo.findUser(db, id)) ?? null
}

export { formatVolume, restoreSnapshot, takeSnapshot } from './volume.ts'

type Begun = {
  serverId: string
  kind: OperationKind
  /** Whether a server has only one of its kind, as the definition says. */
  exclusive?: boolean
  input: object
  /** What people are shown of it. */
  about?: Operation['about']
  userId: string | null
}

/**
 * Begins an operation, in the transaction of what it belongs to.
 * @returns its id. @throws DomainError of the catalogue that names what else is under way on the server.
 */
export async function beginOperation(
  { boss }: Pick<Context, 'boss'>,
  trx: Transaction,
  { serverId, kind, exclusive = true, input, about = {}, userId }: Begun,
): Promise<string> {
  await lockServer(trx, serverId)
  if (exclusive) await requireIdle(trx, serverId)
  const dueAt = new Date()
  const { id } = await repo.insertOperation(trx, { serverId, kind, exclusive, input, about, userId, dueAt })
  await requestRun(boss, trx, id)
  return id
}

/** Whether an operation that installs something by itself has the server: what comes of it is the operation's to tell. */
export async function isChangedByOperation(db: Handle, serverId: string): Promise<boolean> {
  const open = await repo.findOpenExclusive(db, serverId)
  return open !== undefined && open.kind !== 'prepare' && open.kind !== 'backup'
}

/** Notes of something that was asked for and needs nothing to be done. @returns id of an operation that is over */
export async function recordDone(
  trx: Transaction,
  { serverId, kind, input, about = {}, userId }: Omit<Begun, 'exclusive'>,
): Promise<string> {
  const { id } = await repo.insertOperation(trx, {
    serverId,
    kind,
    exclusive: false,
    input,
    about,
    userId,
    dueAt: null,
  })
  await repo.writeEnded(trx, id, { state: 'done', progress: 1 })
  return id
}

/** @throws DomainError while an exclusive operation is under way on the server. */
export async function requireIdle(db: Handle, serverId: string): Promise<void> {
  const open = await repo.findOpenExclusive(db, serverId)
  if (open !== undefined)
    throw new DomainError(busyCodes[open.kind as ExclusiveKind], { resource: 'process', process_id: open.id })
}

/** @throws DomainError while an operation is under way during which nobody else may change the server's files. */
export async function requireFreeFiles(db: Handle, serverId: string): Promise<void> {
  const open = await repo.findOpenExclusive(db, serverId)
  if (open !== undefined && holdsFiles[open.kind as ExclusiveKind])
    throw new DomainError(busyCodes[open.kind as ExclusiveKind], { resource: 'process', process_id: open.id })
}

export async function listOperations(db: Handle, serverId: string): Promise<Operation[]> {
  return (await repo.selectOperations(db, serverId, listed)).map(describe)
}

/** What a view of the server is told. */
export async function listRecentOperations(db: Handle, serverId: string): Promise<Operation[]> {
  return (await repo.selectRecentOperations(db, serverId, toldSeconds)).map(describe)
}

/** @throws DomainError `process_not_found` */
export async function getOperation(db: Handle, serverId: string, id: string): Promise<Operation> {
  const row = await repo.findOperation(db, serverId, id)
  if (row === undefined) throw new DomainError('process_not_found', { resource: 'process' })
  return describe(row)
}

/** Has an operation go back. @throws DomainError `process_not_found`, `process_cant_be_cancelled` */
export async function cancelOperation(
  { db, boss }: Pick<Context, 'db' | 'boss'>,
  serverId: string,
  id: string,
): Promise<Operation> {
  return inTransaction(db, async (trx) => {
    const row = await repo.lockOperation(trx, serverId, id)
    if (row === undefined) throw new DomainError('process_not_found', { resource: 'process' })
    const isAsked = row.state === 'cancelling' && row.error === null
    if (!isAsked) {
      if (!row.can_cancel || isOver(row.state as Operation['state']) || row.state === 'cancelling')
        throw new DomainError('process_cant_be_cancelled', { resource: 'process' })
      await repo.writeCancelling(trx, id)
      await requestRun(boss, trx, id)
    }
    return getOperation(trx, serverId, id)
  })
}

/** Has all of a kind go back that are under way on a server. @returns what they were about */
export async function cancelOpen(
  { boss }: Pick<Context, 'boss'>,
  trx: Transaction,
  { serverId, kind }: { serverId: string; kind: OperationKind },
): Promise<Operation['about'][]> {
  const open = await repo.lockOpenOfKind(trx, serverId, kind)
  for (const { id } of open) {
    await repo.writeCancelling(trx, id)
    await requestRun(boss, trx, id)
  }
  return open.map(({ about }) => about as Operation['about'])
}

/** What is tried again: by the reconciler, or by the worker that has it. */
function troubleOf({
  kind,
  ended_at,
  tries,
  due_at,
  preparation_error,
  retry_at,
}: repo.ShownRow): Operation['trouble'] {
  if (ended_at !== null) return null
  if (kind === 'prepare')
    return preparation_error === null ? null : { code: preparation_error, retry_at: retry_at?.toISOString() ?? null }
  return tries === 0 ? null : { code: 'service_unavailable', retry_at: due_at?.toISOString() ?? null }
}

function describe(row: repo.ShownRow): Operation {
  return {
    id: row.id,
    server_id: row.server_id,
    kind: row.kind as OperationKind,
    state: row.state as Operation['state'],
    phase: row.phase,
    progress: row.progress,
    item: row.item,
    figures: row.figures as Operation['figures'],
    can_cancel: row.can_cancel && (row.state === 'queued' || row.state === 'running'),
    trouble: troubleOf(row),
    error: row.error as Operation['error'],
    about: row.about as Operation['about'],
    attempt: row.attempt,
    created_at: row.created_at.toISOString(),
    phase_since: row.phase_since?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    executor:
      row.user_id === null || row.executor_name === null ? null : { id: row.user_id, username: row.executor_name },
    took_seconds: (row.took ?? []).map((seconds) => Math.round(seconds)),
  }
}
