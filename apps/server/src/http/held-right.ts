/** Watches over a right for as long as something is open that it opened: a socket, a stream, a transfer. */
import type { CapabilityName } from '@wakestone/contract/capability-names'
import { DomainError } from '@wakestone/contract/errors'
import type { ServerResource } from '#src/features/servers/servers/service.ts'
import { checkServerAccess } from './access.ts'
import type { Api } from './implement.ts'
import type { Principal } from './principal.ts'

/** Something that is open for as long as somebody may have it. */
export type Held = {
  /** Aborts when they may no longer; the reason says why. */
  signal: AbortSignal
  close(): void
}

export type RightEnd = 'session' | 'right'

/** Rights are read anew this often too, should the telling be lost. */
const lookMilliseconds = 20_000

/**
 * Looks at once, when it is told that something of the user's rights has changed, and now and then. `onLost` may be called
 * more than once.
 * @returns what ends it.
 */
export function watchServerRight(
  api: Pick<Api, 'context' | 'principals'>,
  {
    user,
    serverId,
    capability,
    onLook,
    onLost,
  }: {
    user: Principal
    serverId: string
    capability: CapabilityName
    /** With the server and what the user may do on it, each time that it was looked at. */
    onLook?: (server: ServerResource) => void
    onLost: (because: RightEnd) => void
  },
): () => void {
  const look = oneAtATime(async () => {
    const present = await api.principals.findAgain(user)
    if (present === undefined) return onLost('session')
    try {
      const server = await checkServerAccess(api.context, present, serverId, capability)
      onLook?.(server)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      onLost('right')
    }
  })
  look() // it may have ended since it was checked
  const stop = api.principals.onChange((userId) => (userId === undefined || userId === user.userId) && look())
  const timer = setInterval(look, lookMilliseconds)
  return () => {
    stop()
    clearInterval(timer)
  }
}

/** One reading at a time; asked for meanwhile, it is read once more afterwards, so that the newest is told last. */
export function oneAtATime(read: () => Promise<void>): () => void {
  let isReading = false
  let isDue = false
  return function look() {
    if (isReading) return void (isDue = true)
    isReading = true
    isDue = false
    void read()
      .catch(() => undefined) // the database is away: read again once it is back
      .then(() => {
        isReading = false
        if (isDue) look()
      })
  }
}
