/** The move of a server, put together from its phases. */
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { findCluster } from '#src/features/servers/clusters/service.ts'
import { defineOperation, type Ended } from '#src/features/servers/operations/service.ts'
import { findServer } from '#src/features/servers/servers/service.ts'
import * as phases from './phases.ts'
import { forgetMoveTo, insertMove } from './repo.ts'
import { warn } from './warn.ts'

type End = Ended<phases.MoveInput, phases.MoveNotes>

const downOf = ({ downAt, upAt }: End['notes']): number | null =>
  downAt == null || upAt === undefined ? null : Math.round((upAt - downAt) / 100) / 10

async function tell(trx: Transaction, end: End): Promise<void> {
  const { operationId, serverId, userId, input, notes, outcome, error } = end
  const isDone = outcome === 'done'
  const [from, to] = [await findCluster(trx, input.from), await findCluster(trx, input.to)]
  const down = downOf(notes)
  await recordServerEvent(trx, serverId, {
    action: 'SERVER_MIGRATION',
    success: isDone,
    ...(!isDone && outcome !== 'cancelled' && { level: eventLevels.ERROR }),
    ...(error !== null && { error }),
    data: {
      ...(userId !== null && { executor: userId }),
      process_id: operationId,
      old_cluster: from?.name ?? input.from,
      new_cluster: to?.name ?? input.to,
      ...(input.reason !== null && { reason: input.reason }),
      ...(isDone ? { bytes: notes.copy?.bytes ?? 0 } : { outcome }),
      ...(isDone && down !== null && { down_seconds: down }),
    },
  })
  if (!isDone) return forgetMoveTo(trx, serverId)
  await insertMove(trx, {
    operation_id: operationId,
    server_id: serverId,
    from_cluster: input.from,
    to_cluster: input.to,
    bytes: notes.copy?.bytes ?? 0,
    down_seconds: down,
    expected_seconds: input.expectedSeconds,
    modelled_seconds: input.modelledSeconds,
    left_behind: notes.left === true,
  })
  const server = await findServer(trx, serverId)
  if (server === undefined) return
  await notify(trx, {
    userId: server.owner_id,
    resource: { type: 'server', id: serverId },
    kind: 'SERVER_MIGRATED',
    fields: { server: server.name, cluster: to?.name ?? input.to },
  })
}

export const migrate = defineOperation('migrate', {
  exclusive: true,
  phases: {
    check: phases.check,
    backup: phases.backup,
    preload: phases.preload,
    warn,
    stop: phases.stop,
    copy: phases.copy,
    bring: phases.bring,
    compare: phases.compare,
    switch: phases.change,
    install: phases.install,
    start: phases.start,
    clean: phases.clean,
  },
  sleepsOn: ({ before }) => before?.sleep ?? null,
  ended: tell,
})
