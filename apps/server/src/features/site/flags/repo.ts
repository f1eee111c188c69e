import type { FlagRule, FlagType } from '@wakestone/contract/site/flags'
import type { Handle, Transaction } from '#src/db/client.ts'

export type FlagRow = {
  key: string
  type: string
  enabled: boolean
  value: unknown
  rules: FlagRule[]
  updated_at: Date | null
  updated_by: string | null
}

/** Adds the flags that are not there yet, all of them off. */
export async function insertMissingFlags(
  db: Handle,
  rows: readonly { key: string; type: FlagType; value: unknown }[],
): Promise<void> {
  await db
    .insertInto('flags')
    .values(rows.map(({ key, type, value }) => ({ key, type, value: JSON.stringify(value) })))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

const withEditor = (db: Handle) =>
  db
    .selectFrom('flags')
    .leftJoin('users', 'users.id', 'flags.updated_by')
    .select(['key', 'type', 'enabled', 'value', 'rules', 'updated_at', 'users.username as updated_by'])

export async function selectFlags(db: Handle): Promise<FlagRow[]> {
  return (await withEditor(db).execute()) as FlagRow[]
}

/** Holds the flag for a change. */
export async function lockFlag(trx: Transaction, key: string): Promise<FlagRow | undefined> {
  const row = await withEditor(trx).where('key', '=', key).forUpdate('flags').executeTakeFirst()
  return row as FlagRow | undefined
}

export async function updateFlag(
  trx: Transaction,
  key: string,
  change: Pick<FlagRow, 'enabled' | 'value' | 'rules'> & { userId: string; at: Date },
): Promise<void> {
  await trx
    .updateTable('flags')
    .set({
      enabled: change.enabled,
      value: JSON.stringify(change.value),
      rules: JSON.stringify(change.rules),
      updated_at: change.at,
      updated_by: change.userId,
    })
    .where('key', '=', key)
    .execute()
}
