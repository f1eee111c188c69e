/** From a pack to the manifest of a server pack: all its files at once, come and go together. */
import { sealManifest } from '../hash.ts'
import { type Manifest, manifestSchema } from '../manifest.ts'
import { parsePlainVersion } from '../versions/version.ts'
import { SERVER } from '../placement.ts'
import { checkPackFiles, type Pack, PackError, type PackFile } from './pack.ts'

/** By what people and the solver find a pack's ground again. */
export const packLabels = {
  minecraft: 'pack-minecraft',
  engine: 'pack-engine',
  leftOut: 'pack-left-out',
  byHand: 'pack-by-hand',
} as const

/** Names by which loaders are asked for, the same as engines provide. */
const loaderNames = { fabric: 'fabric-loader', quilt: 'quilt-loader', forge: 'forge', neoforge: 'neoforge' } as const

type Sealing = {
  pack: Pack
  /** Of the package, with its source. */
  name: string
  version: string
  aliases?: readonly string[]
  labels: Record<string, string>
  files: readonly PackFile[]
  /** Names of what is in it, so that nobody brings it a second time. */
  embeds: readonly string[]
  leftOut: number
  /** Where people have to fetch what nobody may hand out. */
  byHand?: readonly string[]
  /** The pack itself. */
  archive: { name: string; url: string; hash: string; size: number | null }
}

/** @throws PackError */
export function sealPack(sealing: Sealing): Manifest {
  const { pack, name, version, aliases = [], labels, files, embeds, leftOut, byHand = [], archive } = sealing
  checkPackFiles(files)
  const { loader, minecraft } = pack
  const provided = parsePlainVersion(version) ? version : '0'
  const result = manifestSchema.omit({ ManifestHash: true }).safeParse({
    manifestVersion: 1,
    name,
    packageVersion: version,
    contentVersion: version,
    versionFormat: 'semver',
    subdir: SERVER,
    place: 'keep',
    depends: [
      { provides: 'minecraft', expr: `=${minecraft}` },
      ...(loader === null ? [] : [{ provides: loaderNames[loader.engine], expr: `>=${loader.version}` }]),
    ],
    dependencies: [],
    // Each brings settings for all of the server.
    conflicts: [{ provides: 'modpack' }],
    provides: [
      { name: 'modpack', version: '1' },
      ...[...aliases, ...embeds].map((other) => ({ name: other, version: provided })),
    ],
    setEnv: [],
    labels: {
      kind: 'serverpack',
      [packLabels.minecraft]: minecraft,
      [packLabels.engine]: loader?.engine ?? 'vanilla',
      [packLabels.leftOut]: String(leftOut),
      ...(byHand.length > 0 && { [packLabels.byHand]: byHand.join('\n') }),
      ...labels,
    },
    filesHash: null,
    downloadFiles: [
      // The pack's own files win over what it lays out.
      { ...archive, unpack: 'zip', strip: 1, only: pack.overrides },
      ...files.map(({ path, url, hash, size }) => ({ name: path, url, hash, size, unpack: 'none', strip: 0 })),
    ],
  })
  if (!result.success) throw new PackError(result.error.issues[0]?.path.join('.') ?? '')
  return sealManifest(result.data)
}
