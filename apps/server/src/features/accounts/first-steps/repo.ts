import { sql } from 'kysely'
import type { FirstStep, FirstSteps } from '@wakestone/contract/accounts/first-steps'
import type { Handle } from '#src/db/client.ts'

type Row = Record<FirstStep, boolean> & { server_id: string | null; closed: boolean }

/** All of it in one look: what is asked is only ever whether there is anything at all. */
export async function findFirstSteps(db: Handle, userId: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select users.email_verified is not null as confirm_email,
      exists (select from transactions where user_id = users.id and action = 'DEPOSIT'
        and status in ('COMPLETED', 'ADMIN_ACTION')) as top_up,
      exists (select from servers where owner_id = users.id) as rent,
      exists (select from servers join player_sessions on player_sessions.server_id = servers.id
        where servers.owner_id = users.id) as join,
      exists (select from server_invitations where invited_by = users.id)
        or exists (select from referrals where referrer_id = users.id) as invite,
      exists (select from servers join backups on backups.server_id = servers.id
        where servers.owner_id = users.id) as backup,
      latest.id as server_id,
      exists (select from first_steps_closed where user_id = users.id) as closed
    from users
    left join lateral (select id from servers where owner_id = users.id and deleted_at is null
      order by created_at desc limit 1) latest on true
    where users.id = ${userId}`.execute(db)
  return rows[0]
}

type OfServer = FirstSteps['servers'][number]

/** Of each server that somebody owns, newest first. */
export async function findStepsOfServers(db: Handle, userId: string): Promise<OfServer[]> {
  const { rows } = await sql<OfServer>`
    select servers.id, servers.first_steps_closed as closed,
      exists (select from player_sessions where server_id = servers.id) as joined,
      exists (select from server_invitations where server_id = servers.id) as invited
    from servers where owner_id = ${userId} and deleted_at is null order by created_at desc, id`.execute(db)
  return rows
}

/** @returns false where it is none of theirs */
export async function noteClosedOfServer(db: Handle, userId: string, serverId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('servers')
    .set({ first_steps_closed: true })
    .where('id', '=', serverId)
    .where('owner_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function noteClosed(db: Handle, userId: string): Promise<void> {
  await db
    .insertInto('first_steps_closed')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
