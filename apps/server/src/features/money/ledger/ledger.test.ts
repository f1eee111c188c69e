/** The ledger's promises, held against a real PostgreSQL. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts'
import { findLedgerFaults } from '../../../../../../tests/support/ledger.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let home: TestDatabase
let pool: pg.Pool

beforeAll(async () => {
  home = await createTestDatabase()
  pool = new pg.Pool({ connectionString: home.url, max: 24 })
})
afterAll(async () => {
  await pool.end()
  await home.drop()
})
afterEach(async () => {
  const faults = await findLedgerFaults(pool)
  if (Object.keys(faults).length > 0) throw new Error(`broken rules: ${JSON.stringify(faults)}`)
})

type Entry = { code: string; currency: string; amount: number }
const entry = (code: string, amount: number, currency = 'PLN'): Entry => ({ code, currency, amount })
const between = (from: string, to: string, amount: number) => [entry(from, -amount), entry(to, amount)]

async function openWallet(balance = 0, currency = 'PLN') {
  const code = `wallet:${randomUUID()}`
  await pool.query('select ledger_open_account($1, $2, true, 0)', [code, currency])
  if (balance > 0) await post([entry(`gateway:test:${currency}`, -balance, currency), entry(code, balance, currency)])
  return code
}
async function post(
  entries: Entry[],
  { key = randomUUID() as string, hold = null as string | null, on = pool as Pick<pg.Pool, 'query'> } = {},
) {
  const { rows } = await on.query<{ id: string }>('select ledger_post(uuidv7(), $1, $2, $3, $4, $5, $6) as id', [
    'test',
    key,
    'PAYMENT',
    JSON.stringify(entries.toSorted((left, right) => (left.code < right.code ? -1 : 1))),
    '{}',
    hold,
  ])
  return rows[0]?.id
}
const hold = (id: string, code: string, amount: number, seconds = 60) =>
  pool.query(`select ledger_hold($1, $2, $3, now() + make_interval(secs => $4))`, [id, code, amount, seconds])
const voidHold = async (id: string) =>
  (await pool.query<{ done: boolean }>('select ledger_void_hold($1) as done', [id])).rows[0]?.done
const stateOf = async (code: string) => {
  const { rows } = await pool.query<{ posted: string; held: string }>(
    'select posted::text, held::text from ledger_accounts where code = $1',
    [code],
  )
  return { posted: Number(rows[0]?.posted), held: Number(rows[0]?.held) }
}

describe('a posting', () => {
  test('happens once per key; 400 at once are one', async () => {
    const wallet = await openWallet()
    const key = randomUUID()
    const entries = between('gateway:test:PLN', wallet, 500)
    const ids = await Promise.all(Array.from({ length: 400 }, () => post(entries, { key })))
    expect(new Set(ids).size).toBe(1)
    expect(await stateOf(wallet)).toEqual({ posted: 500, held: 0 })
    expect(await outcomeOf(post(between('gateway:test:PLN', wallet, 501), { key }))).toBe('WL409')
  })

  test('that makes no sense is refused', async () => {
    const wallet = await openWallet(1000)
    const euros = await openWallet(0, 'EUR')
    expect(await outcomeOf(post([entry(wallet, -5), entry('revenue:PLN', 4)]))).toBe('WL400')
    expect(await outcomeOf(post([]))).toBe('WL400')
    expect(await outcomeOf(post([entry(wallet, -5)]))).toBe('WL400')
    expect(await outcomeOf(post([entry(wallet, -5), entry(wallet, 5)]))).toBe('WL400')
    expect(await outcomeOf(post(between(wallet, 'revenue:PLN', 0.5)))).toBe('22P02')
    expect(await outcomeOf(post([entry(wallet, 0), entry('revenue:PLN', 0)]))).toBe('WL400')
    expect(await outcomeOf(post(between(wallet, `wallet:${randomUUID()}`, 5)))).toBe('WL404')
    expect(await outcomeOf(post(between(wallet, 'elsewhere:PLN', 5)))).toBe('WL404')
    expect(await outcomeOf(post(between(wallet, euros, 5)))).toBe('WL400')
    expect(await outcomeOf(post([entry(wallet, -5), entry(euros, 5, 'EUR')]))).toBe('WL400')
    const exchange = [entry('gateway:fx:PLN', 4), entry('gateway:fx:EUR', -1, 'EUR')]
    expect(await outcomeOf(post([entry(wallet, -5), entry(euros, 1, 'EUR'), ...exchange]))).toBe('WL400')
    expect(await outcomeOf(post([entry(wallet, -4), entry(euros, 1, 'EUR'), ...exchange]))).toBe('success')
    await post([entry(euros, -1, 'EUR'), entry('gateway:fx:EUR', 1, 'EUR')])
    await post([entry('gateway:fx:PLN', -4), entry(wallet, 4)])
    expect(await outcomeOf(post(between(wallet, 'revenue:PLN', 1001)))).toBe('23514')
    expect(await stateOf(wallet)).toEqual({ posted: 1000, held: 0 })
  })

  test('opens the accounts it needs, also when many are the first', async () => {
    const wallets = await Promise.all(Array.from({ length: 20 }, () => openWallet()))
    for (let round = 0; round < 10; round++) {
      const gateway = `gateway:${randomUUID()}:PLN`
      const results = await Promise.all(wallets.map((wallet) => outcomeOf(post(between(gateway, wallet, 5)))))
      expect(new Set(results)).toEqual(new Set(['success']))
    }
  })

  test('of many at once never overdraws, and crossing ones all end', async () => {
    const wallet = await openWallet(1000)
    const results = await Promise.all(
      Array.from({ length: 60 }, () => outcomeOf(post(between(wallet, 'revenue:PLN', 300)))),
    )
    expect(results.filter((result) => result === 'success')).toHaveLength(3)
    const [left, right] = [await openWallet(10_000), await openWallet(10_000)]
    const crossing = Array.from({ length: 60 }, (_, at) =>
      outcomeOf(post(at % 2 === 0 ? between(left, right, 10) : between(right, left, 10))),
    )
    expect(new Set(await Promise.all(crossing))).toEqual(new Set(['success']))
  })
})

describe('a hold', () => {
  test('keeps funds aside until it is posted, voided or over, each once', async () => {
    const wallet = await openWallet(1000)
    const other = await openWallet(1000)
    const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()]
    await hold(a, wallet, 600)
    await hold(a, wallet, 600)
    expect(await outcomeOf(hold(a, wallet, 601))).toBe('WL409')
    expect(await stateOf(wallet)).toEqual({ posted: 1000, held: 600 })
    expect(await outcomeOf(hold(b, wallet, 401))).toBe('23514')
    expect(await outcomeOf(post(between(wallet, 'revenue:PLN', 401)))).toBe('23514')
    expect(await outcomeOf(post(between(wallet, 'revenue:PLN', 601), { hold: a }))).toBe('WL400')
    expect(await outcomeOf(post(between(other, 'revenue:PLN', 500), { hold: a }))).toBe('WL400')
    expect(await outcomeOf(post(between('gateway:test:PLN', wallet, 5), { hold: a }))).toBe('WL400')
    expect(await outcomeOf(post(between(wallet, 'revenue:PLN', 500), { hold: randomUUID() }))).toBe('WL404')
    await post(between(wallet, 'revenue:PLN', 500), { hold: a })
    expect(await stateOf(wallet)).toEqual({ posted: 500, held: 0 })
    expect(await outcomeOf(post(between(wallet, 'revenue:PLN', 100), { hold: a }))).toBe('WL400')
    expect(await voidHold(a)).toBe(false)

    await hold(b, wallet, 400)
    expect(await Promise.all(Array.from({ length: 8 }, () => voidHold(b)))).toEqual(
      expect.arrayContaining([true, false, false, false, false, false, false, false]),
    )
    await hold(c, wallet, 400, 0)
    expect(await outcomeOf(post(between(wallet, 'revenue:PLN', 100), { hold: c }))).toBe('WL400')
    // The refusal is told before its transaction has let the hold go, and what is locked is left for the next time.
    const expire = async () => {
      await pool.query('select ledger_expire_holds()')
      return stateOf(wallet)
    }
    await expect.poll(expire).toEqual({ posted: 500, held: 0 })
    expect(await outcomeOf(hold(randomUUID(), 'revenue:PLN', 5))).toBe('WL404')
    expect(await outcomeOf(hold(randomUUID(), wallet, -5))).toBe('23514')
  })
})

test('nothing but the functions writes: not the owner of the tables, not within a transaction that has just posted', async () => {
  const wallet = await openWallet(1000)
  const id = await post(between(wallet, 'revenue:PLN', 100))
  const statements = [
    `update ledger_accounts set posted = posted + 1 where code = '${wallet}'`,
    `update ledger_accounts set floor = -100 where code = '${wallet}'`,
    `insert into ledger_accounts (code, currency, tracked) values ('revenue:XXX', 'XXX', false)`,
    `insert into ledger_transactions (id, scope, key, request_hash, kind) values (uuidv7(), 'x', 'x', '', 'x')`,
    `insert into ledger_entries (transaction_id, account_id, currency, amount) values ('${id}', 1, 'PLN', 5)`,
    `insert into ledger_holds (id, account_id, amount, expires_at) values (uuidv7(), 1, 5, now())`,
    `update ledger_entries set amount = 1`,
    `update ledger_transactions set kind = 'x'`,
    ...['accounts', 'transactions', 'entries', 'holds'].flatMap((name) => [
      `delete from ledger_${name}`,
      `truncate ledger_${name} cascade`,
    ]),
  ]
  for (const statement of statements)
    expect([statement, await outcomeOf(pool.query(statement))]).toEqual([statement, 'WL403'])
  const client = await pool.connect()
  try {
    // What the functions that open accounts and hold funds may do is not enough to post.
    await client.query(`begin; set local wakestone.ledger = 'open'`)
    expect(
      await outcomeOf(client.query(statements.find((one) => one.startsWith('insert into ledger_entries')) ?? '')),
    ).toBe('WL403')
    await client.query('rollback')
    // Not even a statement that passes for the function's own can add what does not balance.
    await client.query(`begin; set local wakestone.ledger = 'posting'`)
    expect(
      await outcomeOf(
        client.query(
          `insert into ledger_entries (transaction_id, account_id, currency, amount) values (uuidv7(), 1, 'PLN', 5)`,
        ),
      ),
    ).toBe('WL400')
    await client.query('rollback')
    await client.query('begin')
    await post(between(wallet, 'revenue:PLN', 100), { on: client })
    expect(await outcomeOf(client.query(statements[0] ?? ''))).toBe('WL403')
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('a role that is not the owner posts by the functions and cannot touch the tables', async () => {
  const role = `teller_${randomUUID().slice(0, 8)}`
  const wallet = await openWallet(1000)
  const client = await pool.connect()
  try {
    await client.query(`create role ${role}`)
    await client.query(`grant select on ledger_accounts, ledger_entries, ledger_transactions to ${role}`)
    await client.query(
      `grant execute on function ledger_post(uuid, text, text, text, jsonb, jsonb, uuid, uuid) to ${role}`,
    )
    await client.query(`set role ${role}`)
    expect(await outcomeOf(post(between(wallet, 'revenue:PLN', 100), { on: client }))).toBe('success')
    await client.query(`select set_config('wakestone.ledger', 'open', false)`)
    expect(await outcomeOf(client.query(`update ledger_accounts set posted = 1`))).toBe('42501')
    expect(await outcomeOf(client.query(`insert into ledger_entries values (uuidv7(), 1, 'PLN', 1)`))).toBe('42501')
    expect(await outcomeOf(client.query(`select ledger_expire_holds()`))).toBe('42501')
  } finally {
    await client.query('reset role')
    await client.query(`drop owned by ${role}`)
    await client.query(`drop role ${role}`)
    client.release(true)
  }
  expect(await stateOf(wallet)).toEqual({ posted: 900, held: 0 })
})

test('whatever is tried at once, by any number of clients, the rules hold and the balances are those of a model', async () => {
  const size = fc.integer({ min: 1, max: 600 })
  const wallet = fc.integer({ min: 0, max: 3 })
  const step = fc.oneof(
    fc.record({ kind: fc.constant('deposit' as const), to: wallet, amount: size }),
    fc.record({ kind: fc.constant('buy' as const), from: wallet, amount: size, tax: fc.integer({ min: 0, max: 100 }) }),
    fc.record({ kind: fc.constant('move' as const), from: wallet, to: wallet, amount: size }),
    fc.record({
      kind: fc.constant('hold' as const),
      from: wallet,
      amount: size,
      end: fc.constantFrom('post', 'void', 'both'),
    }),
    fc.record({
      kind: fc.constant('again' as const),
      to: wallet,
      amount: fc.constantFrom(1, 2),
      key: fc.constantFrom('a', 'b'),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const run = randomUUID()
      const wallets = await Promise.all([0, 1, 2, 3].map(() => openWallet(500)))
      const code = (at: number) => wallets[at] as string
      const gained = [500, 500, 500, 500]
      const add = (at: number, amount: number) => void (gained[at] = (gained[at] as number) + amount)
      const postedKeys = new Map<string, string>()
      await Promise.all(
        steps.map(async (one) => {
          const attempt = async (entries: Entry[], effect: () => void, key = randomUUID() as string, by?: string) => {
            const result = await outcomeOf(post(entries, { key, ...(by === undefined ? {} : { hold: by }) }))
            expect(['success', '23514', 'WL409', 'WL400', '40P01']).toContain(result)
            if (result === 'success') effect()
          }
          if (one.kind === 'deposit') {
            await attempt(between('gateway:test:PLN', code(one.to), one.amount), () => add(one.to, one.amount))
          } else if (one.kind === 'buy') {
            const tax = Math.floor((one.amount * one.tax) / 100)
            const parts = [entry('revenue:PLN', one.amount - tax), entry('vat:PL:PLN', tax)].filter(
              ({ amount }) => amount > 0,
            )
            await attempt([entry(code(one.from), -one.amount), ...parts], () => add(one.from, -one.amount))
          } else if (one.kind === 'move' && one.from !== one.to) {
            await attempt(between(code(one.from), code(one.to), one.amount), () => {
              add(one.from, -one.amount)
              add(one.to, one.amount)
            })
          } else if (one.kind === 'hold') {
            const id = randomUUID()
            if ((await outcomeOf(hold(id, code(one.from), one.amount))) !== 'success') return
            const posting = () =>
              attempt(
                between(code(one.from), 'revenue:PLN', one.amount),
                () => add(one.from, -one.amount),
                randomUUID(),
                id,
              )
            if (one.end === 'post') await posting()
            else if (one.end === 'void') await voidHold(id)
            else await Promise.all([posting(), voidHold(id)])
          } else if (one.kind === 'again') {
            const key = `${run}-${one.key}`
            const text = `${one.to} ${one.amount}`
            await attempt(
              between('gateway:test:PLN', code(one.to), one.amount),
              () => {
                if (!postedKeys.has(key)) add(one.to, one.amount)
                expect(postedKeys.get(key) ?? text).toBe(text)
                postedKeys.set(key, text)
              },
              key,
            )
          }
        }),
      )
      expect(await Promise.all(wallets.map(async (one) => (await stateOf(one)).posted))).toEqual(gained)
      expect(await findLedgerFaults(pool)).toEqual({})
    }),
    { numRuns: isLong ? 25 : 8 },
  )
}, 120_000)
