/**
 * Restores against whoever has the volume: links planted before and at every moment, names of every kind, what is larger
 * than the room. Looked at from outside: another server's volume, the host's folders, and that every restore ends.
 */
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Backup } from '@wakestone/contract/servers/backups'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { type Caller, startTestApi, type TestApi, stayForYears } from '../support/api.ts'
import { type BackupsOf, backupsOf } from '../support/backups.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 })

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let mine: BackupsOf
let others: BackupsOf
let serverId: string
let backup: Backup
/** Open to every user of this machine. */
const precious = mkdtempSync(join(tmpdir(), 'ws-precious-'))
chmodSync(precious, 0o777)
writeFileSync(join(precious, 'file'), 'precious')
chmodSync(join(precious, 'file'), 0o666)

const strangeNames =
  `mkdir -p 'plugins/a b' plugins/-rf 'plugins/[x]*?{y}' && cd plugins && echo 1 > 'a b/$(touch hit)' && echo 1 > '-rf/--target' && ` +
  `echo 1 > '[x]*?{y}/!' && printf 1 > "$(printf 'line\\nend')" && printf 1 > "$(printf '\\377\\376')" && ` +
  `printf 1 > "$(head -c 250 /dev/zero | tr '\\0' n)" && mkdir -p d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d && cd ..`

