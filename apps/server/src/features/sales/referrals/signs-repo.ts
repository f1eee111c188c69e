/** Signs that two accounts are one person's. */
import { sql } from 'kysely'
import type { referralSigns } from '@wakestone/contract/sales/referral'
import type { Handle, Transaction } from '#src/db/client.ts'

export type Sign = (typeof referralSigns)[number]

/** Everybody may have these. */
const ownNetworks = sql`'{127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,::1/128,fc00::/7,fe80::/10}'::inet[]`

/** What one customer holds of an address; addresses of a machine's own network tell nothing. */
const networks = (userId: string) => sql`
  select distinct set_masklen(ip, case when family(ip) = 4 then 32 else 64 end)::cidr as network
  from sessions where user_id = ${userId}::uuid and actor_id is null and ip is not null
    and not ip <<= any (${ownNetworks})`

/** The same browser, the same network, or top-ups paid from the same address. */
export async function findSigns(db: Handle, one: string, other: string): Promise<Sign[]> {
  const { rows } = await sql<Record<Sign, boolean>>`select
    exists (
      select device_hash from known_devices where user_id = ${one}::uuid
      intersect select device_hash from known_devices where user_id = ${other}::uuid) as device,
    exists ((${networks(one)}) intersect (${networks(other)})) as address,
    exists (
      select mine.payer_ip from transactions mine join transactions theirs on theirs.payer_ip = mine.payer_ip
      where mine.user_id = ${one}::uuid and theirs.user_id = ${other}::uuid
        and mine.status = 'COMPLETED' and theirs.status = 'COMPLETED'
        and not mine.payer_ip <<= any (${ownNetworks})) as payment`.execute(db)
  const [found] = rows
  return (['device', 'address', 'payment'] as const).filter((sign) => found?.[sign] === true)
}

/** Holds a referral back until somebody has decided. @returns false when it was held back before. */
export async function insertReview(
  trx: Transaction,
  userId: string,
  signs: readonly Sign[],
  at: Date,
): Promise<boolean> {
  const row = await trx
    .insertInto('referral_reviews')
    .values({ user_id: userId, signs: [...signs], noted_at: at })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Decides; also about a referral that nothing was found about. */
export async function writeReview(
  trx: Transaction,
  userId: string,
  { state, by, at }: { state: 'allowed' | 'refused'; by: string; at: Date },
): Promise<void> {
  await trx
    .insertInto('referral_reviews')
    .values({ user_id: userId, state, decided_at: at, decided_by: by })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ state, decided_at: at, decided_by: by }))
    .execute()
}
