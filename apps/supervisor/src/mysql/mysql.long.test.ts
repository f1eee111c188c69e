/** MariaDB as a supervisor keeps it: a real one, on a free port of this machine. */
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test, vi } from 'vitest'
import type { MysqlWork } from '@wakestone/protocol/values'
import { findFreePort } from '../game-process.ts'
import { volumePaths } from '../volume.ts'
import { StatementError } from './client.ts'
import { createMysql, type Mysql, NoMysql } from './mysql.ts'

vi.setConfig({ testTimeout: 120_000 })

const opened: { mysql: Mysql; folder: string }[] = []
afterEach(async () => {
  for (const { mysql, folder } of opened.splice(0)) {
    await mysql.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

const never = () => new AbortController().signal
const hash = `*${createHash('sha1').update(createHash('sha1').update('pw').digest()).digest('hex').toUpperCase()}`

async function open({ mostBytes = 2 ** 31, idleMs = 60_000 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'wsm-'))
  mkdirSync(join(folder, '.wakestone'))
  const said: string[] = []
  const mysql = createMysql({
    volume: volumePaths(folder),
    gameUser: null,
    mostBytes,
    idleMs,
    port: await findFreePort(),
    log: () => {},
    say: (line) => said.push(line),
  })
  opened.push({ mysql, folder })
  const run = (statements: string) => mysql.load(Readable.from([statements]), never())
  const pid = () => Number(readFileSync(join(folder, '.wakestone/mysql/pid'), 'utf8'))
  const state = () => /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid()}/status`, 'utf8'))?.[1]
  const names = async () => (await mysql.tables()).tables.map(({ name }) => name)
  async function work(kind: MysqlWork, id: string) {
    expect(mysql.work(kind, id)).toBe(true)
    await vi.waitFor(() => expect(mysql.status().work).toBeNull(), 60_000)
    return mysql.status().lastWork?.error
  }
  return { folder, mysql, run, pid, state, names, work, said }
}

test('there is none until somebody wants it; it goes when nobody does, and comes back', async () => {
  const { mysql, names, run } = await open({ idleMs: 200 })
  await expect(mysql.tables()).rejects.toThrow(NoMysql)
  await mysql.gameStarts()
  expect(mysql.status()).toMatchObject({ exists: false, isUp: false })
  mysql.gameEnded()
  await mysql.renew(hash)
  await run('create table a (i int);')
  await vi.waitFor(() => expect(mysql.status().isUp).toBe(false), 20_000)
  await mysql.gameStarts()
  expect(mysql.status().isUp).toBe(true)
  expect(await names()).toEqual(['a'])
})

test('it is halted with the game, goes on for whoever asks, and is halted again', async () => {
  const { mysql, state, names } = await open()
  await mysql.renew(hash)
  await mysql.gameStarts()
  mysql.gameFrozen()
  await vi.waitFor(() => expect(state()).toBe('T'), 10_000)
  expect(await names()).toEqual([])
  await vi.waitFor(() => expect(state()).toBe('T'), 10_000)
  mysql.gameThawed()
  expect(state()).not.toBe('T')
})

test('one that is killed is started again for the game, with what was written', async () => {
  const { mysql, pid, names, run, said } = await open()
  await mysql.renew(hash)
  await mysql.gameStarts()
  await run('create table a (i int); insert into a values (1);')
  const before = pid()
  process.kill(before, 'SIGKILL')
  await vi.waitFor(() => expect(pid()).not.toBe(before), 20_000)
  expect(await names()).toEqual(['a'])
  expect((await mysql.page({ table: 'a', offset: 0 })).rows).toEqual([['1']])
  expect(said.join()).toContain('ended unexpectedly')
})

test('over its limit it is read and emptied only, until there is room', async () => {
  const { mysql, run, said } = await open({ mostBytes: 24 * 1024 ** 2 })
  await mysql.renew(hash)
  await run('create table big (i int auto_increment primary key, b longblob);')
  const large = `insert into big (b) values (repeat('x', 3000000));\n`
  await run(large.repeat(4))
  expect((await mysql.tables()).isFull).toBe(true)
  await expect(run(large)).rejects.toThrow(/ERROR 1142/)
  expect((await mysql.page({ table: 'big', offset: 0 })).rows).toHaveLength(4)
  await run('drop table big;')
  await vi.waitFor(async () => expect((await mysql.tables()).isFull).toBe(false), 20_000)
  await run('create table big (i int);')
  expect(said).toHaveLength(2)
})

test('statements that break off end what runs them; what came before is done', async () => {
  const { mysql, names } = await open()
  await mysql.renew(hash)
  const source = new PassThrough()
  const loading = mysql.load(source, never())
  source.write('create table a (i int);\ncreate tab')
  await vi.waitFor(async () => expect(await names()).toEqual(['a']), 20_000)
  source.destroy()
  await expect(loading).rejects.toThrow('broke off')
  await expect(mysql.load(Readable.from(['nonsense']), never())).rejects.toThrow(StatementError)
  expect(await names()).toEqual(['a'])
})

test('a dump is put where backups see it, past whatever the game has put there; loading it can be taken back', async () => {
  const { folder, mysql, run, names, work } = await open()
  await mysql.renew(hash)
  await run("create table a (t text); insert into a values ('ü\\n\\'');")
  const shown = join(folder, '.mysql.sql')
  writeFileSync(join(folder, '.wakestone/secret'), 'kept')
  symlinkSync('.wakestone/secret', shown)
  expect(await work('dump', '1')).toBeNull()
  expect(lstatSync(shown).isFile()).toBe(true)
  expect(readFileSync(join(folder, '.wakestone/secret'), 'utf8')).toBe('kept')
  await run('drop table a; create table b (i int);')
  expect(await work('load', '2')).toBeNull()
  expect(await names()).toEqual(['a'])
  expect((await mysql.page({ table: 'a', offset: 0 })).rows).toEqual([["ü\n'"]])
  expect(await work('undo', '2')).toBeNull()
  expect(await names()).toEqual(['b'])
  // A link in the place of what was restored is followed nowhere.
  symlinkSync('.wakestone/secret', shown)
  expect(await work('load', '3')).toBeNull()
  expect(await names()).toEqual(['b'])
  expect(await work('forget', '3')).toBeNull()
  expect(existsSync(shown)).toBe(false)
  expect(readdirSync(join(folder, '.wakestone/mysql')).filter((name) => /^(?:before|load|dump)/.test(name))).toEqual([])
  // What is no dump is refused, and taken back.
  writeFileSync(shown, 'create table c (i int);\nnonsense;')
  expect(await work('load', '4')).toContain('ERROR 1064')
  expect(await work('undo', '4')).toBeNull()
  expect(await names()).toEqual(['b'])
})

test('all of it goes out as statements, and is gone when it is removed', async () => {
  const { folder, mysql, run } = await open()
  await mysql.renew(hash)
  await run('create table a (i int); create view v as select * from a;')
  let dumped = ''
  await mysql.dump(async (content) => void (dumped = await text(content)), never())
  expect(dumped).toContain('CREATE TABLE `a`')
  expect(dumped).toContain('VIEW `v`')
  await mysql.remove()
  expect(existsSync(join(folder, '.wakestone/mysql'))).toBe(false)
  expect(mysql.status()).toMatchObject({ exists: false, isUp: false, bytes: null })
})
