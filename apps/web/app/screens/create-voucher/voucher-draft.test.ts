import { expect, test } from 'vitest'
import { emptyDraft, readDraft, toCsv } from './voucher-draft.ts'

test('a draft becomes a call', () => {
  expect(readDraft(emptyDraft).body).toMatchObject({ quantity: 1, group_id: null, data: { add_hours: 24 } })
  expect(readDraft({ ...emptyDraft, effect: 'add_product', addOn: 'EXTRA_MEMORY_2G' }).body).toMatchObject({
    data: { add_product: 'EXTRA_MEMORY_2G', add_hours: null },
  })
  const limits = { products: ['GRASS'], periods: ['720h'], engines: ['paper'] }
  expect(readDraft({ ...emptyDraft, ...limits }).body?.data).toMatchObject({ product_id: ['GRASS'] })
  const money = { ...emptyDraft, ...limits, effect: 'wallet_tx' as const, amount: '19,99', prefix: 'may-' }
  expect(readDraft(money).body).toMatchObject({
    prefix: 'MAY-',
    data: {
      wallet_tx: [{ amount: 1999, currency: 'PLN' }],
      add_hours: null,
      product_id: [],
      billing_period: [],
      user_parameters: {},
    },
  })
})

test('what is wrong is named where it stands', () => {
  expect(Object.keys(readDraft({ ...emptyDraft, hours: 'many' }).faults ?? {})).toEqual(['data.add_hours'])
  const coupon = {
    ...emptyDraft,
    effect: 'coupon' as const,
    couponName: 'x',
    expression: 'price *',
    products: ['GRASS'],
  }
  expect(readDraft(coupon).faults).toEqual({ 'data.coupon.expression': 'expression' })
  for (const amount of ['', '0', 'much'])
    expect(readDraft({ ...emptyDraft, effect: 'wallet_tx', amount }).faults).toEqual({
      'data.wallet_tx.0.amount': 'amount',
    })
  expect(readDraft({ ...emptyDraft, effect: 'new_cost', amount: '1' }).faults).toHaveProperty(['data.product_id'])
})

test('codes are saved line by line', () => {
  const voucher = { code: 'MAY-1', group_id: 'may', uses: 1, expires: '2027-01-01T00:00:00.000Z' }
  expect(toCsv([voucher, { ...voucher, code: 'MAY-2', group_id: null }])).toBe(
    'code,group,uses,expires\r\nMAY-1,may,1,2027-01-01T00:00:00.000Z\r\nMAY-2,,1,2027-01-01T00:00:00.000Z\r\n',
  )
})
