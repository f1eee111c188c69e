/** Search by name and in content, and logs that are followed. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { searchLineSchema } from '@wakestone/protocol/files'
import { createHitReader, createNameTest, fitsGlob } from './search.ts'
import { isLong } from '../../../tests/support/long.ts'
import { startService } from './test-support/service.ts'

const query = (options: Record<string, string>) => `/v1/search?${new URLSearchParams({ path: '', ...options })}`

async function begin() {
  const service = await startService()
  const find = async (options: Record<string, string>) => {
    const answer = await service.ask('GET', query(options))
    if (answer.status !== 200) return answer.json
    return answer.lines
      .slice(0, -1)
      .map((line) => searchLineSchema.parse(line))
      .toSorted()
  }
  return { ...service, find }
}

test('by name: a part of it or a pattern, hidden ones when they are wanted', async () => {
  const { data, lay, find } = await begin()
  lay({
    'server.properties': '',
    'world/Level.dat': '',
    'world/region/r.0.0.mca': '',
    '.hidden/level.dat': '',
    '.trash/x/level.dat': '',
  })
  symlinkSync('world', join(data, 'link to level'))
  expect(await find({ name: 'level' })).toEqual([
    ['link to level', 'link'],
    ['world/Level.dat', 'file'],
  ])
  expect(await find({ name: 'level', case: '1' })).toEqual([['link to level', 'link']])
  expect(await find({ name: '*.mca' })).toEqual([['world/region/r.0.0.mca', 'file']])
  expect(await find({ name: 'level.dat', hidden: '1' })).toEqual([
    ['.hidden/level.dat', 'file'],
    ['world/Level.dat', 'file'],
  ])
  expect(await find({ name: 'r', path: 'world' })).toEqual([
    ['world/region', 'folder'],
    ['world/region/r.0.0.mca', 'file'],
  ])
  expect(await find({ name: 'x', path: 'none' })).toMatchObject({ error: 'file_does_not_exist' })
  expect(await find({ name: 'x'.repeat(300) })).toMatchObject({ error: 'invalid_request' })
})

test('in content: the line and where it is, of texts alone', async () => {
  const { data, lay, find, folder } = await begin()
  lay({
    'config.yml': 'motd: Hello\nport: 25565\r\n',
    'plugins/a/config.yml': '# hello again\n',
    'plugins/a.jar': Buffer.from('PK\0\0hello'),
    'notes.txt': 'zażółć GĘŚLĄ\n',
    'old.txt': Buffer.from([0x68, 0xe4, 0x6c, 0x6c, 0x6f, 0x20, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 10]),
    'one-line.json': `${'x'.repeat(200_000)} hello ${'y'.repeat(200_000)}`,
    '.hidden': 'hello',
    '.trash/1/content': 'hello',
    'a\nb:1:.txt': 'hello\n',
  })
  writeFileSync(join(folder, 'outside'), 'hello')
  symlinkSync('../outside', join(data, 'link'))
  mkdirSync(join(data, 'pipes'))
  execFileSync('mkfifo', [join(data, 'pipes/pipe')])
  const found = (await find({ content: 'hello' })) as [string, string, number, string][]
  expect(found.map(([path, , line]) => [path, line])).toEqual([
    ['a\nb:1:.txt', 1],
    ['config.yml', 1],
    ['old.txt', 1],
    ['one-line.json', 1],
    ['plugins/a/config.yml', 1],
  ])
  expect(found.find(([path]) => path === 'config.yml')![3]).toBe('motd: Hello')
  const long = found.find(([path]) => path === 'one-line.json')![3]
  expect(long.length).toBeLessThanOrEqual(400)
  expect(await find({ content: 'hello', case: '1', name: 'config' })).toEqual([
    ['plugins/a/config.yml', 'file', 1, '# hello again'],
  ])
  expect(await find({ content: 'gęślą' })).toEqual([['notes.txt', 'file', 1, 'zażółć GĘŚLĄ']])
  expect(await find({ content: 'port: [0-9]+', regex: '1' })).toEqual([['config.yml', 'file', 2, 'port: 25565']])
  expect(await find({ content: 'port: [0-9]+' })).toEqual([])
  expect(await find({ content: '(', regex: '1' })).toMatchObject({ error: 'invalid_request' })
  expect(await find({ content: '-e', path: 'plugins' })).toEqual([])
  expect(await find({ content: 'hello', path: 'config.yml' })).toEqual([['config.yml', 'file', 1, 'motd: Hello']])
  expect(((await find({ content: 'hello', hidden: '1' })) as unknown[][]).map(([path]) => path)).toContain('.hidden')
  expect(((await find({ content: 'hello', hidden: '1' })) as unknown[][]).map(([path]) => path)).not.toContain(
    '.trash/1/content',
  )
})

test.runIf(isLong)('a search ends with who asked', async () => {
  const { data, lay, open } = await begin()
  for (let part = 0; part < 40; part++)
    lay({
      [`logs/${part}.txt`]: `needle ${part}\n${'some line of a log that is long enough\n'.repeat(20_000)}`.repeat(2),
    })
  const response = await open('GET', query({ content: 'line of a lo[^x]g', regex: '1' }))
  await new Promise((done) => response.once('data', done))
  response.destroy()
  const left = () =>
    execFileSync('sh', ['-c', 'for cwd in /proc/[0-9]*/cwd; do readlink $cwd; done 2>/dev/null || true']).toString()
  await vi.waitFor(() => expect(left()).not.toContain(data), 10_000)
})

