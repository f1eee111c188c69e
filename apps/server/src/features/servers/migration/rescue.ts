/**
 * Brings up a server whose machine is lost on another cluster, from a backup, without asking or changing anything on that
 * machine. Before the switch everything can be undone, and is if the machine comes back. After it the server stays at the
 * new place, whatever fails.
 */
import { DomainError } from '@wakestone/contract/errors'
import { eventLevels } from '@wakestone/contract/ground/event'
import { isPassable } from '@wakestone/contract/servers/migration'
import type { Transaction } from '#src/db/client.ts'
import { pourVolume, listWholeBackups, requireSnapshot } from '#src/features/servers/backups/service.ts'
import { findCluster } from '#src/features/servers/clusters/service.ts'
import { forgetSnapshots } from '#src/features/servers/engine-change/service.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { rebuildMysql } from '#src/features/servers/mysql/service.ts'
import {
  defineOperation,
  type Ended,
  findSupervisor,
  settleOperation,
  type Step,
  untilInstalled,
  untilUp,
} from '#src/features/servers/operations/service.ts'
import {
  findServer,
  findSetup,
  isExpired,
  type Setup,
  shouldRun,
  type Sleep,
  writeSetup,
} from '#src/features/servers/servers/service.ts'
import { findObstacleThere, findRoom, isSurelyLost } from './fit.ts'
import { findOwn, openTarget, prepareVolume, removeFrom, sleepOf, untilThere } from './phases.ts'
import * as repo from './repo.ts'

export type RescueInput = {
  from: string
  to: string
  reason: string
  backupId: string
  snapshot: string
  /** When that backup was made, in ISO 8601. */
  madeAt: string
  bytes: number
}
type RescueNotes = {
  /** The engine and the packages that the files of the backup belong to, and those that it had. */
  setup: Setup
  before: Setup
  /** How it slept before it is held down; null: it did not. */
  sleep: Sleep | null
  /** It has left the lost machine. */
  isThere: boolean
}
type RescueStep = Step<RescueInput, RescueNotes>
type End = Ended<RescueInput, RescueNotes>
const asPlain = (step: RescueStep) => step as unknown as Step<never, never>

/** Asks where it was: it may have left just now. @throws DomainError where its machine answers */
async function requireLost({ deps, serverId, input }: Pick<RescueStep, 'deps' | 'serverId' | 'input'>): Promise<void> {
  if (!(await isSurelyLost(await deps.fleet.clusterOf(input.from), serverId)))
    throw new DomainError('server_cannot_migrate', { reason: 'not_lost' })
}

const check = {
  weight: 2,
  async run(step: RescueStep) {
    const { db, fleet } = step.deps
    const [server, cluster] = [await findOwn(step), await findCluster(db, step.input.to)]
    if (cluster === undefined) throw new DomainError('cluster_not_found', { resource: 'cluster' })
    await requireLost(step)
    const obstacle = await findObstacleThere(db, server, { cluster, room: await findRoom(fleet, cluster) })
    if (obstacle !== null && !isPassable(obstacle, true))
      throw new DomainError('server_cannot_migrate', { reason: obstacle })
    await openTarget(step)
    const backup = (await listWholeBackups(db, step.serverId)).find(({ id }) => id === step.input.backupId)
    if (backup === undefined) throw new DomainError('no_server_backup_found')
    await step.note({ setup: backup.setup })
  },
}

const bring = {
  weight: 40,
  async run(step: RescueStep) {
    const { snapshot } = step.input
    const target = await openTarget(step)
    await prepareVolume(step, target)
    await requireSnapshot(asPlain(step), target, snapshot)
    await pourVolume(asPlain(step), target, { snapshot, verifies: false })
  },
  undo: (step: RescueStep) => removeFrom(step, step.input.to),
}

const compare = {
  weight: 15,
  async run(step: RescueStep) {
    const target = await openTarget(step)
    await pourVolume(asPlain(step), target, { snapshot: step.input.snapshot, verifies: true })
    await target.closeBoxes(step.serverId)
    await step.note({ sleep: sleepOf(await findOwn(step)) })
  },
}