beforeAll(async () => {
  api = await startTestApi({ LIMIT_BACKUP_RESTORES: '0', LIMIT_MANUAL_BACKUPS: '0' })
  worker = await startTestWorker(api)
  const { engineVersion } = await prepareArtifacts(api)
  // So small that a bomb need not be large.
  await api.context.database.pool.query(
    `update products set parameters = jsonb_set(parameters, '{storage}', $1) where id = 'GRASS'`,
    [String(1024 ** 3)],
  )
  owner = await stayForYears(api, await api.signUp())
  const walletId = await topUp(api.context, owner, 9000)
  const rent = async () => (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  serverId = await rent()
  const other = await rent()
  await untilStatus(owner, serverId, isUp)
  await untilStatus(owner, other, isUp)
  mine = backupsOf(api, owner, serverId)
  others = backupsOf(api, owner, other)
  await others.inVolume('mkdir -p plugins && echo theirs > plugins/theirs.yml')
  await mine.inVolume(
    `${strangeNames} && ln -s ${precious} plugins/out && ln -s /etc plugins/etc && mkfifo plugins/pipe && ` +
      `ln plugins/-rf/--target plugins/hard && echo s > plugins/setuid && chmod 6755 plugins/setuid && seq 200 | xargs -I% sh -c 'echo % > plugins/%.yml'`,
  )
  backup = await mine.backUp()
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
  rmSync(precious, { recursive: true, force: true })
})

/** Of all that is not the server's: content, rights and times. */
async function outside(): Promise<string> {
  const find = (folder: string) =>
    execFileSync('find', [folder, '-xdev', '-printf', '%p %y %m %u %s %T@ %l\\n'], { encoding: 'utf8' })
  const theirs = await others.inVolume('cat plugins/theirs.yml; ls -la --time-style=full-iso plugins')
  const tools = createHash('sha256')
    .update(find(join(api.dataDir, 'artifacts')))
    .digest('hex')
  return `${find(precious)}${theirs}${tools}${find('/etc/passwd')}`
}

/** What is done by the game's user, over and over, while files are put back. */
const planted: [name: string, before: string, meanwhile: string][] = [
  ['its own folder is a link out', `rm -rf .transfers; ln -s ${precious} .transfers`, ''],
  ['its own folder is a link to another one', 'rm -rf .transfers; mkdir -p elsewhere; ln -s elsewhere .transfers', ''],
  [
    'the folder of restores is a link upwards',
    'mkdir -p .transfers; rm -rf .transfers/restore; ln -s .. .transfers/restore',
    '',
  ],
  [
    'the folder of restores is a file',
    'mkdir -p .transfers; rm -rf .transfers/restore; echo x > .transfers/restore',
    '',
  ],
  ['the target is a link out', `rm -rf plugins; ln -s ${precious} plugins`, ''],
  ['the target becomes a link', '', `rm -rf plugins; ln -sfn ${precious} plugins; rm -f plugins; mkdir -p plugins`],
  [
    'what is staged becomes a link',
    '',
    `for folder in .transfers/restore/*/; do mv "$folder/staged" "$folder/gone"; ln -s ${precious} "$folder/staged"; done`,
  ],
  [
    'folders of what is staged become links',
    '',
    `for folder in .transfers/restore/*/staged/plugins/*/; do mv "$folder" "$folder.gone"; ln -s ${precious} "\${folder%/}"; done`,
  ],
  [
    'the plan of moves is rewritten',
    '',
    `for folder in .transfers/restore/*/; do echo '[{"path":"../../etc/x","isStaged":true},{"path":"${precious}/file","isStaged":false}]' > "$folder/moves.json"; done`,
  ],
  [
    'what was swapped out becomes a link',
    '',
    `for folder in .transfers/restore/*/; do ln -sfn ${precious} "$folder/before"; done`,
  ],
]

/** Has the game's user do something again and again in a box of its own. @returns what ends it. */
async function keepAt(script: string): Promise<() => Promise<void>> {
  const run = await api.context.fleet.cluster.runTask(serverId, {
    name: 'attack',
    command: ['/bin/sh', '-c', `while :; do ${script}\ndone 2>/dev/null`],
    volume: 'write',
    network: 'none',
    memoryBytes: 64 * 1024 ** 2,
  })
  return async () => {
    run.cancel()
    for await (const _ of run.lines);
    await run.exit
  }
}

test('what is put back is what was backed up, names of every kind, and nothing of it has rights', async () => {
  const tell = () =>
    mine.inVolume(
      'cd plugins; find . -printf "%P|%y|%l|%s\\n" | sort | md5sum; find . -perm /6000 -type f; ls hit 2>/dev/null; true',
    )
  const before = await tell()
  await mine.inVolume('chmod 755 plugins/setuid; rm -rf plugins/*')
  expect(await mine.end(await mine.restore(backup.id, { paths: ['plugins'], safety: false }))).toMatchObject({
    state: 'done',
  })
  expect(await tell()).toBe(before)
  const one = { paths: ['plugins/[x]*?{y}/!', 'plugins/-rf/--target'], safety: false }
  await mine.inVolume('rm plugins/-rf/--target "plugins/[x]*?{y}/!"')
  expect(await mine.end(await mine.restore(backup.id, one))).toMatchObject({ state: 'done' })
  expect(await mine.inVolume('cat "plugins/[x]*?{y}/!" plugins/-rf/--target')).toBe('1\n1')
})

const rounds = 5
for (const [name, before, meanwhile] of planted)
  test(`${name}: nothing outside is touched`, async () => {
    for (let round = 0; round < rounds; round++) {
      const seen = await outside()
      if (before !== '') await mine.inVolume(before)
      const stop = meanwhile === '' ? undefined : await keepAt(meanwhile)
      const restoring = mine.restore(backup.id, { paths: ['plugins'], safety: false }).then(mine.end)
      // Who never stopped would only keep their own restore from its end.
      await Promise.race([restoring, delay(6_000)])
      await stop?.()
      const ended = await restoring
      expect(['done', 'failed', 'rolled_back']).toContain(ended.state)
      expect(await outside()).toBe(seen)
      await mine.inVolume('rm -rf .transfers plugins elsewhere; true')
      // Nobody stands in the way any more: it works as before.
      if (round > 0) continue
      const again = await mine.end(await mine.restore(backup.id, { paths: ['plugins'], safety: false }))
      expect(again).toMatchObject({ state: 'done', error: null })
      expect(await mine.inVolume('ls plugins/*.yml | wc -l')).toBe('200')
    }
  })

test('a bomb is refused before a byte, and leaves its server as it was', async () => {
  await mine.inVolume('mkdir -p bomb && truncate -s 2G bomb/zeros && echo small > bomb/small')
  const large = await mine.backUp()
  expect(large.details.total_bytes_processed).toBeGreaterThan(2e9)
  await mine.inVolume('rm bomb/zeros')
  const ended = await mine.end(await mine.restore(large.id, { paths: ['bomb'], safety: false }))
  expect(ended).toMatchObject({ state: 'rolled_back', error: { code: 'insufficient_storage' } })
  expect(await mine.inVolume('ls bomb; ls -A .transfers 2>/dev/null | grep restore || true')).toBe('small')
})
