/** From a release as our marketplace publishes it to a manifest that the solver and supervisors read. */
import type { PublishedManifest } from '@wakestone/contract/marketplace/manifest'
import { sealManifest } from './hash.ts'
import { type Manifest, manifestSchema } from './manifest.ts'
import { type PlacedKind, placePackage, unpackOf } from './placement.ts'
import type { Selector } from './selector.ts'
import { MAX_RANGE_LENGTH } from './versions/range.ts'

/** A label without a value; selectors there name labels alone. */
const PRESENT = 'true'

type Said = Omit<PublishedManifest, 'ManifestHash' | 'manifestVersion' | 'name' | 'versionFormat'>
type PublishedSelector = Said['depends'][number]

export type Published = {
  /** Of its files, `hash` is the hexadecimal digits of SHA-256. */
  manifest: Said
  /** The project's address: a package is never called otherwise. */
  name: string
  kind: PlacedKind
  /** Versions of the game that the author names; none: any. */
  gameVersions: readonly string[]
  loaders: readonly string[]
  /** By the hash of a file. */
  sizes: ReadonlyMap<string, number>
  /** Which release of which project it is. */
  project: string
  release: string
}

type Reading = {
  /** The whole address that a supervisor fetches a file from. */
  urlOf: (file: { name: string; hash: string }) => string
  /** It is for a proxy, which speaks many versions of the game: those that the author names say nothing there. */
  isProxy?: boolean
  /** What the server's engine loads; null: whichever. */
  loads: readonly string[] | null
  /** Where players fetch a resource pack, and its SHA-1; undefined: it cannot be offered to them. */
  offerOf?: ((file: { name: string; hash: string }) => { url: string; sha1: string } | undefined) | undefined
}

/** @returns null when it asks for something that nobody can read, or is nothing to install: it cannot be chosen then */
export function readPublished(
  published: Published,
  { urlOf, loads, offerOf, isProxy = false }: Reading,
): Manifest | null {
  const { manifest, name, kind, gameVersions, loaders, sizes } = published
  const placement = placePackage(kind, { name, loaders })
  if (placement === undefined) return null
  const of = (wanted: string) =>
    manifest.dependencies.filter((one) => one.kind === wanted).map(({ selector }) => readSelector(selector))
  const embedded = of('embedded').flatMap((selector) => {
    const said = typeof selector === 'string' ? selector : (selector.name ?? selector.provides)
    return said === undefined ? [] : [{ name: said, version: manifest.packageVersion }]
  })
  const isLoaded = loads === null || loaders.length === 0 || loaders.some((loader) => loads.includes(loader))
  const offer = kind === 'resourcepack' ? manifest.downloadFiles.map((file) => offerOf?.(file))[0] : undefined
  if (kind === 'resourcepack' && offer === undefined) return null
  const result = manifestSchema.omit({ ManifestHash: true }).safeParse({
    manifestVersion: 1,
    name,
    packageVersion: manifest.packageVersion,
    contentVersion: manifest.contentVersion ?? manifest.packageVersion,
    versionFormat: 'semver',
    ...placement,
    // A folder of the author's is one within what its kind may write to.
    ...(manifest.subdir !== '' && isWithin(manifest.subdir, placement.subdir) && { subdir: manifest.subdir }),
    depends: [
      ...manifest.depends.map(readSelector),
      ...of('required'),
      ...(isProxy ? [] : gameSelector(gameVersions)),
      // Nobody provides a loader: what is made for another one is refused in these words.
      ...(isLoaded ? [] : [{ provides: loaders[0] }]),
    ],
    dependencies: [],
    // One pack of resources is offered at a time.
    conflicts: [...of('incompatible'), ...(kind === 'resourcepack' ? [{ provides: 'resource-pack' }] : [])],
    recommends: of('optional'),
    provides: [
      ...manifest.provides,
      ...embedded,
      ...(kind === 'resourcepack' ? [{ name: 'resource-pack', version: '1' }] : []),
    ],
    setEnv: manifest.setEnv,
    labels: {
      ...Object.fromEntries(manifest.labels.map((label) => [label, PRESENT])),
      kind,
      loaders: loaders.join(','),
      source: 'wakestone',
      project: published.project,
      release: published.release,
      ...(offer && { 'resource-pack': offer.url, 'resource-pack-sha1': offer.sha1 }),
    },
    filesHash: manifest.filesHash,
    downloadFiles: manifest.downloadFiles.map((file) => ({
      name: file.name,
      url: urlOf(file),
      hash: `sha256:${file.hash}`,
      size: sizes.get(file.hash) ?? null,
      unpack: unpackOf(kind, file.name),
      strip: 0,
    })),
  })
  return result.success ? sealManifest(result.data) : null
}

const isWithin = (folder: string, outer: string) => folder === outer || folder.startsWith(`${outer}/`)

/** As many versions as a range may name, of more of them the last ones. */
function gameSelector(versions: readonly string[]): Selector[] {
  const rangeOf = (from: number) =>
    versions
      .slice(from)
      .map((version) => `=${version}`)
      .join(' || ')
  let from = 0
  while (rangeOf(from).length > MAX_RANGE_LENGTH) from += 1
  return versions.length === 0 ? [] : [{ provides: 'minecraft', expr: rangeOf(from) }]
}

function readSelector(selector: PublishedSelector): string | Selector {
  if (typeof selector === 'string') return selector
  const { labels, ...rest } = selector
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== ''))
  return { ...said, ...(labels && { labels: Object.fromEntries(labels.map((label) => [label, PRESENT])) }) }
}
