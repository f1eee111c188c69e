/** WHMCS: clients with their credit. Since version 8 passwords are those of users, of which a client has an owner. */
import { readDump, type Wanted } from '#src/adapters/dumps/mysql-dump.ts'
import { type Found, languageOf } from '../model.ts'
import { indexBy, isSet, textOf, wordsOf } from './values.ts'

const wanted = {
  tblclients: {
    columns: [
      'id',
      'firstname',
      'lastname',
      'companyname',
      'email',
      'address1',
      'city',
      'postcode',
      'country',
      'currency',
      'credit',
    ],
    more: ['uuid', 'address2', 'password', 'language', 'status', 'tax_id', 'email_verified'],
  },
  tblcurrencies: { columns: ['id', 'code'] },
  tblusers: { columns: ['id', 'email', 'password'], more: ['email_verified_at'], isOptional: true },
} satisfies Record<string, Wanted>

export async function readWhmcs(file: string): Promise<Found> {
  const tables = await readDump(file, wanted)
  const currencies = indexBy(tables.tblcurrencies, 'id')
  const users = new Map(tables.tblusers.map((row) => [wordsOf(row, 'email').toLowerCase(), row]))
  const found: Found = { accounts: [], balances: [], servers: [], notes: [] }
  for (const row of tables.tblclients) {
    const { password: _, ...shown } = row
    const key = wordsOf(row, 'uuid') || wordsOf(row, 'id')
    const email = wordsOf(row, 'email')
    const user = users.get(email.toLowerCase())
    const company = wordsOf(row, 'companyname').trim()
    const status = wordsOf(row, 'status')
    const language = languageOf(textOf(row, 'language'))
    found.accounts.push({
      key,
      row: shown,
      email,
      username: null,
      language,
      country: wordsOf(row, 'country') || null,
      passwordHash: (user && textOf(user, 'password')) ?? textOf(row, 'password'),
      isVerified: isSet(row, 'email_verified') || (user !== undefined && textOf(user, 'email_verified_at') !== null),
      notes: status === '' || status === 'Active' ? [] : [`its status there is ${status}`],
      taxData: {
        kind: company === '' ? 'person' : 'company',
        name: company || `${wordsOf(row, 'firstname')} ${wordsOf(row, 'lastname')}`.trim(),
        nip: wordsOf(row, 'tax_id'),
        tax_id: wordsOf(row, 'tax_id'),
        address: [wordsOf(row, 'address1'), wordsOf(row, 'address2')].filter((line) => line !== '').join(', '),
        postal_code: wordsOf(row, 'postcode'),
        city: wordsOf(row, 'city'),
        country: wordsOf(row, 'country'),
        language,
      },
    })
    const currency = currencies.get(wordsOf(row, 'currency'))
    found.balances.push({
      key,
      row: { credit: textOf(row, 'credit'), currency: wordsOf(row, 'currency') },
      accountKey: key,
      currency: currency === undefined ? `currency ${wordsOf(row, 'currency')}` : wordsOf(currency, 'code'),
      amount: wordsOf(row, 'credit'),
    })
  }
  return found
}
