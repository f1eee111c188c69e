/** Sharing a server, through the front door: who may, what invitations open and to whom, and what they never tell. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiError } from '@wakestone/contract/client'
import type { CapabilityName } from '@wakestone/contract/capability-names'
import * as servers from '@wakestone/contract/servers/servers-routes'
import * as sharing from '@wakestone/contract/accounts/sharing-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import { type Caller, createCookieClient, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { waitForMail } from '../../../../../../tests/support/mail.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { registerSharingJobs } from './jobs.ts'
import { erasePersonalData } from '#src/features/accounts/personal-data/service.ts'
import { inTransaction } from '#src/db/client.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
let owner: Caller
let serverId: string
beforeAll(async () => {
  api = await startTestApi({ LIMIT_INVITATIONS: '0', SHARED_PEOPLE: '60' })
  await registerSharingJobs(api.context) // mails are sent as the worker sends them
  owner = await api.signUp()
  serverId = await rent(owner)
})
afterAll(() => api.close())

async function rent(customer: Caller): Promise<string> {
  const walletId = await topUp(api.context, customer, 5000)
  return (await customer.call(servers.createServer, { body: order(walletId, '1.21.4') })).id
}
const fieldsOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: ApiError) => error.body.fields,
  )
type Names = Extract<CapabilityName, `server.${string}`>[]
const invite = ({ call }: Pick<Caller, 'call'>, to: string, capabilities: Names = [], id = serverId) =>
  call(sharing.inviteToServer, { params: { id }, body: { to, capabilities } })
const access = ({ call }: Pick<Caller, 'call'>, id = serverId) => call(sharing.getServerAccess, { params: { id } })
const waitingFor = ({ call, user }: Caller) => call(sharing.listInvitations, { params: { id: user.id } })
const accept = ({ call, user }: Caller, invitationId: string) =>
  call(sharing.acceptInvitation, { params: { id: user.id, invitationId } })
const acceptLink = ({ call }: Pick<Caller, 'call'>, code: string) =>
  call(sharing.acceptInvitationLink, { body: { code } })
/** The code in the mail of an invitation; there may be older mails to the same address. */
async function mailedCode(address: string, id: string): Promise<string> {
  for (const deadline = Date.now() + 20_000; ; await delay(20)) {
    const { text } = await waitForMail(api.dataDir, address)
    const code = decodeURIComponent(/invitation\?code=(\S+)/.exec(text ?? '')?.[1] ?? '')
    if (code.startsWith(id)) return code
    if (Date.now() > deadline) throw new Error(`no mail of invitation ${id}`)
  }
}
const eventsOf = async (id: string) =>
  (await owner.call(servers.listServerEvents, { params: { id }, query: { limit: 100 } })).data
/** A guest who has accepted. */
async function guestWith(capabilities: Names): Promise<Caller> {
  const guest = await api.signUp()
  const { id } = await invite(owner, guest.user.username, capabilities)
  await accept(guest, id)
  return guest
}
const revoke = ({ call }: Pick<Caller, 'call'>, userId: string) =>
  call(sharing.revokeServerAccess, { params: { id: serverId, userId } })
const change = ({ call }: Pick<Caller, 'call'>, userId: string, capabilities: Names) =>
  call(sharing.changeServerAccess, { params: { id: serverId, userId }, body: { capabilities } })
const notificationsOf = ({ user }: Pick<Caller, 'user'>) =>
  api.context.db.selectFrom('notifications').select('kind').where('user_id', '=', user.id).execute()

