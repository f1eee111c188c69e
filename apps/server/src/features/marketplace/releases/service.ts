/** Releases: begun with what they are, filled with their files, looked at by the gate, published once and for all. */
import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type {
  changeReleaseBody,
  createReleaseBody,
  Finding,
  NewRelease,
  Release,
  releaseQuery,
} from '@wakestone/contract/marketplace/release'
import { rangesOf } from '@wakestone/contract/marketplace/manifest'
import { releaseTransitions, type ReleaseState } from '@wakestone/contract/marketplace/values'
import { isRange } from '@wakestone/packager/versions/range'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { noteRelease } from '#src/features/marketplace/announcements/service.ts'
import {
  type Caller,
  findVisibleProject,
  type FoundProject,
  lockProject,
  type ProjectRow,
  updateProject,
} from '#src/features/marketplace/projects/service.ts'
import { renderAuthorMarkdown } from '#src/features/site/documents/service.ts'
import { enqueue } from '#src/jobs/boss.ts'
import { arrivedBytes, dropIncoming } from './artifacts.ts'
import { describeReleases } from './describe.ts'
import { createReleaseId } from './ids.ts'
import { inspectReleaseJob } from './job-definitions.ts'
import { buildManifest } from './manifest.ts'
import * as repo from './repo.ts'

export { artifactPath as artifactPathOf, openArtifact, storeArtifact, takeArtifact } from './artifacts.ts'
export { findRelease, lockRelease } from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'boss'>
type Author = NonNullable<Caller> & { sessionId?: string | undefined; apiKey?: { id: string } | undefined }

const ticketSeconds = 6 * 3600

export const releaseMissing = () => new DomainError('resource_not_found', { resource: 'market_project_release' })

/** @throws DomainError `resource_already_exists` for a version that there is. */
export async function createRelease(
  deps: Deps,
  caller: Author,
  { key, body }: { key: string; body: z.output<typeof createReleaseBody> },
): Promise<NewRelease> {
  const { project } = await findVisibleProject(deps.db, caller, key)
  if (body.manifest !== undefined && body.manifest.name !== project.slug)
    throw new DomainError('invalid_request', { 'manifest.name': 'package_name' })
  for (const { place, expr } of body.manifest === undefined ? [] : rangesOf(body.manifest))
    if (!isRange(expr)) throw new DomainError('invalid_request', { [`manifest.${place}`]: 'range' })
  const html = await renderNotes(body.description)
  const { version, release_type, description, game_versions, loaders } = body
  const id = await inTransaction(deps.db, async (trx) => {
    await lockProject(trx, project.id)
    const made = createReleaseId({ after: await repo.findLastId(trx, project.id) })
    await repo
      .insertRelease(trx, {
        id: made,
        project_id: project.id,
        version,
        release_type,
        description,
        html,
        game_versions: [...new Set(game_versions)],
        loaders: [...new Set(loaders)],
        published_by: caller.userId,
        asked_manifest: body.manifest ?? null,
      })
      .catch(tellVersionTaken)
    await repo.insertArtifacts(
      trx,
      made,
      body.artifacts.map((file) => ({ ...file, type: typeOf(file.name) })),
    )
    return made
  })
  return giveUploads(deps, caller, { project, id })
}

const typeOf = (name: string): 'jar' | 'zip' | 'tgz' =>
  /\.jar$/i.test(name) ? 'jar' : /\.zip$/i.test(name) ? 'zip' : 'tgz'

export async function renderNotes(text: string): Promise<string> {
  const html = await renderAuthorMarkdown(text)
  if (html === undefined) throw new DomainError('invalid_request', { description: 'markdown' })
  return html
}

/** Addresses anew for files that have not come. @throws DomainError `resource_not_found` for what is no draft. */
export async function resumeRelease(
  deps: Deps,
  caller: Author,
  { key, releaseId }: { key: string; releaseId: string },
): Promise<NewRelease> {
  const { project } = await findVisibleProject(deps.db, caller, key)
  const release = await repo.findRelease(deps.db, releaseId, project.id)
  if (release?.state !== 'draft') throw releaseMissing()
  return giveUploads(deps, caller, { project, id: releaseId })
}

async function giveUploads(
  { db, settings }: Deps,
  caller: Author,
  { project, id }: { project: ProjectRow; id: string },
): Promise<NewRelease> {
  const missing = (await repo.selectArtifacts(db, [id])).filter(({ arrived_at }) => arrived_at === null)
  const uploads: NewRelease['uploads'] = []
  for (const { id: artifactId, name, size } of missing) {
    const ticket = randomBytes(32).toString('base64url')
    const expires = await repo.insertUpload(
      db,
      {
        digest: digestOf(ticket),
        artifact_id: artifactId,
        user_id: caller.userId,
        session_id: caller.sessionId ?? null,
        api_key_id: caller.apiKey?.id ?? null,
      },
      ticketSeconds,
    )
    const offset = Math.min(size, await arrivedBytes(settings, artifactId))
    uploads.push({ name, size, offset, url: `/marketplace-uploads/${ticket}`, expires_at: expires.toISOString() })
  }
  return { release: await showRelease(db, { project, isMember: true }, id), uploads }
}

