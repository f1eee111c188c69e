/** When servers are looked at next. What is wanted of them writes "now" by triggers, in its own transaction. */
import { sql } from 'kysely'
import type { PodRemoval } from '@wakestone/contract/ground/event'
import type { Handle, Transaction } from '#src/db/client.ts'

export type Look = {
  /** How often something was asked of this server; of a look that began before the last one, the next does not wait. */
  asked: number
  owner_id: string
  unreached_since: Date | null
  ending_since: Date | null
  /** Its workload is being taken away, or has been, and nothing was told of it yet. */
  removal: PodRemoval | null
}

/**
 * Begins a look. Should what looks die, the server's turn comes again after `claimSeconds`, whoever asked for it.
 * @returns undefined when there is no such server.
 */
export async function beginLook(db: Handle, serverId: string, claimSeconds: number): Promise<Look | undefined> {
  const { rows } = await sql<Look>`
    update server_looks look set next_look_at = now() + ${claimSeconds} * interval '1 second'
    from servers where servers.id = look.server_id and look.server_id = ${serverId}
    returning look.asked, look.unreached_since, look.ending_since, look.removal, servers.owner_id`.execute(db)
  return rows[0]
}

/** Servers whose time has come, claimed: should nobody look at them, they come again. */
export async function claimDueLooks(
  trx: Transaction,
  { claimSeconds, most }: { claimSeconds: number; most: number },
): Promise<string[]> {
  const { rows } = await sql<{ server_id: string }>`
    update server_looks set next_look_at = now() + ${claimSeconds} * interval '1 second'
    where server_id in (
      -- What has just been asked for has a job of its own.
      select server_id from server_looks where next_look_at < now() - interval '1 second'
      order by next_look_at limit ${most} for update skip locked)
    returning server_id`.execute(trx)
  return rows.map(({ server_id }) => server_id)
}

/**
 * Writes when to look again; null: when something changes.
 * @returns false when something was asked meanwhile, whose time stands.
 */
export async function writeNextLook(
  db: Handle,
  serverId: string,
  { asked, at }: { asked: number; at: Date | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('server_looks')
    .set({ next_look_at: at })
    .where('server_id', '=', serverId)
    .where('asked', '=', asked)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Somebody looks at it now, and may have looked before this was asked for. */
export async function askForLook(db: Handle, serverId: string): Promise<void> {
  await sql`select look_at_server(${serverId}::uuid)`.execute(db)
}

/** Its turn comes a little later. */
export async function putOffLook(db: Handle, serverId: string, milliseconds: number): Promise<void> {
  await db
    .updateTable('server_looks')
    .set({ next_look_at: new Date(Date.now() + milliseconds) })
    .where('server_id', '=', serverId)
    .execute()
}

/** What its supervisor's answer was; times stay as long as it is of the same kind. @returns since when nobody answers. */
export async function noteAnswer(
  db: Handle,
  serverId: string,
  fault: 'unreached' | 'unreadable' | null,
): Promise<{ unreached: Date | null; unheard: Date | null }> {
  if (fault === null) {
    await sql`update server_looks set unheard_since = null, unreached_since = null, lost_since = null
      where server_id = ${serverId} and (unheard_since is not null or lost_since is not null)`.execute(db)
    return { unreached: null, unheard: null }
  }
  const { rows } = await sql<{ unreached: Date | null; unheard: Date | null }>`
    update server_looks set unheard_since = coalesce(unheard_since, now()),
      unreached_since = case when ${fault === 'unreached'} then coalesce(unreached_since, now()) end
    where server_id = ${serverId} returning unreached_since as unreached, unheard_since as unheard`.execute(db)
  return rows[0] ?? { unreached: null, unheard: null }
}

/** Its machine does not answer. */
export async function noteLost(db: Handle, serverId: string): Promise<void> {
  await db
    .updateTable('server_looks')
    .set({ lost_since: new Date() })
    .where('server_id', '=', serverId)
    .where('lost_since', 'is', null)
    .execute()
}

/** Whether its game should have ended and has not. @returns since when. */
export async function noteEnding(db: Handle, serverId: string, isDue: boolean): Promise<Date | null> {
  const { rows } = await sql<{ ending_since: Date | null }>`
    update server_looks set ending_since = case when ${isDue} then coalesce(ending_since, now()) end
    where server_id = ${serverId} and (ending_since is not null or ${isDue}) returning ending_since`.execute(db)
  return rows[0]?.ending_since ?? null
}

/** Its workload is about to be taken away; null: it stays after all. */
export async function writeRemoval(db: Handle, serverId: string, removal: PodRemoval | null): Promise<void> {
  await db.updateTable('server_looks').set({ removal }).where('server_id', '=', serverId).execute()
}

/** A new supervisor, of which nothing is known yet, or none any more. */
export async function forgetAnswers(trx: Transaction, serverId: string): Promise<void> {
  await trx
    .updateTable('server_looks')
    .set({ unheard_since: null, unreached_since: null, lost_since: null, ending_since: null, removal: null })
    .where('server_id', '=', serverId)
    .execute()
}

/** The moment of an event as far as we can vouch for it: not before what is known already, not after now. */
export async function settleMoment(trx: Transaction, serverId: string, at: string): Promise<string> {
  const { rows } = await sql<{ at: Date }>`
    update server_looks set told_until = least(now(), greatest(told_until, ${at}::timestamptz))
    where server_id = ${serverId} returning told_until as at`.execute(trx)
  return (rows[0]?.at ?? new Date()).toISOString()
}

/** All that these supervisors had to tell until then is known. One that somebody writes to is left to the next time. */
export async function noteToldUntil(db: Handle, notes: ReadonlyMap<string, Date>): Promise<void> {
  await sql`with note as (
      select * from unnest(${[...notes.keys()]}::uuid[], ${[...notes.values()]}::timestamptz[]) as note(server_id, at)
    ), free as (
      select look.server_id from server_looks look join note using (server_id) for update of look skip locked
    )
    update server_looks look set told_until = greatest(look.told_until, note.at)
    from note join free using (server_id) where look.server_id = note.server_id`.execute(db)
}
