/** What a files service says is a customer's word: the client lets only sense through, and ends what makes none. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DomainError } from '@wakestone/contract/errors'
import { lineEndSchema } from '@wakestone/contract/servers/files'
import * as protocol from '@wakestone/protocol/files'
import { fileErrors } from '@wakestone/protocol/file-values'
import { createFilesClient, type FilesClient } from './client.ts'
import { FilesError } from './errors.ts'

const folder = mkdtempSync(join(tmpdir(), 'ws-files-'))
const path = join(folder, 's.sock')
const closing = new AbortController()
let answer: (socket: Socket) => void = () => undefined
let client: FilesClient
const server = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.once('data', () => answer(socket))
})
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(path, done))
  client = createFilesClient({
    serverId: crypto.randomUUID(),
    locate: async () => ({ kind: 'unix', path }),
    sign: () => 'token',
    closing: closing.signal,
  })
})
afterAll(() => {
  closing.abort()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

function say(status: number, body: string | Buffer, headers: Record<string, string> = {}) {
  const bytes = Buffer.from(body)
  const lines = Object.entries({ 'content-length': String(bytes.length), ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  answer = (socket) => socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`), bytes]))
}

const calls: Record<string, (files: FilesClient) => Promise<unknown>> = {
  stat: (files) => files.stat('a'),
  tree: (files) => files.tree({ path: 'a', from: 0 }),
  statfs: (files) => files.statfs(),
  trash: (files) => files.trash(),
  revisions: (files) => files.revisions('a'),
  revisionText: (files) => files.revisionText('a', 'b'),
  jobs: (files) => files.jobs(),
  createJob: (files) => files.createJob({ kind: 'delete', paths: ['a'] }),
  createUpload: (files) => files.createUpload({ path: 'a', size: 1 }),
  move: (files) => files.move(['a'], 'b', 'fail'),
  rename: (files) => files.rename('a', 'b', 'fail'),
  restoreTrash: (files) => files.restoreTrash(['a'], 'fail'),
  removeTrash: (files) => files.removeTrash(null),
}
const answers: Record<string, { safeParse(value: unknown): { success: boolean } }> = {
  stat: protocol.fileStatSchema,
  statfs: protocol.diskStatsSchema,
  trash: protocol.trashSchema,
  revisions: protocol.revisionsSchema,
  jobs: protocol.jobsSchema,
  createJob: protocol.jobSchema,
  createUpload: protocol.uploadSchema,
  move: protocol.allPlacedSchema,
  rename: protocol.placedSchema,
  restoreTrash: protocol.allPlacedSchema,
}
const harmless = (error: unknown) =>
  error instanceof FilesError ||
  (error instanceof DomainError &&
    Object.hasOwn(fileErrors, error.code) &&
    !['unauthorized', 'internal_error', 'resource_not_found'].includes(error.code) &&
    Object.values(error.fields ?? {}).every((value) => ['string', 'number', 'boolean'].includes(typeof value)))

/** Objects that look like answers, with values of all kinds. */
const names =
  'name type size mtime mode target revision takes id offset path paths entries truncated deletedAt revisions savedAt jobs kind state done total bytes bytesTotal item error createdAt endedAt to bsize blocks bfree bavail files ffree flags used limit trash fields code'.split(
    ' ',
  )
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.double(),
    fc.constantFrom(null, true, false, 'file', 'folder', 'fail', 'done', 'copy', '2026-01-01T00:00:00.000Z', 1e308, -1),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 12 }),
  ),
})).any

test('whatever is answered, what comes of it is within bounds or a harmless refusal', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(calls)),
      fc.constantFrom(200, 201, 204, 301, 400, 401, 404, 409, 460, 500, 999),
      value,
      async (name, status, body) => {
        say(status, JSON.stringify(body) ?? '')
        try {
          const found = await calls[name]!(client)
          const schema = answers[name]
          if (schema !== undefined) expect(schema.safeParse(found).success).toBe(true)
        } catch (error) {
          expect(harmless(error), String(error)).toBe(true)
        }
      },
    ),
    { numRuns: 400 },
  )
})