export const digestOf = (ticket: string): Buffer => createHash('sha256').update(ticket).digest()

type ProvidedRelease = Pick<repo.ReleaseRow, 'version' | 'loaders' | 'game_versions'> & {
  projectId: string
  file: { name: string; sha256: string; size: number }
  /** Missing: of the installation's own. */
  id?: string
  by?: Pick<repo.ReleaseRow, 'release_type' | 'description' | 'published_by'> & { html: string }
  /** What its author says of it. */
  asked_manifest?: object | null
  /** The gate waits this long before it inspects it. */
  afterSeconds?: number
}

/** A release whose file is there. The gate looks at it as at any other. Once more with its id does nothing. */
export async function provideRelease(
  boss: Deps['boss'],
  trx: Transaction,
  { projectId, file, id = createReleaseId(), by, afterSeconds = 0, ...facts }: ProvidedRelease,
): Promise<void> {
  if ((await repo.findRelease(trx, id)) !== undefined) return
  await repo
    .insertRelease(trx, {
      release_type: 'stable',
      description: '',
      html: '',
      published_by: null,
      asked_manifest: null,
      ...by,
      ...facts,
      id,
      project_id: projectId,
    })
    .catch(tellVersionTaken)
  const [artifact] = await repo.insertArtifacts(trx, id, [{ ...file, type: typeOf(file.name) }])
  if (artifact !== undefined) await repo.markArrived(trx, artifact.id)
  await repo.updateRelease(trx, id, { state: 'checking' })
  // Nobody waits for the installation's own releases, so everyone else's go first.
  const priority = by === undefined ? -1 : 0
  await enqueue(
    boss,
    trx,
    inspectReleaseJob,
    { releaseId: id },
    { singletonKey: id, priority, startAfterSeconds: afterSeconds },
  )
}

function tellVersionTaken(error: unknown): never {
  if ((error as { code?: string }).code === '23505')
    throw new DomainError('resource_already_exists', { resource: 'market_project_release' })
  throw error
}

/** An id for a release that comes later, behind those that there are. @throws DomainError for a version that there is. */
export async function reserveRelease(db: Handle, projectId: string, version: string): Promise<string> {
  if (await repo.hasVersion(db, projectId, version))
    throw new DomainError('resource_already_exists', { resource: 'market_project_release' })
  return createReleaseId({ after: await repo.findLastId(db, projectId) })
}

/** A file has come whole; with the last one the gate begins. */
export async function noteArrived(
  deps: Pick<Deps, 'db' | 'boss'>,
  { releaseId, artifactId }: { releaseId: string; artifactId: string },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const release = await repo.lockRelease(trx, releaseId)
    if (release?.state !== 'draft') return
    await repo.markArrived(trx, artifactId)
    const files = await repo.selectArtifacts(trx, [releaseId])
    if (files.some(({ arrived_at }) => arrived_at === null)) return
    await changeState(trx, release, 'checking', {})
    await enqueue(deps.boss, trx, inspectReleaseJob, { releaseId }, { singletonKey: releaseId })
  })
}

/** By the table of transitions. @throws DomainError `release_not_changeable` */
export async function changeState(
  trx: Transaction,
  release: repo.ReleaseRow,
  state: ReleaseState,
  facts: Omit<Parameters<typeof repo.updateRelease>[2], 'state'>,
): Promise<void> {
  if (!releaseTransitions[release.state].includes(state))
    throw new DomainError('release_not_changeable', { resource: 'market_project_release', state: release.state })
  await repo.updateRelease(trx, release.id, {
    ...facts,
    state,
    waiting_since: state === 'waiting' ? new Date() : null,
    ...(release.waiting_since !== null && { waited_seconds: secondsSince(release.waiting_since) }),
  })
  if (state !== 'draft' && state !== 'checking') await noteRelease(trx, release.id, state)
}

const secondsSince = (moment: Date) => Math.max(0, Math.round((Date.now() - moment.getTime()) / 1000))

