/** Jobs: copies, deletions, permissions; cancelled, and killed at any moment. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { jobsSchema } from '@wakestone/protocol/files'
import { isLong } from '../../../tests/support/long.ts'
import { makeZip } from './test-support/archives.ts'
import { followJob, runJob, startJob } from './test-support/jobs.ts'
import { prepareProcess } from './test-support/process.ts'
import { startService } from './test-support/service.ts'

/** All that is in a folder, with what it holds. */
const sums = (folder: string) =>
  execFileSync(
    'sh',
    [
      '-c',
      'find . -path "./.*" -prune -o -type f -print0 | sort -z | xargs -0 -r md5sum; find . -path "./.*" -prune -o -type d -print | sort',
    ],
    { cwd: folder },
  ).toString()
const own = (data: string) =>
  ['stage', 'doomed', 'jobs', 'placing', 'drafts'].flatMap((name) =>
    existsSync(join(data, '.transfers', name)) ? readdirSync(join(data, '.transfers', name)) : [],
  )

test('a copy is what it was made of, without what cannot be copied, and nothing outside', async () => {
  const service = await startService()
  const { folder, data, lay, ask } = service
  writeFileSync(join(folder, 'secret'), 'hush')
  lay({
    'world/level.dat': 'level',
    'world/region/r.mca': randomBytes(400_000),
    'world/run.sh': '#!',
    'world/big': Buffer.alloc(70_000_000, 3),
  })
  chmodSync(join(data, 'world/run.sh'), 0o6755)
  symlinkSync('../../secret', join(data, 'world/link'))
  linkSync(join(data, 'world/level.dat'), join(data, 'world/same'))
  execFileSync('mkfifo', [join(data, 'world/pipe')])
  truncateSync(join(data, 'world/level.dat'), 5)
  writeFileSync(join(data, 'world/sparse'), 'x')
  truncateSync(join(data, 'world/sparse'), 3e9)
  const job = await runJob(service, { kind: 'copy', from: ['world'], to: '', overwrite: 'keep-both' })
  expect(job).toMatchObject({ state: 'done', kind: 'copy', path: 'world', paths: 1, to: '', total: 10, done: 10 })
  const copy = join(data, 'world (2)')
  expect(readdirSync(copy).toSorted()).toEqual(['big', 'level.dat', 'link', 'region', 'run.sh', 'same', 'sparse'])
  expect(readlinkSync(join(copy, 'link'))).toBe('../../secret')
  expect(statSync(join(copy, 'run.sh')).mode & 0o7777).toBe(0o755)
  expect(statSync(join(copy, 'sparse')).size).toBe(3e9)
  expect(statSync(join(copy, 'sparse')).blocks).toBeLessThan(1000)
  expect(statSync(join(copy, 'same')).nlink).toBe(1)
  expect(statSync(join(copy, 'level.dat')).mtimeMs).toBeCloseTo(statSync(join(data, 'world/level.dat')).mtimeMs, 0)
  for (const name of ['region/r.mca', 'big', 'level.dat'])
    expect(readFileSync(join(copy, name)).equals(readFileSync(join(data, 'world', name)))).toBe(true)
  // Into itself it is one more, not one without end.
  expect(await runJob(service, { kind: 'copy', from: ['world/region'], to: 'world/region' })).toMatchObject({
    state: 'done',
  })
  expect(readdirSync(join(data, 'world/region/region'))).toEqual(['r.mca'])
  expect((await ask('POST', '/v1/copy', { body: { from: ['none'], to: '' } })).json).toMatchObject({
    error: 'file_does_not_exist',
  })
  expect((await ask('POST', '/v1/copy', { body: { from: ['world'], to: 'nowhere' } })).json).toMatchObject({
    error: 'file_does_not_exist',
  })
  expect(await runJob(service, { kind: 'copy', from: ['world'], to: '' })).toMatchObject({
    state: 'failed',
    error: { code: 'resource_already_exists' },
  })
  expect(own(data)).toEqual([])
  const { jobs } = jobsSchema.parse((await ask('GET', '/v1/jobs')).json)
  expect(jobs.map(({ state }) => state)).toEqual(['failed', 'done', 'done'])
})

