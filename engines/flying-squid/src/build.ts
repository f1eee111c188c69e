/**
 * Makes the flying-squid package: an archive of the bundled server, and its manifest.
 *
 *   node engines/flying-squid/src/build.ts --out DIR
 *
 * lays `<sha256>.tar.gz` and `index.json` in DIR and prints `{file, sha256, size, manifest}`. What is already
 * there for the same sources and versions is taken as it is.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { create } from 'tar'
import { sealManifest } from '@wakestone/packager/hash'
import type { Manifest } from '@wakestone/packager/manifest'
import { bundleServer, MINECRAFT_VERSION } from './bundle.ts'

const require = createRequire(import.meta.url)

export type Artifact = { name: string; file: string; sha256: string; size: number; stamp: string; manifest: Manifest }

/**
 * @param outDir folder for the archive and `index.json`; other entries of the index are kept.
 * @returns the index entry; `manifest.downloadFiles[0].url` is the file's name, for the server to complete.
 */
export async function buildFlyingSquidArtifact({ outDir }: { outDir: string }): Promise<Artifact> {
  mkdirSync(outDir, { recursive: true })
  const indexPath = join(outDir, 'index.json')
  const index = readIndex(indexPath)
  const stamp = stampOfSources()
  const present = index.artifacts.find(({ name }) => name === 'flying-squid')
  if (present?.stamp === stamp && existsSync(join(outDir, present.file))) return present

  const staging = mkdtempSync(join(outDir, 'staging-'))
  try {
    const files = await bundleServer()
    for (const { name, content } of files) {
      mkdirSync(dirname(join(staging, name)), { recursive: true })
      writeFileSync(join(staging, name), content, { mode: 0o644 })
    }
    const archive = join(staging, 'archive.tar.gz')
    // Neither time nor user nor umask reach the archive: its hash names its content.
    await create(
      { cwd: staging, file: archive, gzip: { level: 9 }, portable: true, mtime: new Date(0), noDirRecurse: true },
      files.map(({ name }) => name),
    )
    const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex')
    const artifact = describeArtifact({ sha256, size: statSync(archive).size, stamp })
    renameSync(archive, join(outDir, artifact.file))
    writeIndex(indexPath, { artifacts: [...index.artifacts.filter(({ name }) => name !== artifact.name), artifact] })
    return artifact
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function describeArtifact({ sha256, size, stamp }: { sha256: string; size: number; stamp: string }): Artifact {
  const file = `${sha256}.tar.gz`
  const manifest = sealManifest({
    manifestVersion: 1,
    name: 'flying-squid',
    packageVersion: versionOf('flying-squid'),
    contentVersion: MINECRAFT_VERSION,
    versionFormat: 'semver',
    subdir: '.',
    depends: [],
    dependencies: [],
    provides: [
      { name: 'engine', version: versionOf('flying-squid') },
      { name: 'minecraft', version: MINECRAFT_VERSION },
    ],
    setEnv: [],
    labels: { kind: 'engine', game: 'minecraft-java' },
    filesHash: null,
    downloadFiles: [{ name: file, url: file, hash: `sha256:${sha256}`, size, unpack: 'tar.gz', strip: 0 }],
  })
  return { name: 'flying-squid', file, sha256, size, stamp, manifest }
}

type Index = { artifacts: Artifact[] }

function readIndex(path: string): Index {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Index
  } catch {
    return { artifacts: [] }
  }
}

function writeIndex(path: string, index: Index): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(index, null, 2)}\n`)
  renameSync(`${path}.new`, path)
}

/** Changes whenever what goes into the archive does. */
function stampOfSources(): string {
  const hash = createHash('sha256')
  for (const name of ['flying-squid', 'minecraft-data', 'minecraft-protocol', 'rolldown', 'tar'])
    hash.update(`${name} ${versionOf(name)}\n`)
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  for (const name of sources.toSorted()) hash.update(`${name}\n`).update(readFileSync(join(folder, name)))
  return hash.digest('hex')
}

function versionOf(name: string): string {
  for (let folder = dirname(require.resolve(name)); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (!existsSync(path)) continue
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string }
    if (manifest.name === name && manifest.version) return manifest.version
  }
  throw new Error(`${name} is not installed`)
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  if (values.out === undefined) {
    process.stderr.write('usage: node build.ts --out DIR\n')
    process.exit(2)
  }
  const { file, sha256, size, manifest } = await buildFlyingSquidArtifact({ outDir: values.out })
  process.stdout.write(`${JSON.stringify({ file, sha256, size, manifest })}\n`)
}
