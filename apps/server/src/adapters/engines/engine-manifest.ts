/** The package that an engine is. */
import { sealManifest } from '@wakestone/packager/hash'
import type { Manifest } from '@wakestone/packager/manifest'

type EngineFile = Pick<Manifest['downloadFiles'][number], 'name' | 'url' | 'hash'> &
  Partial<Manifest['downloadFiles'][number]>

/**
 * @param version of the engine, as people choose it
 * @param minecraft version of the game that it runs; null: it speaks several, or nobody says
 * @param build of an engine that has several for one version; they are compared as `format` says
 */
export function sealEngine({
  id,
  version,
  minecraft,
  game,
  build = version,
  format = 'number',
  java = null,
  provides = {},
  labels = {},
  files,
}: {
  id: string
  version: string
  minecraft: string | null
  game: 'minecraft-java' | 'minecraft-bedrock'
  build?: string
  format?: Manifest['versionFormat']
  /** Least major version of Java. */
  java?: number | null
  /** What it is besides the engine and the game: names with their versions. */
  provides?: Record<string, string>
  labels?: Record<string, string>
  files: readonly EngineFile[]
}): Manifest {
  const all = { engine: version, ...(minecraft !== null && { minecraft }), ...provides }
  return sealManifest({
    manifestVersion: 1,
    name: id,
    packageVersion: build,
    contentVersion: version,
    versionFormat: format,
    subdir: '.',
    depends: [],
    dependencies: java === null ? [] : [{ name: 'java', expr: `>=${java}` }],
    provides: Object.entries(all).map(([name, provided]) => ({ name, version: provided })),
    setEnv: [],
    labels: { kind: 'engine', game, ...labels },
    filesHash: null,
    downloadFiles: files.map((file) => ({ size: null, unpack: 'none', strip: 0, ...file })),
  })
}
