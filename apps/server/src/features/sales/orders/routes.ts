import { DomainError } from '@wakestone/contract/errors'
import { createCraftum } from '@wakestone/contract/websites/craftums-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import { countGuesses } from '#src/features/sales/vouchers/service.ts'
import { describeServer, findServerResource } from '#src/features/servers/servers/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { requireMethod } from '#src/http/payment-method.ts'
import { showWebsite } from '#src/features/websites/craftums/service.ts'
import { purchaseServer } from './purchase.ts'
import { purchaseWebsite } from './website-purchase.ts'

export function registerOrderRoutes(api: Api, engines: () => EngineCatalogue): void {
  const { context } = api
  const { db, settings } = context

  const purchase = async (order: Omit<Parameters<typeof purchaseServer>[1], 'now'>) => {
    const { user } = order
    const serverId = await purchaseServer({ ...context, engines: engines() }, { ...order, now: new Date() })
    const server = await findServerResource(db, serverId, user.userId)
    if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
    return describeServer(server, settings)
  }
  implement(api, routes.createServer, async (call) => {
    const { user, body, idempotencyKey, ip } = call
    await requireMethod(api, call, body.payment_method ?? 'wallet')
    const order = { user, body, key: idempotencyKey }
    if (body.vouchers === undefined || body.vouchers.length === 0) return purchase(order)
    return countGuesses(context, { ip, userId: user.userId }, () => purchase(order))
  })
  implement(api, routes.createServerByVoucher, ({ user, body: { voucher, ...body }, idempotencyKey, ip }) =>
    countGuesses(context, { ip, userId: user.userId }, () => purchase({ user, body, voucher, key: idempotencyKey })),
  )
  implement(api, createCraftum, async (call) => {
    const { user, body, idempotencyKey, ip } = call
    await requireMethod(api, call, body.payment_method ?? 'wallet')
    const buy = async () => {
      const id = await purchaseWebsite(context, { user, body, key: idempotencyKey, now: new Date() })
      return showWebsite(context, id)
    }
    if (body.vouchers === undefined || body.vouchers.length === 0) return buy()
    return countGuesses(context, { ip, userId: user.userId }, buy)
  })
}
