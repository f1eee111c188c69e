import { describe, expect, test } from 'vitest'
import { countries } from '../countries.ts'
import { postalCodeExample, readPostalCode } from './postal-code.ts'
import { settleTaxData, taxDataBody } from './tax-data-form.ts'
import { countriesWithTaxId, isInEuRegister, readNip, readTaxId } from './tax-id.ts'

/** Real, published numbers of well-known companies and authorities; the register is never asked here. */
const ids: [country: string, typed: string, kept: string | undefined][] = [
  ['PL', '526-000-12-46', 'PL5260001246'],
  ['PL', 'PL 526 000 12 47', undefined],
  ['DE', 'de 136 695 976', 'DE136695976'],
  ['DE', 'DE136695977', undefined],
  ['AT', 'U13585627', 'ATU13585627'],
  ['BE', '0776.091.951', 'BE0776091951'],
  ['BE', 'BE1000000024', undefined],
  ['BE', 'BE1000000021', 'BE1000000021'],
  ['FR', 'FR40303265045', 'FR40303265045'],
  ['MC', 'FR40303265045', 'FR40303265045'],
  ['GR', 'GR094259216', 'EL094259216'],
  ['GR', 'EL094259216', 'EL094259216'],
  ['NL', 'NL004495445B01', 'NL004495445B01'],
  ['IE', '6433435F', 'IE6433435F'],
  ['SE', 'SE556188840401', 'SE556188840401'],
  ['HR', '33392005961', 'HR33392005961'],
  ['GB', 'GB 980 7806 84', 'GB980780684'],
  ['GB', 'XI980780684', 'XI980780684'],
  ['GB', 'GB980780685', undefined],
  ['CH', 'CHE-107.787.577 MWST', 'CHE107787577MWST'],
  ['NO', '923 609 016 MVA', 'NO923609016MVA'],
  ['DE', 'PL5260001246', undefined],
  ['US', '12-3456789', '12-3456789'],
  ['US', '<script>', undefined],
]
test.each(ids)('VAT id of %s: %s', (country, typed, kept) => {
  expect(readTaxId(country, typed)).toBe(kept)
})

test('a NIP is ten digits with a check digit', () => {
  expect(readNip('526-000-12-46')).toBe('5260001246')
  expect(readNip('5260001247')).toBeUndefined()
  expect(readNip('0000000000')).toBeUndefined()
  expect(readNip('')).toBeUndefined()
})

test('every member of the EU has a rule, and Great Britain, Switzerland and Norway; the EU is asked of its own only', () => {
  expect(countriesWithTaxId).toHaveLength(30)
  expect(countriesWithTaxId.every((code) => countries.includes(code))).toBe(true)
  expect(['PL5260001246', 'EL094259216', 'XI980780684'].map(isInEuRegister)).toEqual([true, true, true])
  expect(['GB980780684', 'CHE107787577', 'NO923609016', '12-3456789'].map(isInEuRegister)).toEqual(Array(4).fill(false))
})

test('countries: about 240, Poland first, each once', () => {
  expect(countries[0]).toBe('PL')
  expect(countries.length).toBeGreaterThanOrEqual(240)
  expect(new Set(countries).size).toBe(countries.length)
})

test.each([
  ['PL', '00950', '00-950'],
  ['PL', '00-950', '00-950'],
  ['PL', '0095', undefined],
  ['DE', '10115', '10115'],
  ['NL', '1012ab', '1012 AB'],
  ['GB', 'sw1a1aa', 'SW1A 1AA'],
  ['GB', '12345', undefined],
  ['US', '90210-1234', '90210-1234'],
  ['US', '90210', '90210'],
  ['LV', 'LV-1010', '1010'],
  ['AE', '', ''],
  ['PL', '', undefined],
  ['IE', 'D02 X285', 'D02 X285'],
])('postal code of %s: %s', (country, typed, kept) => {
  expect(readPostalCode(country, typed)).toBe(kept)
})

test('every example of a postal code fits its own country', () => {
  for (const country of countries) {
    const example = postalCodeExample(country)
    if (example !== undefined) expect(readPostalCode(country, example), country).toBe(example)
  }
})

describe('invoice data', () => {
  const company = {
    kind: 'company',
    name: 'Latarnia sp. z o.o.',
    nip: '526-000-12-46',
    address: 'Prosta 1',
    postal_code: '00950',
    city: 'Warszawa',
    country: 'PL',
    language: 'pl',
  } as const
  const reasons = (body: object) =>
    Object.fromEntries(taxDataBody.safeParse(body).error?.issues.map(({ path, message }) => [path[0], message]) ?? [])

  test('of a company in Poland needs a NIP, from which the VAT id follows', () => {
    const kept = settleTaxData(taxDataBody.parse(company))
    expect(kept).toMatchObject({ nip: '5260001246', tax_id: 'PL5260001246', postal_code: '00-950' })
    expect(reasons({ ...company, nip: '' })).toEqual({ nip: 'nip' })
    expect(reasons({ ...company, nip: '5260001247', postal_code: 'x' })).toEqual({
      nip: 'nip',
      postal_code: 'postal_code',
    })
  })
  test('of a company elsewhere may go without an id, but not with a wrong one', () => {
    const german = { ...company, country: 'DE', postal_code: '10115', nip: '' }
    expect(reasons(german)).toEqual({})
    expect(reasons({ ...german, tax_id: 'DE1' })).toEqual({ tax_id: 'tax_id' })
    expect(settleTaxData(taxDataBody.parse({ ...german, tax_id: '136695976' }))).toMatchObject({
      nip: null,
      tax_id: 'DE136695976',
    })
  })
  test('of a private person keeps no number', () => {
    expect(settleTaxData(taxDataBody.parse({ ...company, kind: 'person' }))).toMatchObject({ nip: null, tax_id: null })
  })
  test('refuses a country that is none and control characters', () => {
    expect(reasons({ ...company, country: 'ZZ' })).toEqual({ country: 'country' })
    expect(reasons({ ...company, name: 'a\u0000b' })).toEqual({ name: 'invalid' })
  })
})
