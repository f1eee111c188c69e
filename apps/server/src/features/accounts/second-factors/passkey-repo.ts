import type { Handle, Transaction } from '#src/db/client.ts'

export type ChallengePurpose = 'register' | 'login' | 'second_step' | 'step_up'

/** Keeps what was asked; a newer one takes the place of the one before. Late ones of anybody are dropped. */
export async function keepPasskeyChallenge(
  trx: Transaction,
  asked: { purpose: ChallengePurpose; boundTo: Buffer; challenge: string; expiresAt: Date },
): Promise<void> {
  await trx.deleteFrom('passkey_challenges').where('expires_at', '<', new Date()).execute()
  const { challenge, expiresAt: expires_at } = asked
  await trx
    .insertInto('passkey_challenges')
    .values({ purpose: asked.purpose, bound_to: asked.boundTo, challenge, expires_at })
    .onConflict((conflict) => conflict.columns(['purpose', 'bound_to']).doUpdateSet({ challenge, expires_at }))
    .execute()
}

/** Takes what was asked, which is good for one answer. */
export async function takePasskeyChallenge(
  trx: Transaction,
  purpose: ChallengePurpose,
  boundTo: Buffer,
): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('passkey_challenges')
    .where('purpose', '=', purpose)
    .where('bound_to', '=', boundTo)
    .where('expires_at', '>', new Date())
    .returning('challenge')
    .executeTakeFirst()
  return row?.challenge
}

export async function insertPasskey(
  trx: Transaction,
  passkey: {
    userId: string
    credentialId: string
    publicKey: Buffer
    counter: number
    transports: string[]
    name: string
    isBackedUp: boolean
  },
) {
  return trx
    .insertInto('passkeys')
    .values({
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      name: passkey.name,
      is_backed_up: passkey.isBackedUp,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function selectPasskeys(db: Handle, userId: string) {
  return db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute()
}

/** Locks a passkey, so that its counter goes up one use after the other. */
export function lockPasskeyOf(trx: Transaction, credentialId: string) {
  return trx.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).forUpdate().executeTakeFirst()
}

export async function notePasskeyUse(
  trx: Transaction,
  id: string,
  use: { counter: number; isBackedUp: boolean },
): Promise<void> {
  await trx
    .updateTable('passkeys')
    .set({ counter: use.counter, is_backed_up: use.isBackedUp, last_used_at: new Date() })
    .where('id', '=', id)
    .execute()
}

/** @returns whether the user has such a passkey. */
export async function renamePasskey(trx: Transaction, userId: string, id: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function deletePasskeys(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}

/** @returns its name; undefined when the user has no such passkey. */
export async function deletePasskey(trx: Transaction, userId: string, id: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}
