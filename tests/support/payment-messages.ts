/** What gateways say of a top-up, true or not, as messages: for tests of their order, number and truth. */
import { createHash } from 'node:crypto'
import { signNotification } from '@wakestone/simulators/paynow'
import { forgeries } from '@wakestone/simulators/paypal'
import type { OrderStatus } from '../../apps/server/src/adapters/payments/gateway.ts'
import { orderStatuses as paynowWords } from '../../apps/server/src/adapters/payments/paynow/gateway.ts'
import {
  captureStatuses,
  orderStatuses as paypalWords,
} from '../../apps/server/src/adapters/payments/paypal/reading.ts'
import { orderStatuses as payuWords } from '../../apps/server/src/adapters/payments/payu/gateway.ts'
import type { Caller } from './api.ts'
import { paynowEuroShop, payuKeys } from './gateways.ts'
import { deposit, type Letter, type World } from './payment-world.ts'

/** Of each of these top-ups, in minor units. */
export const amount = 5000
/** What came to be of each order of a top-up at its gateway, word by word; the last word is how it stands. */
export type History = readonly (readonly string[])[]
/** A top-up whose orders have come to what the history says, of which nobody was told yet. */
export type Begun = { id: string; letter(order: number, word: string): Letter; lie(kind: string): Letter }
export type Provider = {
  gateway: 'payu' | 'paynow' | 'paypal'
  meaning(word: string): OrderStatus
  begin(world: World, caller: Caller, history: History): Promise<Begun>
  /** Lies that are not signed by the gateway, and those that are. */
  unsigned: readonly string[]
  signed: readonly string[]
}

export const payu: Provider = {
  gateway: 'payu',
  meaning: (word) => payuWords[word] ?? 'unknown',
  unsigned: ['signature', 'altered'],
  signed: ['amount', 'currency', 'shop', 'order'],
  async begin(world, caller, [words = []]) {
    const { id } = await deposit(caller, { provider: 'payu', amount })
    const { orderId } = world.orderOf(id)
    world.payu.become(orderId, words.at(-1) ?? 'NEW')
    const write = (more: object) => world.payu.letter(orderId, more)
    return {
      id,
      letter: (_order, status) => write({ status }),
      lie(kind) {
        const paid = write({ status: 'COMPLETED' })
        const signature = createHash('md5').update(paid.body).update('another key').digest('hex')
        const lies: Record<string, Letter> = {
          signature: {
            body: paid.body,
            headers: {
              ...paid.headers,
              'openpayu-signature': `sender=checkout;signature=${signature};algorithm=MD5;content=DOCUMENT`,
            },
          },
          altered: { ...write({ status: 'PENDING' }), body: paid.body },
          amount: write({ status: 'COMPLETED', totalAmount: String(amount * 10) }),
          currency: write({ status: 'COMPLETED', currencyCode: 'EUR' }),
          shop: write({ status: 'COMPLETED', merchantPosId: `${payuKeys.posId}1` }),
          order: write({ status: 'COMPLETED', orderId: `${orderId.slice(0, -1)}X` }),
        }
        return lies[kind] ?? paid
      },
    }
  },
}

export const paynow: Provider = {
  gateway: 'paynow',
  meaning: (word) => paynowWords[word] ?? 'unknown',
  unsigned: ['signature', 'altered'],
  signed: ['amount', 'currency', 'shop'],
  async begin(world, caller, history) {
    const { id } = await deposit(caller, { provider: 'paynow', amount })
    const chain = [world.paymentOf(id).paymentId]
    while (chain.length < history.length) chain.push(world.paynow.abandon(chain.at(-1) ?? ''))
    for (const [order, words] of history.entries()) world.paynow.become(chain[order] ?? '', words.at(-1) ?? 'NEW')
    const write = (order: number, more: object) => world.paynow.letter(chain[order] ?? '', more)
    const signedBy = ({ body, headers }: Letter, key: string): Letter => ({
      body,
      headers: { ...headers, signature: signNotification(body, key) },
    })
    return {
      id,
      letter: (order, status) => write(order, { status }),
      lie(kind) {
        const paid = write(0, { status: 'CONFIRMED' })
        const lies: Record<string, Letter> = {
          signature: signedBy(paid, 'another key'),
          altered: { ...write(0, { status: 'PENDING' }), body: paid.body },
          amount: write(0, { status: 'CONFIRMED', amount: amount * 10 }),
          currency: write(0, { status: 'CONFIRMED', currency: 'EUR' }),
          // Ours too, but its account takes euros.
          shop: signedBy(paid, paynowEuroShop.signatureKey),
        }
        return lies[kind] ?? paid
      },
    }
  },
}

/** Words of what was taken begin with `>`. */
export const paypal: Provider = {
  gateway: 'paypal',
  meaning: (word) => (word.startsWith('>') ? captureStatuses[word.slice(1)] : paypalWords[word]) ?? 'unknown',
  unsigned: forgeries.filter((kind) => kind !== 'amount' && kind !== 'currency'),
  signed: ['amount', 'currency'],
  async begin(world, caller, [words = []]) {
    const { id } = await deposit(caller, { provider: 'paypal', amount, currency: 'EUR' })
    const { id: orderId } = world.paypalOrderOf(id)
    const say = (word: string) =>
      word.startsWith('>') ? { status: 'COMPLETED', capture: word.slice(1) } : { status: word }
    world.paypal.become(orderId, say(words.at(-1) ?? 'PAYER_ACTION_REQUIRED'))
    return {
      id,
      letter: (_order, word) => world.paypal.letter(orderId, say(word)),
      lie: (kind) => world.paypal.forgery(orderId, kind as (typeof forgeries)[number]),
    }
  },
}
