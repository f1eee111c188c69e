import { sql } from 'kysely'
import type { Capabilities, CapabilityValue } from '@wakestone/contract/capabilities'
import type { Handle, Transaction } from '#src/db/client.ts'

export type SetRow = {
  id: string
  name: string
  description: string
  capabilities: Capabilities
  updated_at: Date
  holders: number
}
export type SetContent = { name: string; description: string; capabilities: Capabilities }

const holdersShown = 500

function selectSets(db: Handle) {
  return db
    .selectFrom('capability_sets')
    .select(['capability_sets.id', 'name', 'description', 'updated_at'])
    .select(sql<Capabilities>`capabilities`.as('capabilities'))
    .select((set) =>
      set
        .selectFrom('user_capability_sets')
        .select((holder) => holder.fn.countAll<number>().as('count'))
        .whereRef('set_id', '=', 'capability_sets.id')
        .$asScalar()
        .$notNull()
        .as('holders'),
    )
}

export function findSets(db: Handle): Promise<SetRow[]> {
  return selectSets(db)
    .orderBy(sql`lower(name)`)
    .execute()
}

export function findSet(db: Handle, id: string): Promise<SetRow | undefined> {
  return selectSets(db).where('capability_sets.id', '=', id).executeTakeFirst()
}

export async function insertSet(trx: Transaction, { capabilities, ...set }: SetContent): Promise<string> {
  const row = await trx
    .insertInto('capability_sets')
    .values({ ...set, capabilities: JSON.stringify(capabilities) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function updateSet(trx: Transaction, id: string, { capabilities, ...set }: SetContent): Promise<void> {
  await trx
    .updateTable('capability_sets')
    .set({ ...set, capabilities: JSON.stringify(capabilities), updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

export async function deleteSet(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('capability_sets').where('id', '=', id).execute()
}

/** The latest first. */
export function findHolders(db: Handle, setId: string) {
  return db
    .selectFrom('user_capability_sets')
    .innerJoin('users', 'users.id', 'user_capability_sets.user_id')
    .select(['users.id', 'users.username', 'given_at'])
    .where('set_id', '=', setId)
    .orderBy('given_at', 'desc')
    .orderBy('users.id')
    .limit(holdersShown)
    .execute()
}

/** Gives a set, now or already. @returns since when. */
export async function insertHolder(trx: Transaction, setId: string, userId: string): Promise<Date> {
  const row = await trx
    .insertInto('user_capability_sets')
    .values({ set_id: setId, user_id: userId })
    .onConflict((held) => held.columns(['user_id', 'set_id']).doUpdateSet({ set_id: setId }))
    .returning('given_at')
    .executeTakeFirstOrThrow()
  return row.given_at
}

/** @returns whether the user had it. */
export async function deleteHolder(trx: Transaction, setId: string, userId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('user_capability_sets')
    .where('set_id', '=', setId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The set given last first. */
export function findSetsOf(db: Handle, userId: string) {
  return db
    .selectFrom('user_capability_sets')
    .innerJoin('capability_sets', 'capability_sets.id', 'set_id')
    .select(['capability_sets.id', 'name', 'description', sql<Capabilities>`capabilities`.as('capabilities')])
    .where('user_id', '=', userId)
    .orderBy('given_at', 'desc')
    .execute()
}

/** What a user was granted on the whole product, whatever their sets say. */
export async function findGrantsOf(db: Handle, userId: string): Promise<Capabilities> {
  const rows = await db
    .selectFrom('user_capabilities')
    .select(['name', 'value'])
    .where('user_id', '=', userId)
    .where('resource_id', 'is', null)
    .execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value as CapabilityValue]))
}
