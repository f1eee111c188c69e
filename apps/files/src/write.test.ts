/** What an editor saves. */
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { revisionsSchema, writtenFileSchema } from '@wakestone/protocol/files'
import { pathQuery, startService } from './test-support/service.ts'

const content = (text: string) => ({ body: Buffer.from(text) })

test('a text is saved where it is still the revision that was opened, and what was there is kept', async () => {
  const { data, ask, lay } = await startService()
  lay({ 'server.properties': 'motd=one\n' })
  chmodSync(join(data, 'server.properties'), 0o640)
  const opened = (await ask('GET', '/v1/read?path=server.properties')).headers.etag!
  const saved = await ask('PUT', '/v1/write?path=server.properties', {
    ...content('motd=two\n'),
    headers: { 'if-match': opened },
  })
  expect(saved.status).toBe(200)
  const { revision, size } = writtenFileSchema.parse(saved.json)
  expect(size).toBe(9)
  expect(statSync(join(data, 'server.properties')).mode & 0o777).toBe(0o640)
  expect((await ask('GET', '/v1/stat?path=server.properties')).json.revision).toBe(revision)

  // Somebody else still has the one from before.
  const late = await ask('PUT', '/v1/write?path=server.properties', {
    ...content('motd=three\n'),
    headers: { 'if-match': opened },
  })
  expect([late.status, late.json]).toEqual([409, { error: 'file_has_been_modified_since', fields: { revision } }])
  expect(readFileSync(join(data, 'server.properties'), 'utf8')).toBe('motd=two\n')

  // The game writes the same length at the same time of change.
  const { mtime } = statSync(join(data, 'server.properties'))
  writeFileSync(join(data, 'server.properties'), 'motd=2wo\n')
  utimesSync(join(data, 'server.properties'), mtime, mtime)
  const other = await ask('PUT', '/v1/write?path=server.properties', {
    ...content('x'),
    headers: { 'if-match': `"${revision}"` },
  })
  expect(other.status).toBe(409)

  const { revisions } = revisionsSchema.parse((await ask('GET', '/v1/revisions?path=server.properties')).json)
  expect(revisions).toHaveLength(1)
  const text = await ask('GET', `/v1/revision?path=server.properties&id=${revisions[0]!.id}`)
  expect(text.text).toBe('motd=one\n')
  expect((await ask('GET', '/v1/revision?path=server.properties&id=../x')).json).toEqual({
    error: 'file_does_not_exist',
  })
  expect((await ask('GET', '/v1/revisions?path=other')).json).toEqual({ revisions: [] })
})

test('twenty texts are kept, the newest', async () => {
  const { ask } = await startService()
  for (let number = 0; number < 24; number++) await ask('PUT', '/v1/write?path=a.txt', content(`text ${number}`))
  const { revisions } = (await ask('GET', '/v1/revisions?path=a.txt')).json
  expect(revisions).toHaveLength(20)
  expect((await ask('GET', `/v1/revision?path=a.txt&id=${revisions[0].id}`)).text).toBe('text 22')
})

test('of two who save at once one is told', async () => {
  const { ask, lay } = await startService()
  lay({ a: 'one' })
  const { etag } = (await ask('GET', '/v1/read?path=a')).headers
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      ask('PUT', '/v1/write?path=a', { ...content(`by ${index}`), headers: { 'if-match': etag! } }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
})

test('a new file is made only where there is none', async () => {
  const { data, ask } = await startService()
  const once = { ...content('new'), headers: { 'if-none-match': '*' } }
  expect((await ask('PUT', '/v1/write?path=new.txt', once)).status).toBe(200)
  expect((await ask('PUT', '/v1/write?path=new.txt', once)).json).toEqual({
    error: 'resource_already_exists',
    fields: { path: 'new.txt' },
  })
  expect(
    (await ask('PUT', '/v1/write?path=gone.txt', { ...content('x'), headers: { 'if-match': '"a-b-c"' } })).json.error,
  ).toBe('file_does_not_exist')
  expect((await ask('PUT', '/v1/write?path=no/such/folder', content('x'))).json.error).toBe('file_does_not_exist')
  mkdirSync(join(data, 'folder'))
  expect((await ask('PUT', '/v1/write?path=folder', content('x'))).json.error).toBe('file_has_other_type')
  expect((await ask('PUT', '/v1/write?path=', content('x'))).json.error).toBe('file_has_other_type')
  expect((await ask('PUT', '/v1/write?path=.trash/x', content('x'))).json.error).toBe('file_does_not_exist')
  expect((await ask('PUT', `/v1/write?${pathQuery('a'.repeat(300))}`, content('x'))).json.error).toBe(
    'unknown_file_name',
  )
  expect((await ask('PUT', '/v1/write?path=big', { body: Buffer.alloc(17 * 1024 * 1024) })).json.error).toBe(
    'file_is_too_large',
  )
  expect(readdirSync(join(data, '.transfers/drafts'))).toEqual([])
})

test('links within are written through, links out of the volume are not, and other names of a file keep its text', async () => {
  const { folder, data, ask, lay } = await startService()
  lay({ 'conf/real.yml': 'a: 1', one: 'shared' })
  writeFileSync(join(folder, 'outside'), 'untouched')
  symlinkSync('conf/real.yml', join(data, 'link.yml'))
  symlinkSync('../outside', join(data, 'out'))
  symlinkSync('..', join(data, 'up'))
  linkSync(join(data, 'one'), join(data, 'two'))
  expect((await ask('PUT', '/v1/write?path=link.yml', content('a: 2'))).status).toBe(200)
  expect(readFileSync(join(data, 'conf/real.yml'), 'utf8')).toBe('a: 2')
  expect((await ask('PUT', '/v1/write?path=out', content('hit'))).status).toBe(404)
  expect((await ask('PUT', '/v1/write?path=up/outside', content('hit'))).status).toBe(404)
  expect((await ask('PUT', '/v1/write?path=up/new', content('hit'))).status).toBe(404)
  expect(readFileSync(join(folder, 'outside'), 'utf8')).toBe('untouched')
  expect(existsSync(join(folder, 'new'))).toBe(false)
  await ask('PUT', '/v1/write?path=one', content('mine'))
  expect(readFileSync(join(data, 'two'), 'utf8')).toBe('shared')
})
