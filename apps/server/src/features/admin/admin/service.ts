/** What administrators see of a user beyond the account itself. */
import type { AdminService } from '@wakestone/contract/admin/admin'
import type { Context } from '#src/context.ts'
import { listWebsitesOf } from '#src/features/websites/craftums/service.ts'
import { selectServicesOf } from './repo.ts'

export { findAdminUser } from './accounts.ts'
export { lockAdministration, requireAdministratorLeft } from './administrators.ts'
export { recordCapabilityChange } from './capability-changes.ts'
export { resetAdministratorPassword } from './reset-password.ts'

/** What a user rents or has rented, newest first. */
export async function listServicesOf(
  context: Pick<Context, 'db' | 'settings'>,
  userId: string,
  page: { after?: string | undefined; limit: number },
): Promise<{ data: AdminService[]; count: number }> {
  const [{ rows, count }, websites] = await Promise.all([
    selectServicesOf(context.db, userId, page),
    listWebsitesOf(context, userId),
  ])
  const websiteOf = (serviceId: string) => {
    const website = websites.find(({ service_id }) => service_id === serviceId)
    return website === undefined ? null : { name: website.name, address: website.address, online: website.online }
  }
  return {
    count,
    data: rows.map((row) => ({
      id: row.id,
      product_id: row.product_id,
      type: row.type,
      cluster_id: row.cluster_id,
      wallet_id: row.wallet_id,
      parent_id: row.parent_id,
      billing_period: row.billing_period as AdminService['billing_period'],
      cost: { amount: row.cost, currency: row.currency },
      gross_cost: { amount: row.gross_cost, currency: row.currency },
      auto_renew: row.renews_itself,
      created_at: row.created_at.toISOString(),
      expires: row.expires?.toISOString() ?? null,
      ended_at: row.ended_at?.toISOString() ?? null,
      server: row.server_id === null ? null : { id: row.server_id, name: row.server_name ?? '' },
      website: websiteOf(row.id),
    })),
  }
}
