import { DomainError } from '@wakestone/contract/errors'
import { idSchema } from '@wakestone/contract/primitives'
import { shopPictureName } from '@wakestone/contract/sales/shop'
import { shopPicture } from '@wakestone/contract/sales/shop-picture-transport'
import * as front from '@wakestone/contract/sales/shop-front-routes'
import * as routes from '@wakestone/contract/sales/shop-routes'
import { createGateways } from '#src/adapters/payments/registry.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { sendMedia } from '#src/http/send-media.ts'
import { implementTransport } from '#src/http/transports.ts'
import { createOrder, quoteOrder, returnToOrder, showOrder } from './front.ts'
import { showPublicShop } from './public-shop.ts'
import {
  addPicture,
  changeCategories,
  changeShop,
  findPicture,
  listDeliveries,
  listOrders,
  refundOrder,
  removeThing,
  saveCoupon,
  saveGoal,
  saveItem,
  settleDelivery,
  showShop,
} from './service.ts'

export function registerShopRoutes(api: Api): void {
  const { context } = api
  const { db } = context
  const gateways = createGateways(context.settings)

  implement(api, routes.getShop, ({ server }) => showShop(context, server))
  implement(api, routes.changeShop, ({ server, user, body }) =>
    changeShop(context, { server, userId: user.userId }, body),
  )
  implement(api, routes.changeShopCategories, ({ server, user, body }) =>
    changeCategories(context, { server, userId: user.userId }, body),
  )
  implement(api, routes.createShopItem, ({ server, user, body }) =>
    saveItem(context, { server, userId: user.userId }, null, body),
  )
  implement(api, routes.changeShopItem, ({ server, user, params, body }) =>
    saveItem(context, { server, userId: user.userId }, params['item_id']!, body),
  )
  implement(api, routes.deleteShopItem, ({ server, user, params }) =>
    removeThing(context, { server, userId: user.userId }, { table: 'shop_items', id: params['item_id']! }),
  )
  implement(api, routes.addShopPicture, async ({ server, user, files }) => {
    await requireWithinLimit(context, 'shopPictures', { userId: user.userId })
    return addPicture(context, { server, userId: user.userId }, files)
  })
  implement(api, routes.createShopCoupon, ({ server, user, body }) =>
    saveCoupon(context, { server, userId: user.userId }, body),
  )
  implement(api, routes.deleteShopCoupon, ({ server, user, params }) =>
    removeThing(context, { server, userId: user.userId }, { table: 'shop_coupons', id: params['coupon_id']! }),
  )
  implement(api, routes.createShopGoal, ({ server, user, body }) =>
    saveGoal(context, { server, userId: user.userId }, body),
  )
  implement(api, routes.deleteShopGoal, ({ server, user, params }) =>
    removeThing(context, { server, userId: user.userId }, { table: 'shop_goals', id: params['goal_id']! }),
  )
  implement(api, routes.listShopOrders, ({ server, query }) => listOrders(db, server.id, query))
  implement(api, routes.refundShopOrder, async ({ server, user, params, body }) => {
    const asked = { server, userId: user.userId, orderId: params['order_id']!, reason: body.reason }
    await refundOrder(context, gateways, asked)
    return listOrders(db, server.id, { limit: 50 })
  })
  implement(api, routes.listShopDeliveries, ({ server, query }) => listDeliveries(db, server.id, query))
  implement(api, routes.settleShopDelivery, ({ server, user, params, body }) =>
    settleDelivery(context, { server, userId: user.userId }, { id: params['delivery_id']!, outcome: body.outcome }),
  )

  implementTransport(api, shopPicture, async ({ params: { serverId, name }, reply }) => {
    const missing = new DomainError('resource_not_found')
    if (!idSchema.safeParse(serverId).success || !shopPictureName.safeParse(name).success) throw missing
    const content = await findPicture(db, serverId, name)
    if (content === undefined) throw missing
    return sendMedia(reply, { type: shopPicture.type, content })
  })
  implement(api, front.getPublicShop, ({ params }) => showPublicShop(context, gateways, params.server))
  implement(api, front.quoteShopOrder, ({ params, body, ip }) => quoteOrder(context, { name: params.server, body, ip }))
  implement(api, front.createShopOrder, ({ params, body, ip, idempotencyKey }) =>
    createOrder(context, gateways, { name: params.server, body, ip, key: idempotencyKey }),
  )
  implement(api, front.getShopOrder, ({ params, query }) =>
    showOrder(context, { orderId: params.order_id, key: query.key }),
  )
  implement(api, front.returnToShopOrder, ({ params, body, ip }) =>
    returnToOrder(context, gateways, { orderId: params.order_id, ...body, ip }),
  )
}