/** Publishes a release whose files have passed. */
export async function publishRelease(trx: Transaction, release: repo.ReleaseRow, findings?: Finding[]): Promise<void> {
  const project = await lockProject(trx, release.project_id)
  if (project === undefined) throw releaseMissing()
  const artifacts = await repo.selectArtifacts(trx, [release.id])
  const now = new Date()
  const manifest = buildManifest(release, { slug: project.slug, artifacts })
  await changeState(trx, release, 'published', {
    ...(findings && { findings }),
    manifest,
    published_at: now,
    reason: null,
  })
  const isFirst = project.released_at === null && release.release_type !== 'private'
  await updateProject(trx, project.id, isFirst ? { released_at: now } : {})
  if (release.published_by === null) return
  await recordUserEvent(trx, release.published_by, {
    action: 'USER_CREATE_PROJECT_RELEASE',
    data: {
      package_name: project.name,
      package_slug: project.slug,
      version: release.version,
      file_paths: artifacts.map(({ name }) => name),
      release_type: release.release_type,
      dependencies: manifest.dependencies,
    },
  })
}

/** @throws DomainError `resource_not_found`, also for what the caller may not know of. */
export async function getRelease(
  db: Handle,
  caller: Caller,
  { key, releaseId }: { key: string; releaseId: string },
): Promise<Release> {
  return showRelease(db, await findVisibleProject(db, caller, key), releaseId)
}

async function showRelease(
  db: Handle,
  { project, isMember }: Pick<FoundProject, 'project' | 'isMember'>,
  id: string,
): Promise<Release> {
  const row = await repo.findRelease(db, id, project.id)
  if (row === undefined || !isShownTo(row, isMember)) throw releaseMissing()
  const [release] = await describeReleases(db, [row], { slug: project.slug, isMember })
  return release as Release
}

/** Withdrawn ones too: whoever has one learns why. */
export const isShownTo = ({ state, release_type }: repo.ReleaseRow, isMember: boolean): boolean =>
  isMember || (['published', 'withdrawn'].includes(state) && release_type !== 'private')

export async function listReleases(
  db: Handle,
  caller: Caller,
  { key, after, limit, order }: { key: string } & z.output<typeof releaseQuery>,
): Promise<{ has_more: boolean; releases: Release[] }> {
  const { project, isMember } = await findVisibleProject(db, caller, key)
  const rows = await repo.selectReleases(db, {
    projectId: project.id,
    ofMembers: isMember,
    after,
    order,
    limit: limit + 1,
  })
  return {
    has_more: rows.length > limit,
    releases: await describeReleases(db, rows.slice(0, limit), { slug: project.slug, isMember }),
  }
}

/** @throws DomainError `release_not_changeable` for a channel that would make a private one of a public one. */
export async function changeRelease(
  { db }: Pick<Deps, 'db'>,
  caller: Author,
  { key, releaseId, body }: { key: string; releaseId: string; body: z.output<typeof changeReleaseBody> },
): Promise<Release> {
  const found = await findVisibleProject(db, caller, key)
  const html = body.description === undefined ? undefined : await renderNotes(body.description)
  await inTransaction(db, async (trx) => {
    const release = await repo.lockRelease(trx, releaseId)
    if (release?.project_id !== found.project.id) throw releaseMissing()
    const isOut = ['published', 'withdrawn', 'refused'].includes(release.state)
    if (isOut && body.release_type !== undefined && body.release_type !== release.release_type) {
      const isPublic = body.release_type !== 'private' && release.release_type !== 'private'
      if (!isPublic)
        throw new DomainError('release_not_changeable', { resource: 'market_project_release', state: release.state })
    }
    await repo.updateRelease(trx, releaseId, {
      ...(body.description !== undefined && html !== undefined && { description: body.description, html }),
      ...(body.release_type !== undefined && { release_type: body.release_type }),
      ...(body.archived !== undefined && { archived_at: body.archived ? (release.archived_at ?? new Date()) : null }),
    })
  })
  return showRelease(db, found, releaseId)
}

/** Withdraws what is published; what never was goes away. */
export async function deleteRelease(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  caller: Author,
  { key, releaseId }: { key: string; releaseId: string },
): Promise<void> {
  const { project } = await findVisibleProject(db, caller, key)
  const dropped = await inTransaction(db, async (trx) => {
    const release = await repo.lockRelease(trx, releaseId)
    if (release?.project_id !== project.id || release.state === 'withdrawn') throw releaseMissing()
    if (release.state === 'published') {
      await changeState(trx, release, 'withdrawn', { deleted_at: new Date() })
      return []
    }
    const files = await repo.selectArtifacts(trx, [releaseId])
    await repo.deleteRelease(trx, releaseId)
    return files
  })
  for (const { id } of dropped) await dropIncoming(settings, id)
}

/** For moderators, whatever the project. */
export async function showForModerators(
  db: Handle,
  project: Pick<ProjectRow, 'slug'>,
  row: repo.ReleaseRow,
): Promise<Release> {
  const [release] = await describeReleases(db, [row], { slug: project.slug, isMember: true })
  return release as Release
}
