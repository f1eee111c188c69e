/** Where payers are: the page on which they pay, and the one that stands for their bank's app. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { documentHeaders } from '../payments/document.ts'
import type { Books } from './books.ts'
import { renderBank, renderPayerPage } from './page.ts'
import type { Payment } from './payments.ts'

export function registerPaynowPages(app: FastifyInstance, books: Books): void {
  const findByToken = ({ paymentId = '', token = '' }: { paymentId?: string; token?: string }) => {
    const payment = books.find(paymentId)
    return payment?.token === token ? payment : undefined
  }
  const show = (reply: FastifyReply, html: string, status = 200) =>
    reply.status(status).headers(documentHeaders).send(html)
  const payerPage = (reply: FastifyReply, payment: Payment | undefined) =>
    show(reply, renderPayerPage(payment, continueUrlOf(payment)), payment === undefined ? 404 : 200)

  app.get('/pay', async (request, reply) => payerPage(reply, findByToken(request.query as object)))
  app.post('/pay', async (request, reply) => {
    const form = request.body as { paymentId?: string; token?: string; action?: string }
    const payment = findByToken(form)
    if (payment === undefined) return payerPage(reply, payment)
    if (payment.status === 'NEW') {
      if (form.action === 'again') {
        const { paymentId, token } = books.abandon(payment)
        return reply.redirect(`/pay?paymentId=${paymentId}&token=${token}`, 303)
      }
      if (form.action === 'pay') books.pay(payment)
      if (form.action === 'reject') books.settle(payment, ['PENDING', 'REJECTED'])
    }
    const back = continueUrlOf(payment)
    return back === undefined ? payerPage(reply, payment) : reply.redirect(back, 303)
  })

  const atBank = () =>
    books.payments().filter(({ status, request }) => status === 'PENDING' && request.authorizationCode !== undefined)
  app.get('/bank', async (_request, reply) => show(reply, renderBank(atBank())))
  app.post('/bank', async (request, reply) => {
    const form = request.body as { paymentId?: string; token?: string; action?: string }
    const payment = findByToken(form)
    if (payment?.status === 'PENDING') books.settle(payment, [form.action === 'confirm' ? 'CONFIRMED' : 'REJECTED'])
    return reply.redirect('/bank', 303)
  })
}

function continueUrlOf(payment: Payment | undefined): string | undefined {
  if (payment?.request.continueUrl === undefined) return undefined
  const back = new URL(payment.request.continueUrl)
  back.searchParams.set('paymentId', payment.paymentId)
  back.searchParams.set('paymentStatus', payment.status)
  return back.href
}