test('codes of our own, and codes that are none, are never shown; fields are of the kinds that there are', async () => {
  for (const code of [
    'unauthorized',
    'internal_error',
    'resource_not_found',
    'step_up_required',
    'constructor',
    '__proto__',
    7,
    null,
  ]) {
    say(403, JSON.stringify({ error: code }))
    await expect(client.stat('a')).rejects.toThrow(FilesError)
  }
  const fields = { limit: 5, path: 'a\0b', 'bad name': 1, inner: {}, resource: 'user', long: 'x'.repeat(9999) }
  say(400, JSON.stringify({ error: 'file_is_too_large', fields }))
  const error = (await client.stat('a').catch((one: unknown) => one)) as DomainError
  expect(error.fields).toEqual({ resource: 'file', limit: 5, path: 'ab', long: 'x'.repeat(500) })
})

test('lists pass on lines that are some, and say how they ended, whatever comes', async () => {
  const line = fc.oneof(
    value.map((one) => JSON.stringify(one) ?? ''),
    fc.constantFrom(
      '["a","file",1,2,420]',
      '["l","link",1,2,420,"/etc"]',
      '{"end":true,"truncated":false}',
      '{"error":"invalid_file"}',
      '{"error":"unauthorized"}',
      'nonsense',
      '',
      '["a","file",1e400,-1e400,99999]',
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), fc.nat(400), async (lines, cut) => {
      say(200, lines.join('\n').slice(0, cut) + (cut % 2 === 0 ? '\n' : ''))
      let text = ''
      for await (const piece of await client.list('', { hidden: true })) text += piece
      const told = text
        .trimEnd()
        .split('\n')
        .map((one) => JSON.parse(one) as unknown)
      expect(lineEndSchema.safeParse(told.pop()).success).toBe(true)
      for (const one of told) expect(protocol.fileLineSchema.parse(one)).toEqual(one)
    }),
    { numRuns: 300 },
  )
})

test('a line, an answer or a head without an end is given up', async () => {
  const flood = (head: string, chunk: string) => {
    answer = (socket) => {
      socket.write(head)
      const more = () => {
        while (socket.writable && socket.write(chunk));
      }
      socket.on('drain', more)
      more()
    }
  }
  const head = 'HTTP/1.1 200 OK\r\n\r\n'
  flood(head, 'x'.repeat(65_536))
  await expect(client.stat('a')).rejects.toThrow(/too large/)
  let text = ''
  for await (const piece of await client.list('', { hidden: false })) text += piece
  expect(JSON.parse(text)).toEqual({ error: 'service_unavailable' })
  flood('HTTP/1.1 200 OK\r\n', `x: ${'y'.repeat(1000)}\r\n`)
  await expect(client.stat('a')).rejects.toThrow(FilesError)
  say(200, 'x'.repeat(2 * 1024 * 1024))
  await expect(client.revisionText('a', 'b')).rejects.toThrow(/too large/)
})

test('of headers only those count that are as they should be', async () => {
  const strange = {
    'content-length': '3',
    'content-range': 'bytes 0-2/3\tx',
    etag: 'W/"x"',
    'upload-offset': '-5',
    'upload-length': '1e9',
    'upload-path': '%E0%A4%A',
    'content-type': 'text/html',
    'set-cookie': 'session=stolen',
  }
  say(200, 'abc', strange)
  const { head, body } = await client.read('a')
  await once(body.destroy(), 'close')
  expect(head).toEqual({
    status: 200,
    length: 3,
    range: undefined,
    revision: undefined,
    uploadOffset: undefined,
    uploadLength: undefined,
    uploadPath: undefined,
    followOffset: undefined,
  })
})

test('of one server so many are asked at once; the next is told to wait', async () => {
  answer = () => undefined
  const leaving = new AbortController()
  const many = Array.from({ length: 64 }, () =>
    client.read('a', { signal: leaving.signal }).catch((error: unknown) => error),
  )
  await expect(client.stat('a')).rejects.toMatchObject({ code: 'too_many_requests' })
  leaving.abort()
  for (const one of await Promise.all(many)) expect(one).toBeInstanceOf(FilesError)
  say(200, '{}')
  await expect(client.stat('a')).rejects.toThrow(FilesError)
})

test('a tree that lies deeper in itself than any file is no answer', async () => {
  const tree = (depth: number) => {
    const nodes = `${'{"name":"a","type":"compound","nodes":['.repeat(depth)}${']}'.repeat(depth)}`
    return `{"kind":"nbt","edition":"java","compression":"none","truncated":false,"root":${nodes}}`
  }
  say(200, tree(500))
  expect(await client.tree({ path: 'a', from: 0 })).toMatchObject({ kind: 'nbt', root: { type: 'compound' } })
  for (const depth of [600, 5_000]) {
    say(200, tree(depth))
    await expect(client.tree({ path: 'a', from: 0 })).rejects.toThrow(FilesError)
  }
})