test('permissions of all that is in a folder, and of nothing that links lead to', async () => {
  const service = await startService()
  const { folder, data, lay, ask } = service
  writeFileSync(join(folder, 'secret'), 'hush', { mode: 0o600 })
  lay({ 'a/b/c': '', 'a/x': '' })
  symlinkSync('../../secret', join(data, 'a/link'))
  expect(await runJob(service, { kind: 'chmod', paths: ['a'], mode: 0o644, recursive: true })).toMatchObject({
    state: 'done',
    done: 5,
  })
  expect(['a', 'a/b', 'a/b/c', 'a/x'].map((path) => statSync(join(data, path)).mode & 0o777)).toEqual([
    0o755, 0o755, 0o644, 0o644,
  ])
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
  expect(await runJob(service, { kind: 'measure', paths: [''] })).toMatchObject({ state: 'done', total: 5 })
  expect((await ask('POST', '/v1/permissions', { body: { paths: ['a'], mode: 0o600, recursive: true } })).status).toBe(
    202,
  )
})

test('what is deleted for good is gone at once, links and all, and what they lead to stays', async () => {
  const service = await startService()
  const { folder, data, lay, ask } = service
  mkdirSync(join(folder, 'outside'))
  writeFileSync(join(folder, 'outside/precious'), 'p')
  lay({ 'a/b': 'x', 'locked/in/x': 'x' })
  symlinkSync('../../outside', join(data, 'a/out'))
  chmodSync(join(data, 'locked/in'), 0)
  expect((await ask('POST', '/v1/delete', { body: { paths: ['a', 'none'], permanently: true } })).json).toMatchObject({
    error: 'file_does_not_exist',
  })
  expect(existsSync(join(data, 'a/b'))).toBe(true)
  expect(await runJob(service, { kind: 'delete', paths: ['a', 'locked'] })).toMatchObject({ state: 'done', done: 2 })
  expect(readdirSync(data).filter((name) => !name.startsWith('.'))).toEqual([])
  expect(readFileSync(join(folder, 'outside/precious'), 'utf8')).toBe('p')
  expect((await ask('GET', '/v1/trash')).json.entries).toEqual([])
})

test('links that the game plants while a job goes down a tree lead it nowhere', { timeout: 30_000 }, async () => {
  const service = await startService()
  const { folder, data, lay } = service
  mkdirSync(join(folder, 'outside/deep'), { recursive: true })
  writeFileSync(join(folder, 'outside/deep/precious'), 'the secret')
  chmodSync(join(folder, 'outside/deep/precious'), 0o640)
  const before = lstatSync(join(folder, 'outside/deep/precious'))
  for (let index = 0; index < 60; index++) lay({ [`tree/d${index}/deep/precious`]: 'mine' })
  // Swaps folders for links to the outside and back, as fast as it can.
  const script = `while :; do for i in $(seq 0 59); do mv tree/d$i/deep tree/d$i/x 2>/dev/null && ln -s ../../../outside/deep tree/d$i/deep && rm -f tree/d$i/deep && mv tree/d$i/x tree/d$i/deep; done; done`
  const { spawn } = await import('node:child_process')
  const game = spawn('sh', ['-c', script], { cwd: data, stdio: 'ignore' })
  try {
    for (let round = 0; round < (isLong ? 6 : 1); round++) {
      await runJob(service, { kind: 'chmod', paths: ['tree'], mode: 0o666, recursive: true })
      await runJob(service, { kind: 'copy', from: ['tree'], to: '', overwrite: 'keep-both' })
      await service.ask('POST', '/v1/permissions', {
        body: { paths: Array.from({ length: 60 }, (_, index) => `tree/d${index}/deep/precious`), mode: 0o600 },
      })
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          service.ask('PUT', `/v1/write?path=tree/d${index}/deep/precious`, { body: Buffer.from('hit') }),
        ),
      )
      const read = await Promise.all(
        Array.from({ length: 60 }, (_, index) => service.ask('GET', `/v1/read?path=tree/d${index}/deep/precious`)),
      )
      for (const { text } of read) expect(text).not.toContain('the secret')
    }
  } finally {
    game.kill('SIGKILL')
  }
  expect(execFileSync('grep', ['-rlc', 'the secret', '.'], { cwd: folder }).toString()).toBe(
    './outside/deep/precious\n',
  )
  const after = lstatSync(join(folder, 'outside/deep/precious'))
  expect([after.mode, after.mtimeMs, after.ctimeMs]).toEqual([before.mode, before.mtimeMs, before.ctimeMs])
  expect(readdirSync(join(folder, 'outside/deep'))).toEqual(['precious'])
})

