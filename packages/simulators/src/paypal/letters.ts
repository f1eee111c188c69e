/** What PayPal's webhooks say and how they are signed; also those that are not PayPal's, or not true. */
import { makeSigningKey, type SigningKey } from './certificate.ts'
import type { Faults } from './faults.ts'
import {
  type Amount,
  amountOf,
  type Capture,
  cents,
  type Dispute,
  newId,
  type Order,
  type Refund,
  showCapture,
  showDispute,
  showOrder,
  showRefund,
  unitOf,
} from './orders.ts'
import { type Headers, signWebhook } from './webhooks.ts'

export type Letter = { body: string; headers: Headers }
export type Forgery = NonNullable<Faults['forge']>
/** Addresses of the API and of the payer's page, and where webhooks go; known once it listens. */
export type Place = { api: string; payerPage: string; webhookUrl: string | undefined }

export function createLetters(webhookId: string, place: Place) {
  const key = makeSigningKey('messageverificationcerts.paypal.com')
  const stranger: SigningKey = makeSigningKey('messageverificationcerts.paypal.com')
  const old: SigningKey = makeSigningKey('messageverificationcerts.paypal.com', { days: -1 })
  // Named anew by each process: who keeps certificates keeps them by their address.
  const certificates = new Map([key, stranger, old].map((one) => [`CERT-${newId()}`, one]))
  const certificateUrl = (of: SigningKey) => {
    const [name] = [...certificates].find(([, one]) => one === of) ?? []
    return `${place.api}/v1/notifications/certs/${name}`
  }
  const signer = () => ({ key, webhookId, certificateUrl: certificateUrl(key) })

  function event(type: string, resourceType: string, resource: object): string {
    const id = `WH-${newId()}-${newId()}`
    const content = {
      id,
      event_version: '1.0',
      create_time: new Date().toISOString(),
      resource_type: resourceType,
      resource_version: '2.0',
      event_type: type,
      summary: type,
      resource,
      links: [{ href: `${place.api}/v1/notifications/webhooks-events/${id}`, rel: 'self', method: 'GET' }],
    }
    return JSON.stringify(content)
  }
  const ofCapture = (order: Order, capture: Capture) =>
    event(
      `PAYMENT.CAPTURE.${capture.status === 'DECLINED' || capture.status === 'FAILED' ? 'DENIED' : capture.status}`,
      'capture',
      showCapture(order, capture, place.api),
    )

  return {
    certificates,
    signer,
    sign: (body: string): Letter => ({ body, headers: signWebhook(body, signer()) }),
    ofOrder: (order: Order, type: string) =>
      event(type, 'checkout-order', showOrder(order, place.api, place.payerPage)),
    ofCapture,
    ofRefund: (capture: Capture, refund: Refund) =>
      event(
        `PAYMENT.CAPTURE.${refund.isReversal ? 'REVERSED' : 'REFUNDED'}`,
        'refund',
        showRefund(capture, refund, place.api),
      ),
    ofDispute: (dispute: Dispute, what: 'CREATED' | 'RESOLVED') =>
      event(`CUSTOMER.DISPUTE.${what}`, 'dispute', showDispute(dispute)),
    forgery(order: Order, kind: Forgery): Letter {
      const { amount } = unitOf(order)
      const wrong: Partial<Record<Forgery, Amount>> = {
        amount: amountOf(cents(amount) * 10, amount.currency_code),
        currency: { ...amount, currency_code: amount.currency_code === 'EUR' ? 'USD' : 'EUR' },
      }
      const capture: Capture = {
        id: newId(),
        status: 'COMPLETED',
        amount: wrong[kind] ?? amount,
        createdAt: new Date().toISOString(),
        refunds: [],
      }
      const body = ofCapture(order, capture)
      const own = signer()
      const headers: Record<Forgery, () => Headers> = {
        signature: () => signWebhook(body, { ...own, key: stranger }),
        body: () => signWebhook(body.replace('"COMPLETED"', '"PENDING"'), own),
        webhook: () => signWebhook(body, { ...own, webhookId: 'ANOTHERWEBHOOK' }),
        stale: () => signWebhook(body, { ...own, time: new Date(Date.now() - 4 * 86_400_000) }),
        host: () =>
          signWebhook(body, {
            ...own,
            key: stranger,
            certificateUrl: 'https://paypal.com.example/v1/notifications/certs/CERT-2',
          }),
        expired: () => signWebhook(body, { ...own, key: old, certificateUrl: certificateUrl(old) }),
        amount: () => signWebhook(body, own),
        currency: () => signWebhook(body, own),
      }
      return { body, headers: headers[kind]() }
    },
  }
}
