import type { Selectable } from 'kysely'
import type { Language } from '@wakestone/contract/primitives'
import type { DiscordProfile } from '#src/adapters/discord/schemas.ts'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { DiscordAttempts } from '#src/db/types.gen.ts'

export type DiscordAttempt = Selectable<DiscordAttempts>

/** Begins a way to Discord, and forgets those that nobody can come back from. */
export async function insertAttempt(
  db: Handle,
  attempt: {
    stateHash: Buffer
    browserHash: Buffer
    userId: string | null
    verifier: string
    language: Language
    cameFrom: string | null
    expiresAt: Date
  },
): Promise<void> {
  await db.deleteFrom('discord_attempts').where('expires_at', '<', new Date()).execute()
  await db
    .insertInto('discord_attempts')
    .values({
      state_hash: attempt.stateHash,
      browser_hash: attempt.browserHash,
      user_id: attempt.userId,
      verifier: attempt.verifier,
      language: attempt.language,
      came_from: attempt.cameFrom,
      expires_at: attempt.expiresAt,
    })
    .execute()
}

export function lockAttempt(trx: Transaction, stateHash: Buffer): Promise<DiscordAttempt | undefined> {
  return trx
    .selectFrom('discord_attempts')
    .selectAll()
    .where('state_hash', '=', stateHash)
    .forUpdate()
    .executeTakeFirst()
}

export async function noteAttemptCode(trx: Transaction, id: string, codeHash: Buffer): Promise<void> {
  await trx.updateTable('discord_attempts').set({ code_hash: codeHash }).where('id', '=', id).execute()
}

export async function noteAttemptProfile(
  db: Handle,
  id: string,
  { profile, expiresAt }: { profile: DiscordProfile; expiresAt: Date },
): Promise<void> {
  await db
    .updateTable('discord_attempts')
    .set({ profile: JSON.stringify(profile), expires_at: expiresAt })
    .where('id', '=', id)
    .execute()
}

export async function markAttemptUsed(db: Handle, id: string): Promise<void> {
  await db.updateTable('discord_attempts').set({ used_at: new Date(), profile: null }).where('id', '=', id).execute()
}
