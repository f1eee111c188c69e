/** What somebody who has just come does first: told from what there is, so that nothing has to be ticked by hand. */
import { type FirstSteps, firstSteps } from '@wakestone/contract/accounts/first-steps'
import type { Context } from '#src/context.ts'
import { findFirstSteps, noteClosed } from './repo.ts'

type Deps = Pick<Context, 'db'>

export async function showFirstSteps({ db }: Deps, userId: string): Promise<FirstSteps> {
  const found = await findFirstSteps(db, userId)
  if (found === undefined) return { done: [], server_id: null, server_joined: false, closed: true }
  const { server_id, server_joined, closed } = found
  return { done: firstSteps.filter((step) => found[step]), server_id, server_joined, closed }
}

export const closeFirstSteps = ({ db }: Deps, userId: string): Promise<void> => noteClosed(db, userId)
