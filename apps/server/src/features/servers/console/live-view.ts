/**
 * What a socket or an event stream shows of one server for as long as its reader may: status, console, statistics, and
 * the reader's own rights. Whoever loses the session or the right loses it at once.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { ConsoleServerFrame } from '@wakestone/contract/servers/stream'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import { checkServerAccess } from '#src/http/access.ts'
import { oneAtATime, watchServerRight } from '#src/http/held-right.ts'
import type { Api } from '#src/http/implement.ts'
import type { Principal } from '#src/http/principal.ts'
import { type ServerChanges, describeStatus, findServer, needWorkload } from '#src/features/servers/servers/service.ts'
import { listRecentOperations } from '#src/features/servers/operations/service.ts'
import { createConsoleRelay } from './console-relay.ts'

export type LiveParts = {
  changes: ServerChanges
  operationChanges: ServerChanges
  fileChanges: ServerChanges
  fleet: Fleet
}
export type ViewEnd = 'session' | 'right' | 'missing' | 'too_many'

/** A supervisor is placed and found within this, also where none lingers. */
const leastNeededSeconds = 5
const viewsPerUser = 24

/** Views that a process holds open, counted by reader. */
export type LiveViews = {
  /** @returns what ends the view; undefined when it was refused, which `onEnd` has said by then. */
  open(view: View): Promise<(() => void) | undefined>
}
type View = {
  user: Principal
  serverId: string
  /** Number of the last console line that the reader has. */
  after: number
  onFrame: (frame: ConsoleServerFrame) => void
  onEnd: (because: ViewEnd) => void
}

export function createLiveViews(api: Api, { changes, operationChanges, fileChanges, fleet }: LiveParts): LiveViews {
  const openByUser = new Map<string, number>()
  const { db, settings } = api.context
  const seconds = Math.max(leastNeededSeconds, settings.WORKLOAD_LINGER_SECONDS)
  const consoles = createConsoleRelay(fleet, { seconds, tell: (serverId) => needWorkload(db, serverId, seconds) })
  const count = (userId: string, change: number) => {
    const now = (openByUser.get(userId) ?? 0) + change
    if (now === 0) openByUser.delete(userId)
    else openByUser.set(userId, now)
  }
  return {
    async open({ user, serverId, after, onFrame, onEnd }) {
      const { userId } = user
      const refused = await findRefusal(api, user, serverId)
      if (refused !== undefined) return void onEnd(refused)
      if ((openByUser.get(userId) ?? 0) >= viewsPerUser) return void onEnd('too_many')
      count(userId, 1)
      const ends = [
        () => count(userId, -1),
        watchRight(api, { user, serverId, onFrame, onEnd }),
        relayStatus(api, changes, { serverId, onFrame, onEnd }),
        relayOperations(api, operationChanges, { serverId, onFrame }),
        relayFiles(fileChanges, { serverId, onFrame }),
        consoles.follow({ serverId, after, onMessage: onFrame }).close,
      ]
      return () => {
        for (const end of ends.splice(0)) end()
      }
    },
  }
}

/** A frame as text, made once for all who are shown it. */
export function frameText(frame: ConsoleServerFrame): string {
  let text = texts.get(frame)
  if (text === undefined) texts.set(frame, (text = JSON.stringify(frame)))
  return text
}
const texts = new WeakMap<ConsoleServerFrame, string>()

/** Why a reader may not see a server; undefined when they may. */
async function findRefusal({ context }: Api, user: Principal, serverId: string): Promise<ViewEnd | undefined> {
  try {
    await checkServerAccess(context, user, serverId, 'server.manage.read')
    return undefined
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return error.code === 'server_id_not_found' ? 'missing' : 'right'
  }
}

/** Ends the view when session or right do, and tells what the reader may do. */
function watchRight(api: Api, { user, serverId, onFrame, onEnd }: Omit<View, 'after'>): () => void {
  let last = ''
  return watchServerRight(api, {
    user,
    serverId,
    capability: 'server.manage.read',
    onLook({ capabilities }) {
      const text = JSON.stringify(Object.entries(capabilities).sort())
      if (text !== last) onFrame({ type: 'access', capabilities })
      last = text
    },
    onLost: onEnd,
  })
}

/** Tells the status now and whenever it has changed. */
function relayStatus(
  { context }: Api,
  changes: ServerChanges,
  { serverId, onFrame, onEnd }: Pick<View, 'serverId' | 'onFrame' | 'onEnd'>,
): () => void {
  let last = ''
  const look = oneAtATime(async () => {
    const server = await findServer(context.db, serverId)
    if (server === undefined) return onEnd('missing')
    const status = describeStatus(server)
    const text = JSON.stringify(status)
    if (text !== last) onFrame({ type: 'status', status })
    last = text
  })
  look()
  return changes.onChange((changed) => (changed === undefined || changed === serverId) && look())
}

/** Tells of operations: those under way and just over now, each again whenever it has changed. */
function relayOperations(
  { context }: Api,
  changes: ServerChanges,
  { serverId, onFrame }: Pick<View, 'serverId' | 'onFrame'>,
): () => void {
  let told = new Map<string, string>()
  const look = oneAtATime(async () => {
    const before = told
    told = new Map()
    for (const operation of await listRecentOperations(context.db, serverId)) {
      const text = JSON.stringify(operation)
      told.set(operation.id, text)
      if (before.get(operation.id) !== text) onFrame({ type: 'operation', operation })
    }
  })
  look()
  return changes.onChange((changed) => (changed === undefined || changed === serverId) && look())
}

/** Those who send many files change them many times in a second; it is told once. */
const filesToldApart = 1000

/** Tells that something was done with the files, soon after it was. */
function relayFiles(changes: ServerChanges, { serverId, onFrame }: Pick<View, 'serverId' | 'onFrame'>): () => void {
  let timer: NodeJS.Timeout | undefined
  const tell = () => {
    timer = undefined
    onFrame({ type: 'files' })
  }
  const stop = changes.onChange((changed) => {
    if (changed === undefined || changed === serverId) timer ??= setTimeout(tell, filesToldApart)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}
