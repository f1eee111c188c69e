/** That no table with personal data is forgotten: neither by the copy a user gets nor by the end of an account. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resendDeletionCode } from '@wakestone/contract/accounts/account-routes'
import { setUserNewsletter } from '@wakestone/contract/site/newsletter-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { createTicket } from '@wakestone/contract/accounts/support-routes'
import { setTaxData } from '@wakestone/contract/money/tax-data-routes'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { deleteDueAccounts } from '#src/features/accounts/accounts/deletion.ts'
import { personalTables } from './tables.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await api.context.database.pool.query<Row>(text, values)).rows

/** Names of columns that say whom a row is about. */
const telling =
  '(^|_)(user|owner|author|actor|referrer|resource|account|person)_id$|email|^mail_|(^|_)ip$|^subject$|user_agent|^invited_by$|^updated_by$'

/** Tables that name a person, and those that hang on them by foreign keys however far. */
async function listPersonalTables(): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `with recursive personal(oid) as (
       select 'users'::regclass::oid
       union
       select attrelid from pg_attribute join pg_class on pg_class.oid = attrelid
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
           and (attname ~ $1 or atttypid = 'inet'::regtype)
       union
       select conrelid from pg_constraint join personal on confrelid = personal.oid where contype = 'f'
     )
     select relname as name from personal join pg_class on pg_class.oid = personal.oid order by 1`,
    [telling],
  )
  return rows.map(({ name }) => name)
}

const buyer = {
  kind: 'company',
  name: 'Latarnia',
  nip: '5260001246',
  address: 'Prosta 1',
  postal_code: '00-950',
  city: 'Warszawa',
  country: 'PL',
  language: 'pl',
} as const

/** Tables in which one of these words stands anywhere. */
async function findTraces(words: string[]): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await query(`select from ${name} as row where lower(row::text) like any ($1) limit 1`, [
      words.map((word) => `%${word.toLowerCase()}%`),
    ])
    if (rows.length > 0) found.push(name)
  }
  return found
}

describe('the list of personal data', () => {
  test('names every table that is about a person, and no other', async () => {
    const found = await listPersonalTables()
    expect(found.length).toBeGreaterThan(20)
    const others = ['ledger_accounts', 'ledger_entries', 'ledger_transactions', 'audit_events', 'request_limits']
    expect(Object.keys(personalTables).toSorted()).toEqual([...new Set([...found, ...others])].toSorted())
  })

  test('a table that nobody has thought of is found', async () => {
    await query('create table forgotten_things (id int primary key, user_id uuid references users)')
    await query('create table forgotten_parts (thing int references forgotten_things)')
    try {
      expect(await listPersonalTables()).toEqual(expect.arrayContaining(['forgotten_things', 'forgotten_parts']))
    } finally {
      await query('drop table forgotten_parts, forgotten_things')
    }
  })

  test('says of every column whether its owner gets it, and gives a reason where a table is left out or kept', async () => {
    for (const [name, { export: copy, deletion }] of Object.entries(personalTables)) {
      if ('not' in copy) expect(copy.not.length, name).toBeGreaterThan(10)
      else {
        const columns = await query<{ column: string }>(
          `select attname as column from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
          [name],
        )
        const named = [...copy.columns, ...(copy.without ?? [])]
        expect(named.toSorted(), name).toEqual(columns.map(({ column }) => column).toSorted())
        expect(copy.columns.filter((column) => /hash|secret|password|token|verifier|sealed/.test(column))).toEqual([])
      }
      if (deletion.how !== 'deleted' || deletion.unless !== undefined)
        expect(deletion.why?.length, name).toBeGreaterThan(10)
    }
  })
})

describe('the end of an account', () => {
  test('leaves no table in which its name, addresses or papers stand', async () => {
    const owner = await api.signUp()
    const { id, email, username } = owner.user
    await owner.call(setUserNewsletter, { params: { id }, body: { newsletter: true } })
    await owner.call(setTaxData, { params: { id }, body: { ...buyer, name: `Company of ${username}` } })
    await owner.call(createTicket, {
      body: { email, topic: 'other', subject: 'A question', message: 'How many players can join?', language: 'en' },
    })
    await owner.call(resendDeletionCode, {})
    await owner.call(loginLocal, { body: { login: username, password: 'not this one' } }).catch(() => undefined)
    const traces = [email, username, `Company of ${username}`]
    expect(await findTraces(traces)).toEqual(
      expect.arrayContaining(['users', 'tax_data', 'support_tickets', 'newsletter_subscriptions', 'mail_digits']),
    )
    await query(`update users set destroy_at = now() - interval '1 minute' where id = $1`, [id])
    await deleteDueAccounts(api.context)
    expect(await findTraces(traces)).toEqual([])
    expect(
      await query('select from sessions where user_id = $1 and (ip, user_agent) is distinct from (null, null)', [id]),
    ).toEqual([])
    for (const [name, { of, deletion }] of Object.entries(personalTables)) {
      if (deletion.how !== 'deleted' || deletion.unless !== undefined) continue
      const [row] = await query<{ left: number }>(`select count(*)::int as left from ${name} where ${of}`, [id])
      expect(row?.left, name).toBe(0)
    }
  })
  test('keeps what invoices were written to, of those who paid', async () => {
    const owner = await api.signUp()
    const { id } = owner.user
    await owner.call(setTaxData, { params: { id }, body: buyer })
    const walletId = await topUp(api.context, owner, 10_000)
    await owner.call(createServer, { body: order(walletId, '1.21.4') })
    await query(`update users set destroy_at = now() - interval '1 minute' where id = $1`, [id])
    await deleteDueAccounts(api.context)
    expect(await query('select nip from tax_data where user_id = $1', [id])).toEqual([{ nip: '5260001246' }])
    expect(await query('select state from tax_id_checks where user_id = $1', [id])).toHaveLength(1)
  })
})