test('a pattern fits as in a shell, in time that any pattern may take', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?', '(', '['), maxLength: 12 })
  fc.assert(
    fc.property(text, text, (pattern, name) => {
      const regex = new RegExp(
        `^${pattern
          .replace(/[.()[\]\\+^$|{}]/g, '\\$&')
          .replaceAll('*', '.*')
          .replaceAll('?', '.')}$`,
        's',
      )
      expect(fitsGlob(pattern, name)).toBe(regex.test(name))
    }),
    { numRuns: 500 },
  )
  expect(fitsGlob(`${'*a'.repeat(100)}b`, 'a'.repeat(255))).toBe(false)
  expect(createNameTest('LOG', false)('latest.log')).toBe(true)
})

test('hits are read however the stream is cut, and lines of any length are bounded', () => {
  const hit = fc.record({
    name: fc.stringMatching(/^[a-z\n:]{1,20}$/),
    line: fc.nat(1e6),
    text: fc.stringMatching(/^[a-z:0-9]{0,200}$/),
  })
  fc.assert(
    fc.property(fc.array(hit, { maxLength: 10 }), fc.array(fc.nat(1_000)), (hits, cuts) => {
      const bytes = Buffer.from(hits.map(({ name, line, text }) => `${name}\0${line}:${text}\n`).join(''))
      const found: unknown[] = []
      const read = createHitReader((name, line, text) =>
        found.push({ name: name.toString(), line, text: text.toString() }),
      )
      const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length]
      for (const [index, start] of at.slice(0, -1).entries()) read(bytes.subarray(start, at[index + 1]))
      expect(found).toEqual(hits)
    }),
  )
  const found: number[] = []
  const read = createHitReader((_name, line, text) => void found.push(line, text.length))
  read(Buffer.from('a\x001:'))
  for (let index = 0; index < 100; index++) read(Buffer.alloc(64 * 1024, 'x'))
  read(Buffer.from('\nb\x002:short\n'))
  expect(found[0]).toBe(1)
  expect(found[1]).toBeLessThanOrEqual(64 * 1024)
  expect(found.slice(2)).toEqual([2, 5])
})

test('a log is followed through rotation and from where it is asked for', async () => {
  const { data, open, lay, ask } = await startService()
  lay({ 'logs/latest.log': 'one\n' })
  const log = join(data, 'logs/latest.log')
  const follow = async (from: string) => {
    const response = await open('GET', `/v1/follow?path=logs/latest.log${from}`)
    let text = ''
    response.setEncoding('utf8').on('data', (more: string) => (text += more))
    return { response, text: () => text }
  }
  const whole = await follow('&from=0')
  const end = await follow('')
  const last = await follow('&from=-2')
  expect(last.response.headers['follow-offset']).toBe('2')
  appendFileSync(log, 'two\n')
  await vi.waitFor(() => expect(end.text()).toBe('two\n'), 5_000)
  appendFileSync(log, 'three\n')
  renameSync(log, join(data, 'logs/old.log'))
  writeFileSync(log, 'four\n')
  // Followers read at their own pace; one that has not read a line before it is cut off never gets it.
  for (const [one, text] of [
    [whole, 'one\ntwo\nthree\nfour\n'],
    [end, 'two\nthree\nfour\n'],
    [last, 'e\ntwo\nthree\nfour\n'],
  ] as const)
    await vi.waitFor(() => expect(one.text()).toBe(text), 5_000)
  truncateSync(log, 0)
  await vi.waitFor(async () => {
    appendFileSync(log, 'f')
    expect(whole.text()).toMatch(/four\nf+$/)
  }, 5_000)
  await vi.waitFor(() => {
    appendFileSync(log, 'f') // as long as before, it would look as if nothing had happened
    expect(last.text()).toMatch(/^e\ntwo\nthree\nfour\nf/)
  }, 5_000)
  for (const { response } of [whole, end, last]) response.destroy()
  expect((await ask('GET', '/v1/follow?path=logs')).json.error).toBe('file_has_other_type')
  expect((await ask('GET', '/v1/follow?path=logs/latest.log&from=x')).status).toBe(400)
})
