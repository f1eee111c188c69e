/** Pictures of shops and of what they sell. */
import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

type Picture = { name: string; width: number; height: number; bytes: number; content: Buffer }

export async function findPicture(db: Handle, serverId: string, name: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('shop_pictures')
    .select('content')
    .where('server_id', '=', serverId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.content
}

/** A picture that is already stored stays, and counts as new. */
export async function insertPicture(trx: Transaction, serverId: string, picture: Picture): Promise<void> {
  await trx
    .insertInto('shop_pictures')
    .values({ ...picture, server_id: serverId })
    .onConflict((conflict) => conflict.columns(['server_id', 'name']).doUpdateSet({ created_at: sql`now()` }))
    .execute()
}

export async function countPictures(trx: Transaction, serverId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('shop_pictures')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('server_id', '=', serverId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Unused pictures. One from today may belong to something that hasn't been saved yet. */
export async function dropUnused(trx: Transaction, serverId: string): Promise<void> {
  await sql`delete from shop_pictures p where server_id = ${serverId} and created_at < now() - interval '1 day'
    and not exists (select from shops s where s.server_id = p.server_id and s.picture = p.name)
    and not exists (select from shop_items i where i.server_id = p.server_id and i.picture = p.name
      and i.deleted_at is null)`.execute(trx)
}
