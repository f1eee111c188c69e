import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer, getServer } from '@wakestone/contract/servers/servers-routes'
import { listUserServers } from '@wakestone/contract/accounts/users-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { order, startTestWorker, topUp } from '../../../../../../tests/support/servers.ts'
import { handleServiceClock } from './service-clock.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

const hour = 3_600_000
const day = 24 * hour
const month = 1844

let api: TestApi
let owner: Caller
let walletId: string
let server: Server

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  owner = await api.signUp()
  walletId = await topUp(api.context, owner, 10 * month)
  server = await owner.call(createServer, { body: order(walletId, '1.21.4') })
})

const params = () => ({ id: server.service_id })
const show = () => owner.call(billings.getService, { params: params() })
const see = () => owner.call(getServer, { params: { id: server.id } })
const end = async () => new Date((await show()).expires ?? 0)
const passAt = (time: Date) => handleServiceClock(api.context, time)
const after = (moment: Date, days: number) => new Date(moment.getTime() + days * day)
const renew = () =>
  owner.call(billings.renewService, { params: params(), body: { billing_period: '720h', wallet_id: walletId } })
const told = async () => {
  const rows = await api.context.db
    .selectFrom('notifications')
    .select('kind')
    .where('user_id', '=', owner.user.id)
    .where('kind', 'in', ['SERVER_CLEANUP_WARNING', 'SERVER_CLEANED_UP', 'SERVER_ADDRESS_WARNING'])
    .orderBy('id')
    .execute()
  return rows.map(({ kind }) => kind)
}
const set = (change: { expires: Date }) =>
  api.context.db.updateTable('services').set(change).where('id', '=', server.service_id).execute()

describe('after the end', () => {
  test('files are deleted on day 14, told three days before and once, whoever looks', async () => {
    const over = await end()
    await passAt(after(over, 10.9))
    expect(await told()).toEqual([])
    await Promise.all([passAt(after(over, 11)), passAt(after(over, 11))])
    await passAt(after(over, 13.9))
    expect(await told()).toEqual(['SERVER_CLEANUP_WARNING'])
    expect((await see()).files_deleted_at).toBeNull()
    expect(new Date((await see()).cleanup_date ?? 0)).toEqual(after(over, 14))
    await Promise.all([passAt(after(over, 14)), passAt(after(over, 14))])
    expect((await see()).files_deleted_at).not.toBeNull()
    expect(await told()).toEqual(['SERVER_CLEANUP_WARNING', 'SERVER_CLEANED_UP'])
  })

  test.runIf(isLong)(
    'three days lie between the warning and the deletion also where nobody has looked for long',
    async () => {
      const over = await end()
      await passAt(after(over, 25))
      expect((await see()).files_deleted_at).toBeNull()
      await passAt(after(over, 27.9))
      expect((await see()).files_deleted_at).toBeNull()
      await passAt(after(over, 28))
      expect((await see()).files_deleted_at).not.toBeNull()
    },
  )

  test('a payment brings it back until day 14, and not after', async () => {
    const over = await end()
    await passAt(after(over, 12))
    await set({ expires: new Date(Date.now() - 12 * day) })
    const asked = Date.now()
    const renewed = await renew()
    expect(new Date(renewed.expires ?? 0).getTime() - asked).toBeGreaterThanOrEqual(720 * hour)
    expect((await see()).cleanup_date).toBeNull()
    const again = await end()
    await passAt(after(again, 11))
    await passAt(after(again, 14))
    const { balance } = await owner.call(getWallet, { params: { id: walletId } })
    expect(await outcomeOf(renew())).toBe('server_is_expired')
    expect((await owner.call(getWallet, { params: { id: walletId } })).balance).toEqual(balance)
  })

  test('a payment and the deletion at one moment: either it goes on with its files, or nothing is charged', async () => {
    const over = await end()
    await passAt(after(over, 11))
    await set({ expires: new Date(Date.now() - 14 * day - 2 * hour) })
    await api.context.db
      .updateTable('servers')
      .set({ cleanup_date: new Date(Date.now() - hour) })
      .where('id', '=', server.id)
      .execute()
    const before = (await owner.call(getWallet, { params: { id: walletId } })).balance.amount
    const [outcome] = await Promise.all([outcomeOf(renew()), passAt(new Date())])
    const paid = before - (await owner.call(getWallet, { params: { id: walletId } })).balance.amount
    const { files_deleted_at: deleted } = await see()
    expect([outcome, paid, deleted === null]).toEqual(
      deleted === null ? ['success', month, true] : ['server_is_expired', 0, false],
    )
  })

  test.runIf(isLong)(
    'the volume is gone for real, the address is kept to day 30 and is then free for its owner first',
    async () => {
      const volume = join(api.dataDir, 'servers', server.id, 'volume')
      mkdirSync(join(volume, 'world'), { recursive: true })
      writeFileSync(join(volume, 'world', 'level.dat'), 'blocks')
      await set({ expires: new Date(Date.now() - 14 * day) })
      const over = await end()
      await passAt(after(over, 11))
      await passAt(after(over, 14))
      expect(existsSync(volume)).toBe(true)
      const worker = await startTestWorker(api)
      try {
        await vi.waitFor(() => expect(existsSync(volume)).toBe(false), 20_000)
        await vi.waitFor(async () => expect((await see()).volume_removed_at).not.toBeNull(), 10_000)
      } finally {
        await worker.stop()
        await worker.removeAll()
      }
      await passAt(after(over, 26))
      expect(await told()).toEqual(['SERVER_CLEANUP_WARNING', 'SERVER_CLEANED_UP'])
      await passAt(after(over, 27))
      await passAt(after(over, 29.9))
      expect(await outcomeOf(see())).toBe('success')
      await passAt(after(over, 30))
      expect((await told()).at(-1)).toBe('SERVER_ADDRESS_WARNING')
      expect(await outcomeOf(see())).toBe('server_id_not_found')
      expect(await outcomeOf(show())).toBe('resource_not_found')
      const [subdomain] = [server.domains[0]?.sub_domain ?? '']
      const other = await api.signUp()
      const purse = await topUp(api.context, other, month)
      expect(await outcomeOf(other.call(createServer, { body: order(purse, '1.21.4', { subdomain }) }))).toBe(
        'resource_already_exists',
      )
      expect(await outcomeOf(owner.call(createServer, { body: order(walletId, '1.21.4', { subdomain }) }))).toBe(
        'success',
      )
    },
  )
})

