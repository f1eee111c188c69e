/** Tells open pages how many notifications are unread, whenever that changes. */
import type { Context } from '#src/context.ts'

export type UnreadChanges = {
  /** Calls back when something of the user's was written or read; for all users after a lost connection. */
  onChange(userId: string, listener: () => void): () => void
  close(): Promise<void>
}

export async function followUnread({ channels }: Pick<Context, 'channels'>): Promise<UnreadChanges> {
  const listeners = new Map<string, Set<() => void>>()
  const channel = await channels.listen('notifications_changed', {
    onMessage: (userId) => {
      for (const listener of listeners.get(userId) ?? []) listener()
    },
    onReconnect: () => {
      for (const set of listeners.values()) for (const listener of set) listener()
    },
  })
  return {
    onChange(userId, listener) {
      const set = listeners.get(userId) ?? new Set()
      listeners.set(userId, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0 && listeners.get(userId) === set) listeners.delete(userId)
      }
    },
    close: () => channel.close(),
  }
}
