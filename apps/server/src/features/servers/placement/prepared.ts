/** What becomes of the preparation of a new server: it ends, or is tried again. */
import type { Handle, Transaction } from '#src/db/client.ts'
import { endPreparation, noteTrouble } from '#src/features/servers/operations/service.ts'
import * as observed from './observed-repo.ts'

/** Nothing happens to one that was prepared before. @param error why it is not up, although all has been done for it */
export async function markPrepared(
  trx: Transaction,
  serverId: string,
  error: { code: string; fields?: Record<string, unknown> } | null = null,
): Promise<void> {
  await endPreparation(trx, serverId, error)
  await observed.writePrepared(trx, serverId)
}

/** Something failed and is tried again later; shown while the server is being prepared. */
export async function markFailed(
  db: Handle,
  serverId: string,
  failure: { error: string; retryInSeconds: number },
): Promise<void> {
  await observed.writeFailure(db, serverId, failure)
  await noteTrouble(db, serverId)
}
