/** What a new customer is told to do first follows from what there is, and is hidden for good by who does not want it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeFirstSteps, getFirstSteps } from '@wakestone/contract/accounts/first-steps-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'
import { order } from '../../../../../../tests/support/servers.ts'
import { inTransaction } from '#src/db/client.ts'
import { creditWallet } from '#src/features/money/wallets/service.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())
const query = (text: string, values: unknown[]) => api.context.database.pool.query(text, values)

test('each step is done by doing it, and nobody else’s doing counts', async () => {
  const { call, user } = await api.signUp()
  const other = await api.signUp()
  await query('update users set email_verified = null where id = $1', [user.id])
  expect(await call(getFirstSteps, {})).toEqual({ done: [], server_id: null, servers: [], closed: false })
  await query('update users set email_verified = now() where id = $1', [user.id])
  const wallet = user.wallets.find(({ currency }) => currency === 'PLN')!.id
  await inTransaction(api.context.db, (trx) =>
    creditWallet(trx, {
      userId: user.id,
      walletId: wallet,
      currency: 'PLN',
      amount: 10_000,
      tax: 0,
      source: 'adjustment',
      refundable: false,
      cause: 'ADJUSTMENT',
      scope: 'test',
      key: user.id,
      status: 'ADMIN_ACTION',
      name: 'WALLET_TOP_UP',
      details: {},
    }),
  )
  const server = await call(createServer, { body: order(wallet, '1.21.4') })
  const told = await call(getFirstSteps, {})
  expect(told).toEqual({
    done: ['confirm_email', 'top_up', 'rent'],
    server_id: server.id,
    servers: [{ id: server.id, joined: false, invited: false, closed: false }],
    closed: false,
  })
  await query(`insert into player_sessions (server_id, name, joined_at) values ($1, 'Zosia', now())`, [server.id])
  await query(
    `insert into server_invitations (server_id, invited_by, user_id, language, capabilities, expires_at)
     values ($1, $2, $3, 'en', '{server.manage.read}', now() + interval '7 days')`,
    [server.id, user.id, other.user.id],
  )
  expect(await call(getFirstSteps, {})).toMatchObject({
    done: ['confirm_email', 'top_up', 'rent', 'join', 'invite'],
    servers: [{ id: server.id, joined: true, invited: true, closed: false }],
  })
  expect((await other.call(getFirstSteps, {})).done).toEqual(['confirm_email'])

  // Each server has its own, and hides them by itself.
  const second = await call(createServer, { body: order(wallet, '1.21.4') })
  const hide = { query: { server_id: server.id } }
  expect(await outcomeOf(other.call(closeFirstSteps, hide))).toBe('server_id_not_found')
  await call(closeFirstSteps, hide)
  expect(await call(getFirstSteps, {})).toMatchObject({
    server_id: second.id,
    servers: [
      { id: second.id, joined: false, invited: false, closed: false },
      { id: server.id, closed: true },
    ],
    closed: false,
  })
})

test('who hides the list never sees it again, and hides it for nobody else', async () => {
  const [one, other] = [await api.signUp(), await api.signUp()]
  await one.call(closeFirstSteps, {})
  await one.call(closeFirstSteps, {})
  expect((await one.call(getFirstSteps, {})).closed).toBe(true)
  expect((await other.call(getFirstSteps, {})).closed).toBe(false)
})