/** From here on it is there: what is on the lost machine is left to `fencing.ts`. */
async function settle(step: RescueStep): Promise<void> {
  const { from, to, bytes } = step.input
  await step.write((trx) =>
    repo.insertMove(trx, {
      operation_id: step.operationId,
      server_id: step.serverId,
      from_cluster: from,
      to_cluster: to,
      bytes,
      down_seconds: null,
      expected_seconds: null,
      modelled_seconds: null,
      left_behind: true,
      abandoned: true,
    }),
  )
  await step.note({ isThere: true })
}

const change = {
  weight: 5,
  needsDown: true,
  async run(step: RescueStep) {
    const { from, to } = step.input
    const { db } = step.deps
    const { setup } = step.notes
    if (setup === undefined) throw new Error('no setup was noted')
    const here = await repo.findWhereabouts(db, step.serverId)
    if (here?.cluster_id === from && here.move_to === null) {
      await requireLost(step)
      await step.note({ before: await findSetup(db, step.serverId) })
      await step.write(async (trx) => {
        if (!(await settleOperation(trx, step.operationId))) throw new Error('it is going back')
        await repo.writeMoveTo(trx, step.serverId, { clusterId: to, seq: 0, abandons: true })
        await writeSetup(trx, step.serverId, setup)
      })
    }
    await untilThere(step, to, () => requireLost(step))
    await settle(step)
  },
  async undo(step: RescueStep) {
    const { before } = step.notes
    const isHere = await step.write(async (trx) => {
      const stays = await repo.clearMoveTo(trx, { serverId: step.serverId, clusterId: step.input.from })
      if (stays && before !== undefined) await writeSetup(trx, step.serverId, before)
      return stays
    })
    // Whoever brings it may just have done so.
    if (!isHere) await settle(step)
  },
}

/** The engine, its Java and all packages of the backup; MySQL with the tables in it and the password that there was. */
const install = {
  weight: 18,
  needsDown: true,
  async run(step: RescueStep) {
    if (isExpired(await findOwn(step))) return
    const { plan } = await findSetup(step.deps.db, step.serverId)
    await findSupervisor(asPlain(step))
    await untilInstalled(asPlain(step), plan)
    await rebuildMysql(step)
  },
}

const start = {
  weight: 20,
  async run(step: RescueStep) {
    if (step.notes.sleep != null || !shouldRun({ ...(await findOwn(step)), hold: null })) return
    await untilUp(asPlain(step))
  },
}

async function tell(trx: Transaction, end: End): Promise<void> {
  const { operationId, serverId, userId, input, notes, outcome, error } = end
  const [from, to] = [await findCluster(trx, input.from), await findCluster(trx, input.to)]
  await recordServerEvent(trx, serverId, {
    action: 'SERVER_RESCUE',
    success: outcome === 'done',
    ...(outcome !== 'cancelled' && { level: outcome === 'done' ? eventLevels.WARN : eventLevels.ERROR }),
    ...(error !== null && { error }),
    data: {
      ...(userId !== null && { executor: userId }),
      process_id: operationId,
      old_cluster: from?.name ?? input.from,
      new_cluster: to?.name ?? input.to,
      reason: input.reason,
      backup_id: input.backupId,
      backup_made_at: input.madeAt,
      ...(outcome !== 'done' && { outcome }),
    },
  })
  if (notes.isThere !== true) return repo.forgetMoveTo(trx, serverId)
  await forgetSnapshots(trx, serverId)
  const server = await findServer(trx, serverId)
  if (server === undefined) return
  await notify(trx, {
    userId: server.owner_id,
    resource: { type: 'server', id: serverId },
    kind: 'SERVER_RESCUED',
    fields: { server: server.name, cluster: to?.name ?? input.to, made_at: input.madeAt },
  })
}

export const rescue = defineOperation('rescue', {
  exclusive: true,
  phases: { check, bring, compare, switch: change, install, start },
  sleepsOn: ({ sleep }) => sleep ?? null,
  isSettled: ({ isThere }) => isThere === true,
  ended: tell,
})