describe('an invitation', () => {
  test('by name: waits in the panel, is mailed, and gives what was chosen and no more', async () => {
    const guest = await api.signUp()
    const sent = await invite(owner, guest.user.username.toUpperCase(), ['server.manage.console'])
    expect(sent).toMatchObject({
      to: guest.user.username,
      capabilities: ['server.manage.read', 'server.manage.console'],
    })
    expect(await waitingFor(guest)).toEqual([
      {
        id: sent.id,
        server_name: 'Meadow',
        invited_by: owner.user.username,
        capabilities: sent.capabilities,
        expires_at: sent.expires_at,
      },
    ])
    expect((await waitForMail(api.dataDir, guest.user.email)).subject).toBe(
      `${owner.user.username} shared the server “Meadow” with you`,
    )
    expect(await outcomeOf(guest.call(servers.getServer, { params: { id: serverId } }))).toBe('server_id_not_found')

    expect(await accept(guest, sent.id)).toEqual({ server_id: serverId })
    const [server] = await guest.call(users.listUserServers, { params: { id: guest.user.id } })
    expect(server).toMatchObject({
      id: serverId,
      owner_name: owner.user.username,
      user_capabilities: { 'server.manage.read': true, 'server.manage.console': true },
    })
    expect(await outcomeOf(guest.call(servers.stopServer, { params: { id: serverId } }))).toBe(
      'insufficient_capabilities',
    )
    expect(await outcomeOf(access(guest))).toBe('insufficient_capabilities')
    expect(await access(owner)).toMatchObject({
      owner: { user_id: owner.user.id },
      people: [
        { user_id: guest.user.id, username: guest.user.username, invited_by: owner.user.username, can_change: true },
      ],
      invitations: [],
    })
    expect((await notificationsOf(guest)).map(({ kind }) => kind)).toEqual(['SERVER_SHARED'])
    expect(await notificationsOf(owner)).toContainEqual({ kind: 'SERVER_GUEST_JOINED' })
    // The owner's money is not shared.
    const [wallet] = owner.user.wallets
    const read = guest.call(users.listUserWallets, { params: { id: owner.user.id } })
    expect([wallet === undefined, await outcomeOf(read)]).toEqual([false, 'user_not_found'])

    await revoke(owner, guest.user.id)
    expect(await outcomeOf(guest.call(servers.getServer, { params: { id: serverId } }))).toBe('server_id_not_found')
    expect(await notificationsOf(guest)).toContainEqual({ kind: 'SERVER_ACCESS_REVOKED' })
  })

  test('by address: the answer is the same whether or not there is an account', async () => {
    const { user } = await api.signUp()
    const known = await invite(owner, user.email)
    const unknown = await invite(owner, 'somebody.new@example.test')
    const shape = ({ id, to, created_at, expires_at, ...rest }: typeof known) => ({
      ...rest,
      own: [id, to, created_at, expires_at].length,
    })
    expect(shape(known)).toEqual(shape(unknown))
    expect([known.to, unknown.to]).toEqual([user.email, 'somebody.new@example.test'])
    const listed = (await access(owner)).invitations.filter(({ id }) => id === known.id || id === unknown.id)
    expect(listed.map(shape)).toEqual([shape(known), shape(unknown)])
    // Who reads the events learns neither.
    const told = JSON.stringify((await eventsOf(serverId)).filter(({ action }) => action === 'SERVER_SHARE_INVITE'))
    expect(told).toContain('s***@example.test')
    expect(told).not.toContain('somebody.new')
  })

  test('to an address without an account waits until somebody registers with it', async () => {
    const address = 'late.comer@example.test'
    const { id } = await invite(owner, address, ['server.packages'])
    const code = await mailedCode(address, id)
    expect((await waitForMail(api.dataDir, address)).text).toContain('register with this e-mail address')
    const guest = createCookieClient(api.origin)
    const user = await guest.call(users.register, {
      body: { username: 'late_comer', email: address, password: 'correct horse battery', accepted_tos: true },
    })
    // Unproved, the address opens nothing by itself; the mailed code proves it.
    expect(await waitingFor({ ...guest, user, password: '' })).toEqual([])
    expect(await guest.call(sharing.readInvitationLink, { body: { code } })).toMatchObject({ is_for_caller: true })
    expect(await acceptLink(guest, code)).toEqual({ server_id: serverId })
    expect(await outcomeOf(acceptLink(guest, code))).toBe('user_code_expired')
    await revoke(owner, user.id)
    // A link that was used lets nobody in again.
    expect(await outcomeOf(acceptLink(guest, code))).toBe('user_code_expired')
  })

  test('is for its account alone, in the panel and by link', async () => {
    const [guest, other] = [await api.signUp(), await api.signUp()]
    for (const to of [guest.user.username, guest.user.email]) {
      const { id } = await invite(owner, to)
      const code = await mailedCode(guest.user.email, id)
      expect(await outcomeOf(accept(other, id))).toBe('invitation_not_found')
      expect(
        await outcomeOf(other.call(sharing.declineInvitation, { params: { id: other.user.id, invitationId: id } })),
      ).toBe('invitation_not_found')
      const asGuest = { params: { id: guest.user.id, invitationId: id } }
      expect(await outcomeOf(other.call(sharing.acceptInvitation, asGuest))).toBe('user_not_found')
      expect(await outcomeOf(acceptLink(other, code))).toBe('invitation_for_another_account')
      expect(await other.call(sharing.readInvitationLink, { body: { code } })).toMatchObject({ is_for_caller: false })
      expect(await outcomeOf(acceptLink({ call: api.anonymous }, code))).toBe('unauthorized')
      expect(await api.anonymous(sharing.readInvitationLink, { body: { code } })).toMatchObject({ is_for_caller: null })
      for (const forged of [
        `${code}x`,
        code.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
        code.slice(0, 40),
        'x',
      ])
        expect(await outcomeOf(acceptLink(guest, forged))).toSatisfy((error: string) => error !== 'success')
      await owner.call(sharing.withdrawInvitation, { params: { id: serverId, invitationId: id } })
      expect(await outcomeOf(acceptLink(guest, code))).toBe('user_code_expired')
      expect(await outcomeOf(accept(guest, id))).toBe('invitation_not_found')
    }
  })

  test.runIf(isLong)('to an address goes with the address, one to a name with the name', async () => {
    const guest = await api.signUp()
    const byAddress = await invite(owner, guest.user.email)
    const oldCode = await mailedCode(guest.user.email, byAddress.id)
    const byName = await invite(owner, guest.user.username)
    await api.context.db
      .updateTable('users')
      .set({ email: `moved.${guest.user.email}` })
      .where('id', '=', guest.user.id)
      .execute()
    expect((await waitingFor(guest)).map(({ id }) => id)).toEqual([byName.id])
    expect(await outcomeOf(accept(guest, byAddress.id))).toBe('invitation_not_found')
    expect(await outcomeOf(acceptLink(guest, oldCode))).toBe('invitation_for_another_account')
    await accept(guest, byName.id)
    await revoke(owner, guest.user.id)
    // The link that went to an address which the account has left is dead.
    const again = await invite(owner, guest.user.username)
    const code = await mailedCode(`moved.${guest.user.email}`, again.id)
    await api.context.db
      .updateTable('users')
      .set({ email: `again.${guest.user.email}` })
      .where('id', '=', guest.user.id)
      .execute()
    expect(await outcomeOf(acceptLink(guest, code))).toBe('user_code_expired')
    expect((await waitingFor(guest)).map(({ id }) => id)).toEqual([again.id])
  })

  test.runIf(isLong)('that is late opens nothing', async () => {
    const guest = await api.signUp()
    const { id } = await invite(owner, guest.user.email)
    const code = await mailedCode(guest.user.email, id)
    await api.context.db
      .updateTable('server_invitations')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('id', '=', id)
      .execute()
    expect(await outcomeOf(accept(guest, id))).toBe('invitation_not_found')
    expect(await outcomeOf(acceptLink(guest, code))).toBe('user_code_expired')
    expect((await access(owner)).invitations.some((one) => one.id === id)).toBe(false)
  })

  test('is answered once, also by many at once; a decline needs no account', async () => {
    const guest = await api.signUp()
    const { id } = await invite(owner, guest.user.email)
    const code = await mailedCode(guest.user.email, id)
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => outcomeOf(acceptLink(guest, code))),
      ...Array.from({ length: 4 }, () => outcomeOf(accept(guest, id))),
    ])
    expect(answers.filter((one) => one === 'success')).toHaveLength(1)
    const accepted = (await eventsOf(serverId)).filter(
      ({ action, data }) => action === 'SERVER_SHARE_ACCEPT' && data['person'] === guest.user.id,
    )
    expect(accepted).toHaveLength(1)

    const refused = await invite(owner, 'no.thanks@example.test')
    const other = await mailedCode('no.thanks@example.test', refused.id)
    await api.anonymous(sharing.declineInvitationLink, { body: { code: other } })
    expect(await outcomeOf(api.anonymous(sharing.declineInvitationLink, { body: { code: other } }))).toBe(
      'user_code_expired',
    )
    const rows = await api.context.db
      .selectFrom('server_invitations')
      .select('email')
      .where('answer', 'is not', null)
      .execute()
    expect(rows.every(({ email }) => email === null)).toBe(true) // addresses are forgotten with the answer
  })

  test.runIf(isLong)('goes to somebody who needs it', async () => {
    const guest = await guestWith([])
    const waiting = await api.signUp()
    await invite(owner, waiting.user.username)
    const refused = async (to: string) => (await fieldsOf(invite(owner, to)))?.['to']
    expect(await refused(owner.user.username)).toBe('invitee_self')
    expect(await refused(owner.user.email.toUpperCase())).toBe('invitee_self')
    expect(await refused(guest.user.username)).toBe('invitee_has_access')
    expect(await refused(waiting.user.username)).toBe('invitee_waiting')
    expect(await refused('no such@address')).toBe('invitee')
    expect(await refused('a')).toBe('invitee')
    // That a guest has this address is not told; accepted, it takes nothing away.
    const { id } = await invite(owner, guest.user.email, ['server.packages'])
    await accept(guest, id)
    const person = (await access(owner)).people.find(({ user_id }) => user_id === guest.user.id)
    expect(person?.capabilities).toEqual({ 'server.manage.read': true, 'server.packages': true })
    expect(await outcomeOf(invite(owner, 'nobody_by_this_name'))).toBe('user_not_found')
    expect(await outcomeOf(invite(await api.signUp({ verified: false }), 'late_comer'))).toBe('server_id_not_found')
    const body = { to: 'late_comer', capabilities: ['server'] } as never
    expect(await outcomeOf(owner.call(sharing.inviteToServer, { params: { id: serverId }, body }))).toBe(
      'invalid_request',
    )
  })
})

