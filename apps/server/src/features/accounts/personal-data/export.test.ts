/** The copy of a user's data, through the front door: asked for, made, fetched once, gone in the end. */
import { readdirSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listDataExports, openDataExport, requestDataExport } from '@wakestone/contract/accounts/data-exports-routes'
import { createTicket } from '@wakestone/contract/accounts/support-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { topUp } from '../../../../../../tests/support/servers.ts'
import { deleteDueAccounts } from '#src/features/accounts/accounts/deletion.ts'
import { registerPersonalDataJobs } from './jobs.ts'
import { personalTables } from './tables.ts'
import { tidyExports } from './upkeep.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await registerPersonalDataJobs(api.context)
})
afterAll(() => api.close())

const list = ({ call, user }: Caller) => call(listDataExports, { params: { id: user.id } })
const ask = ({ call, user }: Caller, id = user.id) => call(requestDataExport, { params: { id } })
const filesIn = () => readdirSync(`${api.dataDir}/exports`)

async function ready(owner: Caller): Promise<string> {
  for (const deadline = Date.now() + 20_000; ;) {
    const [newest] = await list(owner)
    if (newest?.state === 'ready') return newest.id
    if (Date.now() > deadline) throw new Error(`the copy is ${newest?.state}`)
    await delay(50)
  }
}
async function link({ call, user }: Caller, exportId: string, id = user.id): Promise<string> {
  return `${api.origin}${(await call(openDataExport, { params: { id, exportId } })).path}`
}

test('holds every table in files of JSON, one’s own rows and no secret, and is fetched once by its link', async () => {
  const owner = await api.signUp()
  const other = await api.signUp()
  await topUp(api.context, owner, 12_345)
  for (const { call, user } of [owner, other])
    await call(createTicket, {
      body: { email: user.email, topic: 'other', subject: 'Hello', message: `From ${user.username}`, language: 'en' },
    })
  expect(await ask(owner)).toMatchObject({ state: 'pending', bytes: null })
  const id = await ready(owner)
  expect(statSync(`${api.dataDir}/exports/${id}.zip`).mode & 0o777).toBe(0o600)

  const address = await link(owner, id)
  const response = await fetch(address)
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="wakestone-\d{4}-\d\d-\d\d\.zip"$/)
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  expect((await fetch(address)).status).toBe(400)

  const exported = Object.entries(personalTables).filter(([, table]) => !('not' in table.export))
  expect(Object.keys(files).toSorted()).toEqual([...exported.map(([name]) => `${name}.json`), 'index.json'].toSorted())
  const rows = (name: string) => {
    const file = JSON.parse(strFromU8(files[`${name}.json`] ?? new Uint8Array())) as { about: string; rows: object[] }
    expect(file.about, name).not.toBe('')
    return file.rows
  }
  expect(rows('users')).toMatchObject([{ id: owner.user.id, email: owner.user.email }])
  expect(rows('wallets')).toHaveLength(3)
  expect(rows('ledger_entries')).toMatchObject([{ amount: 12_345, currency: 'PLN', balance_after: 12_345 }])
  expect(rows('support_messages')).toMatchObject([{ body: `From ${owner.user.username}` }])
  expect(rows('sessions')[0]).toMatchObject({ ip: '127.0.0.1' })
  const all = exported.map(([name]) => JSON.stringify(rows(name))).join('\n')
  expect(all).not.toContain(other.user.id)
  expect(all).not.toContain(other.user.username)
  expect(all).not.toMatch(/argon2|\\\\x[0-9a-f]{32}/)
})

test.runIf(isLong)('more rows than are read at once are all there', async () => {
  const owner = await api.signUp()
  await api.context.database.pool.query(
    `insert into known_devices (user_id, device_hash) select $1, sha256(n::text::bytea) from generate_series(1, 1203) n`,
    [owner.user.id],
  )
  await ask(owner)
  const response = await fetch(await link(owner, await ready(owner)))
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  const { rows } = JSON.parse(strFromU8(files['known_devices.json'] ?? new Uint8Array())) as { rows: object[] }
  expect(rows.length).toBeGreaterThanOrEqual(1203)
})

test.runIf(isLong)(
  'is made once a day, also when it is asked for many times at once; nobody else gets it',
  async () => {
    const owner = await api.signUp()
    const answers = await Promise.all(Array.from({ length: 5 }, () => outcomeOf(ask(owner))))
    expect(answers.filter((answer) => answer === 'too_many_requests')).toHaveLength(4)
    const id = await ready(owner)

    const admin = await api.signUp({ admin: true })
    expect(await outcomeOf(ask(admin, owner.user.id))).toBe('access_denied')
    expect(await outcomeOf(link(admin, id, owner.user.id))).toBe('access_denied')
    expect(await outcomeOf(link(admin, id))).toBe('resource_not_found')
    const first = await link(owner, id)
    const second = await link(owner, id)
    for (const wrong of [first, `${second}x`, `${api.origin}/api/v1/exports/nonsense`])
      expect((await fetch(wrong)).status, wrong).toBe(400)
    expect((await fetch(second)).status).toBe(200)
  },
)

test.runIf(isLong)('is deleted after seven days, and with the account', async () => {
  const owner = await api.signUp()
  const leaver = await api.signUp()
  await ask(owner)
  await ask(leaver)
  const [kept, left] = [await ready(owner), await ready(leaver)]
  const { pool } = api.context.database
  await pool.query(`update users set destroy_at = now() - interval '1 minute' where id = $1`, [leaver.user.id])
  await deleteDueAccounts(api.context)
  await tidyExports(api.context)
  expect(filesIn()).toContain(`${kept}.zip`)
  expect(filesIn()).not.toContain(`${left}.zip`)

  await tidyExports(api.context, new Date(Date.now() + 8 * 24 * 3600_000))
  expect(filesIn()).not.toContain(`${kept}.zip`)
  expect(await list(owner)).toMatchObject([{ state: 'expired' }])
  expect(await outcomeOf(link(owner, kept))).toBe('resource_not_found')
})
