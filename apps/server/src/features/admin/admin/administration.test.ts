/** What administrators do to accounts, through the front door: suspension, views as a user, capabilities. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RouteSpec } from '@wakestone/contract/route'
import { pathOf } from '@wakestone/contract/client'
import * as account from '@wakestone/contract/accounts/account-routes'
import * as admin from '@wakestone/contract/admin/admin-routes'
import { allRoutes } from '@wakestone/contract/routes'
import { createFileTicket } from '@wakestone/contract/servers/files-routes'
import * as servers from '@wakestone/contract/servers/servers-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import { type Caller, createCookieClient, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { waitForMail } from '../../../../../../tests/support/mail.ts'
import { order, setPrepared, topUp } from '../../../../../../tests/support/servers.ts'
import { outcomeOf, refusalOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
let boss: Caller
beforeAll(async () => {
  api = await startTestApi({}, { mails: true })
  boss = await api.signUp({ admin: true })
})
afterAll(() => api.close())

/** Rights are announced after the commit; a moment later everybody knows. */
async function until(isSo: () => Promise<boolean>, what: string) {
  for (const deadline = Date.now() + 10_000; !(await isSo());) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`)
    await delay(20)
  }
}
const isOut = async ({ call }: Pick<Caller, 'call'>) => (await outcomeOf(call(users.verify, {}))) === 'unauthorized'
const idOf = ({ user }: Pick<Caller, 'user'>) => ({ params: { id: user.id } })
const suspend = (by: Caller, target: Caller, reason = 'sold stolen accounts') =>
  by.call(admin.suspendUser, { ...idOf(target), body: { reason } })
const eventsOf = async (target: Caller) =>
  (await boss.call(users.listUserEvents, { ...idOf(target), query: { limit: 100 } })).data
const logIn = (login: string, password: string) => {
  const client = createCookieClient(api.origin)
  return refusalOf(client.call(users.loginLocal, { body: { login, password } }))
}
async function rentServer(owner: Caller) {
  const walletId = await topUp(api.context, owner, 5000)
  return owner.call(servers.createServer, { body: order(walletId, '1.21.4') })
}

describe('a suspended account', () => {
  test('is signed out everywhere, its console closes, and its owner is told why', async () => {
    const owner = await api.signUp()
    const server = await rentServer(owner)
    const socket = new WebSocket(`${api.origin.replace('http', 'ws')}/api/v1/servers/${server.id}/console`, {
      headers: { cookie: owner.cookie(), origin: api.origin },
    } as never)
    const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
    await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }))

    const shown = await suspend(boss, owner)
    expect(shown.suspension).toMatchObject({ by: { username: boss.user.username }, reason: 'sold stolen accounts' })
    expect(await closed).toBe(4401)
    await until(() => isOut(owner), 'the session ends')
    expect(await outcomeOf(owner.call(users.refresh, {}))).toBe('unauthorized')
    const mail = await waitForMail(api.dataDir, owner.user.email, 'Your account is suspended')
    expect(mail.text).toContain('sold stolen accounts')
    const event = (await eventsOf(owner)).find(({ action }) => action === 'USER_SUSPEND')
    expect(event?.data).toEqual({
      reason: 'sold stolen accounts',
      actor: { user_id: boss.user.id, username: boss.user.username },
    })
  })

  test.runIf(isLong)(
    'says so to whoever knows the password, and to nobody else; a mailed code does not open it either',
    async () => {
      const owner = await api.signUp()
      await suspend(boss, owner)
      expect((await logIn(owner.user.email, 'a wrong password')).error).toBe('wrong_password_or_username')
      expect(await logIn(owner.user.email, owner.password)).toMatchObject({
        error: 'user_suspended',
        fields: { reason: 'sold stolen accounts' },
      })
      const { call } = createCookieClient(api.origin)
      await call(account.beginEmailLogin, { body: { email: owner.user.email } })
      const mail = await waitForMail(api.dataDir, owner.user.email, 'Your login code')
      const code = /^(\d{4} \d{4})$/m.exec(mail.text ?? '')?.[1] ?? ''
      expect(await outcomeOf(call(account.finishEmailLogin, { body: { code } }))).toBe('user_suspended')
      await boss.call(admin.unsuspendUser, idOf(owner))
      expect((await logIn(owner.user.email, owner.password)).error).toBe('success')
      await waitForMail(api.dataDir, owner.user.email, 'Your account is active again')
    },
  )

  test('has its servers stopped, whoever wants them up, and up again afterwards', async () => {
    const owner = await api.signUp()
    const { id } = await rentServer(owner)
    await api.context.database.pool.query(`update servers set prepared_at = now(), phase = 'running' where id = $1`, [
      id,
    ])
    const activity = async () => (await boss.call(servers.getServerStatus, { params: { id } })).activity
    expect(await activity()).toBeNull()
    await suspend(boss, owner)
    expect(await activity()).toBe('stopping')
    expect(await outcomeOf(boss.call(servers.startServer, { params: { id } }))).toBe('server_is_disabled')
    expect(await boss.call(servers.getServer, { params: { id } })).toMatchObject({ disabled: true, active: false })
    await boss.call(admin.unsuspendUser, idOf(owner))
    expect(await activity()).toBeNull()
    expect((await boss.call(servers.getServer, { params: { id } })).disabled).toBe(false)
  })

  test.runIf(isLong)('is never an administrator’s own; of two who suspend each other one stays', async () => {
    expect(await outcomeOf(suspend(boss, boss))).toBe('own_account_protected')
    const [one, other] = [await api.signUp({ admin: true }), await api.signUp({ admin: true })]
    const codes = await Promise.all([outcomeOf(suspend(one, other)), outcomeOf(suspend(other, one))])
    expect(codes.filter((code) => code === 'success')).toHaveLength(1)
    const states = await Promise.all([one, other].map((each) => boss.call(admin.getAdminUser, idOf(each))))
    expect(states.filter(({ suspended_at }) => suspended_at !== null)).toHaveLength(1)
  })
})

describe('a view as a user', () => {
  const view = async (target: Caller) => {
    const viewer = createCookieClient(api.origin)
    await viewer.call(users.loginLocal, { body: { login: boss.user.username, password: boss.password } })
    await viewer.call(admin.beginViewAs, idOf(target))
    return viewer
  }

  test('shows the panel as theirs, is written in their events, and leads back to the own session', async () => {
    const owner = await api.signUp()
    const viewer = await view(owner)
    const shown = await viewer.call(users.verify, {})
    expect(shown).toMatchObject({ id: owner.user.id, actor: { user_id: boss.user.id, username: boss.user.username } })
    expect((await owner.call(users.verify, {})).actor).toBeUndefined()
    // Not an administrator any more, nor somebody in the list of devices.
    expect(await outcomeOf(viewer.call(admin.listUsers, {}))).toBe('insufficient_capabilities')
    expect(await owner.call(account.listSessions, idOf(owner))).toHaveLength(2)
    await viewer.call(admin.endViewAs, {})
    expect((await viewer.call(users.verify, {})).id).toBe(boss.user.id)
    const events = await owner.call(users.listUserEvents, { ...idOf(owner), query: {} })
    const actor = { user_id: boss.user.id, username: boss.user.username }
    expect(events.data.filter(({ action }) => action.startsWith('USER_VIEW_AS'))).toMatchObject([
      { action: 'USER_VIEW_AS_END', data: { actor } },
      { action: 'USER_VIEW_AS_BEGIN', data: { actor, until: shown.actor?.until } },
    ])
  })

  test('may read and work servers; every other change is refused', async () => {
    const owner = await api.signUp()
    const server = await rentServer(owner)
    const viewer = await view(owner)
    await viewer.call(servers.setAutostart, { params: { id: server.id }, query: { value: '0', stop: '1' } })
    const { data } = await owner.call(servers.listServerEvents, { params: { id: server.id }, query: {} })
    expect(data.find(({ action }) => action === 'SERVER_GAME_STOP')?.data).toMatchObject({
      executor: owner.user.id,
      actor: { user_id: boss.user.id, username: boss.user.username },
    })
    const changes = Object.entries(allRoutes as Record<string, RouteSpec>).filter(([, { method }]) => method !== 'GET')
    const open: string[] = []
    for (const [name, route] of changes) {
      if (name === 'logout' || name === 'endViewAs') continue
      const names = [...route.path.matchAll(/:(\w+)/g)].map(([, key]) => key!)
      const params = Object.fromEntries(
        names.map((key) => [key, key !== 'id' || route.access.kind !== 'server' ? owner.user.id : server.id]),
      )
      const response = await fetch(`${api.origin}${pathOf(route, { params })}`, {
        method: route.method,
        headers: { cookie: viewer.cookie() },
      })
      if (((await response.json().catch(() => ({}))) as { error?: string }).error !== 'access_denied') open.push(name)
    }
    expect(open.toSorted()).toEqual([
      'cancelCountdown',
      'createFileTicket',
      'downloadWorld',
      'killServer',
      'pingServer',
      'restartServer',
      'setAutostart',
      'startServer',
      'stopServer',
    ])
    await setPrepared(api, server.id)
    // Tickets may be for reading; for writing they are refused like the rest.
    const body = { purpose: 'upload', path: 'note.txt', size: 1 } as const
    expect(await outcomeOf(viewer.call(createFileTicket, { params: { id: server.id }, body }))).toBe('access_denied')
  })

  test.runIf(isLong)('ends with the session that it was begun in, and is nobody’s without it', async () => {
    const owner = await api.signUp()
    const viewer = await view(owner)
    const token = /ws_view_as=([^;]+)/.exec(viewer.cookie())?.[1] ?? ''
    expect(token).not.toBe('')
    // Alone, or beside somebody else's session, it opens nothing.
    const alone = await fetch(`${api.origin}/api/v1/users/verify`, { headers: { cookie: `ws_view_as=${token}` } })
    expect(alone.status).toBe(401)
    const other = await api.signUp()
    const beside = await fetch(`${api.origin}/api/v1/users/verify`, {
      headers: { cookie: `${other.cookie()}; ws_view_as=${token}` },
    })
    expect(((await beside.json()) as { id: string }).id).toBe(other.user.id)
    const before = viewer.cookie()
    await viewer.call(users.logout, {})
    expect(viewer.cookie()).not.toContain('ws_view_as')
    await until(async () => {
      const late = await fetch(`${api.origin}/api/v1/users/verify`, { headers: { cookie: before } })
      return late.status === 401
    }, 'the view ends')
  })

  test('lasts no longer than the session that it was begun in, nor does its token', async () => {
    const owner = await api.signUp()
    const viewer = createCookieClient(api.origin)
    await viewer.call(users.loginLocal, { body: { login: boss.user.username, password: boss.password } })
    const { pool } = api.context.database
    const { rows } = await pool.query<{ end: Date }>(
      `update sessions set expires_at = now() + interval '5 minutes'
       where id = (select id from sessions where user_id = $1 order by created_at desc limit 1) returning expires_at as end`,
      [boss.user.id],
    )
    const end = rows[0]?.end.getTime() ?? 0
    await viewer.call(admin.beginViewAs, idOf(owner))
    const { actor } = await viewer.call(users.verify, {})
    expect(Date.parse(actor?.until ?? '')).toBeLessThanOrEqual(end)
    const [, payload = ''] = (/ws_view_as=([^;]+)/.exec(viewer.cookie())?.[1] ?? '').split('.')
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp: number }
    expect(exp * 1000).toBeLessThanOrEqual(end + 1000)
    expect(exp * 1000).toBeGreaterThan(Date.now())
  })

  test.runIf(isLong)(
    'of oneself, another administrator, a suspended account or from within a view is refused',
    async () => {
      const begin = (by: Pick<Caller, 'call'>, target: Caller) => outcomeOf(by.call(admin.beginViewAs, idOf(target)))
      expect(await begin(boss, boss)).toBe('own_account_protected')
      expect(await begin(boss, await api.signUp({ admin: true }))).toBe('user_is_administrator')
      const owner = await api.signUp()
      expect(await begin(owner, await api.signUp())).toBe('insufficient_capabilities')
      const viewer = await view(owner)
      expect(await begin(viewer, await api.signUp())).toBe('access_denied')
      await suspend(boss, owner)
      expect(await begin(boss, owner)).toBe('user_suspended')
      await until(async () => (await viewer.call(users.verify, {})).id === boss.user.id, 'the view of it ends')
    },
  )
})

describe('capabilities', () => {
  const change = (by: Caller, target: Caller, body: { set?: Record<string, unknown>; remove?: string[] }) =>
    by.call(admin.changeUserCapabilities, { ...idOf(target), body: body as never })

  test('take effect at once and are written with before and after', async () => {
    const owner = await api.signUp()
    const set = { 'user.offers': false, 'operator.beta': 'gold', 'operator.slots': 3 }
    await change(boss, owner, { set, remove: ['user.payments'] })
    const capabilities = async () => (await owner.call(users.verify, {})).user_capabilities
    expect(await capabilities()).toEqual({ 'marketplace.project-browse': true, ...set })
    await change(boss, owner, { set: { admin: true } })
    await until(async () => (await outcomeOf(owner.call(admin.listUsers, {}))) === 'success', 'the right arrives')
    const actor = { user_id: boss.user.id, username: boss.user.username }
    const events = (await eventsOf(owner)).filter(({ action }) => action === 'USER_CHANGE_CAPABILITIES')
    expect(events.map(({ data }) => data)).toEqual([
      { before: { admin: null }, after: { admin: true }, actor },
      {
        before: { 'user.offers': true, 'user.payments': true, 'operator.beta': null, 'operator.slots': null },
        after: { ...set, 'user.payments': null },
        actor,
      },
    ])
    await change(boss, owner, { remove: ['admin'] })
    await until(async () => (await outcomeOf(owner.call(admin.listUsers, {}))) !== 'success', 'the right goes')
  })

  test('that make administrators are nobody’s to give up, nor to give beyond what one holds', async () => {
    expect(await outcomeOf(change(boss, boss, { remove: ['admin'] }))).toBe('own_account_protected')
    expect(await outcomeOf(change(boss, boss, { set: { admin: 0 } }))).toBe('own_account_protected')
    const lesser = await api.signUp({ admin: true })
    await change(boss, lesser, { set: { 'admin.vouchers.generate': false } })
    const owner = await api.signUp()
    for (const set of [{ admin: true }, { 'admin.vouchers': true }, { 'admin.vouchers.generate': true }])
      expect(await outcomeOf(change(lesser, owner, { set })), JSON.stringify(set)).toBe('insufficient_capabilities')
    expect(await outcomeOf(change(lesser, lesser, { remove: ['admin.vouchers.generate'] }))).toBe(
      'insufficient_capabilities',
    )
    await change(lesser, owner, { set: { admin: true, 'admin.vouchers.generate': false } })
    expect(await outcomeOf(change(boss, owner, { set: { 'Not A Name': true } }))).toBe('invalid_request')
  })

  test.runIf(isLong)('of two administrators who take each other’s right, one keeps theirs', async () => {
    const [one, other] = [await api.signUp({ admin: true }), await api.signUp({ admin: true })]
    const codes = await Promise.all([
      outcomeOf(change(one, other, { remove: ['admin'] })),
      outcomeOf(change(other, one, { remove: ['admin'] })),
    ])
    expect(codes.toSorted()).toEqual(['insufficient_capabilities', 'success'])
  })
})
