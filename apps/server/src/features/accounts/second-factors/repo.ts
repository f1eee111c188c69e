import type { Handle, Transaction } from '#src/db/client.ts'

export function findTotp(db: Handle, userId: string) {
  return db.selectFrom('totp_secrets').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** Keeps a secret that is still to be confirmed. @returns false when one is in use already. */
export async function keepTotp(trx: Transaction, userId: string, sealed: Buffer): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('totp_secrets')
    .values({ user_id: userId, sealed })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed, created_at: new Date() })
        .where('totp_secrets.confirmed_at', 'is', null),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** @returns false when this secret is not the one to confirm any more: a second browser was quicker. */
export async function confirmTotp(trx: Transaction, userId: string, sealed: Buffer, step: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('totp_secrets')
    .set({ confirmed_at: new Date(), last_used_at: new Date(), last_step: step })
    .where('user_id', '=', userId)
    .where('sealed', '=', sealed)
    .where('confirmed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Takes a time step. @returns false when it, or a later one, was taken before; of several at once one gets it. */
export async function takeTotpStep(trx: Transaction, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('totp_secrets')
    .set({ last_step: step, last_used_at: new Date() })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function deleteTotp(trx: Transaction, userId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('totp_secrets')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function replaceRecoveryCodes(trx: Transaction, userId: string, hashes: Buffer[]): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (hashes.length === 0) return
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

export async function takeRecoveryCode(trx: Transaction, userId: string, hash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('recovery_codes')
    .set({ used_at: new Date() })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function countRecoveryCodes(db: Handle, userId: string): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((row) => row.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

/** Which second factors guard an account. */
export async function findFactors(db: Handle, userId: string): Promise<{ totp: boolean; passkey: boolean }> {
  const [totp, passkey] = await Promise.all([
    db
      .selectFrom('totp_secrets')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst(),
    db.selectFrom('passkeys').select('id').where('user_id', '=', userId).executeTakeFirst(),
  ])
  return { totp: totp !== undefined, passkey: passkey !== undefined }
}
