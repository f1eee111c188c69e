import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

/** Of what a withdrawal is: both null of the whole contract. */
export type Part = { renewalId: string | null; changeId: string | null }

/** From the whole contract, a renewal or a change: the confirmed one, else the last that was declared. */
export function findWithdrawal(db: Handle, serviceId: string, { renewalId, changeId }: Part) {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where('service_id', '=', serviceId)
    .where('renewal_id', renewalId === null ? 'is' : '=', renewalId)
    .where('change_id', changeId === null ? 'is' : '=', changeId)
    .orderBy(sql`confirmed_at is null`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Renewals that somebody asked for since then and that nobody has withdrawn from, the latest first. */
export function findRenewalsSince(db: Handle, serviceId: string, since: Date) {
  return db
    .selectFrom('renewals')
    .select(['id', 'at', 'expires_after', 'transaction_id', 'immediate'])
    .where('service_id', '=', serviceId)
    .where('executor_id', 'is not', null)
    .where('at', '>=', since)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('withdrawals')
            .select('withdrawals.id')
            .whereRef('withdrawals.renewal_id', '=', 'renewals.id')
            .where('withdrawals.confirmed_at', 'is not', null),
        ),
      ),
    )
    .orderBy('renewals.id', 'desc')
    .execute()
}
export type RenewalRow = Awaited<ReturnType<typeof findRenewalsSince>>[number]

/** What was last withdrawn from of a service that is not the whole contract, with the withdrawal. */
export function findLastWithdrawn(db: Handle, serviceId: string) {
  return db
    .selectFrom('withdrawals')
    .leftJoin('renewals', 'renewals.id', 'withdrawals.renewal_id')
    .leftJoin('service_changes as change', 'change.id', 'withdrawals.change_id')
    .select(['withdrawals.id', 'withdrawals.confirmed_at', 'withdrawals.refund', 'withdrawals.renewal_id'])
    .select(['change.kind', 'change.product_before', 'change.product_after'])
    .select(({ fn }) => fn.coalesce('renewals.at', 'change.at').as('at'))
    .select(({ fn }) => fn.coalesce('renewals.immediate', 'change.immediate').as('immediate'))
    .where('withdrawals.service_id', '=', serviceId)
    .where('withdrawals.confirmed_at', 'is not', null)
    .where((row) => row.or([row('renewal_id', 'is not', null), row('change_id', 'is not', null)]))
    .orderBy('withdrawals.confirmed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Of what a declaration is; undefined: of the whole contract, or there is none. */
export async function partOf(db: Handle, id: string): Promise<'latest' | 'renewal' | undefined> {
  const row = await db
    .selectFrom('withdrawals')
    .select(['renewal_id', 'change_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return row.change_id !== null ? 'latest' : row.renewal_id === null ? undefined : 'renewal'
}

export async function isConfirmed(trx: Transaction, id: string): Promise<boolean> {
  const row = await trx.selectFrom('withdrawals').select('confirmed_at').where('id', '=', id).executeTakeFirst()
  return row?.confirmed_at != null
}

/** A payment for a service, or for what was added to it. */
export type Paid = {
  transaction: string
  at: Date
  currency: string
  /** Gross, less what was given back. */
  amount: number
  vatRate: number
  country: string
  /** Whether who paid had asked for it to begin at once: a renewal by itself is of the order. */
  immediate: boolean
}

/** Everything that was paid, the first first. */
export async function findAllPayments(
  db: Handle,
  { id, immediate_consent_at: consent }: { id: string; immediate_consent_at: Date | null },
): Promise<Paid[]> {
  const { rows } = await sql<Paid>`
    select paid.id as transaction, paid.currency, paid.vat_rate::float8 as "vatRate", paid.country_code as country,
      coalesce(renewal.at, change.at, first.created_at) as "at",
      coalesce(renewal.immediate, change.immediate, ${consent !== null}::boolean) as immediate,
      greatest(0, paid.amount - coalesce((
        select sum(-back.amount) from transactions back where back.details ->> 'reverses' = paid.id::text and back.amount < 0
      ), 0))::bigint as amount
    from transactions paid
    join transactions first on first.id = coalesce((paid.details ->> 'corrects_tax_of')::uuid, paid.id)
    left join renewals renewal
      on renewal.service_id = ${id} and renewal.transaction_id = first.id and renewal.executor_id is not null
    left join service_changes change on change.service_id = ${id} and first.id = any (change.transaction_ids)
    where paid.details ? 'service_id' and paid.details ->> 'service_id' = ${id} and paid.amount > 0
      and paid.status = 'COMPLETED' and paid.action
        in ('ADD_SERVICE', 'RENEW_SERVICE', 'UPGRADE_SERVICE', 'RENEW_SERVER', 'CRAFTUM', 'TAX_CORRECTION')
    order by "at", paid.id`.execute(db)
  return rows
}

export async function insertDeclaration(
  trx: Transaction,
  row: Part & { serviceId: string; userId: string; currency: string; now: Date },
): Promise<void> {
  await trx
    .insertInto('withdrawals')
    .values({
      service_id: row.serviceId,
      renewal_id: row.renewalId,
      change_id: row.changeId,
      user_id: row.userId,
      currency: row.currency,
      declared_at: row.now,
    })
    .execute()
}

export async function confirmDeclaration(
  trx: Transaction,
  id: string,
  done: { refund: number; whole: boolean; transactionIds: string[]; now: Date },
): Promise<void> {
  await trx
    .updateTable('withdrawals')
    .set({ confirmed_at: done.now, refund: done.refund, whole: done.whole, transaction_ids: done.transactionIds })
    .where('id', '=', id)
    .execute()
}
