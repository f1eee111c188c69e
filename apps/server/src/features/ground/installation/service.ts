/**
 * A database and the keys of `DATA_DIR/secrets.json` belong together: what one was made with, such as second factors,
 * the other opens. A start with other keys would spoil what it touches, so there is none.
 */
import { createHmac } from 'node:crypto'
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import { findKeysMark, keepKeysMark } from './repo.ts'

/** Something that only the operator can mend: the product does not start. */
export class ForeignKeys extends Error {}

const markOf = ({ factors }: Pick<Context['secrets'], 'factors'>) =>
  createHmac('sha256', factors).update('installation').digest('hex')

/** Whether the database is free to be used with these keys; nothing is noted. */
export async function mayUseKeys(db: Handle, secrets: Pick<Context['secrets'], 'factors'>): Promise<boolean> {
  const mark = await findKeysMark(db)
  return mark === undefined || mark === markOf(secrets)
}

/** @throws ForeignKeys when the database was used with other keys. */
export async function requireOwnKeys({ db, secrets, settings }: Pick<Context, 'db' | 'secrets' | 'settings'>) {
  const mark = markOf(secrets)
  if ((await keepKeysMark(db, mark)) === mark) return
  throw new ForeignKeys(
    `The database was used with other keys than those in ${settings.DATA_DIR}/secrets.json: set DATA_DIR to the folder ` +
      'that belongs to it, or put its secrets.json back from a backup. If that is lost for good, second factors and ' +
      'sessions are too: `delete from installation` has the database go on with the new keys',
  )
}
