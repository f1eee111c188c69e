/** The package that an engine is. */
import { sealManifest } from '@wakestone/packager/hash'
import type { Manifest } from '@wakestone/packager/manifest'

type EngineFile = Pick<Manifest['downloadFiles'][number], 'name' | 'url' | 'hash'> &
  Partial<Manifest['downloadFiles'][number]>

/** @param build of an engine that has several for one version of the game; they are compared as `format` says */
export function sealEngine({
  id,
  minecraft,
  game,
  build = minecraft,
  format = 'number',
  java = null,
  provides = {},
  labels = {},
  files,
}: {
  id: string
  minecraft: string
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
  const all = { engine: minecraft, minecraft, ...provides }
  return sealManifest({
    manifestVersion: 1,
    name: id,
    packageVersion: build,
    contentVersion: minecraft,
    versionFormat: format,
    subdir: '.',
    depends: [],
    dependencies: java === null ? [] : [{ name: 'java', expr: `>=${java}` }],
    provides: Object.entries(all).map(([name, version]) => ({ name, version })),
    setEnv: [],
    labels: { kind: 'engine', game, ...labels },
    filesHash: null,
    downloadFiles: files.map((file) => ({ size: null, unpack: 'none', strip: 0, ...file })),
  })
}
