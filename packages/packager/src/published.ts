/** From a release as our marketplace publishes it to a manifest that the solver and supervisors read. */
import { sealManifest } from './hash.ts'
import { type Manifest, manifestSchema } from './manifest.ts'
import type { Selector } from './selector.ts'

/** A label without a value; selectors there name labels alone. */
const PRESENT = 'true'

type PublishedSelector =
  | string
  | {
      name?: string | undefined
      tag?: string | undefined
      expr?: string | undefined
      provides?: string | undefined
      labels?: string[] | undefined
    }

export type Published = {
  manifest: {
    packageVersion: string
    name: string
    subdir: string
    contentVersion: string | null
    depends: PublishedSelector[]
    dependencies: { selector: PublishedSelector; kind: 'required' | 'optional' | 'incompatible' | 'embedded' }[]
    provides: { name: string; version: string }[]
    setEnv: { key: string; value: string }[]
    labels: string[]
    filesHash: string
    /** `hash`: hexadecimal digits of SHA-256. */
    downloadFiles: { name: string; url: string; hash: string }[]
  }
  /** Versions of the game that the author names; none: any. */
  gameVersions: readonly string[]
  /** Where its files go when the author says nothing, such as `plugins`. */
  folder: string
}

/**
 * @param urlOf the whole address that a supervisor fetches a file from
 * @returns null when it asks for something that nobody can read: it cannot be chosen then
 */
export function readPublished(
  { manifest, gameVersions, folder }: Published,
  urlOf: (file: { name: string; url: string; hash: string }) => string,
): Manifest | null {
  const of = (wanted: string) =>
    manifest.dependencies.filter(({ kind }) => kind === wanted).map(({ selector }) => readSelector(selector))
  const embedded = of('embedded').flatMap((selector) => {
    const name = typeof selector === 'string' ? selector : (selector.name ?? selector.provides)
    return name === undefined ? [] : [{ name, version: manifest.packageVersion }]
  })
  const game: Selector[] =
    gameVersions.length === 0
      ? []
      : [{ provides: 'minecraft', expr: gameVersions.map((one) => `=${one}`).join(' || ') }]
  const result = manifestSchema.omit({ ManifestHash: true }).safeParse({
    manifestVersion: 1,
    name: manifest.name,
    packageVersion: manifest.packageVersion,
    contentVersion: manifest.contentVersion ?? manifest.packageVersion,
    versionFormat: 'semver',
    subdir: manifest.subdir === '' ? folder : manifest.subdir,
    depends: [...manifest.depends.map(readSelector), ...of('required'), ...game],
    dependencies: [],
    conflicts: of('incompatible'),
    recommends: of('optional'),
    provides: [...manifest.provides, ...embedded],
    setEnv: manifest.setEnv,
    labels: Object.fromEntries(manifest.labels.map((label) => [label, PRESENT])),
    filesHash: manifest.filesHash,
    downloadFiles: manifest.downloadFiles.map((file) => ({
      name: file.name,
      url: urlOf(file),
      hash: `sha256:${file.hash}`,
      size: null,
      unpack: unpackOf(file.name),
      strip: 0,
    })),
  })
  return result.success ? sealManifest(result.data) : null
}

const unpackOf = (name: string): 'none' | 'zip' | 'tar.gz' => {
  if (/\.zip$/i.test(name)) return 'zip'
  return /\.(tgz|tar\.gz)$/i.test(name) ? 'tar.gz' : 'none'
}

function readSelector(selector: PublishedSelector): string | Selector {
  if (typeof selector === 'string') return selector
  const { labels, ...rest } = selector
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== ''))
  return { ...said, ...(labels && { labels: Object.fromEntries(labels.map((label) => [label, PRESENT])) }) }
}
