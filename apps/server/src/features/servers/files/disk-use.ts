/**
 * What the files take, after something was done with them: where no supervisor measures it, their own service is asked, and
 * the database remembers. What the trash has lost for it is told then, too.
 */
import type { Context } from '#src/context.ts'
import { type ServerRow, warnOfFullDisk } from '#src/features/servers/servers/service.ts'
import { filesOf } from './access.ts'
import { writeDiskUse } from './repo.ts'
import { tellTrashGone } from './trash-gone.ts'

/** However much is done meanwhile, it is asked once. */
const restMilliseconds = 3_000

export type DiskUse = { hasChanged(server: ServerRow): void; close(): void }

export function createDiskUse(context: Pick<Context, 'db' | 'fleet' | 'logger'>): DiskUse {
  /** With the latest row: the server may have gone to sleep since the first change. */
  const waiting = new Map<string, { timer: NodeJS.Timeout; server: ServerRow }>()
  async function measure(server: ServerRow) {
    if (server.placed_at === null) {
      const { used } = await filesOf(context, server).statfs()
      await writeDiskUse(context.db, server.id, used)
      await warnOfFullDisk(context.db, server.id)
    }
    await tellTrashGone(context, server)
  }
  return {
    hasChanged(server) {
      const known = waiting.get(server.id)
      if (known !== undefined) return void (known.server = server)
      const timer = setTimeout(() => {
        const latest = waiting.get(server.id)?.server ?? server
        waiting.delete(server.id)
        measure(latest).catch((error: unknown) =>
          context.logger.info({ error, serverId: server.id }, 'files were not measured; they are with the next change'),
        )
      }, restMilliseconds)
      timer.unref()
      waiting.set(server.id, { timer, server })
    },
    close() {
      for (const { timer } of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
