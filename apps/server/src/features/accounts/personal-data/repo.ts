import { CompiledQuery, sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { PersonalTable } from './tables/personal-table.ts'

type Copy = Exclude<PersonalTable['export'], { not: string }>

const run = <Row>(db: Handle, text: string, values: unknown[] = []) =>
  db.executeQuery<Row>(CompiledQuery.raw(text, values))

/** Everything read in this transaction is of one moment. */
export async function freezeView(trx: Transaction): Promise<void> {
  await sql`set transaction isolation level repeatable read, read only`.execute(trx)
}

/** A user's rows of a table as JSON texts, some hundred at a time: however many there are, few are in memory. */
export async function* readRows(
  trx: Transaction,
  { name, of, copy, userId }: { name: string; of: string; copy: Copy; userId: string },
): AsyncGenerator<string[]> {
  const list = copy.columns.map((column) => `${copy.values?.[column] ?? `"${column}"`} as "${column}"`).join(', ')
  await run(
    trx,
    `declare personal_rows no scroll cursor for select row_to_json(found)::text as line from (select ${list} from ${name} where ${of}) as found`,
    [userId],
  )
  try {
    for (;;) {
      const { rows } = await run<{ line: string }>(trx, 'fetch 500 from personal_rows')
      if (rows.length === 0) return
      yield rows.map(({ line }) => line)
    }
  } finally {
    await run(trx, 'close personal_rows')
  }
}

/** Does with a user's rows what their table says. */
export async function eraseRows(
  trx: Transaction,
  { name, table, userId }: { name: string; table: PersonalTable; userId: string },
): Promise<void> {
  const { deletion } = table
  if (deletion.how === 'anonymised') {
    const set = Object.entries(deletion.set).map(([column, value]) => `"${column}" = ${value}`)
    await run(trx, `update ${name} set ${set.join(', ')} where ${deletion.of ?? table.of}`, [userId])
    return
  }
  if (deletion.how === 'deleted') {
    const unless = deletion.unless === undefined ? '' : ` and not (${deletion.unless})`
    await run(trx, `delete from ${name} where (${table.of})${unless}`, [userId])
  }
}
