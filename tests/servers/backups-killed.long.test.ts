/**
 * Backups and restores whose worker is killed at seeded moments, with the boxes that it has begun: they come to their end,
 * and no backup is forgotten before its successor is known to be readable.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as backups from '@wakestone/contract/servers/backups-routes'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import { cancelProcess } from '@wakestone/contract/servers/operations-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { checkRepository, listSnapshots } from '../../apps/server/src/adapters/restic/restic.ts'
import { closeContext, type Context, createContext } from '../../apps/server/src/context.ts'
import { createLocks } from '../../apps/server/src/db/locks.ts'
import * as repo from '../../apps/server/src/features/servers/backups/repo.ts'
import { resticOf, unlocked } from '../../apps/server/src/features/servers/backups/repository.ts'
import { createAutomaticBackup } from '../../apps/server/src/features/servers/backups/service.ts'
import { createRunner } from '../../apps/server/src/features/servers/operations/runner.ts'
import { findServer } from '../../apps/server/src/features/servers/servers/service.ts'
import { allOperations } from '../../apps/server/src/operations.ts'
import { type Caller, startTestApi, stayForYears, type TestApi } from '../support/api.ts'
import { type BackupsOf, backupsOf } from '../support/backups.ts'
import { createCrashes } from '../support/crashes.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 120_000 })

const moments = Number(process.env['BACKUPS_MOMENTS'] ?? 50)
const killsEach = 3
let api: TestApi
let owner: Caller
let serverId: string
let inVolume: BackupsOf['inVolume']
/** The worker that is killed. */
let killed: Context
let crashes: ReturnType<typeof createCrashes>
/** Places servers, and is let live. */
let placing: Awaited<ReturnType<typeof startTestWorker>> | undefined

