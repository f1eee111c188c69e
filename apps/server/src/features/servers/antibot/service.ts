/** Bots and how they are kept out: what the owner has chosen, and what gateways tell of it. */
import {
  type Antibot,
  antibotLimits,
  type AntibotMode,
  type AntibotReason,
  type AntibotReport,
} from '@wakestone/contract/servers/antibot'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { lockServer, type ServerRow } from '#src/features/servers/servers/service.ts'
import * as repo from './repo.ts'

const latestTold = 20
/** Of attacks that follow one another, the owner is told of one in so long. */
const restMinutes = 60
const unheardSeconds = 120
const keptDays = { minutes: 1, attacks: 90 }
const rowsAtOnce = 5_000

export async function describeAntibot(db: Handle, serverId: string, mode: AntibotMode): Promise<Antibot> {
  const minutes = await repo.selectMinutes(db, serverId, antibotLimits.minutes)
  const attacks = await repo.selectAttacks(db, serverId, antibotLimits.attacksTold)
  const points = minutes.map(({ at, joins, verified, turned_away }) => ({
    at: at.toISOString(),
    joins,
    verified,
    reasons: addUp(turned_away),
  }))
  return {
    mode,
    attacks: attacks.map(({ since, until, turned_away }) => ({
      since: since.toISOString(),
      until: until?.toISOString() ?? null,
      turned_away,
    })),
    points: points.map(({ reasons, ...point }) => ({ ...point, turned_away: sumOf(reasons) })),
    reasons: addUp(points.map(({ reasons }) => reasons)),
    latest: points
      .filter(({ reasons }) => sumOf(reasons) > 0)
      .slice(-latestTold)
      .toReversed()
      .map(({ at, reasons }) => ({ at, reasons })),
  }
}

type Reasons = Partial<Record<AntibotReason, number>>

function addUp(all: readonly Reasons[]): Reasons {
  const sum: Reasons = {}
  for (const reasons of all)
    for (const [reason, count] of Object.entries(reasons) as [AntibotReason, number][])
      sum[reason] = (sum[reason] ?? 0) + count
  return sum
}

const sumOf = (reasons: Reasons) => Object.values(reasons).reduce((sum, count) => sum + count, 0)

export function changeAntibot(
  { db }: Pick<Context, 'db'>,
  { server, userId }: { server: ServerRow; userId: string },
  mode: AntibotMode,
): Promise<Antibot> {
  return inTransaction(db, async (trx) => {
    const before = await lockServer(trx, server.id).then(() => repo.findMode(trx, server.id))
    if (before !== mode) {
      await repo.writeMode(trx, server.id, mode)
      await recordServerEvent(trx, server.id, {
        action: 'SERVER_ANTIBOT_CHANGE',
        data: { executor: userId, old_mode: before, new_mode: mode },
      })
      if (mode === 'off') for (const attack of await repo.endAttackOn(trx, server.id)) await tellOfEnd(trx, attack)
    }
    return describeAntibot(trx, server.id, mode)
  })
}

/** A gateway tells what it has counted, and which attacks it sees. */
export async function takeReport({ db }: Pick<Context, 'db'>, report: AntibotReport): Promise<void> {
  const { gatewayId, minutes, attacked, over } = report
  await inTransaction(db, (trx) => repo.writeMinutes(trx, gatewayId, minutes))
  for (const { serverId, since } of attacked)
    await inTransaction(db, async (trx) => {
      const attack = await repo.beginAttack(trx, { serverId, since, gatewayId }, { restMinutes })
      if (attack) await tellOfBeginning(trx, attack)
    })
  for (const serverId of over)
    await inTransaction(db, async (trx) => {
      const attack = await repo.leaveAttack(trx, { serverId, gatewayId })
      if (attack) await tellOfEnd(trx, attack)
    })
}

/** Each minute: ends attacks of which nobody tells any more, and removes what is old. */
export async function tidyAntibot({ db }: Pick<Context, 'db'>): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const attack of await repo.endUnheardAttacks(trx, unheardSeconds)) await tellOfEnd(trx, attack)
  })
  while ((await repo.dropOldFigures(db, keptDays, rowsAtOnce)) >= rowsAtOnce);
}

async function tellOfBeginning(
  trx: Transaction,
  { server_id: id, owner_id, name, told }: repo.Attacked,
): Promise<void> {
  await recordServerEvent(trx, id, { action: 'SERVER_ATTACK_DETECTED', level: eventLevels.WARN, data: {} })
  if (told)
    await notify(trx, {
      userId: owner_id,
      kind: 'SERVER_UNDER_ATTACK',
      resource: { type: 'server', id },
      fields: { server: name },
    })
}

async function tellOfEnd(trx: Transaction, attack: repo.EndedAttack): Promise<void> {
  const { server_id: id, owner_id, name, told, since, until, turned_away } = attack
  await recordServerEvent(trx, id, {
    action: 'SERVER_ATTACK_ENDED',
    data: { since: since.toISOString(), turned_away },
  })
  if (told)
    await notify(trx, {
      userId: owner_id,
      kind: 'SERVER_ATTACK_OVER',
      resource: { type: 'server', id },
      fields: {
        server: name,
        minutes: Math.max(1, Math.round((until.getTime() - since.getTime()) / 60_000)),
        turned_away,
      },
    })
}
