/**
 * Takes back what a run has brought, the last first: balances by an entry against them, servers with their files, then
 * accounts. What somebody has used since stays, and is named.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '@wakestone/contract/errors'
import type { Currency } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { deleteAccount } from '#src/features/accounts/accounts/service.ts'
import { lockUser } from '#src/features/accounts/users/service.ts'
import { takeBackOpening } from '#src/features/money/openings/service.ts'
import { takeBroughtServer } from '#src/features/sales/orders/service.ts'
import { findService } from '#src/features/sales/services/service.ts'
import { findServer, lockServer, type ServerRow } from '#src/features/servers/servers/service.ts'
import { openingReason } from './balances.ts'
import type { Kind } from './report.ts'
import * as repo from './repo.ts'

type UndoContext = Pick<Context, 'db' | 'boss' | 'settings' | 'logger'>

export type Undone = {
  import_id: string
  /** By kind: what is gone. */
  undone: Partial<Record<Kind, number>>
  /** What has stayed, and why. */
  kept: { kind: Kind; key: string; id: string; reason: string }[]
  /** Servers whose files a worker has still to remove. */
  waiting: number
}

const lookMilliseconds = 500

/** @throws DomainError `resource_not_found` */
export async function undoRun(
  context: UndoContext,
  { importId, waitMinutes, say }: { importId: string; waitMinutes: number; say: (line: string) => void },
): Promise<Undone> {
  const run = await repo.findImport(context.db, importId)
  if (run === undefined) throw new DomainError('resource_not_found')
  const result: Undone = { import_id: importId, undone: {}, kept: [], waiting: 0 }
  const items = await repo.selectItemsOf(context.db, importId)
  const open = items.filter(({ state }) => state !== 'undone' && state !== 'kept')
  const note = (item: repo.ItemRow, came: Outcome) => {
    const kind = item.kind as Kind
    if (came === 'undone') result.undone[kind] = (result.undone[kind] ?? 0) + 1
    else result.kept.push({ kind, key: item.source_key, id: item.made, reason: came.reason })
  }
  const of = (...kinds: Kind[]) => open.filter(({ kind }) => kinds.includes(kind as Kind))

  for (const item of of('balance')) note(item, await undoBalance(context, item))
  result.waiting = await undoServers(context, items, of('server'), { note, waitMinutes, say })
  if (result.waiting === 0) {
    for (const item of of('files', 'database')) await endWithServer(context, item, items)
    for (const item of of('account')) note(item, await undoAccount(context, item, items))
    await repo.markUndone(context.db, importId)
  }
  return result
}

type Outcome = 'undone' | { reason: string }

/** Does something about an item together with the note of that. */
function settle(
  { db }: UndoContext,
  item: repo.ItemRow,
  work: (trx: Transaction) => Promise<Outcome>,
): Promise<Outcome> {
  return inTransaction(db, async (trx) => {
    const came = await work(trx)
    await repo.writeItemState(trx, item.id, came === 'undone' ? 'undone' : 'kept')
    return came
  })
}

function undoBalance(context: UndoContext, item: repo.ItemRow): Promise<Outcome> {
  const { userId, currency, amount } = item.details as { userId: string; currency: Currency; amount: number }
  const reason = `${openingReason(item.system)}, taken back`
  return settle(context, item, async (trx) => {
    const back = await takeBackOpening(trx, { userId, currency, amount, key: item.id, reason })
    return back === undefined ? { reason: 'its wallet has moved since' } : 'undone'
  })
}

/** Files and databases go with their servers, and stay with them. */
async function endWithServer({ db }: UndoContext, item: repo.ItemRow, items: readonly repo.ItemRow[]): Promise<void> {
  const server = items.find(({ kind, made }) => kind === 'server' && made === item.made)
  const isGone = server === undefined || (await findServer(db, item.made)) === undefined
  await repo.writeItemState(db, item.id, isGone ? 'undone' : 'kept')
}

type UndoingServers = {
  note: (item: repo.ItemRow, came: Outcome) => void
  waitMinutes: number
  say: (line: string) => void
}

