import { expect, it } from 'vitest'
import { createI18n } from '#app/i18n/create-i18n.ts'
import pl from '#app/i18n/locales/pl.json' with { type: 'json' }
import type { Plan } from '#app/features/offers/offer-prices.ts'
import { describePlans, describeWay, writeJsonLd } from './schema-org.ts'

const place = { origin: 'https://wakestone.example', i18n: createI18n('pl', pl) }
const priceFor = (period: string, currency: string, amount: number) => ({
  cluster_id: 'local',
  period,
  price: { amount, currency },
  gross_price: { amount, currency },
  lowest_price_30d: null,
})
const plan = {
  id: 'GRASS',
  available: true,
  availability: null,
  prices: [priceFor('720h', 'PLN', 1844), priceFor('8760h', 'PLN', 19_071), priceFor('720h', 'EUR', 429)],
} as unknown as Plan

it('offers every period at its gross price in the visitor’s currency', () => {
  const [product] = describePlans(place, [plan], 'PLN') as { offers: { price: string; url: string }[] }[]
  expect(product?.offers.map(({ price }) => price)).toEqual(['18.44', '190.71'])
  expect(product?.offers[0]).toMatchObject({
    priceCurrency: 'PLN',
    availability: 'https://schema.org/InStock',
    url: 'https://wakestone.example/pl/offers/create?product=GRASS&period=720h&currency=PLN',
  })
})

it('says when a plan is sold out', () => {
  const [product] = describePlans(place, [{ ...plan, availability: 0 }], 'EUR') as { offers: object[] }[]
  expect(product?.offers).toMatchObject([{ price: '4.29', availability: 'https://schema.org/OutOfStock' }])
})

it('never ends the element it stands in', () => {
  const text = writeJsonLd(describeWay(place, { name: '</script><b>', pathname: '/pl/x' }))
  expect(text).not.toContain('<')
  expect(text).toContain(String.raw`\u003c/script>`)
  const { '@graph': graph } = JSON.parse(text) as { '@graph': { itemListElement: object[] }[] }
  expect(graph[0]?.itemListElement[1]).toMatchObject({ name: '</script><b>', position: 2 })
})
