import type { Db, Handle } from '#src/db/client.ts'

/** Notes the mark where there is none yet. @returns the one that is kept. */
export async function keepKeysMark(db: Db, mark: string): Promise<string> {
  await db
    .insertInto('installation')
    .values({ keys_mark: mark })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { keys_mark } = await db.selectFrom('installation').select('keys_mark').executeTakeFirstOrThrow()
  return keys_mark
}

export async function findKeysMark(db: Handle): Promise<string | undefined> {
  return (await db.selectFrom('installation').select('keys_mark').executeTakeFirst())?.keys_mark
}
