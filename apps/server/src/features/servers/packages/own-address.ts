/** Plans name our own artifacts by full addresses, which have to lead here after the product has moved to others. */
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { moveAddresses, swapArtifactUrl } from './own-address-repo.ts'

/**
 * To be called before any server is worked on.
 * @param artifactUrl where supervisors reach our artifacts now, without a trailing slash
 */
export async function keepArtifactUrl(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  artifactUrl: string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await swapArtifactUrl(trx, artifactUrl)
    if (before === null || before === artifactUrl) return
    await moveAddresses(trx, { from: `${before}/`, to: `${artifactUrl}/` })
    logger.info({ from: before, to: artifactUrl }, 'plans of servers name artifacts by the new address')
  })
}
