/** What takes longer with files: jobs, archives, searches, logs that are followed, files of the internet, and large ones. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readdirSync, symlinkSync, truncateSync } from 'node:fs'
import { Agent, createServer, type IncomingMessage, request as send, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as routes from '@wakestone/contract/servers/files-routes'
import { type FileJob, type FileJobBody, fileJobSchema } from '@wakestone/contract/servers/files'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import * as operations from '@wakestone/contract/servers/operations-routes'
import { listServerEvents } from '@wakestone/contract/servers/servers-routes'
import { makeTar, makeZip } from '../../apps/files/src/test-support/archives.ts'
import { beginOperations } from '../../apps/server/src/features/servers/operations/service.ts'
import { allOperations } from '../../apps/server/src/operations.ts'
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
import { outcomeOf } from '../support/outcome.ts'
import { createRandom, seedOf } from '../support/random.ts'

let api: FilesApi
let owner: Caller
let serverId: string
let work: Awaited<ReturnType<typeof beginOperations>>
const call = () => ({ params: { id: serverId } })
const base = () => `/api/v1/servers/${serverId}/files`

beforeAll(async () => {
  api = await startFilesApi({ ALLOW_PRIVATE_TARGETS: '1', FILE_FETCH_MIB: '1' })
  owner = await api.signUp()
  serverId = await rentWithFiles(api, owner, {
    'world/level.dat': 'level',
    'world/region/r.0.0.mca': 'x'.repeat(10_000),
    'plugins/Shop/config.yml': 'price: 5\nname: Needle in a haystack\n',
    'logs/latest.log': 'one\n',
  })
  work = await beginOperations(api.context, allOperations)
}, 120_000)
afterAll(async () => {
  await work?.close()
  await api?.close()
})

/** Runs a job to its end, by the stream that tells of it. */
async function run(body: FileJobBody): Promise<FileJob> {
  const { id } = await owner.call(routes.createFileJob, { ...call(), body })
  const lines = await linesOf(await ask(api, owner, `${base()}/jobs/${id}/stream`))
  expect(lines.pop()).toEqual({ end: true, truncated: false })
  const told = lines.map((line) => fileJobSchema.parse(line))
  expect(told.every((job) => job.id === id)).toBe(true)
  return told.at(-1)!
}

describe('jobs', () => {
  test('copy, pack, look into, unpack, measure and delete for good, each told as it goes', async () => {
    await owner.call(routes.makeFolder, { ...call(), body: { path: 'backup' } })
    expect(await run({ kind: 'copy', from: ['world'], to: 'backup', overwrite: 'fail' })).toMatchObject({
      state: 'done',
    })
    expect(readFrom(api, serverId, 'backup/world/level.dat').toString()).toBe('level')

    const packed = await run({
      kind: 'pack',
      paths: ['world', 'plugins'],
      to: 'all.zip',
      format: 'zip',
      overwrite: 'fail',
    })
    expect(packed).toMatchObject({ state: 'done', error: null, to: 'all.zip' })
    const inside = await linesOf(await ask(api, owner, `${base()}/archive/entries?path=all.zip`))
    expect(inside.filter(Array.isArray).map(([path]) => path as string)).toContain('plugins/Shop/config.yml')
    const entry = await ask(api, owner, `${base()}/archive/entry?path=all.zip&entry=plugins/Shop/config.yml`)
    expect(await entry.text()).toContain('price: 5')
    expect(entry.headers.get('content-disposition')).toContain('config.yml')

    await owner.call(routes.makeFolder, { ...call(), body: { path: 'unpacked' } })
    const unpacked = await run({ kind: 'unpack', path: 'all.zip', to: 'unpacked', overwrite: 'fail' })
    expect(unpacked).toMatchObject({ state: 'done' })
    expect(readFrom(api, serverId, 'unpacked/world/level.dat').toString()).toBe('level')

    expect(await run({ kind: 'measure', paths: ['unpacked'] })).toMatchObject({ state: 'done' })
    expect(await run({ kind: 'delete', paths: ['unpacked', 'backup'] })).toMatchObject({ state: 'done' })
    const stat = owner.call(routes.getFileStat, { ...call(), query: { path: 'unpacked' } })
    expect(await outcomeOf(stat)).toBe('file_does_not_exist')
    const { jobs } = await owner.call(routes.listFileJobs, call())
    expect(jobs.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['pack', 'unpack', 'measure', 'delete']))
    const { data } = await owner.call(listServerEvents, call())
    expect(data.find(({ action }) => action === 'EXTRACTED_ARCHIVE')).toMatchObject({
      data: { archive_path: 'all.zip', extract_path: 'unpacked' },
      executor: { id: owner.user.id },
    })
  })

  test('what is no archive fails with a code, and an unknown job is none', async () => {
    writeInto(api, serverId, 'fake.zip', 'no archive at all')
    expect(await run({ kind: 'unpack', path: 'fake.zip', to: '', overwrite: 'fail' })).toMatchObject({
      state: 'failed',
      error: { code: 'invalid_file' },
    })
    const none = { params: { id: serverId, job_id: 'none' } }
    expect(await outcomeOf(owner.call(routes.cancelFileJob, none))).toBe('file_job_not_found')
    expect(await linesOf(await ask(api, owner, `${base()}/jobs/none/stream`))).toMatchObject([
      { error: 'file_job_not_found' },
    ])
  })
})

