import type { Selectable } from 'kysely'
import type { SocialDetails } from '@wakestone/contract/accounts/social'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { Socials } from '#src/db/types.gen.ts'

export type SocialRow = Selectable<Socials>
type Source = 'discord'

export function selectSocials(db: Handle, userId: string): Promise<SocialRow[]> {
  return db
    .selectFrom('socials')
    .selectAll()
    .where('user_id', '=', userId)
    .where('destroyed_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** The link of an account elsewhere, whoever's it is. */
export function findSocial(db: Handle, source: Source, externalId: string): Promise<SocialRow | undefined> {
  return db
    .selectFrom('socials')
    .selectAll()
    .where('source', '=', source)
    .where('external_id', '=', externalId)
    .where('destroyed_at', 'is', null)
    .executeTakeFirst()
}

export async function selectSocialOwner(db: Handle, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('socials')
    .select('user_id')
    .where('id', '=', id)
    .where('destroyed_at', 'is', null)
    .executeTakeFirst()
  return row?.user_id
}

/** @throws a unique violation when the account there, or this account's place for one, is taken. */
export async function insertSocial(
  trx: Transaction,
  social: { userId: string; source: Source; externalId: string; details: SocialDetails },
): Promise<void> {
  await trx
    .insertInto('socials')
    .values({
      user_id: social.userId,
      source: social.source,
      external_id: social.externalId,
      details: JSON.stringify(social.details),
    })
    .execute()
}

export async function updateSocial(trx: Transaction, id: string, details: SocialDetails): Promise<void> {
  await trx
    .updateTable('socials')
    .set({ details: JSON.stringify(details), updated_at: new Date() })
    .where('id', '=', id)
    .execute()
}

/** @returns the link as it was; undefined when somebody else was faster. */
export function endSocial(trx: Transaction, id: string): Promise<SocialRow | undefined> {
  return trx
    .updateTable('socials')
    .set({ destroyed_at: new Date(), updated_at: new Date() })
    .where('id', '=', id)
    .where('destroyed_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function endSocialsOf(trx: Transaction, userId: string): Promise<void> {
  const now = new Date()
  await trx
    .updateTable('socials')
    .set({ destroyed_at: now, updated_at: now })
    .where('user_id', '=', userId)
    .where('destroyed_at', 'is', null)
    .execute()
}

export function isSocialTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && (constraint === 'socials_external' || constraint === 'socials_user')
}
