/** Moving, making, deleting, and the trash. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { goneSchema, trashSchema } from '@wakestone/protocol/files'
import { freeName } from './naming.ts'
import { startService, type TestService } from './test-support/service.ts'

const post = async ({ ask }: TestService, path: string, body: object) => {
  const answer = await ask('POST', `/v1/${path}`, { body })
  return answer.text === '' ? answer.status : answer.json
}
const tree = (data: string) =>
  execFileSync('find', ['.', '-mindepth', '1', '-not', '-path', './.*', '-type', 'f', '-printf', '%P '], { cwd: data })
    .toString()
    .trim()
    .split(' ')
    .toSorted()

test('moving: all or none, beside what is there, or into it', async () => {
  const service = await startService()
  const { data, lay } = service
  lay({
    'a.txt': 'a',
    'b.txt': 'b',
    'in/a.txt': 'old',
    'world/region/r.mca': '1',
    'world/x': 'x',
    'in/world/region/r.mca': '0',
    'in/world/keep': 'k',
  })
  expect(await post(service, 'move', { from: ['b.txt', 'a.txt'], to: 'in' })).toEqual({
    error: 'resource_already_exists',
    fields: { path: 'in/a.txt' },
  })
  expect(existsSync(join(data, 'b.txt'))).toBe(true)
  expect(await post(service, 'move', { from: ['b.txt', 'a.txt'], to: 'in', overwrite: 'keep-both' })).toEqual({
    paths: ['in/b.txt', 'in/a (2).txt'],
  })
  expect(await post(service, 'move', { from: ['world'], to: 'in', overwrite: 'replace' })).toEqual({
    paths: ['in/world'],
  })
  expect(tree(data)).toEqual(
    ['in/a (2).txt', 'in/a.txt', 'in/b.txt', 'in/world/keep', 'in/world/region/r.mca', 'in/world/x']
      .join(' ')
      .split(' ')
      .toSorted(),
  )
  expect(readFileSync(join(data, 'in/world/region/r.mca'), 'utf8')).toBe('1')
  expect(await post(service, 'rename', { from: 'in/b.txt', to: 'in/c.txt' })).toEqual({ path: 'in/c.txt' })
  expect(await post(service, 'rename', { from: 'in/c.txt', to: 'in/c.txt' })).toEqual({ path: 'in/c.txt' })
  expect(await post(service, 'move', { from: ['in'], to: 'in/world' })).toMatchObject({ error: 'invalid_request' })
  expect(await post(service, 'move', { from: ['in/world'], to: 'in/world' })).toMatchObject({
    error: 'invalid_request',
  })
  expect(await post(service, 'move', { from: ['none'], to: 'in' })).toMatchObject({ error: 'file_does_not_exist' })
  expect(await post(service, 'move', { from: ['in/world'], to: '', overwrite: 'replace' })).toEqual({
    paths: ['world'],
  })
  mkdirSync(join(data, 'in/world'))
  writeFileSync(join(data, 'in/world/region'), 'a file')
  expect(await post(service, 'move', { from: ['in/world'], to: '', overwrite: 'replace' })).toMatchObject({
    error: 'file_has_other_type',
  })
  expect(existsSync(join(data, 'in/world/region'))).toBe(true)
  expect(await post(service, 'move', { from: ['', 'in'], to: 'world' })).toMatchObject({ error: 'invalid_request' })
  for (const from of ['.trash', '.wakestone', '.transfers/doomed', '.trash/x/content'])
    expect([from, ((await post(service, 'move', { from: [from], to: 'world' })) as { error: string }).error]).toEqual([
      from,
      expect.stringMatching(/file_does_not_exist|unknown_file_name/),
    ])
})

test('what moves goes through no link that leads out', async () => {
  const service = await startService()
  const { folder, data, lay } = service
  lay({ 'a.txt': 'a' })
  mkdirSync(join(folder, 'outside'))
  writeFileSync(join(folder, 'outside/precious'), 'p')
  symlinkSync('../outside', join(data, 'out'))
  expect(await post(service, 'move', { from: ['a.txt'], to: 'out' })).toMatchObject({ error: 'file_does_not_exist' })
  expect(await post(service, 'move', { from: ['out/precious'], to: '' })).toMatchObject({
    error: 'file_does_not_exist',
  })
  expect(await post(service, 'delete', { paths: ['out/precious'] })).toMatchObject({ error: 'file_does_not_exist' })
  expect(await post(service, 'folder', { path: 'out/new' })).toMatchObject({ error: 'file_does_not_exist' })
  expect(await post(service, 'permissions', { paths: ['out/precious'], mode: 0 })).toMatchObject({
    error: 'file_does_not_exist',
  })
  const before = statSync(join(folder, 'outside')).mode
  expect(await post(service, 'permissions', { paths: ['out'], mode: 0o777 })).toBe(204)
  expect(statSync(join(folder, 'outside')).mode).toBe(before)
  expect(await post(service, 'delete', { paths: ['out'] })).toBe(204)
  expect(readdirSync(join(folder, 'outside'))).toEqual(['precious'])
})

test('folders and permissions', async () => {
  const service = await startService()
  const { data, lay } = service
  lay({ 'a.sh': '', 'f/x': '' })
  expect(await post(service, 'folder', { path: 'one/two/three' })).toBe(204)
  expect(await post(service, 'folder', { path: 'one/two/three' })).toMatchObject({ error: 'resource_already_exists' })
  expect(await post(service, 'folder', { path: 'a.sh/x' })).toMatchObject({ error: expect.stringMatching(/file_/) })
  expect(await post(service, 'permissions', { paths: ['a.sh', 'f'], mode: 0o755 })).toBe(204)
  expect(statSync(join(data, 'a.sh')).mode & 0o7777).toBe(0o755)
  expect(await post(service, 'permissions', { paths: ['f'], mode: 0 })).toBe(204)
  expect(statSync(join(data, 'f')).mode & 0o777).toBe(0o700)
  expect(await post(service, 'permissions', { paths: ['f'], mode: 0o4755 })).toMatchObject({ error: 'invalid_request' })
})

test('what is deleted can be looked into and brought back to where it was', async () => {
  const service = await startService()
  const { data, ask, lay } = service
  lay({ 'world/region/r.mca': '12345', 'a.txt': 'a' })
  expect(await post(service, 'delete', { paths: ['world', 'none'] })).toEqual({
    error: 'file_does_not_exist',
    fields: { path: 'none' },
  })
  expect(await post(service, 'delete', { paths: ['world/region', 'a.txt'] })).toBe(204)
  expect(existsSync(join(data, 'a.txt'))).toBe(false)
  const { entries } = trashSchema.parse((await ask('GET', '/v1/trash')).json)
  expect(entries.map(({ path, type }) => [path, type]).toSorted()).toEqual([
    ['a.txt', 'file'],
    ['world/region', 'folder'],
  ])
  const region = entries.find(({ path }) => path === 'world/region')!
  expect(region.size).toBeGreaterThan(0)
  expect((await ask('GET', `/v1/read?path=.trash/${region.id}/content/r.mca`)).text).toBe('12345')
  expect(
    (await ask('PUT', `/v1/write?path=.trash/${region.id}/content/r.mca`, { body: Buffer.from('x') })).status,
  ).toBe(404)
  await post(service, 'delete', { paths: ['world'] })
  lay({ 'a.txt': 'newer' })
  const ids = entries.map(({ id }) => id)
  expect(await post(service, 'trash/restore', { ids })).toMatchObject({ error: 'resource_already_exists' })
  expect(existsSync(join(data, 'world/region'))).toBe(false)
  expect(await post(service, 'trash/restore', { ids: ['0'.repeat(14)] })).toMatchObject({
    error: 'file_does_not_exist',
  })
  const { paths } = (await post(service, 'trash/restore', { ids, overwrite: 'keep-both' })) as { paths: string[] }
  expect(paths.toSorted()).toEqual(['a (2).txt', 'world/region'])
  expect(readFileSync(join(data, 'world/region/r.mca'), 'utf8')).toBe('12345')
  const left = (await ask('GET', '/v1/trash')).json.entries
  expect(left.map(({ path }: { path: string }) => path)).toEqual(['world'])
  expect(await post(service, 'trash/remove', { ids: null })).toBe(204)
  expect(readdirSync(join(data, '.trash'))).toEqual([])
})

test('one file comes out of a folder in the trash, and by no link anything else', async () => {
  const service = await startService()
  const { data, ask, lay } = service
  lay({ 'world/region/r.mca': '12345', 'world/level.dat': 'level', 'other/x': 'x' })
  symlinkSync('../..', join(data, 'world/up'))
  expect(await post(service, 'delete', { paths: ['world', 'other'] })).toBe(204)
  const { entries } = trashSchema.parse((await ask('GET', '/v1/trash')).json)
  const idOf = (path: string) => entries.find((entry) => entry.path === path)!.id
  const [id, other] = [idOf('world'), idOf('other')]
  const { lines } = await ask('GET', `/v1/list?path=.trash/${id}/content`)
  expect(
    lines
      .map((line) => line[0])
      .filter(Boolean)
      .toSorted(),
  ).toEqual(['level.dat', 'region', 'up'])
  const takeOut = (within: string[], more: object = {}) =>
    post(service, 'trash/restore', { ids: [id], within, ...more })
  expect(await takeOut(['region/r.mca'])).toEqual({ paths: ['world/region/r.mca'] })
  expect(readFileSync(join(data, 'world/region/r.mca'), 'utf8')).toBe('12345')
  expect(existsSync(join(data, 'world/level.dat'))).toBe(false)
  lay({ 'world/level.dat': 'newer' })
  expect(await takeOut(['level.dat'])).toMatchObject({ error: 'resource_already_exists' })
  expect(await takeOut(['level.dat'], { overwrite: 'keep-both' })).toEqual({ paths: ['world/level (2).dat'] })
  for (const path of [`up/${other}/content/x`, 'up/../x', 'none', '../info.json'])
    expect([path, (await takeOut([path])) as { error: string }]).toEqual([
      path,
      expect.objectContaining({ error: expect.stringMatching(/^(file_does_not_exist|unknown_file_name)$/) }),
    ])
  expect(await post(service, 'trash/restore', { ids: [id, other], within: ['x'] })).toMatchObject({
    error: 'invalid_request',
  })
  expect(readdirSync(join(data, `.trash/${id}/content`)).toSorted()).toEqual(['region', 'up'])
})

test('the trash forgets after seven days, and gives way when room is needed', async () => {
  const service = await startService({ diskBytes: 3_000_000 })
  const { data, ask, lay } = service
  for (const name of ['one', 'two']) {
    lay({ [name]: Buffer.alloc(1_000_000, 1) })
    await post(service, 'delete', { paths: [name] })
  }
  const { used, trash, limit } = (await ask('GET', '/v1/statfs')).json
  expect(trash).toBeGreaterThan(1_900_000)
  expect(used).toBeGreaterThanOrEqual(trash)
  expect(limit).toBe(3_000_000)
  expect((await ask('PUT', '/v1/write?path=new', { body: Buffer.alloc(1_800_000) })).status).toBe(200)
  const { entries } = (await ask('GET', '/v1/trash')).json
  expect(entries.map(({ path }: { path: string }) => path)).toEqual(['two'])
  const { gone } = goneSchema.parse((await ask('GET', '/v1/trash/gone')).json)
  expect(gone).toEqual([expect.objectContaining({ path: 'one', size: expect.any(Number) })])
  expect(gone[0]!.size).toBeGreaterThanOrEqual(1_000_000)
  const full = await ask('PUT', '/v1/write?path=more', { body: Buffer.alloc(2_500_000) })
  expect(full.json).toMatchObject({ error: 'disc_quota_exceeding', fields: { needed: 2_500_000 } })
  expect((await ask('GET', '/v1/trash')).json.entries).toHaveLength(1)
  const name = readdirSync(join(data, '.trash')).find((one) => one !== 'gone.json')
  renameSync(
    join(data, '.trash', name!),
    join(data, '.trash', `${String(Date.now() - 8 * 86_400_000).padStart(14, '0')}${name!.slice(14)}`),
  )
  await service.restart()
  await expect.poll(() => readdirSync(join(data, '.trash'))).toEqual(['gone.json'])
})

test('a free name is a name, near the one it stands beside', () => {
  expect(freeName('a.tar.gz', () => false)).toBe('a (2).tar.gz')
  expect(freeName('.hidden', () => false)).toBe('.hidden (2)')
  expect(freeName('v1.2 final', () => false)).toBe('v1.2 final (2)')
  expect(freeName('%!%FF.txt', () => false)).toBe('%!%FF%20(2).txt')
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' }), fc.nat(30), (text, taken) => {
      const name = text.replaceAll(/[/\0]/g, '_')
      if (
        name === '.' ||
        name === '..' ||
        Buffer.byteLength(name) > 255 ||
        !name.isWellFormed() ||
        name.startsWith('%!')
      )
        return
      let left = taken
      const free = freeName(name, () => left-- > 0)
      expect(Buffer.byteLength(free)).toBeLessThanOrEqual(255)
      expect(free.isWellFormed()).toBe(true)
      expect(free).not.toContain('\uFFFD')
      expect(free).toContain(`(${taken + 2})`)
    }),
  )
})
