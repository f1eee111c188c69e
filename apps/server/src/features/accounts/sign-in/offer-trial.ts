/** A trial server for whoever signs in by a code because of one: what is to be made, and the voucher that pays for it. */
import { DomainError } from '@wakestone/contract/errors'
import type { Currency } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import { listClusters } from '#src/features/servers/clusters/service.ts'
import { giveTrial } from '#src/features/sales/vouchers/service.ts'
import { listWalletsOf } from '#src/features/money/wallets/service.ts'

/** @returns null where there is no trial for them: they are signed in all the same. */
export async function offerTrial(context: Pick<Context, 'db' | 'settings'>, userId: string, productId: string) {
  const clusters = await listClusters(context.db, {})
  const cluster = clusters.find(({ disabled }) => !disabled)
  const [wallet] = await listWalletsOf(context.db, userId)
  if (cluster === undefined || wallet === undefined) return null
  try {
    const { code } = await giveTrial(context, { userId, productId, now: new Date() })
    return {
      voucher: code,
      server: {
        cluster_id: cluster.id,
        game: 'minecraft-java' as const,
        requested_billing_services: [productId],
        billing_period: '720h' as const,
        currency: wallet.currency as Currency,
      },
    }
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
