/**
 * What a gateway's word makes of a transaction in each of its states: the table is data, each line a test by a message
 * or a question.
 */
import { expect } from 'vitest'
import type { TransactionStatus } from '@wakestone/contract/states'
import type { Context } from '../../apps/server/src/context.ts'
import { isLong } from './long.ts'

/** States that a top-up with an order can be in, in the order of a table's columns. */
export const columns = ['NEW', 'PROCESSING', 'READY_TO_CAPTURE', 'COMPLETED', 'FAILED', 'CANCELLED'] as const
export type Column = (typeof columns)[number]

/** What it leads to: `=` nothing, a state, and `+` where the money is credited. */
export type Cell = '=' | TransactionStatus | `${TransactionStatus} +`
export type Table = Readonly<Record<string, readonly [Cell, Cell, Cell, Cell, Cell, Cell]>>

export type Line = { word: string; from: Column; cell: Cell }

/** All of them in `npm run test:long`; else those by which money is credited, and a fifth of the others. */
export const linesOf = (table: Table, isTested: (line: Line) => boolean = () => true): Line[] =>
  Object.entries(table)
    .flatMap(([word, cells]) => columns.map((from, at) => ({ word, from, cell: cells[at] ?? '=' })))
    .filter(isTested)
    .filter(({ cell }, index) => isLong || cell.endsWith('+') || index % 5 === 0)

export type Standing = { status: string; credited: number[] }

/** The transaction's state, and what its wallet was credited for it. */
export async function standingOf({ database }: Pick<Context, 'database'>, id: string): Promise<Standing> {
  const { rows } = await database.pool.query<Standing>(
    `select t.status, coalesce((
       select array_agg(e.amount::int order by e.id) from ledger_transactions lt
       join ledger_entries e on e.transaction_id = lt.id join ledger_accounts a on a.id = e.account_id
       where lt.kind = 'DEPOSIT' and lt.meta ->> 'transaction_id' = t.id::text and a.code like 'wallet:%'
     ), '{}') as credited
     from transactions t where t.id = $1`,
    [id],
  )
  const [standing] = rows
  if (standing === undefined) throw new Error('no such transaction')
  return standing
}

/** @param before the standing before the gateway said its word. */
export function expectCell(
  cell: Cell,
  { before, after, amount }: { before: Standing; after: Standing; amount: number },
) {
  const [status, credit] = cell === '=' ? [before.status] : cell.split(' ')
  const credited = credit === '+' ? [...before.credited, amount] : before.credited
  expect(after).toEqual({ status, credited })
}

/** Brings a new transaction into a state that no message leads to by itself. */
export async function putInto({ database }: Pick<Context, 'database'>, id: string, status: TransactionStatus) {
  await database.pool.query('update transactions set status = $2 where id = $1', [id, status])
}