describe('limits', () => {
  test.runIf(isLong)('of people on a server and of invitations in a day hold against many at once', async () => {
    await using tight = await startTestApi({ LIMIT_INVITATIONS: '5', SHARED_PEOPLE: '3' }).then((one) => ({
      ...one,
      [Symbol.asyncDispose]: () => one.close(),
    }))
    const customer = await tight.signUp()
    const wallet = await topUp(tight.context, customer, 5000)
    const { id } = await customer.call(servers.createServer, { body: order(wallet, '1.21.4') })
    const many = (count: number, from: string) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          outcomeOf(invite(customer, `${from}${index}@example.test`, [], id)),
        ),
      )
    const first = await many(8, 'a')
    expect(first.filter((one) => one === 'success')).toHaveLength(3)
    expect(first.filter((one) => one === 'too_many_people_on_server')).toHaveLength(5)
    for (const invitation of (await access(customer, id)).invitations)
      await customer.call(sharing.withdrawInvitation, { params: { id, invitationId: invitation.id } })
    // Withdrawing makes room on the server, but the day's number is spent.
    const second = await many(6, 'b')
    expect(second.filter((one) => one === 'success')).toHaveLength(2)
    expect(second.filter((one) => one === 'too_many_requests')).toHaveLength(4)
  })
})

