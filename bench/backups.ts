/**
 * Measures a backup and a restore of a world through the product's boxes against restic by itself, over the same bytes.
 * `BENCH_WORLD_MB` says how large the world is.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '@wakestone/kit/settings'
import { openSandboxBench } from '../apps/server/src/adapters/clusters/process/test-support/sandbox-bench.ts'
import { provideRestic } from '../apps/server/src/adapters/restic/program.ts'
import * as restic from '../apps/server/src/adapters/restic/restic.ts'
import * as volume from '../apps/server/src/adapters/restic/volume.ts'
import { reportFigure } from './fixtures/figure.ts'

const megabytes = Number(process.env['BENCH_WORLD_MB'] ?? 300)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)

/** Regions of 4 MB each that do not compress, as chunks are compressed already. */
const makeWorld = (folder: string) =>
  `mkdir -p ${folder}/world/region && for number in $(seq ${Math.round(megabytes / 4)}); do ` +
  `head -c 4194304 /dev/urandom > ${folder}/world/region/r.0.$number.mca; done`

const bench = await openSandboxBench()
const alone = mkdtempSync(join(tmpdir(), 'wsb-restic-'))
try {
  const settings = readSettings({ DATA_DIR: bench.dataDir, NODE_ENV: 'test' })
  const serverId = randomUUID()
  // The world, what is restored beside it, and what is swapped out.
  await bench.cluster.place({ serverId, limits: { ...bench.limits, diskBytes: (3 * megabytes + 512) * 1024 ** 2 } })
  const deps = { cluster: bench.cluster, settings }
  const repository = { serverId, location: restic.locationFor(settings, serverId), password: 'bench' }
  await inVolume(serverId, makeWorld('.'))
  await restic.initRepository(deps, repository)
  execFileSync('/bin/sh', ['-c', makeWorld(alone)])
  const program = await provideRestic(settings)
  const env = {
    PATH: process.env['PATH'],
    HOME: alone,
    RESTIC_PASSWORD: 'bench',
    RESTIC_REPOSITORY: join(alone, 'repo'),
  }
  const run = (cwd: string, ...args: string[]) =>
    execFileSync(program, ['--no-cache', '--json', ...args], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  run(alone, 'init')

  const world = join(alone, 'world')
  const times = {
    backup: [] as number[],
    aloneBackup: [] as number[],
    staging: [] as number[],
    swapping: [] as number[],
    aloneRestore: [] as number[],
  }
  for (let round = 0; round < rounds; round++) {
    // Everything is new to it each time: what it knows already would be no work.
    await inVolume(serverId, makeWorld('.'))
    execFileSync('/bin/sh', ['-c', makeWorld(alone)])
    let snapshot = ''
    times.backup.push(
      await seconds(async () => {
        const made = await restic.makeSnapshot(deps, repository, { tags: [], skipsUnchanged: false })
        if (made !== 'unchanged') snapshot = made.details.snapshot_id
      }),
    )
    times.aloneBackup.push(await seconds(async () => run(world, 'backup', '.')))
    const folder = `.transfers/restore/${round}`
    times.staging.push(
      await seconds(() =>
        restic.restoreSnapshot(deps, repository, { snapshot, target: `${folder}/staged`, paths: null }),
      ),
    )
    times.swapping.push(await seconds(() => volume.replaceFiles(deps, { serverId }, { folder, paths: null })))
    await volume.removeFolder(deps, { serverId }, folder)
    const target = join(alone, 'restored')
    times.aloneRestore.push(await seconds(async () => run(alone, 'restore', 'latest', '--target', target)))
    rmSync(target, { recursive: true, force: true })
  }
  const restores = times.staging.map((staging, round) => staging + (times.swapping[round] ?? 0))
  const best = (list: number[]) => Math.min(...list)
  reportFigure(`backup of ${megabytes} MB`, best(times.backup), 's')
  reportFigure(`restore of ${megabytes} MB`, best(restores), 's')
  reportFigure('of which the swap', best(times.swapping), 's')
  reportFigure('backup against restic alone', best(times.aloneBackup) / best(times.backup), '×', { atLeast: 0.9 })
  reportFigure('restore against restic alone', best(times.aloneRestore) / best(restores), '×', { atLeast: 0.9 })
} finally {
  await bench.close()
  rmSync(alone, { recursive: true, force: true })
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

async function inVolume(serverId: string, script: string): Promise<void> {
  const run = await bench.cluster.runTask(serverId, {
    name: 'bench-world',
    command: ['/bin/sh', '-c', script],
    volume: 'write',
    network: 'none',
    memoryBytes: 128 * 1024 ** 2,
  })
  for await (const { text } of run.lines) console.error(text)
  const { code } = await run.exit
  if (code !== 0) throw new Error(`the world was not made: ${code}`)
}
