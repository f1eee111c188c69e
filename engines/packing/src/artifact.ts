/** Lays the package of an engine that we bundle ourselves: an archive, and its manifest in an index. */
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
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { create } from 'tar'
import { sealManifest } from '@wakestone/packager/hash'
import type { Manifest } from '@wakestone/packager/manifest'

export type BundledFile = { name: string; content: Uint8Array }

export type Artifact = { name: string; file: string; sha256: string; size: number; stamp: string; manifest: Manifest }

export type EnginePackage = {
  name: string
  /** Version of Minecraft that it speaks. */
  minecraft: string
  game: 'minecraft-java' | 'minecraft-bedrock'
  /** The library of which the engine is made; its version is the package's. */
  library: string
  /** Other packages whose versions change what is bundled. */
  madeWith: string[]
  /** `import.meta.url` of a file in the folder of the sources. */
  sources: string
  /** @returns the files, sorted by name; the same sources give the same bytes */
  bundle: () => Promise<BundledFile[]>
}

/**
 * What is already there for the same sources and versions is taken as it is.
 * @param outDir folder for the archive and `index.json`; other entries of the index are kept.
 * @returns the index entry; `manifest.downloadFiles[0].url` is the file's name, for the server to complete.
 */
export async function layArtifact(engine: EnginePackage, { outDir }: { outDir: string }): Promise<Artifact> {
  mkdirSync(outDir, { recursive: true })
  const indexPath = join(outDir, 'index.json')
  const stamp = stampOf(engine)
  const present = readIndex(indexPath).artifacts.find(({ name }) => name === engine.name)
  if (present?.stamp === stamp && existsSync(join(outDir, present.file))) return present

  const staging = mkdtempSync(join(outDir, 'staging-'))
  try {
    const files = await engine.bundle()
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
    const artifact = describe(engine, { sha256, size: statSync(archive).size, stamp })
    renameSync(archive, join(outDir, artifact.file))
    // Read again: another engine may have been laid meanwhile.
    const others = readIndex(indexPath).artifacts.filter(({ name }) => name !== artifact.name)
    writeIndex(indexPath, { artifacts: [...others, artifact] })
    return artifact
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** The command `node build.ts --out DIR`, which prints `{file, sha256, size, manifest}`. */
export async function runBuild(engine: EnginePackage): Promise<void> {
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  if (values.out === undefined) {
    process.stderr.write('usage: node build.ts --out DIR\n')
    process.exit(2)
  }
  const { file, sha256, size, manifest } = await layArtifact(engine, { outDir: values.out })
  process.stdout.write(`${JSON.stringify({ file, sha256, size, manifest })}\n`)
}

type Laid = { sha256: string; size: number; stamp: string }

function describe(engine: EnginePackage, { sha256, size, stamp }: Laid): Artifact {
  const { name, minecraft, game } = engine
  const packageVersion = versionOf(engine, engine.library)
  const file = `${sha256}.tar.gz`
  const manifest = sealManifest({
    manifestVersion: 1,
    name,
    packageVersion,
    contentVersion: minecraft,
    versionFormat: 'semver',
    subdir: '.',
    depends: [],
    dependencies: [],
    provides: [
      { name: 'engine', version: packageVersion },
      { name: 'minecraft', version: minecraft },
    ],
    setEnv: [],
    labels: { kind: 'engine', game },
    filesHash: null,
    downloadFiles: [{ name: file, url: file, hash: `sha256:${sha256}`, size, unpack: 'tar.gz', strip: 0 }],
  })
  return { name, file, sha256, size, stamp, manifest }
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
function stampOf(engine: EnginePackage): string {
  const hash = createHash('sha256')
  for (const name of [engine.library, ...engine.madeWith, 'rolldown', 'tar'])
    hash.update(`${name} ${versionOf(engine, name)}\n`)
  const folders = [engine.sources, import.meta.url].map((url) => fileURLToPath(new URL('.', url)))
  for (const folder of folders) {
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    )
    for (const name of sources.toSorted()) hash.update(`${name}\n`).update(readFileSync(join(folder, name)))
  }
  return hash.digest('hex')
}

function versionOf(engine: EnginePackage, name: string): string {
  const require = createRequire(engine.sources)
  for (let folder = dirname(require.resolve(name)); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (!existsSync(path)) continue
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string }
    if (manifest.name === name && manifest.version) return manifest.version
  }
  throw new Error(`${name} is not installed`)
}
