/** What somebody who has just come does first: told from what there is, so that nothing has to be ticked by hand. */
import { type FirstSteps, firstSteps } from '@wakestone/contract/accounts/first-steps'
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { findFirstSteps, findStepsOfServers, noteClosed, noteClosedOfServer } from './repo.ts'

type Deps = Pick<Context, 'db'>

export async function showFirstSteps({ db }: Deps, userId: string): Promise<FirstSteps> {
  const [found, servers] = await Promise.all([findFirstSteps(db, userId), findStepsOfServers(db, userId)])
  if (found === undefined) return { done: [], server_id: null, servers: [], closed: true }
  const { server_id, closed } = found
  return { done: firstSteps.filter((step) => found[step]), server_id, servers, closed }
}

/**
 * Of one server, or all of it.
 * @throws DomainError `server_id_not_found` for one that is not theirs
 */
export async function closeFirstSteps({ db }: Deps, userId: string, serverId: string | undefined): Promise<void> {
  if (serverId === undefined) return noteClosed(db, userId)
  if (!(await noteClosedOfServer(db, userId, serverId)))
    throw new DomainError('server_id_not_found', { resource: 'server' })
}
