/** Another plan from the end of what is paid for: planned, and taken back. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { cancelServiceUpgrade, upgradeService } from '@wakestone/contract/sales/billings-routes'
import { type Command, hasRunning, running } from './command.ts'
import { outcomeOf } from './model.ts'

const plan: Command = {
  name: 'plan another plan',
  weight: 5,
  when: hasRunning,
  async run(step) {
    const { customer, random, note } = step
    const rented = random.pick(running(step))
    const { serviceId, planned, currency, expires } = rented
    const product_id = rented.product === 'GRASS' ? 'AMETHYST' : 'GRASS'
    note(`${rented.product} to ${product_id} at the end`)
    const body = { product_id, wallet_id: customer.wallets[currency], when: 'period_end' as const }
    const ask = () =>
      outcomeOf(customer.call(upgradeService, { params: { id: serviceId }, body, idempotencyKey: randomUUID() }))
    const outcome = planned?.isPaid === true ? 'service_cannot_be_upgraded' : 'done'
    expect(await Promise.all([ask(), ask()])).toEqual([outcome, outcome])
    if (outcome === 'done') rented.planned = { product: product_id, at: planned?.at ?? expires, isPaid: false }
  },
}

const takeBack: Command = {
  name: 'take back what was planned',
  weight: 3,
  when: (step) => running(step).some(({ planned }) => planned !== undefined),
  async run(step) {
    const { customer, random, note } = step
    const rented = random.pick(running(step).filter(({ planned }) => planned !== undefined))
    const { serviceId, planned } = rented
    note(`${rented.product}, ${planned?.isPaid === true ? 'paid for' : 'not paid for'}`)
    const outcome = await outcomeOf(customer.call(cancelServiceUpgrade, { params: { id: serviceId } }))
    if (planned?.isPaid === true) return expect(outcome).toBe('service_cannot_be_upgraded')
    // Asked again after an answer was lost, it is gone already.
    expect(['done', 'resource_not_found']).toContain(outcome)
    rented.planned = undefined
  },
}

export const plannedCommands: readonly Command[] = [plan, takeBack]