/** @returns how many are still on their way out */
async function undoServers(
  context: UndoContext,
  items: readonly repo.ItemRow[],
  servers: readonly repo.ItemRow[],
  { note, waitMinutes, say }: UndoingServers,
): Promise<number> {
  const deadline = Date.now() + waitMinutes * 60_000
  let left = [...servers]
  for (let isTold = false; left.length > 0; await delay(lookMilliseconds)) {
    const waiting: repo.ItemRow[] = []
    for (const item of left) {
      const came = await undoServer(context, item, items)
      if (came === undefined) waiting.push(item)
      else note(item, came)
    }
    left = waiting
    if (left.length === 0 || Date.now() > deadline) break
    if (!isTold) say(`waiting for the files of ${left.length} server${left.length === 1 ? '' : 's'} to be removed`)
    isTold = true
  }
  return left.length
}

/** Undefined while its files are still there. */
async function undoServer(
  context: UndoContext,
  item: repo.ItemRow,
  items: readonly repo.ItemRow[],
): Promise<Outcome | undefined> {
  const own = items.filter(({ made, kind }) => made === item.made && kind !== 'account' && kind !== 'balance')
  return inTransaction(context.db, async (trx) => {
    await lockServer(trx, item.made)
    const server = await findServer(trx, item.made)
    let came: Outcome = 'undone'
    if (server !== undefined) {
      const reason = server.files_deleted_at === null ? await whyUsed(trx, server, item, own) : undefined
      if (reason !== undefined) came = { reason }
      else if (!(await takeBroughtServer(context, trx, server, new Date()))) return undefined
    }
    await repo.writeItemState(trx, item.id, came === 'undone' ? 'undone' : 'kept')
    return came
  })
}

async function whyUsed(
  trx: Transaction,
  server: ServerRow,
  item: repo.ItemRow,
  own: readonly repo.ItemRow[],
): Promise<string | undefined> {
  const isUsed = server.last_used_at.getTime() > server.created_at.getTime()
  if (server.launched_at !== null || isUsed || server.want_running) return 'it was started'
  const service = await findService(trx, server.service_id)
  const { expires } = item.details as { expires?: string }
  if (service?.expires?.toISOString() !== expires || service?.auto_renew === true) return 'its service was changed'
  const itemIds = own.map(({ id }) => id)
  if (await repo.hasEventsSince(trx, server.id, { itemIds, onlyOfPeople: true })) return 'somebody has worked on it'
  return undefined
}

function undoAccount(context: UndoContext, item: repo.ItemRow, items: readonly repo.ItemRow[]): Promise<Outcome> {
  // What was here before is nobody's to remove.
  if (item.state === 'found') return settle(context, item, async () => 'undone')
  const own = items.filter(
    ({ kind, made, details }) =>
      (kind === 'account' && made === item.made) || (details as { userId?: string }).userId === item.made,
  )
  return settle(context, item, async (trx) => {
    const user = await lockUser(trx, item.made)
    if (user === undefined) return 'undone'
    if (await repo.hasBelongings(trx, user.id)) return { reason: 'it has servers or money' }
    const itemIds = own.map(({ id }) => id)
    if (await repo.hasEventsSince(trx, user.id, { itemIds, onlyOfPeople: false }))
      return { reason: 'its owner has used it' }
    await deleteAccount(trx, user.id, new Date())
    return 'undone'
  })
}

export function describeUndone({ import_id, undone, kept, waiting }: Undone): string {
  const gone = Object.entries(undone).map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`)
  return [
    `Undone: ${gone.length === 0 ? 'nothing' : gone.join(', ')}`,
    ...kept.map(({ kind, id, reason }) => `  ${kind} ${id} stays: ${reason}`),
    ...(waiting > 0
      ? [
          `${waiting} server${waiting === 1 ? ' is' : 's are'} still being removed; run it again: npm run import -- --undo ${import_id}`,
        ]
      : []),
  ].join('\n')
}
