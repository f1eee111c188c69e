/** What a service pays for: a server, or a website. What is told of it, and where that leads. */
import type { NotificationAction } from '@wakestone/contract/ground/notification-kinds/kind'
import type { Craftum } from '@wakestone/contract/sales/craftum'
import type { Server } from '@wakestone/contract/servers/server'
import type { Context } from '#src/context.ts'
import { findRentedServer } from '#src/features/servers/servers/service.ts'
import { findRentedWebsite } from '#src/features/websites/craftums/service.ts'

export type Rented = { kind: 'server'; server: Server } | { kind: 'website'; website: Craftum }

/** Undefined where it is over, or the service is of what was added to a server. */
export async function findRented(
  deps: Pick<Context, 'db' | 'settings'>,
  serviceId: string,
): Promise<Rented | undefined> {
  const server = await findRentedServer(deps, serviceId)
  if (server !== undefined) return { kind: 'server', server }
  const website = await findRentedWebsite(deps, serviceId)
  return website === undefined ? undefined : { kind: 'website', website }
}

export const nameOfRented = (rented: Rented): string =>
  rented.kind === 'server' ? rented.server.name : rented.website.name

/** Of a notification whose kind is for both: what it is about, and where a website’s owner goes from there. */
export function aboutRented(rented: Rented): {
  resource: { type: 'server' | 'craftum'; id: string }
  actions?: readonly NotificationAction[]
} {
  return rented.kind === 'server'
    ? { resource: { type: 'server', id: rented.server.id } }
    : { resource: { type: 'craftum', id: rented.website.id }, actions: ['renew_website', 'open_account'] }
}
