import { expect, test } from 'vitest'
import { countryOf } from './service.ts'

test.each([
  ['8.8.8.8', 'US'],
  ['5.173.0.1', 'PL'],
  ['::ffff:8.8.8.8', 'US'],
  ['127.0.0.1', 'DE'],
  ['2001:db8::1', 'DE'],
])('a visitor from %s is in %s, where the default is DE', (address, country) => {
  expect(countryOf(address, { DEFAULT_COUNTRY: 'DE' })).toBe(country)
})
