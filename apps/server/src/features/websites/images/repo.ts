import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

const facts = ['name', 'width', 'height', 'bytes'] as const
export type ImageRow = { name: string; width: number; height: number; bytes: number }

/** Newest first. */
export function selectImages(db: Handle, websiteId: string): Promise<ImageRow[]> {
  return db
    .selectFrom('craftum_images')
    .select(facts)
    .where('craftum_id', '=', websiteId)
    .orderBy('created_at', 'desc')
    .orderBy('name')
    .execute()
}

export async function findContent(db: Handle, websiteId: string, name: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('craftum_images')
    .select('content')
    .where('craftum_id', '=', websiteId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.content
}

/** One that is there already stays, and becomes the newest. */
export async function insertImage(
  trx: Transaction,
  websiteId: string,
  { content, ...image }: ImageRow & { content: Buffer },
): Promise<void> {
  await trx
    .insertInto('craftum_images')
    .values({ ...image, content, craftum_id: websiteId })
    .onConflict((conflict) => conflict.columns(['craftum_id', 'name']).doUpdateSet({ created_at: sql`now()` }))
    .execute()
}

export async function deleteImage(trx: Handle, websiteId: string, name: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('craftum_images')
    .where('craftum_id', '=', websiteId)
    .where('name', '=', name)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
