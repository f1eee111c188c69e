/** The key that opens an order's page: buyers have no account. */
import { createHmac } from 'node:crypto'
import type { Context } from '#src/context.ts'

export const keyOf = ({ secrets }: Pick<Context, 'secrets'>, orderId: string): string =>
  createHmac('sha256', secrets.mailLinks).update(`shop-order\0${orderId}`).digest('base64url').slice(0, 32)

/** Behind the site's address, or behind that and a language. */
export const orderPath = (context: Pick<Context, 'secrets'>, orderId: string): string =>
  `/shop/order/${orderId}?key=${keyOf(context, orderId)}`
