/**
 * SFTP against whoever has the volume: paths that climb, links of every kind, links that come and go at every moment. Looked
 * at from outside: a folder of this machine that everybody may write to, and another server's volume.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Caller } from '../support/api.ts'
import { type BackupsOf, backupsOf } from '../support/backups.ts'
import { makeToken, openClientFolder, rentAsleep, sftp, type SftpApi, startSftpApi } from '../support/sftp.ts'

vi.setConfig({ testTimeout: 300_000 })

let api: SftpApi
let owner: Caller
let mine: BackupsOf
let others: BackupsOf
let otherId: string
let token: { username: string; password: string }
const client = openClientFolder()
/** Open to every user of this machine. */
const precious = mkdtempSync(join(tmpdir(), 'ws-precious-'))

beforeAll(async () => {
  chmodSync(precious, 0o777)
  writeFileSync(join(precious, 'file'), 'precious')
  chmodSync(join(precious, 'file'), 0o666)
  writeFileSync(join(client.folder, 'evil'), 'evil')
  api = await startSftpApi()
  owner = await api.signUp()
  const serverId = await rentAsleep(api, owner)
  otherId = await rentAsleep(api, owner)
  token = await makeToken(owner, serverId)
  mine = backupsOf(api, owner, serverId)
  others = backupsOf(api, owner, otherId)
  // Their volumes are made with the first box.
  for (const access of [token, await makeToken(owner, otherId)]) await sftp(client, api, access, 'pwd\n', 60)
  await others.inVolume('echo theirs > theirs.txt')
  await mine.inVolume(
    `mkdir -p d && ln -s ${precious} out && ln -s ${precious}/file file && ln -s / root && ln -s /proc/self/root proc &&
     ln -s ../../../../../../../.. up && ln -s /data/../${otherId} sibling && mkfifo pipe && echo own > own.txt`,
  )
}, 120_000)
afterAll(async () => {
  client.close()
  rmSync(precious, { recursive: true, force: true })
  await api?.close()
})

const run = (commands: string[], seconds = 40) => sftp(client, api, token, `${commands.join('\n')}\n`, seconds)
const evil = () => join(client.folder, 'evil')

function expectUntouched(): void {
  expect(readdirSync(precious)).toEqual(['file'])
  expect(readFileSync(join(precious, 'file'), 'utf8')).toBe('precious')
  expect(statSync(join(precious, 'file')).mode & 0o7777).toBe(0o666)
}

test('no path and no link leads out, in either direction', async () => {
  const inner = precious.slice(1)
  const ways = [
    'out',
    `root/${inner}`,
    `proc/${inner}`,
    `up/${inner}`,
    `../..${precious}`,
    precious,
    `/data/../..${precious}`,
    'sibling',
  ]
  // One session each: OpenSSH ends at no command that fails, since they are typed.
  const ran = await run([
    ...ways.flatMap((way) => [
      `put ${evil()} ${way}/evil`,
      `put ${evil()} ${way}/file`,
      `mkdir ${way}/evil-folder`,
      `rename own.txt ${way}/own.txt`,
      `chmod 777 ${way}/file`,
      `rm ${way}/file`,
      `symlink ${way}/file ${way}/evil-link`,
      `get ${way}/file ${client.folder}/stolen`,
    ]),
    `put ${evil()} file`,
    `get file ${client.folder}/stolen`,
    `get /etc/shadow ${client.folder}/stolen`,
    `get /proc/1/environ ${client.folder}/environment`,
    `put ${evil()} d/fine`, // the control: the session works to its end
  ])
  expect(ran.err).not.toBe('')
  expectUntouched()
  expect(await mine.inVolume('cat d/fine')).toBe('evil')
  expect(await others.inVolume('ls -A | grep -vE "^\\.(wakestone|revisions|transfers|trash)$"; cat theirs.txt')).toBe(
    'theirs.txt\ntheirs',
  )
  expect(readdirSync(client.folder)).not.toContain('stolen')
  // Process 1 is the init of its own box, which any plugin can read: no secret of ours may be in it.
  expect(readFileSync(join(client.folder, 'environment'), 'utf8')).not.toMatch(/secret|token|key|password|database/i)
})

/** Ids of the processes of this machine that are `sftp-server`. */
const sftpServers = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sftp-server\n'
    } catch {
      return false // it has ended just now
    }
  })

test('a pipe keeps nobody waiting for ever', async () => {
  const before = new Set(sftpServers())
  const ran = await run([`put ${evil()} pipe`, 'pwd'], 20)
  // Ended by the door or refused by the server: what counts is that others go on.
  expect(ran.out + ran.err).not.toBe('')
  expect((await run(['pwd'])).out).toContain('/data')
  // The program that blocks on it is ended too: a box takes only so many sessions.
  const left = sftpServers().filter((pid) => !before.has(pid))
  await expect
    .poll(() => sftpServers().filter((pid) => left.includes(pid)), { timeout: 45_000, interval: 500 })
    .toEqual([])
  await mine.inVolume('rm -f pipe')
})

test('links that come and go while files are written lead nowhere', async () => {
  const seconds = 120
  const race = api.context.fleet.cluster.runTask(
    (
      await api.context.database.pool.query('select id from servers where id <> $1 and owner_id = $2', [
        otherId,
        owner.user.id,
      ])
    ).rows[0].id as string,
    {
      name: 'test-race',
      command: [
        '/bin/sh',
        '-c',
        `mkdir -p race; end=$(($(date +%s) + ${seconds}));
       while [ $(date +%s) -lt $end ]; do
         ln -sfn ${precious} link; mv -T race folder 2>/dev/null; mv -T link race 2>/dev/null
         mv -T race link 2>/dev/null; mv -T folder race 2>/dev/null
       done; true`,
      ],
      volume: 'write',
      network: 'none',
      memoryBytes: 64 * 1024 ** 2,
    },
  )
  const racing = await race
  const drained = (async () => {
    for await (const line of racing.lines) void line
  })()
  let tries = 0
  for (const until = Date.now() + seconds * 1000 - 3_000; Date.now() < until; tries++)
    await run(
      Array.from({ length: 40 }, (_, index) => [
        `put ${evil()} race/evil${index}`,
        `put ${evil()} race/file`,
        `rm race/file`,
        `mkdir race/f${index}`,
        `chmod 777 race/file`,
        `rename own.txt race/own.txt`,
      ]).flat(),
    )
  await racing.exit
  await drained
  expect(tries).toBeGreaterThan(0)
  expectUntouched()
  // Something was written meanwhile: the race was one.
  expect(Number(await mine.inVolume('find race folder link -name "evil*" 2>/dev/null | wc -l'))).toBeGreaterThan(0)
  expect(execFileSync('find', [precious, '-type', 'l']).toString()).toBe('')
})