test.runIf(isLong)(
  'a job that is cancelled leaves nothing, and no more than so many wait',
  { timeout: 30_000 },
  async () => {
    const service = await startService()
    const { data, lay, ask } = service
    for (let index = 0; index < 1_500; index++) lay({ [`tree/${index % 30}/${index}`]: 'x' })
    const before = sums(data)
    for (const body of [
      { kind: 'copy', from: ['tree'], to: '', overwrite: 'keep-both' },
      { kind: 'pack', paths: ['tree'], to: 'a.zip', format: 'zip' },
      { kind: 'pack', paths: ['tree'], to: 'a.tar.zst', format: 'tar.zst' },
    ]) {
      const job = await startJob(service, body)
      expect((await ask('DELETE', `/v1/jobs/${job.id}`)).status).toBe(204)
      expect(await followJob(service, job)).toMatchObject({ state: 'cancelled', error: null })
    }
    expect(sums(data)).toBe(before)
    expect(own(data)).toEqual([])
    const started = await Promise.all(
      Array.from({ length: 30 }, () =>
        ask('POST', '/v1/jobs', { body: { kind: 'copy', from: ['tree'], to: '', overwrite: 'keep-both' } }),
      ),
    )
    expect(new Set(started.map(({ status }) => status))).toEqual(new Set([202, 429]))
    for (const { json, status } of started) if (status === 202) await ask('DELETE', `/v1/jobs/${json.id}`)
    expect((await ask('GET', '/v1/jobs/none')).json).toEqual({ error: 'file_job_not_found' })
  },
)

