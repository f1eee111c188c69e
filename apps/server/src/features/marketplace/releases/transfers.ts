/** Bytes of releases, in both directions. */
import type { ReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { type FoundProject, requireProjectRight } from '#src/features/marketplace/projects/service.ts'
import type { Api } from '#src/http/implement.ts'
import { appendPart, arrivedBytes, keepArtifact, openArtifact } from './artifacts.ts'
import { type ArtifactRow, findRelease, findUpload, selectArtifacts, selectQuarantined } from './repo.ts'
import { digestOf, isShownTo, noteArrived } from './service.ts'

type Upload = Pick<ArtifactRow, 'id' | 'release_id' | 'sha256' | 'size'>

/** @throws DomainError `transfer_ended` for a ticket that is none, or whose user may no longer. */
export async function openUpload({ context, principals }: Api, ticket: string): Promise<Upload> {
  const ended = new DomainError('transfer_ended', { resource: 'market_project_release' })
  const row = await findUpload(context.db, digestOf(ticket))
  if (row === undefined) throw ended
  const user = await principals.findAgain(
    row.session_id === null ? { apiKey: { id: row.api_key_id ?? '' } } : { sessionId: row.session_id },
  )
  // Who views as somebody else only looks.
  if (user === undefined || user.actor !== undefined) throw ended
  try {
    await requireProjectRight(context.db, user, { key: row.project_id, right: 'release' })
  } catch (error) {
    throw error instanceof DomainError ? ended : error
  }
  return { id: row.artifact_id, release_id: row.release_id, sha256: row.sha256, size: row.size }
}

/** How much has come; one that came whole, and was cut off before that was noted, is finished. */
export async function arrived(context: Pick<Context, 'db' | 'boss' | 'settings'>, upload: Upload): Promise<number> {
  const bytes = await arrivedBytes(context.settings, upload.id)
  if (bytes < upload.size) return bytes
  return receivePart(context, upload, { offset: upload.size, bytes: Readable.from([]) })
}

/** @returns bytes that are there then; with the last ones the file is checked and kept. */
export async function receivePart(
  context: Pick<Context, 'db' | 'boss' | 'settings'>,
  { id, release_id, sha256, size }: Upload,
  { offset, bytes }: { offset: number; bytes: Readable },
): Promise<number> {
  const { at, sha256: found } = await appendPart(context.settings, { artifactId: id, offset, size, bytes })
  if (at < size) return at
  await keepArtifact(context.settings, { artifactId: id, sha256, found })
  await noteArrived(context, { releaseId: release_id, artifactId: id })
  return at
}

type Download = Pick<ArtifactRow, 'name' | 'size' | 'sha256'> & {
  stream: ReadStream
  release: { id: string; version: string }
}

/** Undefined for what there is none of, or not for this caller. */
export async function findDownload(
  { db, settings, logger }: Pick<Context, 'db' | 'settings' | 'logger'>,
  { project, isMember }: FoundProject,
  { releaseId, artifactId }: { releaseId: string; artifactId: string },
): Promise<Download | undefined> {
  const release = await findRelease(db, releaseId, project.id)
  if (release === undefined || !isShownTo(release, isMember)) return undefined
  const file = (await selectArtifacts(db, [releaseId])).find(({ id }) => id === artifactId)
  if (file === undefined || file.arrived_at === null || file.deleted_at !== null) return undefined
  if ((await selectQuarantined(db, [file.sha256])).size > 0) return undefined
  const stream = await openArtifact(settings, file.sha256)
  if (stream === undefined) {
    logger.error({ sha256: file.sha256 }, 'a file of a release is missing, or is not what it was')
    return undefined
  }
  const { name, size, sha256 } = file
  return { name, size, sha256, stream, release: { id: release.id, version: release.version } }
}
