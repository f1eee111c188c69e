/** Paymenter (1.x): users, their credits by currency, and what they say of themselves as properties. */
import { countries } from '@wakestone/contract/countries'
import { readDump, type Wanted } from '#src/adapters/dumps/mysql-dump.ts'
import { type Found, languageOf } from '../model.ts'
import { groupBy, textOf, withoutTimes, wordsOf } from './values.ts'

const wanted = {
  users: {
    columns: ['id', 'email', 'password'],
    more: ['first_name', 'last_name', 'role_id', 'email_verified_at', 'tfa_secret'],
  },
  credits: { columns: ['id', 'user_id', 'currency_code', 'amount'] },
  properties: { columns: ['model_id', 'model_type', 'key', 'value'], isOptional: true },
} satisfies Record<string, Wanted>

export async function readPaymenter(file: string): Promise<Found> {
  const tables = await readDump(file, wanted)
  const ofUsers = tables.properties.filter((row) => wordsOf(row, 'model_type').endsWith('User'))
  const properties = groupBy(ofUsers, 'model_id')
  const found: Found = { accounts: [], balances: [], servers: [], notes: [] }
  for (const row of tables.users) {
    const key = wordsOf(row, 'id')
    const said = new Map((properties.get(key) ?? []).map((one) => [wordsOf(one, 'key'), wordsOf(one, 'value')]))
    const say = (...names: string[]) => names.map((name) => said.get(name) ?? '').find((value) => value !== '') ?? ''
    const company = say('company_name').trim()
    const country = countryOf(say('country'))
    const number = say('tax_id', 'vat_number', 'vat_id', 'vat', 'nip')
    const language = languageOf(say('language', 'locale'))
    found.accounts.push({
      key,
      row: { ...withoutTimes(row), properties: [...said] },
      email: wordsOf(row, 'email'),
      username: null,
      language,
      country,
      passwordHash: textOf(row, 'password'),
      isVerified: textOf(row, 'email_verified_at') !== null,
      notes: [
        ...(textOf(row, 'role_id') === null ? [] : ['has a role there; comes as a customer']),
        ...(wordsOf(row, 'tfa_secret') === '' ? [] : ['has a second factor there, to be set up anew']),
      ],
      taxData:
        said.size === 0
          ? null
          : {
              kind: company === '' ? 'person' : 'company',
              name: company || `${wordsOf(row, 'first_name')} ${wordsOf(row, 'last_name')}`.trim(),
              nip: number,
              tax_id: number,
              address: [say('address'), say('address2')].filter((line) => line !== '').join(', '),
              postal_code: say('zip', 'postal_code'),
              city: say('city'),
              country: country ?? '',
              language,
            },
    })
  }
  for (const row of tables.credits) {
    const accountKey = wordsOf(row, 'user_id')
    const currency = wordsOf(row, 'currency_code')
    found.balances.push({
      key: `${accountKey}:${currency}`,
      row: { amount: textOf(row, 'amount') },
      accountKey,
      currency,
      amount: wordsOf(row, 'amount'),
    })
  }
  return found
}

const names = new Intl.DisplayNames(['en'], { type: 'region' })
const codesByName = new Map(countries.map((code) => [names.of(code)?.toLowerCase(), code]))

/** It keeps codes, and names where its operator has made them so. */
function countryOf(text: string): string | null {
  const code = text.trim().toUpperCase()
  if (countries.includes(code)) return code
  return codesByName.get(text.trim().toLowerCase()) ?? null
}