test('folders are downloaded as an archive that is made while it goes', async () => {
  const { url } = await createTicket(owner, serverId, { purpose: 'archive', paths: ['world'], format: 'zip' })
  const answer = await ask(api, undefined, url)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename=world.zip')
  expect(answer.headers.get('accept-ranges')).toBeNull()
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.subarray(0, 2).toString()).toBe('PK')
  expect(bytes.includes('world/level.dat')).toBe(true)
})

test('a search finds names and content', async () => {
  const search = async (query: Record<string, string>) =>
    (await linesOf(await ask(api, owner, `${base()}/search?${new URLSearchParams(query)}`))).filter(Array.isArray)
  expect(await search({ name: 'config' })).toEqual([['plugins/Shop/config.yml', 'file']])
  expect(await search({ content: 'needle' })).toEqual([
    ['plugins/Shop/config.yml', 'file', 2, 'name: Needle in a haystack'],
  ])
  expect(await search({ content: 'needle', case: '1' })).toEqual([])
})

test('a log is followed as it grows, until its reader leaves', async () => {
  const ending = new AbortController()
  const answer = await ask(api, owner, `${base()}/follow?path=logs/latest.log&from=0`, { signal: ending.signal })
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const reader = answer.body!.getReader()
  let text = ''
  const until = async (end: string) => {
    while (!text.endsWith(end)) text += Buffer.from((await reader.read()).value ?? []).toString()
  }
  await until('one\n')
  appendFileSync(join(api.cluster.volumeOf(serverId), 'logs/latest.log'), 'two\n')
  await until('two\n')
  ending.abort()
  expect(text).toBe('one\ntwo\n')
})

