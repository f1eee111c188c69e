/** Tells the owner what the trash had to give up before its seven days, because room was needed. */
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import { filesOf } from './access.ts'
import { takeTrashTold } from './repo.ts'

/** Paths that are told; the rest is in the sum. */
const pathsTold = 10
const pathLength = 200

export async function tellTrashGone(context: Pick<Context, 'db' | 'fleet'>, server: ServerRow): Promise<void> {
  const { gone } = await filesOf(context, server).trashGone()
  const [newest] = gone
  if (newest === undefined) return
  await inTransaction(context.db, async (trx) => {
    const before = await takeTrashTold(trx, server.id, new Date(newest.goneAt))
    if (before === undefined) return
    const fresh = gone.filter(({ goneAt }) => before.told === null || new Date(goneAt) > before.told)
    if (fresh.length === 0) return
    const paths = fresh.slice(0, pathsTold).map(({ path }) => path.slice(0, pathLength))
    const size = fresh.reduce((sum, entry) => sum + entry.size, 0)
    await recordServerEvent(trx, server.id, {
      action: 'SERVER_TRASH_MADE_ROOM',
      level: eventLevels.WARN,
      data: { count: fresh.length, paths, total_size: size },
    })
    // A day's need of room is one piece of news.
    await notify(trx, {
      userId: before.owner_id,
      resource: { type: 'server', id: server.id },
      kind: 'TRASH_MADE_ROOM',
      fields: { server: before.name, path: paths.join(', ').slice(0, 300), size },
      dedupeKey: `trash-made-room ${server.id} ${newest.goneAt.slice(0, 10)}`,
    })
  })
}
