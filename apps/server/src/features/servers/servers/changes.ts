/**
 * Tells what shows servers that one has changed: PostgreSQL says so, whoever changed it.
 */
import type { Context } from '#src/context.ts'
import type { Listener } from '#src/db/channels.ts'

export type ServerChanges = {
  /** Calls back with the id of each changed server; undefined: any may have changed, messages were lost. */
  onChange(listener: (serverId: string | undefined) => void): () => void
  start(): Promise<void>
  close(): Promise<void>
}

/** `operation_changed`: what is under way on it, `files_changed`: its files as far as we know of it; and nothing else of it. */
export function createServerChanges(
  { channels }: Pick<Context, 'channels'>,
  name: 'server_changed' | 'operation_changed' | 'files_changed' = 'server_changed',
): ServerChanges {
  const listeners = new Set<(serverId: string | undefined) => void>()
  const tell = (serverId: string | undefined) => {
    for (const listener of listeners) listener(serverId)
  }
  let channel: Listener | undefined
  return {
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async start() {
      channel = await channels.listen(name, { onMessage: tell, onReconnect: () => tell(undefined) })
    },
    close: async () => channel?.close(),
  }
}
