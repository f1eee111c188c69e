/** What gateways have counted of joins, and the attacks of bots that they saw. */
import { sql } from 'kysely'
import type { AntibotMinute, AntibotMode, AntibotReason } from '@wakestone/contract/servers/antibot'
import type { Handle, Transaction } from '#src/db/client.ts'

type Reasons = Partial<Record<AntibotReason, number>>
export type MinuteRow = { at: Date; joins: number; verified: number; turned_away: Reasons[] }
export type AttackRow = { since: Date; until: Date | null; turned_away: number }
/** An attack, and whose server it is about. */
export type Attacked = { server_id: string; owner_id: string; name: string; told: boolean }
export type EndedAttack = Attacked & { since: Date; until: Date; turned_away: number }

export async function findMode(trx: Transaction, serverId: string): Promise<AntibotMode> {
  const query = trx.selectFrom('servers').select('antibot').where('id', '=', serverId)
  return (await query.executeTakeFirstOrThrow()).antibot as AntibotMode
}

export async function writeMode(trx: Transaction, serverId: string, mode: AntibotMode): Promise<void> {
  await trx.updateTable('servers').set({ antibot: mode }).where('id', '=', serverId).execute()
}

/** A minute is written again with all that was counted in it, so that a report may come twice. */
export async function writeMinutes(
  trx: Transaction,
  gatewayId: string,
  minutes: readonly AntibotMinute[],
): Promise<void> {
  if (minutes.length === 0) return
  const rows = minutes.map(({ serverId, at, joins, verified, turnedAway }) => ({
    server_id: serverId,
    at,
    joins,
    verified,
    turned_away: turnedAway,
  }))
  await sql`
    insert into server_antibot_minutes (server_id, at, gateway_id, joins, verified, turned_away)
    select server_id, date_trunc('minute', told.at), ${gatewayId}::uuid, max(joins), max(verified), (array_agg(turned_away))[1]
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as told (server_id uuid, at timestamptz, joins integer, verified integer, turned_away jsonb)
    join servers on servers.id = server_id and servers.deleted_at is null
    where told.at between now() - interval '1 day' and now() + interval '5 minutes'
    group by server_id, date_trunc('minute', told.at)
    order by server_id, date_trunc('minute', told.at)
    on conflict (server_id, at, gateway_id) do update
      set joins = excluded.joins, verified = excluded.verified, turned_away = excluded.turned_away`.execute(trx)
}

/** What was turned away while it went on, as far as the minutes tell. */
const turnedAway = sql<number>`(select coalesce(sum(count::integer), 0)::integer
  from server_antibot_minutes minutes, jsonb_each_text(minutes.turned_away) as reason (name, count)
  where minutes.server_id = attacks.server_id and minutes.at >= date_trunc('minute', attacks.since)
    and (attacks.until is null or minutes.at <= attacks.until))`

/** @returns undefined where it was known already, or nobody is to be told of any */
export async function beginAttack(
  trx: Transaction,
  { serverId, since, gatewayId }: { serverId: string; since: string; gatewayId: string },
  { restMinutes }: { restMinutes: number },
): Promise<Attacked | undefined> {
  const { rows } = await sql<Attacked & { began: boolean }>`
    with attack as (
      insert into server_attacks as known (server_id, since, gateways, told)
      select id, greatest(now() - interval '1 day', least(${since}::timestamptz, now())), array[${gatewayId}::uuid],
        not exists (select from server_attacks earlier where earlier.server_id = servers.id and earlier.told
          and earlier.since > now() - make_interval(mins => ${restMinutes}))
      from servers where id = ${serverId} and deleted_at is null and antibot <> 'off'
      on conflict (server_id) where until is null do update set heard_at = now(),
        gateways = array_append(array_remove(known.gateways, ${gatewayId}::uuid), ${gatewayId}::uuid)
      returning known.server_id, known.told, known.xmax = 0 as began
    )
    select attack.server_id, attack.told, attack.began, servers.owner_id, servers.name
    from attack join servers on servers.id = attack.server_id`.execute(trx)
  return rows[0]?.began === true ? rows[0] : undefined
}

/** This gateway does not see it any more. @returns it, where no other one does */
export async function leaveAttack(
  trx: Transaction,
  { serverId, gatewayId }: { serverId: string; gatewayId: string },
): Promise<EndedAttack | undefined> {
  const { numUpdatedRows } = await trx
    .updateTable('server_attacks')
    .set({ gateways: sql`array_remove(gateways, ${gatewayId}::uuid)` })
    .where('server_id', '=', serverId)
    .where('until', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return undefined
  const [ended] = await endAttacks(trx, sql`attacks.server_id = ${serverId} and attacks.gateways = '{}'`)
  return ended
}

/** Whoever saw it, nobody guards the server any more. */
export const endAttackOn = (trx: Transaction, serverId: string): Promise<EndedAttack[]> =>
  endAttacks(trx, sql`attacks.server_id = ${serverId}`)

/** Those of which no gateway has told for a while: it may be gone itself. */
export const endUnheardAttacks = (trx: Transaction, seconds: number): Promise<EndedAttack[]> =>
  endAttacks(trx, sql`attacks.heard_at < now() - make_interval(secs => ${seconds})`)

async function endAttacks(trx: Transaction, which: ReturnType<typeof sql>): Promise<EndedAttack[]> {
  const { rows } = await sql<EndedAttack>`
    update server_attacks attacks set until = greatest(attacks.since, now()), turned_away = ${turnedAway}
    from servers where servers.id = attacks.server_id and attacks.until is null and ${which}
    returning attacks.server_id, attacks.told, attacks.since, attacks.until, attacks.turned_away, servers.owner_id, servers.name`.execute(
    trx,
  )
  return rows
}

export async function selectMinutes(db: Handle, serverId: string, most: number): Promise<MinuteRow[]> {
  const { rows } = await sql<MinuteRow>`
    select at, sum(joins)::integer as joins, sum(verified)::integer as verified, jsonb_agg(turned_away) as turned_away
    from server_antibot_minutes where server_id = ${serverId} and at > now() - interval '1 day'
    group by at order by at desc limit ${most}`.execute(db)
  return rows.toReversed()
}

export async function selectAttacks(db: Handle, serverId: string, most: number): Promise<AttackRow[]> {
  const { rows } = await sql<AttackRow>`
    select since, until, case when until is null then ${turnedAway} else turned_away end as turned_away
    from server_attacks attacks where server_id = ${serverId} order by since desc, id desc limit ${most}`.execute(db)
  return rows
}

/** Removes some of what is kept for a time only. @returns how many rows. */
export async function dropOldFigures(
  db: Handle,
  days: { minutes: number; attacks: number },
  limit: number,
): Promise<number> {
  const minutes = await sql`delete from server_antibot_minutes where ctid = any(array(
    select ctid from server_antibot_minutes where at < now() - make_interval(days => ${days.minutes}) limit ${limit}))`.execute(
    db,
  )
  const attacks = await sql`delete from server_attacks where id = any(array(
    select id from server_attacks where until < now() - make_interval(days => ${days.attacks}) limit ${limit}))`.execute(
    db,
  )
  return Number((minutes.numAffectedRows ?? 0n) + (attacks.numAffectedRows ?? 0n))
}