test('a free server that nobody uses is told of 14, 7 and 1 days before, and cleaned up after 90', async () => {
  server = await owner.call(createServer, {
    body: order(walletId, '1.21.4', { requested_billing_services: ['FREE'], name: 'Free' }),
  })
  const used = new Date(Date.now() - 80 * day)
  await api.context.db.updateTable('servers').set({ last_used_at: used }).where('id', '=', server.id).execute()
  await set({ expires: after(used, 120) })
  for (const days of [75.9, 76, 77, 83, 84, 89, 89.9]) await passAt(after(used, days))
  expect((await told()).length).toBe(3)
  expect((await see()).files_deleted_at).toBeNull()
  await passAt(after(used, 90))
  expect((await see()).files_deleted_at).not.toBeNull()
  expect((await show()).expires).toBe(after(used, 90).toISOString())
  expect((await told()).at(-1)).toBe('SERVER_CLEANED_UP')
})

describe('what is planned', () => {
  const change = (product_id: string, when: 'now' | 'period_end') =>
    owner.call(billings.upgradeService, { params: params(), body: { product_id, wallet_id: walletId, when } })

  test.runIf(isLong)('a plan changes at the end, with what renewed itself at its price', async () => {
    await change('AMETHYST', 'now')
    await change('GRASS', 'period_end')
    await owner.call(billings.changeService, { params: params(), body: { auto_renew: true } })
    const over = await end()
    const { balance } = await owner.call(getWallet, { params: { id: walletId } })
    await passAt(after(over, -1))
    expect((await owner.call(getWallet, { params: { id: walletId } })).balance.amount).toBe(balance.amount - month)
    expect((await show()).product.id).toBe('AMETHYST')
    await Promise.all([passAt(over), passAt(over)])
    const now = await show()
    expect([now.product.id, now.scheduled_actions]).toEqual(['GRASS', []])
    expect((await see()).parameters.limits.memory).toBe(2 * 1024 ** 3)
  })

  test('a smaller plan that the files do not fit in does not come, and its owner is told', async () => {
    await change('AMETHYST', 'now')
    await change('GRASS', 'period_end')
    const over = await end()
    const { db } = api.context
    await db
      .updateTable('servers')
      .set({ disk_bytes: 3 * 1024 * 1024 })
      .where('id', '=', server.id)
      .execute()
    const { parameters } = await db
      .selectFrom('products')
      .select('parameters')
      .where('id', '=', 'GRASS')
      .executeTakeFirstOrThrow()
    const write = (value: object) =>
      db
        .updateTable('products')
        .set({ parameters: JSON.stringify(value) })
        .where('id', '=', 'GRASS')
        .execute()
    await write({ ...(parameters as object), storage: 1024 * 1024 })
    try {
      await passAt(over)
    } finally {
      await write(parameters as object)
    }
    expect((await show()).product.id).toBe('AMETHYST')
    expect((await show()).scheduled_actions).toEqual([])
    const kinds = await db.selectFrom('notifications').select('kind').where('user_id', '=', owner.user.id).execute()
    expect(kinds.map(({ kind }) => kind)).toContain('DOWNGRADE_FAILED')
  })

  test('an end that was asked for switches renewal off, and a renewal takes it back', async () => {
    const put = (body: { auto_renew?: boolean; cancel_at_end?: boolean }) =>
      owner.call(billings.changeService, { params: params(), body })
    await put({ auto_renew: true })
    const cancelled = await put({ cancel_at_end: true })
    expect(cancelled).toMatchObject({ auto_renew: false, scheduled_actions: [{ action: 'CANCEL_SERVICE' }] })
    const { db } = api.context
    const confirmed = () =>
      db.selectFrom('notifications').select('fields').where('kind', '=', 'SERVICE_CANCELLED').execute()
    await put({ cancel_at_end: true }) // is told once
    expect(await confirmed()).toEqual([{ fields: expect.objectContaining({ expires: (await show()).expires }) }])
    expect(await outcomeOf(put({ auto_renew: true, cancel_at_end: true }))).toBe('invalid_request')
    expect((await put({ cancel_at_end: false })).scheduled_actions).toEqual([])
    await put({ cancel_at_end: true })
    expect((await renew()).scheduled_actions).toEqual([])
    await put({ cancel_at_end: true })
    expect((await put({ auto_renew: true })).scheduled_actions).toEqual([])
  })

  test.runIf(isLong)(
    'an end that is taken back: the server says so, and automatic renewal is again what it was',
    async () => {
      const put = (body: { auto_renew?: boolean; cancel_at_end?: boolean }) =>
        owner.call(billings.changeService, { params: params(), body })
      const listed = async () => {
        const servers = await owner.call(listUserServers, { params: { id: owner.user.id } })
        return servers.find(({ id }) => id === server.id)
      }
      for (const wasOn of [true, false]) {
        await put({ auto_renew: wasOn })
        await put({ cancel_at_end: true })
        await put({ cancel_at_end: true })
        expect(await see()).toMatchObject({ auto_renew: false, cancel_at_end: true })
        expect(await listed()).toMatchObject({ auto_renew: false, cancel_at_end: true })
        expect(await put({ cancel_at_end: false })).toMatchObject({ auto_renew: wasOn, scheduled_actions: [] })
        expect(await listed()).toMatchObject({ auto_renew: wasOn, cancel_at_end: false })
      }
      // Whoever switches it off in between means it.
      await put({ auto_renew: true })
      await put({ cancel_at_end: true })
      await put({ auto_renew: false })
      expect((await put({ cancel_at_end: false })).auto_renew).toBe(false)
    },
  )
})

