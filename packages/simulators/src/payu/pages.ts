/** Where payers are: the page on which they pay. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { documentHeaders } from '../payments/document.ts'
import type { Books } from './books.ts'
import type { Order } from './orders.ts'
import { renderPayerPage } from './page.ts'

export function registerPayuPages(app: FastifyInstance, books: Books): void {
  const page = (reply: FastifyReply, order: Order | undefined) =>
    reply
      .status(order === undefined ? 404 : 200)
      .headers(documentHeaders)
      .send(renderPayerPage(order))
  const findByToken = ({ orderId = '', token = '' }: { orderId?: string; token?: string }) => {
    const order = books.find(orderId)
    return order?.token === token ? order : undefined
  }

  app.get('/pay/', async (request, reply) => page(reply, findByToken(request.query as object)))
  app.post('/pay/', async (request, reply) => {
    const form = request.body as { orderId?: string; token?: string; action?: string }
    const order = findByToken(form)
    if (order === undefined) return page(reply, order)
    const isPaying = form.action === 'pay'
    if (isPaying) books.pay(order)
    else if (order.status === 'NEW') books.settle(order, ['CANCELED'])
    if (order.request.continueUrl === undefined) return page(reply, order)
    const back = new URL(order.request.continueUrl)
    if (!isPaying) back.searchParams.set('error', '501')
    return reply.redirect(back.href, 303)
  })
}
