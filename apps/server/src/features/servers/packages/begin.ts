/** Begins what was worked out, as an operation, unless something else has changed the server meanwhile. */
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { beginOperation, recordDone, requireIdle } from '#src/features/servers/operations/service.ts'
import { findSetup, requireRunnable, type ServerRow } from '#src/features/servers/servers/service.ts'
import type { Draft } from './draft.ts'
import { isSamePlan } from './inventory.ts'

export type PackageOperation = 'package_install' | 'package_uninstall' | 'package_rollback'

/** @returns the id of the process; where nothing is to do, of one that is done already. */
export async function begin(
  deps: Pick<Context, 'db' | 'boss'>,
  { server, userId }: { server: ServerRow; userId: string | null },
  { kind, draft }: { kind: PackageOperation; draft: Draft },
): Promise<string> {
  requireRunnable(server)
  await requireIdle(deps.db, server.id)
  return inTransaction(deps.db, async (trx) => {
    const asked = {
      serverId: server.id,
      kind,
      input: draft.input,
      about: { packages: draft.input.names },
      userId,
    }
    const id = await (draft.isDone ? recordDone(trx, asked) : beginOperation(deps, trx, asked))
    // Something else has changed the server since this was worked out.
    const { plan } = await findSetup(trx, server.id)
    if (!isSamePlan(plan, draft.before))
      throw new DomainError(kind === 'package_uninstall' ? 'kloceg_uninstall_failed' : 'kloceg_install_failed', {
        reason: 'changed_meanwhile',
        packages: draft.input.names.join(', '),
      })
    return id
  })
}