beforeAll(async () => {
  api = await startTestApi({ LIMIT_BACKUP_RESTORES: '0' })
  const worker = await startTestWorker(api)
  const { engineVersion } = await prepareArtifacts(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  serverId = (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  inVolume = backupsOf(api, owner, serverId).inVolume
  await untilStatus(owner, serverId, isUp)
  // All of it takes longer than a session is good for.
  owner = await stayForYears(api, owner)
  // The game goes on; what this file begins is done by workers of its own.
  await worker.stop()
  placing = await startTestWorker(api, { operations: false })
  const { settings, secrets, logger, databaseUrl, fleet } = api.context
  killed = await createContext({ settings, secrets, logger, databaseUrl, fleet, role: 'api' })
  crashes = createCrashes(killed.database.pool)
  // Each automatic backup has the one before it forgotten, if that may be.
  await api.context.db
    .updateTable('products')
    .set({ parameters: JSON.stringify({ ...(await parametersOf('GRASS')), backups: hasty }) })
    .where('id', '=', 'GRASS')
    .execute()
})
afterAll(async () => {
  await placing?.stop()
  await placing?.removeAll()
  if (killed !== undefined) await closeContext(killed)
  await api?.close()
})

const hasty = { every_hours: 1, keep_all_hours: 0, keep_daily_days: 0, manual: 3 }
const parametersOf = async (id: string) =>
  (await api.context.db.selectFrom('products').select('parameters').where('id', '=', id).executeTakeFirstOrThrow())
    .parameters as object

/** After a statement of this number, or what it says first after so many milliseconds. */
type Moment = { statement: number } | { milliseconds: number }

/** Works on an operation; with a moment, only until it is killed there, with its boxes. @returns whether it was. */
async function live(id: string, moment?: Moment): Promise<boolean> {
  const locks = createLocks({ url: killed.databaseUrl, logger: killed.logger })
  const leaving = new AbortController()
  if (moment !== undefined) crashes.plan('statement' in moment ? moment.statement : Number.MAX_SAFE_INTEGER)
  const killing =
    moment !== undefined && 'milliseconds' in moment && setTimeout(() => crashes.plan(1), moment.milliseconds)
  const { run } = createRunner({
    deps: killed,
    kinds: allOperations,
    locks,
    lookMilliseconds: 50,
    pauseMilliseconds: 1,
  })
  const running = run(id, leaving.signal).catch(() => undefined)
  const watching = (async () => {
    while (!crashes.hasCrashed() && !leaving.signal.aborted) await delay(2)
    if (!crashes.hasCrashed()) return
    await api.context.fleet.cluster.closeBoxes(serverId)
    leaving.abort()
  })()
  await running
  if (killing !== false) clearTimeout(killing)
  leaving.abort()
  await watching
  await locks.close()
  return crashes.recover()
}

const stateOf = async (id: string) =>
  (await api.context.db.selectFrom('operations').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
async function finish(id: string, state = 'done'): Promise<void> {
  for (let tries = 0; tries < 60 && !isOver((await stateOf(id)) as Operation['state']); tries++) {
    await live(id)
    await delay(50)
  }
  expect(await stateOf(id)).toBe(state)
}

/** Of all snapshots that count one is there that can be read, and those that people are shown all are. */
async function expectNothingLost(moment: string): Promise<void> {
  const row = await repo.findRepository(api.context.db, serverId)
  if (row?.made_at == null) return
  const access = unlocked(api.context, row)
  const there = await listSnapshots(resticOf(api.context), access)
  const all = await api.context.db.selectFrom('backups').selectAll().where('server_id', '=', serverId).execute()
  for (const { snapshot_id, forgotten_at } of all)
    if (forgotten_at === null) expect(there, `${moment}: one that is shown is gone`).toContain(snapshot_id)
  const verified = all.filter(({ verified_at }) => verified_at !== null)
  const left = verified.filter(({ forgotten_at }) => forgotten_at === null)
  if (verified.length > 0)
    expect(left.length, `${moment}: none is left that is known to be readable`).toBeGreaterThan(0)
}

/** Has its worker killed where the snapshot is made and nothing is written of it yet. */
async function killBeforeRow(id: string): Promise<void> {
  const { pool } = api.context.database
  const holding = await pool.connect()
  await holding.query('begin; lock table backups in share row exclusive mode')
  try {
    const living = live(id, { statement: Number.MAX_SAFE_INTEGER })
    const waiting = `select 1 from pg_locks where relation = 'backups'::regclass and not granted`
    while ((await pool.query(waiting)).rowCount === 0) await delay(20)
    crashes.plan(1) // whatever it says next
    expect(await living).toBe(true)
  } finally {
    await holding.query('rollback')
    holding.release()
  }
}

test('what restic could not read is told of, also where a worker was killed before it wrote that down', async () => {
  await inVolume('mkdir -p locked && echo secret > locked/one.txt && chmod 0 locked/one.txt')
  const server = (await findServer(api.context.db, serverId))!
  const { id }: Operation = await createAutomaticBackup(api.context, server)
  await killBeforeRow(id)
  const row = (await repo.findRepository(api.context.db, serverId))!
  const untold = await listSnapshots(resticOf(api.context), unlocked(api.context, row))
  expect(untold.size).toBe(1)
  expect(await owner.call(backups.listBackups, { params: { id: serverId } })).toEqual([])
  await finish(id)
  const [made] = await owner.call(backups.listBackups, { params: { id: serverId } })
  expect(made).toMatchObject({ incomplete: true })
  expect([...(await listSnapshots(resticOf(api.context), unlocked(api.context, row)))]).toEqual([
    made!.details.snapshot_id,
  ])
  await inVolume('rm -rf locked')
})

/** Statements of one run, of which a moment is one. */
const statements = 40

test('a backup whose worker is killed is made once, and the one before it goes only then', async () => {
  const random = createRandom(seedOf('BACKUPS_SEED'))
  for (let count = 0; count < moments; count++) {
    await inVolume(`mkdir -p world && head -c 200000 /dev/urandom > world/${count % 5}.bin; echo ${count} > count.txt`)
    const server = (await findServer(api.context.db, serverId))!
    const { id }: Operation = await createAutomaticBackup(api.context, server)
    for (let kills = 0; kills < killsEach; kills++) {
      const moment = 1 + Math.floor(random.next() * statements)
      await live(id, { statement: moment })
      await expectNothingLost(`backup ${count}, statement ${moment}`)
    }
    await finish(id)
    await expectNothingLost(`backup ${count}`)
    const row = (await repo.findRepository(api.context.db, serverId))!
    const there = await listSnapshots(resticOf(api.context), unlocked(api.context, row))
    expect([...there]).toEqual((await repo.selectBackups(api.context.db, serverId)).map((one) => one.snapshot_id))
    expect(there.size).toBe(1)
  }
  const row = (await repo.findRepository(api.context.db, serverId))!
  for (let part = 1; part <= 7; part++)
    await checkRepository(resticOf(api.context), unlocked(api.context, row), { part })
})

test('files that are put back by a killed worker are those of the backup or those from before, never half', async () => {
  const random = createRandom(seedOf('BACKUPS_SEED'))
  await inVolume('mkdir -p plugins/a && echo old > plugins/a/one.yml && echo old > plugins/a/two.yml')
  const server = (await findServer(api.context.db, serverId))!
  const made = await createAutomaticBackup(api.context, server)
  await finish(made.id)
  const [backup] = await owner.call(backups.listBackups, { params: { id: serverId } })
  for (let count = 0; count < moments; count++) {
    await inVolume('rm -rf plugins/a; mkdir plugins/a; echo new > plugins/a/one.yml; echo new > plugins/a/three.yml')
    const begun = await owner.call(backups.restoreBackup, {
      params: { id: serverId, snapshotId: backup!.id },
      body: { paths: ['plugins/a'], safety: false },
    })
    for (let kills = 0; kills < killsEach; kills++) {
      await live(begun.id, { statement: 1 + random.below(20) })
      expect(['old\nold', 'new\nnew', '']).toContain(await inVolume('cat plugins/a/*.yml 2>/dev/null || true'))
    }
    await finish(begun.id)
    expect(
      await inVolume('cat plugins/a/*.yml; ls plugins/a; ls -A .transfers 2>/dev/null | grep restore || true'),
    ).toBe('old\nold\none.yml\ntwo.yml')
  }
})

test('a whole restore that is killed comes to its end, or is taken back: all of one time or all of the other', async () => {
  const random = createRandom(seedOf('BACKUPS_SEED'))
  const lay = (text: string) =>
    inVolume(
      `rm -rf plugins world/own ${text === 'old' ? 'new.txt' : 'old.txt'}; mkdir -p plugins world/own; ` +
        `for number in $(seq 120); do echo ${text} > plugins/$number.yml; done; ` +
        `head -c 4000000 /dev/zero | tr '\\0' ${text[0]} > world/own/big.bin; echo ${text} > ${text}.txt`,
    )
  const tell = () =>
    inVolume(
      'cat plugins/*.yml *.txt | sort | uniq -c; ls plugins | wc -l; md5sum world/own/big.bin; ls -A .transfers 2>/dev/null | grep restore || true',
    )
  await lay('old')
  const old = await tell()
  await finish((await createAutomaticBackup(api.context, (await findServer(api.context.db, serverId))!)).id)
  const [backup] = await owner.call(backups.listBackups, { params: { id: serverId } })
  await lay('new')
  const newer = await tell()
  expect(newer).not.toBe(old)
  for (let count = 0; count < moments; count++) {
    await lay('new')
    const begun = await owner.call(backups.restoreBackup, {
      params: { id: serverId, snapshotId: backup!.id },
      body: { safety: count % 5 === 0 },
    })
    let what = ''
    for (let kills = 0; kills < killsEach; kills++) {
      const moment = random.chance(0.5) ? { statement: 1 + random.below(60) } : { milliseconds: random.below(5000) }
      what += ` ${JSON.stringify(moment)}`
      await live(begun.id, moment)
      await expectNothingLost(`restore ${count},${what}`)
    }
    const isCancelled =
      count % 2 === 1 &&
      (await owner
        .call(cancelProcess, { params: { id: serverId, process_id: begun.id } })
        .then(() => true)
        .catch(() => false)) // it has come too far
    await finish(begun.id, isCancelled ? 'cancelled' : 'done')
    expect([count, what, await tell()]).toEqual([count, what, isCancelled ? newer : old])
  }
})