describe('a file of the internet', () => {
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close().closeAllConnections())
    await new Promise((done) => server.once('listening', done))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const fetchInto = (url: string, path: string) => owner.call(routes.fetchFile, { ...call(), body: { url, path } })
  async function untilOver(process_id: string): Promise<Operation> {
    for (;;) {
      const operation = await owner.call(operations.getProcess, { params: { id: serverId, process_id } })
      if (isOver(operation.state)) return operation
      await delay(50)
    }
  }

  test('comes by itself, goes on where it broke off, and is told of without its secrets', async () => {
    const content = Buffer.alloc(300_000, 'jar')
    const ranges: (string | undefined)[] = []
    const url = await serve((request, response) => {
      const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
      ranges.push(request.headers.range)
      response.writeHead(from === 0 ? 200 : 206, {
        etag: '"v1"',
        'content-length': content.length - from,
        ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
      })
      if (ranges.length > 1) return response.end(content.subarray(from))
      response.write(content.subarray(0, 100_000))
      setTimeout(() => response.destroy(), 200)
    })
    const { process_id } = await fetchInto(`${url}/mods/fine.jar?token=secret`, 'mods/fine.jar')
    expect(await untilOver(process_id)).toMatchObject({
      kind: 'file_fetch',
      state: 'done',
      about: { path: 'mods/fine.jar' },
    })
    expect(readFrom(api, serverId, 'mods/fine.jar').equals(content)).toBe(true)
    expect(ranges.length).toBeGreaterThan(1)
    const { data } = await owner.call(listServerEvents, call())
    const event = data.find(({ action }) => action === 'UPLOADED_FILES_FROM_URL')!
    expect(event).toMatchObject({ success: true, data: { file_size: 300_000, process_id } })
    expect(JSON.stringify(event)).not.toContain('secret')
  })

  test('that is an archive of attacks, or goes where a link leads out, touches nothing outside', async () => {
    const volume = api.cluster.volumeOf(serverId)
    const outside = join(volume, '../outside')
    mkdirSync(outside)
    symlinkSync(outside, join(volume, 'out'))
    const before = readdirSync(join(volume, '..'))
    const attacks = [
      makeTar([{ path: '../outside/x', data: 'hit' }]),
      makeTar([{ path: `${outside}/x`, data: 'hit' }]),
      makeTar([
        { path: 'link', type: '2', target: outside },
        { path: 'link/x', data: 'hit' },
      ]),
      makeZip([{ path: '..\\..\\outside\\x', data: 'hit' }]),
    ]
    const url = await serve((request, response) => {
      response.setHeader('content-disposition', 'attachment; filename="../../outside/x"')
      response.end(attacks[Number(request.url?.slice(1))])
    })
    for (const index of attacks.keys()) {
      const { process_id } = await fetchInto(`${url}/${index}`, `attacks/${index}`)
      expect(await untilOver(process_id)).toMatchObject({ state: 'done' })
      const unpacked = await run({
        kind: 'unpack',
        path: `attacks/${index}`,
        to: `unpacked/${index}`,
        overwrite: 'fail',
      })
      expect(unpacked.state).toBe(index === 2 ? 'done' : 'failed')
    }
    const led = await fetchInto(`${url}/0`, 'out/x').then(
      ({ process_id }) => untilOver(process_id),
      () => undefined,
    )
    expect(led?.state).not.toBe('done')
    expect(readdirSync(outside)).toEqual([])
    expect(readdirSync(join(volume, '..'))).toEqual(before)
  })

  test('of a size that nobody says comes as well; what is too large, missing, or there already, does not', async () => {
    const chunked = await serve((_request, response) => {
      response.writeHead(200)
      response.write('part ')
      response.end('after part')
    })
    const first = await fetchInto(chunked, 'chunked.txt')
    expect(await untilOver(first.process_id)).toMatchObject({ state: 'done' })
    expect(readFrom(api, serverId, 'chunked.txt').toString()).toBe('part after part')
    expect(await outcomeOf(fetchInto(chunked, 'chunked.txt'))).toBe('resource_already_exists')

    const large = await serve((_request, response) => response.writeHead(200, { 'content-length': 2_000_000 }).end())
    const second = await fetchInto(large, 'large.bin')
    expect(await untilOver(second.process_id)).toMatchObject({
      state: 'rolled_back',
      error: { code: 'file_is_too_large' },
    })
    const missing = await serve((_request, response) => response.writeHead(404).end())
    const third = await fetchInto(missing, 'missing.bin')
    expect(await untilOver(third.process_id)).toMatchObject({
      state: 'rolled_back',
      error: { code: 'url_unreachable', fields: { status: 404 } },
    })
    expect(await outcomeOf(fetchInto('https://user:pass@example.com/', 'x'))).toBe('url_not_allowed')
  })

  test('can be cancelled, and leaves nothing', async () => {
    const slow = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 500_000 })
      response.write('x'.repeat(1000))
    })
    const { process_id } = await fetchInto(slow, 'slow.bin')
    const params = { id: serverId, process_id }
    await vi.waitFor(async () => {
      expect(await owner.call(operations.getProcess, { params })).toMatchObject({ state: 'running' })
    }, 5_000)
    await owner.call(operations.cancelProcess, { params })
    expect(await untilOver(process_id)).toMatchObject({ state: 'cancelled' })
    const stat = owner.call(routes.getFileStat, { ...call(), query: { path: 'slow.bin' } })
    expect(await outcomeOf(stat)).toBe('file_does_not_exist')
  })
})

