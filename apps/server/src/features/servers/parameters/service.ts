/** What owners set of their servers, and the settings of the game. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Capabilities, hasCapability } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Product } from '@wakestone/contract/sales/product'
import {
  type OwnSleep,
  type Parameters,
  type SetLimits,
  type shownParametersSchema,
  sleepLevels,
} from '@wakestone/contract/servers/parameters'
import { findPropertyFault, isRefusedProperty, type Properties } from '@wakestone/contract/servers/properties'
import type { Game } from '@wakestone/contract/servers/server'
import { changeProperties as changeText, readProperties } from '@wakestone/minecraft/properties'
import type { z } from 'zod'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { requireIdle } from '#src/features/servers/operations/service.ts'
import {
  findServer,
  isLive,
  lockServer,
  needWorkload,
  requestReconcile,
  requirePaid,
  type ServerRow,
  writeSetLimits,
} from '#src/features/servers/servers/service.ts'
import { type ChangedParameters, findPlan, writeParameters, writePlan } from './repo.ts'
import { withStartFlags } from './start-flags.ts'

export { withStartFlags } from './start-flags.ts'

type Shown = z.input<typeof shownParametersSchema>
const noSleep: OwnSleep = { light: null, deep: null, hibernate: null }

export function describeParameters(server: ServerRow): Shown {
  return {
    name: server.name,
    description: server.description,
    language: server.language as Parameters['language'],
    sleep: (server.own_sleep as OwnSleep | null) ?? noSleep,
    start_flags: server.start_flags,
    plan_sleep: (server.limits as Product['parameters']).sleep,
  }
}

/**
 * `limits` are for administrators only, and replace those that were set before.
 * @throws DomainError `insufficient_capabilities`, `invalid_request` for a sleep that is later than the plan's
 */
export function changeParameters(
  { db, boss }: Pick<Context, 'db' | 'boss'>,
  { serverId, userId, capabilities }: { serverId: string; userId: string; capabilities: Capabilities },
  { limits, ...changed }: ChangedParameters & { limits?: SetLimits | undefined },
): Promise<Shown> {
  if (limits !== undefined && !hasCapability(capabilities, 'admin.server.parameters'))
    throw new DomainError('insufficient_capabilities')
  return inTransaction(db, async (trx) => {
    await lockServer(trx, serverId)
    const before = await findServer(trx, serverId)
    if (before === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
    if (changed.sleep !== undefined) requireSooner((before.limits as Product['parameters']).sleep, changed.sleep)
    if (changed.start_flags !== undefined) {
      await requireIdle(trx, serverId) // it may be about another plan just now
      const plan = await findPlan(trx, serverId)
      if (plan !== undefined)
        await writePlan(trx, serverId, withStartFlags(plan, changed.start_flags, before.start_flags))
    }
    await writeParameters(trx, serverId, changed)
    if (limits !== undefined) {
      await writeSetLimits(trx, serverId, limits)
      await recordServerEvent(trx, serverId, {
        action: 'SERVER_PARAMETERS_CHANGE',
        level: eventLevels.WARN,
        data: { executor: userId, before: before.limits_set as SetLimits, after: limits },
      })
    }
    if (changed.name !== undefined && changed.name !== before.name)
      await recordServerEvent(trx, serverId, {
        action: 'SERVER_NAME_CHANGED',
        data: { executor: userId, old_name: before.name, new_name: changed.name },
      })
    await requestReconcile(boss, trx, serverId)
    return describeParameters({ ...before, ...(await findServer(trx, serverId)) })
  })
}

function requireSooner(plan: Product['parameters']['sleep'], own: OwnSleep): void {
  const late = sleepLevels.filter((level) => {
    const [rule, wish] = [plan[level], own[level]]
    return rule !== null && wish !== null && wish > rule
  })
  if (late.length > 0)
    throw new DomainError(
      'invalid_request',
      Object.fromEntries(late.map((level) => [`sleep.${level}`, 'later_than_plan'])),
    )
}

const fileName = 'server.properties'
/** A supervisor without a game stays so long after its files were asked for. */
const workloadSeconds = 120
const patienceMilliseconds = 15_000

type FileDeps = Pick<Context, 'db' | 'fleet'>

/** The supervisor of a server; one that has none gets one for a while. */
async function reachFiles({ db, fleet }: FileDeps, server: ServerRow): Promise<SupervisorClient> {
  if (server.prepared_at === null) throw new DomainError('server_is_preparing', { resource: 'server' })
  requirePaid(server)
  await needWorkload(db, server.id, workloadSeconds)
  for (const deadline = Date.now() + patienceMilliseconds; Date.now() < deadline; await delay(200)) {
    const supervisor = await fleet.find(server.id)
    if (supervisor !== undefined) return supervisor
  }
  throw new DomainError('server_has_not_pod', { resource: 'server' })
}

export async function listProperties(deps: FileDeps, server: ServerRow): Promise<Properties> {
  const files = await reachFiles(deps, server)
  return describe(server, (await files.readFile(fileName).catch(explain)) ?? '')
}

/** @throws DomainError `invalid_request` that names each key which cannot be set, or not to that. */
export async function changeProperties(
  deps: FileDeps,
  server: ServerRow,
  values: Record<string, string | null>,
): Promise<Properties> {
  const faults = findFaults(server, values)
  if (Object.keys(faults).length > 0) throw new DomainError('invalid_request', faults)
  const files = await reachFiles(deps, server)
  const before = (await files.readFile(fileName).catch(explain)) ?? ''
  const text = changeText(before, new Map(Object.entries(values)), formatOf(server))
  if (text !== before) await files.writeFile(fileName, text).catch(explain)
  return describe(server, text)
}

function findFaults(server: ServerRow, values: Record<string, string | null>): Record<string, string> {
  const most = (server.limits as Product['parameters']).players
  const faults: Record<string, string> = {}
  for (const [key, value] of Object.entries(values)) {
    const fault = isRefusedProperty(key)
      ? 'refused'
      : value === null
        ? undefined
        : findPropertyFault(key, value, server.game as Game)
    if (fault !== undefined) faults[`values.${key}`] = fault
    else if (key === 'max-players' && most !== null && Number(value) > most) faults[`values.${key}`] = 'more_than_plan'
  }
  return faults
}

const formatOf = ({ game }: ServerRow) => (game === 'minecraft-bedrock' ? 'plain' : 'java')

function describe(server: ServerRow, text: string): Properties {
  return {
    properties: [...readProperties(text, formatOf(server))]
      .filter(([key]) => !isRefusedProperty(key))
      .map(([key, value]) => ({ key, value })),
    most_players: (server.limits as Product['parameters']).players,
    needs_restart: isLive(server.phase),
  }
}

function explain(error: unknown): never {
  if (!(error instanceof SupervisorError)) throw error
  throw new DomainError('service_unavailable')
}
