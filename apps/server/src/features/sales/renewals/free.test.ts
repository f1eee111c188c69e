/** A free server that is kept on and changes its plan, in any order and at any time. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { changeService } from '#src/features/sales/plans/change.ts'
import { cancelPlannedChange } from '#src/features/sales/plans/planned.ts'
import { handleServiceClock } from './service-clock.ts'
import { renewFreeService } from './service.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

const day = 86_400_000
const period = 30 * day
/** A free server is renewed in its last days only. */
const opensBefore = 7 * day
/** After the end: as long as its files are there for sure. */
const kept = 10 * day

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

type Deed =
  | { kind: 'wait'; days: number }
  | { kind: 'plan'; product: 'GRASS' | 'AMETHYST' }
  | { kind: 'cancel' | 'renew' }
const wait = (days: number): Deed => ({ kind: 'wait', days })
const plan = (product: 'GRASS' | 'AMETHYST'): Deed => ({ kind: 'plan', product })
const renew: Deed = { kind: 'renew' }
const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0.5, 3, 8, 16, 24).map(wait) },
  { weight: 3, arbitrary: fc.constant(renew) },
  { weight: 2, arbitrary: fc.constantFrom('GRASS' as const, 'AMETHYST' as const).map(plan) },
  { weight: 1, arbitrary: fc.constant<Deed>({ kind: 'cancel' }) },
)

test('changes its plan at the end that it has then, and not while it is kept on', async () => {
  const owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 1000)
  const free = { requested_billing_services: ['FREE'] }
  const server = await owner.call(createServer, { body: order(walletId, '1.21.4', free) })
  const params = { id: server.service_id }
  const { db } = api.context
  const request = (now: number) => ({
    serviceId: server.service_id,
    executorId: owner.user.id,
    key: randomUUID(),
    now: new Date(now),
  })

  await fc.assert(
    fc.asyncProperty(fc.array(anyDeed, { minLength: 6, maxLength: 14 }), async (deeds) => {
      let now = Date.now()
      let expires = now + period
      let product = 'FREE'
      let planned: string | undefined
      await db.deleteFrom('scheduled_actions').execute()
      await db
        .updateTable('services')
        .set({ product_id: 'FREE', expires: new Date(expires), expiry_noted: null })
        .execute()
      await db
        .updateTable('servers')
        .set({ last_used_at: new Date(now + 1000 * day), cleanup_date: null })
        .execute()
      for (const deed of deeds) {
        if (deed.kind === 'wait') {
          now = Math.min(now + deed.days * day, expires + kept)
          await handleServiceClock(api.context, new Date(now))
          if (planned !== undefined && expires <= now) [product, planned] = [planned, undefined]
          const shown = await owner.call(billings.getService, { params })
          expect([shown.product.id, Date.parse(shown.expires ?? '')]).toEqual([product, expires])
          expect(shown.scheduled_actions.map(({ details, date }) => [details.product_id, Date.parse(date)])).toEqual(
            planned === undefined ? [] : [[planned, expires]],
          )
        } else if (deed.kind === 'plan') {
          const body = { product_id: deed.product, wallet_id: walletId, when: 'period_end' as const }
          const outcome = await outcomeOf(changeService(api.context, { ...request(now), body, used: null }))
          expect(outcome).toBe(expires <= now ? 'server_is_expired' : 'success')
          if (outcome === 'success') planned = deed.product
        } else if (deed.kind === 'cancel') {
          const outcome = await outcomeOf(cancelPlannedChange(api.context, request(now)))
          expect(outcome).toBe(planned === undefined ? 'resource_not_found' : 'success')
          planned = undefined
        } else {
          const outcome = await outcomeOf(renewFreeService(api.context, request(now)))
          expect(outcome).toBe(now < expires - opensBefore ? 'too_many_requests' : 'success')
          if (outcome === 'success') expires = now + period
        }
        if (product !== 'FREE') break
      }
    }),
    {
      numRuns: isLong ? 8 : 3,
      examples: [
        [[plan('GRASS'), wait(24), renew, wait(8), wait(24), wait(3)]],
        [[plan('AMETHYST'), wait(24), renew, plan('GRASS'), wait(24), renew, { kind: 'cancel' }, wait(24), wait(16)]],
        [[wait(24), wait(8), plan('GRASS'), renew, plan('GRASS'), wait(3), wait(24), wait(8)]],
      ],
    },
  )
  expect((await owner.call(getWallet, { params: { id: walletId } })).balance.amount).toBe(1000)
})
