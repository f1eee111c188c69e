/** Files of servers through the front door, with their real service: who may have them, and what comes of it. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginViewAs } from '@wakestone/contract/admin/admin-routes'
import * as routes from '@wakestone/contract/servers/files-routes'
import { listServerEvents } from '@wakestone/contract/servers/servers-routes'
import { tellFileChanges } from '../../apps/server/src/features/servers/files/changes.ts'
import type { Caller } from '../support/api.ts'
import {
  ask,
  contentPath,
  createTicket,
  type FilesApi,
  linesOf,
  readFrom,
  rentWithFiles,
  startFilesApi,
  writeInto,
} from '../support/files.ts'
import { isLong } from '../support/long.ts'
import { outcomeOf } from '../support/outcome.ts'
import { shareServer } from '../support/servers.ts'

let api: FilesApi
let owner: Caller
let reader: Caller
let serverId: string
const params = () => ({ id: serverId })

beforeAll(async () => {
  api = await startFilesApi()
  owner = await api.signUp()
  reader = await api.signUp()
  serverId = await rentWithFiles(api, owner, {
    'server.properties': 'motd=hello\n',
    'logs/latest.log': 'one\ntwo\nthree\n',
    'page.html': '<script>alert(1)</script>',
    'Zażółć "gęślą".txt': 'jaźń',
    '.hidden': '',
  })
  await shareServer(api.context, {
    serverId,
    userId: reader.user.id,
    capabilities: { 'server.manage.read': true, 'server.manage': false },
  })
}, 120_000)
afterAll(() => api?.close())

const list = async (query: Record<string, string> = {}, caller = owner) =>
  linesOf(await ask(api, caller, `/api/v1/servers/${serverId}/files/list?${new URLSearchParams(query)}`))
const namesOf = (lines: unknown[]) => lines.filter(Array.isArray).map(([name]) => name as string)

describe('reading', () => {
  test('a folder is told line by line, and how it ended', async () => {
    const lines = await list()
    expect(namesOf(lines).toSorted()).toEqual(['Zażółć "gęślą".txt', 'logs', 'page.html', 'server.properties'])
    expect(lines.find((line) => Array.isArray(line) && line[0] === 'server.properties')).toMatchObject({
      1: 'file',
      2: 11,
    })
    expect(lines.at(-1)).toEqual({ end: true, truncated: false })
    expect(namesOf(await list({ hidden: '1' }))).toContain('.hidden')
    expect(await list({ path: 'nowhere' })).toMatchObject([{ error: 'file_does_not_exist' }])
    expect(await list({ path: '../..' })).toMatchObject([{ error: 'invalid_request' }])
  })

  test('the content of a file comes whole or in parts, under its own name, and never as a page of ours', async () => {
    const whole = await ask(api, owner, contentPath(serverId, { path: 'page.html' }))
    expect(whole.status).toBe(200)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=page.html',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
      'content-length': '25',
    })
    expect(await whole.text()).toBe('<script>alert(1)</script>')

    const path = 'logs/latest.log'
    const part = await ask(api, owner, contentPath(serverId, { path, startByte: '4', endByte: '6' }))
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 4-6/14', 'two'])
    const tail = await ask(api, owner, contentPath(serverId, { path }), { headers: { range: 'bytes=-6' } })
    expect([tail.status, await tail.text()]).toEqual([206, 'three\n'])
    const beyond = await ask(api, owner, contentPath(serverId, { path, startByte: '99' }))
    expect([beyond.status, await beyond.json()]).toMatchObject([416, { error: 'range_not_satisfiable' }])

    const named = await ask(api, owner, contentPath(serverId, { path: 'Zażółć "gęślą".txt' }), { method: 'HEAD' })
    expect(named.headers.get('content-disposition')).toContain(
      "filename*=UTF-8''Za%C5%BC%C3%B3%C5%82%C4%87%20%22g%C4%99%C5%9Bl%C4%85%22.txt",
    )
    expect(named.headers.get('content-length')).toBe('6')
    expect(await named.text()).toBe('')
  })

  test('a log is read by offset, and from its end', async () => {
    const read = (query: object) => owner.call(routes.readLog, { params: params(), query })
    expect(await read({})).toEqual({ offset: 0, length: 14, totalBytes: 14, data: 'one\ntwo\nthree\n' })
    expect(await read({ offset: 4, length: 3 })).toEqual({ offset: 4, length: 3, totalBytes: 14, data: 'two' })
    expect(await read({ offset: -6 })).toMatchObject({ offset: 8, data: 'three\n' })
    expect(await read({ offset: 99 })).toEqual({ offset: 14, length: 0, totalBytes: 14, data: '' })
    expect(await outcomeOf(read({ path: 'logs' }))).toBe('file_has_other_type')
  })
})

describe('a download by ticket', () => {
  test('needs nothing but the ticket, keeps ranges, and is no way around', async () => {
    const { url, expires_at, offset } = await createTicket(owner, serverId, {
      purpose: 'read',
      path: 'server.properties',
    })
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(9 * 60_000)
    expect(offset).toBeNull()
    const whole = await ask(api, undefined, url)
    expect([whole.status, await whole.text()]).toEqual([200, 'motd=hello\n'])
    expect(whole.headers.get('content-security-policy')).toMatch(/^sandbox;/)
    const part = await ask(api, undefined, url, { headers: { range: 'bytes=5-9' } })
    expect([part.status, await part.text()]).toEqual([206, 'hello'])
    const head = await ask(api, undefined, url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '11'])

    expect((await ask(api, undefined, url, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    expect((await ask(api, undefined, url, { method: 'PATCH', body: 'x' })).status).toBe(403)
    const unknown = await ask(api, owner, `/transfers/${'x'.repeat(43)}`)
    expect([unknown.status, await unknown.json()]).toMatchObject([403, { error: 'transfer_ended' }])
  })

  test('is over once its time is, or its session', async () => {
    const guest = await api.signUp()
    await shareServer(api.context, { serverId, userId: guest.user.id, capabilities: { 'server.manage': true } })
    const { url } = await createTicket(guest, serverId, { purpose: 'read', path: 'server.properties' })
    expect((await ask(api, undefined, url)).status).toBe(200)
    await api.context.database.pool.query('update sessions set ended_at = now() where user_id = $1', [guest.user.id])
    expect((await ask(api, undefined, url)).status).toBe(403)

    const other = await createTicket(owner, serverId, { purpose: 'read', path: 'server.properties' })
    await api.context.database.pool.query(`update file_tickets set expires_at = now() - interval '1 second'`)
    expect((await ask(api, undefined, other.url)).status).toBe(403)
  })
})

test('who may only look at a server sees none of its files', async () => {
  const calls = [
    () => reader.call(routes.getFileStat, { params: params(), query: { path: 'server.properties' } }),
    () => createTicket(reader, serverId, { purpose: 'read', path: 'server.properties' }),
    () => reader.call(routes.deleteFiles, { params: params(), body: { paths: ['server.properties'] } }),
    () => reader.call(routes.listTrash, { params: params() }),
  ]
  for (const call of calls) expect(await outcomeOf(call())).toBe('insufficient_capabilities')
  expect(await list({}, reader)).toMatchObject([{ error: 'insufficient_capabilities' }])
  const put = { method: 'PUT', body: 'x' }
  for (const init of [{}, put])
    expect((await ask(api, reader, contentPath(serverId, { path: 'server.properties' }), init)).status).toBe(403)
})

test.runIf(isLong)('a server that is being prepared, or has lost its files, says so', async () => {
  const { pool } = api.context.database
  const id = await rentWithFiles(api, owner)
  const stat = () => outcomeOf(owner.call(routes.getFileStat, { params: { id }, query: { path: '' } }))
  expect(await stat()).toBe('success')
  await pool.query('update servers set prepared_at = null where id = $1', [id])
  expect(await stat()).toBe('server_is_preparing')
  await pool.query('update servers set prepared_at = now(), files_deleted_at = now() where id = $1', [id])
  expect(await stat()).toBe('server_has_no_files')
})

describe('writing', () => {
  const save = (path: string, body: string, headers: Record<string, string> = {}, caller = owner) =>
    ask(api, caller, contentPath(serverId, { path }), { method: 'PUT', body, headers })

  test('two editors: whoever saves second learns that it has changed, and what it was is kept', async () => {
    const path = 'paper.yml'
    const made = await save(path, 'a: 1\n', { 'if-none-match': '*' })
    expect(made.status).toBe(200)
    const { revision } = (await made.json()) as { revision: string }
    expect((await save(path, 'again', { 'if-none-match': '*' })).status).toBe(400)
    const opened = await ask(api, owner, contentPath(serverId, { path }))
    expect(opened.headers.get('etag')).toBe(`"${revision}"`)
    await opened.text()

    const first = await save(path, 'a: 2\n', { 'if-match': `"${revision}"` })
    expect(first.status).toBe(200)
    const second = await save(path, 'a: 3\n', { 'if-match': `"${revision}"` })
    expect([second.status, await second.json()]).toMatchObject([409, { error: 'file_has_been_modified_since' }])
    expect(readFrom(api, serverId, path).toString()).toBe('a: 2\n')

    const { revisions } = await owner.call(routes.listFileRevisions, { params: params(), query: { path } })
    expect(revisions).toHaveLength(1)
    const query = { path, revision: revisions[0]!.id }
    expect(await owner.call(routes.getFileRevision, { params: params(), query })).toEqual({ text: 'a: 1\n' })
    expect((await save(path, 'x', { 'if-match': 'no quotes' })).status).toBe(400)
  })

  test('moving, renaming, folders and the trash', async () => {
    const call = { params: params() }
    const names = async (path: string) => namesOf(await list({ path })).toSorted()
    for (const name of ['a.txt', 'b.txt']) writeInto(api, serverId, `work/${name}`, name)
    await owner.call(routes.makeFolder, { ...call, body: { path: 'work/inner/deep' } })
    const { paths } = await owner.call(routes.moveFiles, { ...call, body: { from: ['work/a.txt'], to: 'work/inner' } })
    expect(paths).toEqual(['work/inner/a.txt'])
    const renamed = await owner.call(routes.renameFile, { ...call, body: { from: 'work/b.txt', to: 'work/c.txt' } })
    expect(renamed).toEqual({ path: 'work/c.txt' })
    expect(await names('work')).toEqual(['c.txt', 'inner'])
    const clash = owner.call(routes.renameFile, { ...call, body: { from: 'work/c.txt', to: 'work/inner' } })
    expect(await outcomeOf(clash)).toBe('resource_already_exists')

    await owner.call(routes.deleteFiles, { ...call, body: { paths: ['work/inner', 'work/c.txt'] } })
    expect(await names('work')).toEqual([])
    const { entries } = await owner.call(routes.listTrash, call)
    expect(entries.map(({ path, type }) => [path, type]).toSorted()).toEqual([
      ['work/c.txt', 'file'],
      ['work/inner', 'folder'],
    ])
    expect(Date.parse(entries[0]!.until) - Date.parse(entries[0]!.deleted_at)).toBe(7 * 86_400_000)
    const folder = entries.find(({ type }) => type === 'folder')!
    const restored = await owner.call(routes.restoreTrash, { ...call, body: { ids: [folder.id] } })
    expect(restored).toEqual({ paths: ['work/inner'] })
    expect(await names('work/inner')).toEqual(['a.txt', 'deep'])
    await owner.call(routes.removeTrash, { ...call, body: { ids: null } })
    expect((await owner.call(routes.listTrash, call)).entries).toEqual([])
  })

  test('an upload that is cut goes on from where it was, and is put into its place whole', async () => {
    const bytes = randomBytes(3_000_000)
    const body = { purpose: 'upload', path: 'mods/big.jar', size: bytes.length, mtime: 1_700_000_000_000 } as const
    const begun = await createTicket(owner, serverId, body)
    expect(begun.offset).toBe(0)
    const send = (
      url: string,
      offset: number,
      part: NonNullable<RequestInit['body']>,
      headers: Record<string, string> = {},
    ) =>
      ask(api, undefined, url, {
        method: 'PATCH',
        body: part,
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': `${offset}`, ...headers },
      })
    const first = await send(begun.url, 0, bytes.subarray(0, 1_000_000))
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '1000000'])

    // The browser goes away in the middle of a part.
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.subarray(1_000_000, 1_500_000))
        setTimeout(() => controller.error(new Error('gone')), 100)
      },
    })
    await expect(send(begun.url, 1_000_000, broken)).rejects.toThrow('fetch failed')
    const again = await createTicket(owner, serverId, body)
    expect(again.offset).toBeGreaterThanOrEqual(1_000_000)
    const head = await ask(api, undefined, again.url, { method: 'HEAD' })
    expect([head.status, head.headers.get('upload-length')]).toEqual([200, '3000000'])
    const offset = Number(head.headers.get('upload-offset'))
    expect(offset).toBe(again.offset)

    const wrong = await send(again.url, 10, bytes.subarray(10))
    expect([wrong.status, await wrong.json()]).toMatchObject([409, { error: 'upload_offset_differs' }])
    const digest = createHash('sha256').update(bytes.subarray(0, 9)).digest('base64')
    const damaged = await send(again.url, offset, bytes.subarray(offset), { 'upload-checksum': `sha256 ${digest}` })
    expect([damaged.status, await damaged.json()]).toMatchObject([460, { error: 'upload_checksum_differs' }])
    const sum = createHash('sha256').update(bytes.subarray(offset)).digest('base64')
    const last = await send(again.url, offset, bytes.subarray(offset), { 'upload-checksum': `sha256 ${sum}` })
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '3000000'])
    expect(readFrom(api, serverId, 'mods/big.jar').equals(bytes)).toBe(true)

    // Who did not hear that it is there, and begins anew, has nothing left to send; another file of that name is refused.
    const anew = await createTicket(owner, serverId, body)
    expect(anew.offset).toBe(3_000_000)
    const told = await ask(api, undefined, anew.url, { method: 'HEAD' })
    expect([told.status, told.headers.get('upload-offset')]).toEqual([200, '3000000'])
    const other = createTicket(owner, serverId, { ...body, mtime: body.mtime + 1000 })
    expect(await outcomeOf(other)).toBe('resource_already_exists')
  })

  test('an upload is given up by its ticket, which is over then; one that is too large is refused before a byte', async () => {
    const body = { purpose: 'upload', path: 'later.zip', size: 100 } as const
    const { url } = await createTicket(owner, serverId, body)
    const created = await ask(api, undefined, url, { method: 'POST' })
    expect([created.status, created.headers.get('location')]).toEqual([201, url])
    expect((await ask(api, undefined, url, { method: 'DELETE' })).status).toBe(204)
    expect((await ask(api, undefined, url, { method: 'HEAD' })).status).toBe(403)
    const vast = createTicket(owner, serverId, { ...body, size: 900 * 1024 ** 3 })
    expect(await outcomeOf(vast)).toBe('disc_quota_exceeding')
  })

  test('is refused while an operation has the files to itself, and what is under way ends; reading goes on', async () => {
    const { pool } = api.context.database
    const { url } = await createTicket(owner, serverId, { purpose: 'upload', path: 'slow.bin', size: 1_000_000 })
    const sending = ask(api, undefined, url, {
      method: 'PATCH',
      headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
      body: new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1000)) }),
    })
    const { rows } = await pool.query(
      `insert into operations (server_id, kind, exclusive, input, about) values ($1, 'format', true, '{}', '{}') returning id`,
      [serverId],
    )
    const cut = await sending
    expect([cut.status, await cut.json()]).toMatchObject([400, { error: 'server_has_running_format' }])
    const call = { params: params() }
    const tries = [
      () => owner.call(routes.makeFolder, { ...call, body: { path: 'new' } }),
      () => createTicket(owner, serverId, { purpose: 'upload', path: 'x', size: 1 }),
      () => owner.call(routes.fetchFile, { ...call, body: { url: 'https://example.com/x', path: 'x' } }),
    ]
    for (const one of tries) expect(await outcomeOf(one())).toBe('server_has_running_format')
    expect((await save('server.properties', 'x')).status).toBe(400)
    expect((await ask(api, owner, contentPath(serverId, { path: 'server.properties' }))).status).toBe(200)
    await pool.query(`update operations set state = 'cancelled', ended_at = now() where id = $1`, [rows[0].id])
    expect(await outcomeOf(owner.call(routes.makeFolder, { ...call, body: { path: 'new' } }))).toBe('success')
  })
})

test('what is done is told as one event for each minute and kind', async () => {
  const { pool } = api.context.database
  await pool.query(`update file_changes set minute = minute - interval '1 hour'`)
  await tellFileChanges(api.context)
  const { data } = await owner.call(listServerEvents, { params: params() })
  // Of a minute that ends in the middle of these tests there are two.
  const told = (name: string) => data.filter(({ action }) => action === name)
  const countOf = (name: string) => told(name).reduce((sum, event) => sum + Number(event.data['count']), 0)
  expect(told('SERVER_FILES_TRASH').every(({ executor }) => executor?.id === owner.user.id)).toBe(true)
  expect(told('SERVER_FILES_TRASH').flatMap((event) => event.data['paths'])).toEqual(
    expect.arrayContaining(['work/inner', 'work/c.txt']),
  )
  expect(countOf('SERVER_FILES_TRASH')).toBe(2)
  expect(told('UPLOADED_FILES')).toMatchObject([{ data: { path: 'mods', total_size: 3_000_000, count: 1 } }])
  expect(countOf('SERVER_FILES_SAVE')).toBe(2)
  expect(data.filter(({ action }) => action === 'SERVER_FILES_DOWNLOAD')).toHaveLength(2) // of the owner, and a guest
  expect((await pool.query('select 1 from file_changes')).rows).toEqual([])
})

test('a guest whose right ends loses what they download in the middle of it', async () => {
  const guest = await api.signUp()
  await shareServer(api.context, { serverId, userId: guest.user.id, capabilities: { 'server.manage': true } })
  writeInto(api, serverId, 'large.bin', Buffer.alloc(64 * 1024 * 1024))
  const { url } = await createTicket(guest, serverId, { purpose: 'read', path: 'large.bin' })
  for (const path of [url, contentPath(serverId, { path: 'large.bin' })]) {
    const answer = await ask(api, guest, path)
    const bytes = answer.body!.getReader()
    await bytes.read()
    await api.context.database.pool.query(`delete from user_capabilities where user_id = $1 and resource_id = $2`, [
      guest.user.id,
      serverId,
    ])
    await expect(
      (async () => {
        while (!(await bytes.read()).done);
      })(),
    ).rejects.toThrow('terminated')
    expect((await ask(api, guest, url)).status).toBe(403)
    await shareServer(api.context, { serverId, userId: guest.user.id, capabilities: { 'server.manage': true } })
  }
})

test('an administrator who sees the panel as the owner reads, and changes nothing', async () => {
  const admin = await api.signUp({ admin: true })
  await admin.call(beginViewAs, { params: { id: owner.user.id } })
  const seen = admin // in whose cookies the view is from now on
  expect((await ask(api, seen, contentPath(serverId, { path: 'server.properties' }))).status).toBe(200)
  const post = (path: string, body: object) =>
    ask(api, seen, `/api/v1/servers/${serverId}/files/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  expect((await post('tickets', { purpose: 'read', path: 'server.properties' })).status).toBe(201)
  for (const [path, body] of [
    ['tickets', { purpose: 'upload', path: 'x', size: 1 }],
    ['folder', { path: 'x' }],
    ['trash', { paths: ['server.properties'] }],
  ] as const)
    expect([path, (await post(path, body)).status]).toEqual([path, 403])
  const put = await ask(api, seen, contentPath(serverId, { path: 'server.properties' }), { method: 'PUT', body: 'x' })
  expect(put.status).toBe(403)
})
