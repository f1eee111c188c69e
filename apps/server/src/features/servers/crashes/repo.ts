import { type Selectable, sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { ServerCrashes } from '#src/db/types.gen.ts'

export type CrashRow = Omit<Selectable<ServerCrashes>, 'server_id'>

export async function writeCrash(
  trx: Transaction,
  serverId: string,
  { details, heap, ...rest }: Omit<CrashRow, 'details' | 'heap'> & { details: object; heap: object | null },
): Promise<void> {
  const row = { ...rest, details: JSON.stringify(details), heap: heap === null ? null : JSON.stringify(heap) }
  await trx
    .insertInto('server_crashes')
    .values({ server_id: serverId, ...row })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(row))
    .execute()
}

export function findCrash(db: Handle, serverId: string): Promise<CrashRow | undefined> {
  return db.selectFrom('server_crashes').selectAll().where('server_id', '=', serverId).executeTakeFirst()
}

export async function writeRanWell(
  trx: Transaction,
  serverId: string,
  { until, seconds }: { until: string; seconds: number },
): Promise<void> {
  await sql`update server_crashes crash set over_at = ${until}::timestamptz from servers
    where servers.id = ${serverId} and crash.server_id = servers.id and crash.over_at is null
      and servers.launched_at > crash.at
      and servers.launched_at < ${until}::timestamptz - ${seconds} * interval '1 second'`.execute(trx)
}
