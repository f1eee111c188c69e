import { expect, test } from 'vitest'
import type { UpgradeQuote, UpgradeTarget } from '@wakestone/contract/sales/service-change'
import { choiceIn, waysTo } from './change-choice.ts'

const money = (amount: number) => ({ amount, currency: 'PLN' as const })
const target = (id: string, more: Partial<UpgradeTarget> = {}): UpgradeTarget =>
  ({
    product: { id },
    direction: 'up',
    obstacle: null,
    planned_obstacle: null,
    upgrade_price: money(3690),
    credit: money(0),
    create_transaction: true,
    billing_periods: [
      { cluster_id: 'local', period: '720h', price: money(5534), upgrade_price: money(3691) },
      { cluster_id: 'local', period: '2160h', price: money(15771), upgrade_price: null },
    ],
    ...more,
  }) as UpgradeTarget
const quote = (...targets: UpgradeTarget[]): UpgradeQuote =>
  ({ currency: 'PLN', planned: null, upgrade_targets: targets }) as unknown as UpgradeQuote

test('an upgrade can begin now, later, or with each period that is for sale', () => {
  const ways = waysTo(target('AMETHYST'), quote())
  expect(ways.map(({ choice, amount }) => [choice, amount?.amount])).toEqual([
    ['now', 3690],
    ['period_end', 0],
    ['720h', 3691],
  ])
})

test('what comes back is less than nothing', () => {
  const down = target('GRASS', { direction: 'down', upgrade_price: money(0), credit: money(1200) })
  expect(waysTo(down, quote()).map(({ amount }) => amount?.amount)).toEqual([-1200, 0])
})

test('what stands in the way is said, and nothing new begins past it', () => {
  const closed = target('AMETHYST', { obstacle: 'storage_in_use' })
  const planned = { ...quote(), planned: { details: { product_id: 'AMETHYST' } } } as UpgradeQuote
  expect(waysTo(closed, planned).map(({ choice, obstacle }) => [choice, obstacle])).toEqual([
    ['now', 'storage_in_use'],
    ['period_end', 'planned'],
  ])
})

test('an address names plan and way; else it is the first that can be had', () => {
  const all = quote(
    target('GRASS', { direction: 'down' }),
    target('STONE', { obstacle: 'not_on_sale' }),
    target('AMETHYST'),
  )
  const chosen = (search: string) => {
    const found = choiceIn(new URLSearchParams(search), all, 0)
    return [found?.target.product.id, found?.way?.choice]
  }
  expect(chosen('')).toEqual(['AMETHYST', 'now'])
  expect(chosen('plan=GRASS&when=period_end')).toEqual(['GRASS', 'period_end'])
  expect(chosen('plan=NONE&when=2160h')).toEqual(['AMETHYST', 'now'])
  expect(chosen('plan=STONE')).toEqual(['STONE', 'period_end'])
  expect(choiceIn(new URLSearchParams(), quote(), 0)).toBeNull()
  expect(choiceIn(new URLSearchParams(), quote(target('GRASS', { direction: 'down' })), 0)).toBeNull()
})

test('a new term is offered only if it costs less or ends clearly at another time than the time left', () => {
  const at = Date.parse('2026-03-01T10:00:00Z')
  const choicesOf = (expires: string, newTerm: number) => {
    const all = {
      ...quote(
        target('AMETHYST', {
          billing_periods: [
            { cluster_id: 'local', period: '720h', price: money(5534), upgrade_price: money(newTerm), credit: null },
          ],
        } as unknown as Partial<UpgradeTarget>),
      ),
      expires,
    }
    const found = choiceIn(new URLSearchParams('when=720h'), all, at)
    return [found?.ways.map(({ choice }) => choice), found?.way?.choice]
  }
  expect(choicesOf('2026-03-31T09:00:00Z', 3690)).toEqual([['now', 'period_end'], 'now'])
  expect(choicesOf('2026-03-31T09:00:00Z', 3726)).toEqual([['now', 'period_end'], 'now'])
  expect(choicesOf('2026-03-31T09:00:00Z', 5534)).toEqual([['now', 'period_end'], 'now'])
  expect(choicesOf('2026-03-31T09:00:00Z', 3600)).toEqual([['now', 'period_end', '720h'], '720h'])
  expect(choicesOf('2026-03-30T09:00:00Z', 3690)).toEqual([['now', 'period_end', '720h'], '720h'])
})
