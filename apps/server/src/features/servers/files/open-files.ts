/** How much one user has open at once, and that all of it ends with their right. */
import { DomainError } from '@wakestone/contract/errors'
import { type Held, watchServerRight } from '#src/http/held-right.ts'
import type { Api } from '#src/http/implement.ts'
import type { Principal } from '#src/http/principal.ts'
import { findRefusedWrite } from './access.ts'
import type { ServerChanges } from '#src/features/servers/servers/service.ts'

/** Lists, searches and transfers of one user in this process: a browser sends four files at once, and two may be open. */
const mostOfUser = 16

export type OpenFiles = {
  /**
   * Until it is closed. `writes`: it ends as soon as an operation has the files to itself.
   * @throws DomainError `too_many_requests`
   */
  hold(what: { user: Principal; serverId: string; writes: boolean }): Held
}

export function createOpenFiles(api: Api, operationChanges: ServerChanges): OpenFiles {
  const { db } = api.context
  const open = new Map<string, number>()
  const writers = new Map<string, Set<AbortController>>()

  operationChanges.onChange((changed) => {
    for (const serverId of changed === undefined ? writers.keys() : [changed]) void look(serverId)
  })

  /** Ends what writes to a server of which an operation needs all files. */
  async function look(serverId: string) {
    const ofServer = writers.get(serverId)
    if (ofServer === undefined) return
    const refusal = await findRefusedWrite(db, serverId).catch(() => undefined) // the database is away: told again
    if (refusal === undefined) return
    for (const writer of ofServer) writer.abort(refusal)
  }

  function count(userId: string, change: number) {
    const now = (open.get(userId) ?? 0) + change
    if (now === 0) open.delete(userId)
    else open.set(userId, now)
  }

  function addWriter(serverId: string, ending: AbortController): () => void {
    let ofServer = writers.get(serverId)
    if (ofServer === undefined) writers.set(serverId, (ofServer = new Set()))
    ofServer.add(ending)
    return () => {
      ofServer.delete(ending)
      if (ofServer.size === 0 && writers.get(serverId) === ofServer) writers.delete(serverId)
    }
  }

  return {
    hold({ user, serverId, writes }) {
      if ((open.get(user.userId) ?? 0) >= mostOfUser)
        throw new DomainError('too_many_requests', { resource: 'file', retry_after: 1 })
      count(user.userId, 1)
      const ending = new AbortController()
      const ends = [
        () => count(user.userId, -1),
        watchServerRight(api, {
          user,
          serverId,
          capability: 'server.manage',
          onLost: () => ending.abort(new DomainError('transfer_ended', { resource: 'file' })),
        }),
        ...(writes ? [addWriter(serverId, ending)] : []),
      ]
      return {
        signal: ending.signal,
        close() {
          for (const end of ends.splice(0)) end()
        },
      }
    },
  }
}
