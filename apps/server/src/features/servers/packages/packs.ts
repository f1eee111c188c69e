/** Packs of mods that people bring as a file: read once, kept, and installed as any other package. */
import { DomainError } from '@wakestone/contract/errors'
import type { takenPackSchema } from '@wakestone/contract/servers/packages'
import type { Manifest } from '@wakestone/packager/manifest'
import { readModrinthIndex } from '@wakestone/packager/packs/modrinth'
import { PackError } from '@wakestone/packager/packs/pack'
import { sealPack } from '@wakestone/packager/packs/seal'
import type { z } from 'zod'
import { packUrl } from '#src/adapters/packages/signed-files.ts'
import { SourceUnavailableError } from '#src/adapters/packages/source.ts'
import type { Context } from '#src/context.ts'
import { filesOf } from '#src/features/servers/files/service.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import { describePack } from './draft.ts'
import type { Catalogues } from './install.ts'
import { keepPackFile, type PackFile } from './pack-files.ts'
import { insertPack } from './repo.ts'

type Deps = Catalogues & Pick<Context, 'fleet'> & { artifactUrl: string }

const patienceMilliseconds = 30_000

/**
 * Reads a pack that lies among a server's files, and keeps it.
 * @throws DomainError `kloceg_install_failed` for what is no pack, `package_source_unavailable`, and those of files
 */
export async function takePack(deps: Deps, server: ServerRow, path: string): Promise<z.input<typeof takenPackSchema>> {
  try {
    const { body } = await filesOf(deps, server).read(path, { signal: AbortSignal.timeout(15 * 60_000) })
    let file: PackFile
    try {
      file = await keepPackFile(deps.settings, body)
    } finally {
      body.destroy()
    }
    const { manifest, title } = await seal(deps, file)
    await insertPack(deps.db, { serverId: server.id, manifest, sha256: file.sha256, size: file.size })
    return { ...describePack(manifest), title, version: manifest.packageVersion }
  } catch (error) {
    if (error instanceof SourceUnavailableError)
      throw new DomainError('package_source_unavailable', { source: error.source })
    if (!(error instanceof PackError)) throw error
    throw new DomainError('kloceg_install_failed', {
      reason: 'pack_unreadable',
      packages: path.slice(path.lastIndexOf('/') + 1),
      detail: error.message.slice(0, 300),
    })
  }
}

/** One name for all versions of a pack, so that a later one takes the place of an earlier one. */
const nameOf = (title: string) =>
  `upload:${
    title
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'pack'
  }`

async function seal(
  { settings, sources, artifactUrl }: Deps,
  { format, list, sha256, size }: PackFile,
): Promise<{ manifest: Manifest; title: string }> {
  const archive = { name: 'pack.zip', url: packUrl(artifactUrl, sha256), hash: `sha256:${sha256}`, size }
  if (format === 'curseforge') {
    const source = sources.find(({ id }) => id === 'curseforge')
    // Which files those are, only the catalogue knows.
    if (source?.sealPack === undefined) throw new SourceUnavailableError('curseforge', { reason: 'not set up' })
    return source.sealPack({ list, nameOf, archive }, AbortSignal.timeout(patienceMilliseconds))
  }
  const { origin } = new URL(settings.MODRINTH_URL)
  const { files, leftOut, projects, ...pack } = readModrinthIndex(list, (url) => url.origin === origin)
  const manifest = sealPack({
    pack,
    name: nameOf(pack.title),
    version: pack.version,
    labels: {},
    files,
    embeds: projects.map((project) => `modrinth:${project}`),
    leftOut,
    archive,
  })
  return { manifest, title: pack.title }
}