describe('who shares', () => {
  test('the owner stays; guests leave by themselves', async () => {
    const guest = await guestWith(['server.manage'])
    expect(await outcomeOf(revoke(owner, owner.user.id))).toBe('user_owns_server')
    expect(await outcomeOf(change(owner, owner.user.id, []))).toBe('user_owns_server')
    expect(await outcomeOf(owner.call(sharing.leaveServer, { params: { id: serverId } }))).toBe('user_owns_server')
    await guest.call(sharing.leaveServer, { params: { id: serverId } })
    expect(await outcomeOf(guest.call(servers.getServer, { params: { id: serverId } }))).toBe('server_id_not_found')
    expect(await outcomeOf(guest.call(sharing.leaveServer, { params: { id: serverId } }))).toBe('server_id_not_found')
    expect(await notificationsOf(owner)).toContainEqual({ kind: 'SERVER_GUEST_LEFT' })
    expect((await eventsOf(serverId))[0]).toMatchObject({
      action: 'SERVER_SHARE_LEAVE',
      data: { executor: guest.user.id, person: guest.user.id },
      person: { username: guest.user.username },
    })
  })

  test('managing a server is not sharing it', async () => {
    const manager = await guestWith(['server.manage', 'server.packages'])
    const calls = [
      access(manager),
      invite(manager, 'friend@example.test'),
      revoke(manager, manager.user.id),
      change(manager, manager.user.id, ['server.share']),
    ]
    for (const code of await Promise.all(calls.map(outcomeOf))) expect(code).toBe('insufficient_capabilities')
  })

  test('who was given sharing passes on what they hold, never sharing, and rules over no equals', async () => {
    const sharer = await guestWith(['server.share', 'server.manage.power'])
    const manager = await guestWith(['server.manage'])
    const equal = await guestWith(['server.share'])
    const below = await guestWith(['server.manage.power'])
    const list = await access(sharer)
    expect(list.grantable).toEqual(['server.manage.read', 'server.manage.power'])
    const changeable = list.people.filter((person) => person.can_change).map(({ user_id }) => user_id)
    expect(changeable).toContain(below.user.id)
    for (const person of [sharer, manager, equal]) expect(changeable).not.toContain(person.user.id)

    const friend = await api.signUp()
    const refused = 'insufficient_capabilities'
    for (const beyond of ['server.share', 'server.manage', 'server.manage.console', 'server.packages'] as const) {
      expect(await outcomeOf(invite(sharer, friend.user.username, [beyond]))).toBe(refused)
      expect(await outcomeOf(change(sharer, below.user.id, [beyond]))).toBe(refused)
    }
    for (const person of [manager, equal, sharer]) {
      expect(await outcomeOf(change(sharer, person.user.id, []))).toBe(refused)
      expect(await outcomeOf(revoke(sharer, person.user.id))).toBe(refused)
    }
    expect(await outcomeOf(revoke(sharer, owner.user.id))).toBe('user_owns_server')
    const { id: owners } = await invite(owner, 'managed@example.test', ['server.manage'])
    const withdraw = sharer.call(sharing.withdrawInvitation, { params: { id: serverId, invitationId: owners } })
    expect(await outcomeOf(withdraw)).toBe(refused)
    await change(sharer, below.user.id, [])
    await revoke(sharer, below.user.id)

    // What they sent falls with their own rights.
    const { id } = await invite(sharer, friend.user.username, ['server.manage.power'])
    await change(owner, sharer.user.id, ['server.share'])
    expect(await waitingFor(friend)).toEqual([])
    expect(await outcomeOf(accept(friend, id))).toBe('invitation_not_found')
    const { id: later } = await invite(sharer, friend.user.username)
    // Even if the right was taken in a way that knows nothing of invitations.
    await api.context.db
      .deleteFrom('user_capabilities')
      .where('user_id', '=', sharer.user.id)
      .where('name', '=', 'server.share')
      .execute()
    expect(await outcomeOf(accept(friend, later))).toBe('invitation_not_found')
    expect(await outcomeOf(friend.call(servers.getServer, { params: { id: serverId } }))).toBe('server_id_not_found')
  })

  test('one server’s people and invitations are no other’s', async () => {
    const other = await api.signUp()
    const otherServer = await rent(other)
    const guest = await guestWith([])
    const { id: invitationId } = await invite(owner, 'elsewhere@example.test')
    const calls = [access(other), invite(other, 'friend@example.test'), revoke(other, guest.user.id)]
    for (const code of await Promise.all(calls.map(outcomeOf))) expect(code).toBe('server_id_not_found')
    const inPath = { params: { id: otherServer, invitationId } }
    expect(await outcomeOf(other.call(sharing.withdrawInvitation, inPath))).toBe('invitation_not_found')
    const person = { id: otherServer, userId: guest.user.id }
    expect(await outcomeOf(other.call(sharing.revokeServerAccess, { params: person }))).toBe('user_not_found')
    const body = { capabilities: ['server.manage' as const] }
    expect(await outcomeOf(other.call(sharing.changeServerAccess, { params: person, body }))).toBe('user_not_found')
    const list = other.call(sharing.listInvitations, { params: { id: guest.user.id } })
    expect(await outcomeOf(list)).toBe('user_not_found')
    expect(await guest.call(servers.getServer, { params: { id: serverId } })).toMatchObject({ id: serverId })
  })

  test.runIf(isLong)('an administrator acts in the owner’s place', async () => {
    const admin = await api.signUp({ admin: true })
    const guest = await api.signUp()
    const { id } = await invite(admin, guest.user.username, ['server.share'])
    await accept(guest, id)
    await change(admin, guest.user.id, ['server.manage'])
    await revoke(admin, guest.user.id)
    await admin.call(sharing.leaveServer, { params: { id: serverId } }) // there is nothing to leave
  })

  test.runIf(isLong)('a deleted account is out of all sharing, and keeps no address behind', async () => {
    const guest = await guestWith(['server.share'])
    await invite(guest, 'friend.of.guest@example.test')
    await invite(owner, guest.user.email)
    await inTransaction(api.context.db, (trx) => erasePersonalData(trx, guest.user.id))
    const list = await access(owner)
    expect(list.people.map(({ user_id }) => user_id)).not.toContain(guest.user.id)
    const addresses = list.invitations.map(({ to }) => to)
    expect(addresses).not.toContain('friend.of.guest@example.test')
    expect(addresses).not.toContain(guest.user.email)
    expect(await outcomeOf(guest.call(servers.getServer, { params: { id: serverId } }))).toBe('server_id_not_found')
  })
})