test('the disk is told as the specification has it, and remembered where nobody else measures it', async () => {
  const stats = await owner.call(routes.getDiskStats, call())
  expect(stats.limit).toBe(10 * 1024 ** 3)
  expect(stats.used).toBeGreaterThan(10_000)
  expect(stats.blocks).toBeGreaterThan(stats.bfree)
  await run({ kind: 'delete', paths: ['all.zip'] })
  await vi.waitFor(
    async () => {
      const { rows } = await api.context.database.pool.query('select disk_bytes from servers where id = $1', [serverId])
      expect(rows[0].disk_bytes).toBeGreaterThan(10_000)
    },
    { timeout: 10_000, interval: 200 },
  )
})

test('a service that is killed comes up again, and so does what is asked of it', async () => {
  const stat = () => outcomeOf(owner.call(routes.getFileStat, { ...call(), query: { path: '' } }))
  expect(await stat()).toBe('success')
  api.cluster.killFiles(serverId)
  expect(await stat()).toBe('success')
})

describe('a large file', () => {
  const bytes = randomBytes(24 * 1024 ** 2 + 77)
  const digestOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

  test('comes as it is, whole and in parts, also to who stops reading now and then', async () => {
    writeInto(api, serverId, 'world.zip', bytes)
    const { url } = await createTicket(owner, serverId, { purpose: 'read', path: 'world.zip' })
    const whole = await ask(api, undefined, url)
    expect(whole.headers.get('content-length')).toBe(String(bytes.length))
    const parts: Uint8Array[] = []
    let read = 0
    let stops = 0
    for await (const part of whole.body as unknown as AsyncIterable<Uint8Array>) {
      parts.push(part)
      if ((read += part.length) > (stops + 1) * 5_000_000) await delay(100 * ++stops)
    }
    expect([stops, digestOf(Buffer.concat(parts))]).toEqual([5, digestOf(bytes)])
    const last = await ask(api, undefined, url, { headers: { range: 'bytes=1000001-' } })
    expect(last.status).toBe(206)
    expect(digestOf(new Uint8Array(await last.arrayBuffer()))).toBe(digestOf(bytes.subarray(1_000_001)))
    // By one connection of the caller's, one after the other.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const range of ['bytes=0-2999999', 'bytes=3000000-3000000', 'bytes=5-4000004'])
      expect(await fetchBy(agent, url, range)).toBe(digestOf(partOf(range)))
    agent.destroy()
  })

  test('whose box is killed while it is sent is gone on with, and is whole', { timeout: 300_000 }, async () => {
    const random = createRandom(seedOf('FILES_SEED'))
    const { url } = await createTicket(owner, serverId, { purpose: 'read', path: 'world.zip' })
    let kills = 0
    while (kills < 50) {
      const parts: Uint8Array[] = []
      let revision: string | null = null
      for (let read = 0; read < bytes.length;) {
        const answer = await ask(api, undefined, url, {
          headers: revision === null ? {} : { range: `bytes=${read}-`, 'if-range': revision },
        })
        expect(answer.status).toBe(revision === null ? 200 : 206)
        revision = answer.headers.get('etag')
        const killAt = random.chance(0.7) ? read + random.below(bytes.length - read) : Infinity
        try {
          for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
            parts.push(part)
            if (read < killAt && read + part.length >= killAt) {
              kills++
              api.cluster.killFiles(serverId)
            }
            read += part.length
          }
          expect(read).toBe(bytes.length)
        } catch (error) {
          expect((error as Error).message).toBe('terminated')
        }
      }
      expect(digestOf(Buffer.concat(parts))).toBe(digestOf(bytes))
    }
  })

  test('that becomes shorter while it is sent ends the connection', async () => {
    writeInto(api, serverId, 'shrinking.bin', bytes)
    const answer = await ask(api, owner, contentPath(serverId, { path: 'shrinking.bin' }))
    const reader = answer.body!.getReader()
    await reader.read()
    truncateSync(join(api.cluster.volumeOf(serverId), 'shrinking.bin'), 1_000_000)
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow('terminated')
  })

  const partOf = (range: string) => {
    const [, first, last] = /=(\d+)-(\d+)/.exec(range)!
    return bytes.subarray(Number(first), Number(last) + 1)
  }
  async function fetchBy(agent: Agent, url: string, range: string): Promise<string> {
    const asked = send(`${api.origin}${url}`, { agent, headers: { range } }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return digestOf(Buffer.concat(await answer.toArray()))
  }
})
