/** Tells open pages which tickets have changed. */
import type { Context } from '#src/context.ts'

export type TicketChanges = {
  /** Calls back with the id of a changed ticket and whose it is (null: a visitor's); with nothing after a lost connection. */
  onChange(listener: (changed: { id: string; user: string | null } | undefined) => void): () => void
  close(): Promise<void>
}

export async function followTickets({ channels }: Pick<Context, 'channels'>): Promise<TicketChanges> {
  type Listener = Parameters<TicketChanges['onChange']>[0]
  const listeners = new Set<Listener>()
  const channel = await channels.listen('tickets_changed', {
    onMessage: (payload) => {
      const changed = JSON.parse(payload) as { id: string; user: string | null }
      for (const listener of listeners) listener(changed)
    },
    onReconnect: () => {
      for (const listener of listeners) listener(undefined)
    },
  })
  return {
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => channel.close(),
  }
}