test('a free server is deleted by its owner, and by nobody else; another one can be had then', async () => {
  const free = { requested_billing_services: ['FREE'] }
  const first = await owner.call(createServer, { body: order(walletId, '1.21.4', free) })
  const remove = (by: Caller, { service_id }: Server) =>
    outcomeOf(by.call(billings.deleteFreeServer, { params: { id: service_id } }))
  expect(await remove(await api.signUp(), first)).not.toBe('success')
  expect(await remove(owner, server)).toBe('product_not_available')
  expect(await remove(owner, first)).toBe('success')
  expect(await remove(owner, first)).toBe('resource_not_found')
  const listed = await owner.call(listUserServers, { params: { id: owner.user.id } })
  expect(listed.map(({ id }) => id)).toEqual([server.id])
  const second = await owner.call(createServer, { body: order(walletId, '1.21.4', free) })
  const worker = await startTestWorker(api)
  try {
    await vi.waitFor(
      async () =>
        expect(await outcomeOf(owner.call(getServer, { params: { id: first.id } }))).toBe('server_id_not_found'),
      30_000,
    )
    expect((await owner.call(getServer, { params: { id: second.id } })).domains).toHaveLength(1)
  } finally {
    await worker.stop()
    await worker.removeAll()
  }
}, 60_000)
