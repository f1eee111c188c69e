/**
 * Pterodactyl's client API, called as its published clients call it: the requests below were recorded from Nodeactyl 3.3.0
 * (npm), and are those that pydactyl 2.1 (PyPI) makes by its source.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createApiKey } from '@wakestone/contract/accounts/api-keys-routes'
import type { createApiKeyBody } from '@wakestone/contract/accounts/api-key'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import type { z } from 'zod'
import { startUpstreams, type Upstreams } from '@wakestone/simulators/upstreams'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { isLong } from '../support/long.ts'
import { order, setPrepared, shareServer, topUp } from '../support/servers.ts'

vi.setConfig({ hookTimeout: 120_000, testTimeout: 60_000 })

type Json = Record<string, unknown> & { object?: string; attributes?: Record<string, unknown>; data?: Json[] }
type Scopes = z.input<typeof createApiKeyBody>['scopes']

let upstreams: Upstreams
let api: TestApi
let owner: Caller
let guest: Caller
let serverId: string
let key: string
let call: ReturnType<typeof callerWith>

const keyOf = async ({ call: ask, user }: Caller, scopes: Scopes) => {
  const made = await ask(createApiKey, { params: { id: user.id }, body: { name: 'bot', scopes, expires_at: null } })
  return made.key
}

const nodeactyl = {
  accept: 'Application/vnd.pterodactyl.v1+json',
  'content-type': 'application/json',
  'user-agent': 'axios/0.22.0',
}
const pydactyl = {
  accept: 'application/json',
  'content-type': 'application/json',
  'user-agent': 'python-requests/2.32.3',
}

const callerWith =
  (token: string | undefined, headers: Record<string, string> = nodeactyl) =>
  async (method: string, path: string, body?: string, more: Record<string, string> = {}) => {
    const answer = await fetch(`${api.origin}/api/client${path.replaceAll('SERVER', serverId.slice(0, 8))}`, {
      method,
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }), ...more },
      ...(body !== undefined && { body }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    return { status: answer.status, text, json: (isJson ? JSON.parse(text) : {}) as Json, headers: answer.headers }
  }
const faultsOf = ({ json }: { json: Json }) => json['errors'] as { code: string; status: string; detail: string }[]

beforeAll(async () => {
  upstreams = await startUpstreams()
  api = await startTestApi(upstreams.settings)
  owner = await api.signUp()
  guest = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  serverId = (await owner.call(createServer, { body: order(walletId, '1.21.4', { engine: 'vanilla' }) })).id
  key = await keyOf(owner, ['server', 'user.read'])
  call = callerWith(key)
})
afterAll(async () => {
  await api?.close()
  await upstreams?.close()
})

describe('Nodeactyl', () => {
  test('reads the account and the servers', async () => {
    expect((await call('GET', '/account')).json).toMatchObject({
      object: 'user',
      attributes: { username: owner.user.username, email: owner.user.email, language: 'en', admin: false },
    })
    for (const path of ['?page=1', '/?page=1']) {
      const { json } = await call('GET', path)
      expect(json).toMatchObject({
        object: 'list',
        data: [{ object: 'server', attributes: { identifier: serverId.slice(0, 8), uuid: serverId, name: 'Meadow' } }],
        meta: { pagination: { total: 1, count: 1, per_page: 50, current_page: 1, total_pages: 1 } },
      })
    }
    const { json } = await call('GET', '/servers/SERVER')
    expect(json).toMatchObject({
      object: 'server',
      attributes: {
        server_owner: true,
        status: 'installing',
        is_installing: true,
        limits: { memory: 2048, disk: 10_240, cpu: 100, swap: 0 },
        relationships: { allocations: { object: 'list', data: [{ attributes: { is_default: true } }] } },
      },
      meta: { is_server_owner: true, user_permissions: ['*'] },
    })
    expect((await call('GET', `/servers/${serverId}`)).json).toEqual(json)
    expect((await call('GET', '/servers/SERVER/resources')).json).toMatchObject({
      object: 'stats',
      attributes: { current_state: 'offline', is_suspended: false, resources: { memory_bytes: 0, uptime: 0 } },
    })
  })

  test('is told why a server is not ready', async () => {
    const answer = await call('POST', '/servers/SERVER/power', '{"signal":"start"}')
    expect([answer.status, faultsOf(answer)]).toEqual([
      409,
      [
        {
          code: 'ServerStateConflictException',
          status: '409',
          detail: expect.stringContaining('installation process'),
        },
      ],
    ])
    await setPrepared(api, serverId)
  })

  test('starts, stops, restarts and kills', async () => {
    const wanted = async () => {
      const row = await api.context.db
        .selectFrom('servers')
        .select(['want_running', 'restarts_wanted'])
        .where('id', '=', serverId)
        .executeTakeFirstOrThrow()
      return [row.want_running, row.restarts_wanted]
    }
    const power = async (signal: string) =>
      (await call('POST', '/servers/SERVER/power', JSON.stringify({ signal }))).status
    expect([await power('stop'), await wanted()]).toEqual([204, [false, 0]])
    expect([await power('start'), await wanted()]).toEqual([204, [true, 0]])
    const { json } = await call('GET', '/servers/SERVER/resources')
    expect(json.attributes).toMatchObject({ current_state: 'starting' })
    // Again is no error there either.
    expect(await power('start')).toBe(204)
    expect(await power('kill')).toBe(204)
    await api.context.db.updateTable('servers').set({ phase: 'running' }).where('id', '=', serverId).execute()
    expect([await power('restart'), await wanted()]).toEqual([204, [true, 1]])
    await api.context.db.updateTable('servers').set({ phase: null }).where('id', '=', serverId).execute()
    const wrong = await call('POST', '/servers/SERVER/power', '{"signal":"explode"}')
    expect([wrong.status, faultsOf(wrong)[0]]).toEqual([
      422,
      expect.objectContaining({ code: 'ValidationException', status: '422', meta: expect.anything() }),
    ])
  })

  test('types a command, which needs a game; and is told where the console is', async () => {
    const typed = await call('POST', '/servers/SERVER/command', '{"command":"say hello"}')
    expect([typed.status, faultsOf(typed)[0]?.detail]).toEqual([
      502,
      'Server must be online in order to send commands.',
    ])
    const socket = await call('GET', '/servers/SERVER/websocket')
    expect([socket.status, faultsOf(socket)[0]?.status]).toEqual([501, '501'])
  })

  test('lists backups and makes one', async () => {
    expect((await call('GET', '/servers/SERVER/backups')).json).toMatchObject({
      object: 'list',
      data: [],
      meta: { backup_count: 0, pagination: { total: 0 } },
    })
    const made = await call('POST', '/servers/SERVER/backups')
    expect([made.status, made.json]).toMatchObject([
      200,
      { object: 'backup', attributes: { is_successful: false, completed_at: null } },
    ])
  })
})

test.runIf(isLong)('pydactyl works on files', async () => {
  const ask = callerWith(key, pydactyl)
  const text = 'two\nlines ☘\n'
  const written = await ask('POST', '/servers/SERVER/files/write?file=%2Fnotes.txt', text, {
    'content-type': 'application/text',
  })
  expect([written.status, written.text]).toEqual([204, ''])
  // Some clients say that everything is JSON.
  expect((await ask('POST', '/servers/SERVER/files/write?file=plain.json', 'no json')).status).toBe(204)
  expect((await ask('GET', '/servers/SERVER/files/contents?file=%2Fnotes.txt')).text).toBe(text)
  const { json } = await ask('GET', '/servers/SERVER/files/list?directory=%2F')
  expect(json.object).toBe('list')
  expect(json.data?.find(({ attributes }) => attributes?.['name'] === 'notes.txt')).toMatchObject({
    object: 'file_object',
    attributes: {
      is_file: true,
      is_symlink: false,
      size: Buffer.byteLength(text),
      mode: '-rw-r--r--',
      mode_bits: '644',
    },
  })
  const folder = await ask('POST', '/servers/SERVER/files/create-folder', '{"root": "/", "name": "plugins"}')
  expect(folder.status).toBe(204)
  const renamed = { root: '/', files: [{ from: 'notes.txt', to: 'plugins/notes.txt' }] }
  expect((await ask('PUT', '/servers/SERVER/files/rename', JSON.stringify(renamed))).status).toBe(204)
  const inside = await ask('GET', '/servers/SERVER/files/list?directory=plugins')
  expect(inside.json.data?.map(({ attributes }) => attributes?.['name'])).toEqual(['notes.txt'])
  const signed = await ask('GET', '/servers/SERVER/files/download?file=plugins%2Fnotes.txt')
  const { pathname } = new URL(String(signed.json.attributes?.['url']))
  expect(await (await fetch(`${api.origin}${pathname}`)).text()).toBe(text)
  const deleted = await ask('POST', '/servers/SERVER/files/delete', '{"root": "/", "files": ["plugins"]}')
  expect(deleted.status).toBe(204)
  const gone = await ask('GET', '/servers/SERVER/files/contents?file=plugins%2Fnotes.txt')
  expect([gone.status, faultsOf(gone)[0]?.code]).toEqual([404, 'NotFoundHttpException'])
  const outside = await ask('GET', '/servers/SERVER/files/contents?file=..%2F..%2Fetc%2Fpasswd')
  expect([outside.status, faultsOf(outside)[0]?.status]).toEqual([422, '422'])
})

describe('rights are those of our own API', () => {
  test('nobody without a key, or with a wrong one', async () => {
    const unauthenticated = [{ code: 'AuthenticationException', status: '401', detail: 'Unauthenticated.' }]
    for (const token of [undefined, `${key}x`, 'ptlc_abcdef']) {
      const answer = await callerWith(token)('GET', '/servers/SERVER')
      expect([answer.status, faultsOf(answer)]).toEqual([401, unauthenticated])
    }
    // A session is none: this API knows keys only.
    const answer = await callerWith(undefined)('GET', '', undefined, { cookie: owner.cookie() })
    expect(answer.status).toBe(401)
  })

  test('a server of somebody else does not exist', async () => {
    const foreign = callerWith(await keyOf(guest, ['server']))
    for (const path of ['/servers/SERVER', `/servers/${serverId}`, '/servers/SERVER/files/list', '/servers/ffffffff']) {
      const answer = await foreign('GET', path)
      expect([path, answer.status, faultsOf(answer)[0]?.code]).toEqual([path, 404, 'NotFoundHttpException'])
    }
    expect((await foreign('GET', '')).json.data).toEqual([])
  })

  test('who may only look, and a key that may only look, change nothing', async () => {
    await shareServer(api.context, { serverId, userId: guest.user.id, capabilities: { 'server.manage.read': true } })
    const reader = callerWith(await keyOf(guest, ['server']))
    const lookingKey = callerWith(await keyOf(owner, ['server.manage.read']))
    for (const ask of [reader, lookingKey]) {
      expect((await ask('GET', '/servers/SERVER')).status).toBe(200)
      for (const [method, path, body] of [
        ['POST', '/servers/SERVER/power', '{"signal":"start"}'],
        ['POST', '/servers/SERVER/command', '{"command":"op me"}'],
        ['POST', '/servers/SERVER/files/write?file=a.txt', 'x'],
        ['POST', '/servers/SERVER/backups', undefined],
      ] as const) {
        const answer = await ask(method, path, body)
        expect([path, answer.status, faultsOf(answer)[0]?.code]).toEqual([path, 403, 'AuthorizationException'])
      }
    }
    expect((await reader('GET', '/servers/SERVER')).json['meta']).toEqual({
      is_server_owner: false,
      user_permissions: ['websocket.connect'],
    })
    // The account is read with its own scope.
    expect((await lookingKey('GET', '/account')).status).toBe(403)
  })

  test('what this API lacks is not found, in its own shape', async () => {
    const answer = await call('GET', '/servers/SERVER/schedules')
    expect([answer.status, faultsOf(answer)[0]]).toEqual([
      404,
      expect.objectContaining({ code: 'NotFoundHttpException' }),
    ])
  })
})