test('killed at any moment, every job is done or undone, never half', { timeout: 600_000 }, async () => {
  const service = prepareProcess()
  const { data } = service
  const kills = isLong ? 50 * 7 : 2 // 50 of each kind
  let seed = Number(process.env['SEED'] ?? Math.trunc(Math.random() * 1e9))
  console.log(`seed ${seed}`)
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(join(data, path, '..'), { recursive: true })
    writeFileSync(join(data, path), content)
  }
  for (let index = 0; index < 400; index++) write(`source/${index % 20}/${index}`, `content ${index}`)
  writeFileSync(
    join(data, 'a.zip'),
    makeZip(Array.from({ length: 400 }, (_, index) => ({ path: `${index % 20}/${index}`, data: `content ${index}` }))),
  )
  const whole = sums(join(data, 'source'))
  const members = execFileSync('bsdtar', ['-tf', 'a.zip'], { cwd: data }).toString().split('\n').length
  await service.start()

  const kinds = {
    copy: {
      begin: () => void rmQuiet('source (2)'),
      ask: {
        method: 'POST',
        path: '/v1/jobs',
        body: { kind: 'copy', from: ['source'], to: '', overwrite: 'keep-both' },
      },
      check: () => existsSync(join(data, 'source (2)')) && expect(sums(join(data, 'source (2)'))).toBe(whole),
    },
    unpack: {
      begin: () => void rmQuiet('out'),
      ask: { method: 'POST', path: '/v1/jobs', body: { kind: 'unpack', path: 'a.zip', to: 'out' } },
      check: () => existsSync(join(data, 'out')) && expect(sums(join(data, 'out'))).toBe(whole),
    },
    'unpack into': {
      begin() {
        rmQuiet('joined')
        write('joined/3/mine', 'mine')
        write('joined/4/4', 'old')
      },
      ask: {
        method: 'POST',
        path: '/v1/jobs',
        body: { kind: 'unpack', path: 'a.zip', to: 'joined', overwrite: 'replace' },
      },
      check() {
        const count = Number(execFileSync('sh', ['-c', 'find joined -type f | wc -l'], { cwd: data }))
        expect([2, 401]).toContain(count)
        expect(readFileSync(join(data, 'joined/3/mine'), 'utf8')).toBe('mine')
        expect(readFileSync(join(data, 'joined/4/4'), 'utf8')).toBe(count === 2 ? 'old' : 'content 4')
      },
    },
    pack: {
      begin: () => void rmQuiet('made.zip'),
      ask: {
        method: 'POST',
        path: '/v1/jobs',
        body: { kind: 'pack', paths: ['source'], to: 'made.zip', format: 'zip' },
      },
      check: () =>
        existsSync(join(data, 'made.zip')) &&
        expect(execFileSync('bsdtar', ['-tf', 'made.zip'], { cwd: data }).toString().split('\n').length).toBe(
          members + 21,
        ),
    },
    'move many': {
      begin() {
        rmQuiet('moved')
        for (let index = 0; index < 200; index++) write(`many/${index}`, 'x')
        mkdirSync(join(data, 'moved'))
      },
      ask: {
        method: 'POST',
        path: '/v1/move',
        body: { from: Array.from({ length: 200 }, (_, index) => `many/${index}`), to: 'moved' },
      },
      check: () => expect([0, 200]).toContain(readdirSync(join(data, 'moved')).length),
    },
    'delete many': {
      begin() {
        for (let index = 0; index < 200; index++) write(`many/${index}`, 'x')
      },
      ask: {
        method: 'POST',
        path: '/v1/delete',
        body: { paths: Array.from({ length: 200 }, (_, index) => `many/${index}`) },
      },
      check: () => expect([0, 200]).toContain(readdirSync(join(data, 'many')).length),
    },
    save: {
      begin: () => write('text.txt', 'old '.repeat(100_000)),
      ask: { method: 'PUT', path: '/v1/write?path=text.txt', body: Buffer.from('new '.repeat(100_000)) },
      check: () =>
        expect(['old '.repeat(100_000), 'new '.repeat(100_000)]).toContain(
          readFileSync(join(data, 'text.txt'), 'utf8'),
        ),
    },
  }
  const names = Object.keys(kinds) as (keyof typeof kinds)[]
  const first = Math.floor(random() * names.length)
  for (let kill = 0; kill < kills; kill++) {
    const kind = kinds[names[(first + kill) % names.length]!]
    kind.begin()
    const answer = service.ask(kind.ask.method, kind.ask.path, { body: kind.ask.body }).catch(() => undefined)
    if (kind.ask.path === '/v1/jobs') await answer
    await wait(random() * (kind.ask.path === '/v1/jobs' ? 250 : 60))
    await service.kill()
    await answer
    await service.start()
    // What is asked for first waits until all is in order.
    await service.ask('GET', '/v1/list?path=')
    kind.check()
    await expect.poll(() => own(data), { timeout: 10_000 }).toEqual([])
    expect(sums(join(data, 'source'))).toBe(whole)
  }

  function rmQuiet(path: string) {
    execFileSync('rm', ['-rf', join(data, path)])
  }
})

test.runIf(isLong)(
  'the service ends when nobody has needed it for a while, and not before its jobs have',
  { timeout: 30_000 },
  async () => {
    const service = prepareProcess({ idleSeconds: 5 })
    await service.start()
    for (let index = 0; index < 8; index++) {
      await wait(750)
      expect((await service.ask('GET', '/v1/list?path=')).status).toBe(200)
    }
    const [code] = await service.ended()
    expect(code).toBe(0)
    expect(service.isListening()).toBe(false)
    await service.start()
    const open = await service.open('GET', '/v1/follow?path=none')
    expect(open.statusCode).toBe(404)
  },
)
