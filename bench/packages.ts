/**
 * Measures how thirty packages of 1 MB come onto a volume when their files are at hand, beside `cp` and `unzip` of the same:
 *
 *   node bench/packages.ts
 */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealManifest } from '@wakestone/packager/hash'
import type { InstallPlan, Manifest } from '@wakestone/packager/manifest'
import { buildInstallPlan } from '@wakestone/packager/plan'
import { zipSync } from 'fflate'
import { installPlan } from '../apps/supervisor/src/install/install.ts'
import { volumePaths } from '../apps/supervisor/src/volume.ts'
import { reportFigure } from './fixtures/figure.ts'

const COUNT = 30
const BYTES = 1024 ** 2
const ROUNDS = 5
/** Of the time that `cp` and `unzip` take. */
const most = 1.5

const home = mkdtempSync(join(tmpdir(), 'ws-bench-packages-'))
const cache = join(home, 'cache')
mkdirSync(cache)

function manifestOf(name: string, archive: Buffer, kind: 'zip' | 'none'): Manifest {
  const sha256 = createHash('sha256').update(archive).digest('hex')
  writeFileSync(join(cache, `sha256-${sha256}`), archive)
  return sealManifest({
    manifestVersion: 1,
    name,
    packageVersion: '1.0.0',
    contentVersion: '1.0.0',
    versionFormat: 'semver',
    subdir: name === 'engine' ? '.' : 'plugins',
    depends: [],
    dependencies: [],
    provides: [],
    setEnv: [],
    labels: { kind: name === 'engine' ? 'engine' : 'plugin' },
    filesHash: null,
    downloadFiles: [
      {
        name: kind === 'none' ? `${name}.jar` : `${name}.zip`,
        url: 'http://127.0.0.1:9/',
        hash: `sha256:${sha256}`,
        size: archive.length,
        unpack: kind,
        strip: 0,
      },
    ],
  })
}

/** Every other one is a jar, laid there as it is; the rest are archives of four files. */
const packages = Array.from({ length: COUNT }, (_, number) => {
  const name = `package-${number}`
  if (number % 2 === 0) return manifestOf(name, randomBytes(BYTES), 'none')
  const files = Object.fromEntries(
    Array.from({ length: 4 }, (_unused, place) => [`${name}/${place}.bin`, new Uint8Array(randomBytes(BYTES / 4))]),
  )
  return manifestOf(name, Buffer.from(zipSync(files, { level: 1 })), 'zip')
})
const engine = manifestOf('engine', Buffer.from(zipSync({ 'game.mjs': new Uint8Array(1) })), 'zip')
const launch = { command: ['{DIR:engine}/game.mjs'], env: {}, stopCommand: 'stop' }
const planOf = (all: Manifest[]): InstallPlan => buildInstallPlan({ engine, packages: all, files: [], launch })

const install = (volume: string, plan: InstallPlan) =>
  installPlan({
    paths: volumePaths(volume),
    plan,
    gameUser: null,
    maxBytes: 1024 ** 3,
    onProgress: () => undefined,
    provided: cache,
  })

async function measureInstall(round: number): Promise<number> {
  const volume = join(home, `volume-${round}`)
  mkdirSync(volume)
  await install(volume, planOf([]))
  const began = performance.now()
  await install(volume, planOf(packages))
  return performance.now() - began
}

/** The same files, to the same two places: each package's own folder and the one that they share. */
function measurePlain(round: number): number {
  const folder = join(home, `plain-${round}`)
  const commands = packages.flatMap(({ name, downloadFiles: [file] }) => {
    const from = join(cache, file!.hash.replace(':', '-'))
    const own = join(folder, name)
    const unpack = file!.unpack === 'none' ? `cp ${from} ${own}/${name}.jar` : `unzip -q ${from} -d ${own}`
    return [`mkdir -p ${own} && ${unpack} && cp -r ${own}/. ${folder}/plugins/`]
  })
  const began = performance.now()
  execFileSync('sh', ['-c', [`mkdir -p ${folder}/plugins`, ...commands, 'sync'].join('\n')])
  return performance.now() - began
}

try {
  const shares: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) shares.push((await measureInstall(round)) / measurePlain(round))
  const middle = shares.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)]!
  reportFigure(`install of ${COUNT} packages of 1 MB: of cp and unzip`, middle, '×', { atMost: most })
} finally {
  rmSync(home, { recursive: true, force: true })
}
