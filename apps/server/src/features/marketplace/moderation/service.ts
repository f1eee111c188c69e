/** What moderators do: releases that wait, projects that are taken down, files that are malice, reports. */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type {
  decideRelease as decideRoute,
  listModeratedProjects,
  listProjectReports,
  listWaitingReleases,
  quarantineArtifact,
} from '@wakestone/contract/marketplace/moderation-routes'
import type { Release } from '@wakestone/contract/marketplace/release'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import {
  type Caller,
  describeProjects,
  findVisibleProject,
  lockProject,
  updateProject,
} from '#src/features/marketplace/projects/service.ts'
import {
  changeState,
  findRelease,
  lockRelease,
  publishRelease,
  releaseMissing,
  showForModerators,
} from '#src/features/marketplace/releases/service.ts'
import { isolatePackagesJob } from '#src/features/marketplace/catalogue/service.ts'
import { selectServersWithFile } from '#src/features/servers/packages/service.ts'
import { enqueue } from '#src/jobs/boss.ts'
import * as repo from './repo.ts'

type Deps = Pick<Context, 'db'>
type Moderator = NonNullable<Caller>
const most = 100

export async function listWaiting({ db }: Deps): Promise<z.input<(typeof listWaitingReleases.responses)[200]>> {
  const rows = await repo.selectWaiting(db, most)
  const shown = await Promise.all(
    rows.map(async ({ release_id, slug, project_id, project_name, waiting_since }) => {
      const release = await findRelease(db, release_id)
      return (
        release && {
          project: { id: project_id, slug, name: project_name },
          release: await showForModerators(db, { slug }, release),
          waiting_since: waiting_since.toISOString(),
        }
      )
    }),
  )
  return shown.filter((one) => one !== undefined)
}

/** Newest first. */
export async function listProjects(
  { db }: Deps,
  wanted: z.output<NonNullable<typeof listModeratedProjects.query>>,
): Promise<z.input<(typeof listModeratedProjects.responses)[200]>> {
  const { rows, count } = await repo.selectModerated(db, wanted)
  const projects = await describeProjects(
    db,
    rows.map(({ id }) => id),
    'en',
  )
  return {
    count,
    data: rows.flatMap(({ id, status, owner_id: ownerId, owner_name: ownerName, waiting }) => {
      const project = projects.find((one) => one.id === id)
      if (project === undefined) return []
      const { slug, name, author_info, downloads, latest_release, created_at } = project
      const owner = ownerId === null || ownerName === null ? null : { id: ownerId, username: ownerName }
      return [{ id, slug, name, author_info, downloads, latest_release, created_at, status, owner, waiting }]
    }),
  }
}

/** @throws DomainError `release_not_changeable` for one that does not wait. */
export async function decide(
  { db }: Deps,
  caller: Moderator,
  { releaseId, body }: { releaseId: string; body: z.output<typeof decideRoute.body> },
): Promise<Release> {
  await inTransaction(db, async (trx) => {
    const release = await lockRelease(trx, releaseId)
    if (release === undefined) throw releaseMissing()
    if (release.state !== 'waiting')
      throw new DomainError('release_not_changeable', { resource: 'market_project_release', state: release.state })
    if (body.decision === 'publish') await publishRelease(trx, release)
    else await changeState(trx, release, 'refused', { reason: body.reason })
  })
  const release = await findRelease(db, releaseId)
  if (release === undefined) throw releaseMissing()
  const { project } = await findVisibleProject(db, caller, release.project_id)
  return showForModerators(db, project, release)
}

export async function takeDown(
  { db }: Deps,
  caller: Moderator,
  { key, reason }: { key: string; reason: string | null },
): Promise<void> {
  const { project } = await findVisibleProject(db, caller, key)
  await inTransaction(db, (trx) =>
    updateProject(trx, project.id, { taken_down_at: reason === null ? null : new Date(), takedown_reason: reason }),
  )
}

export async function verify(
  { db }: Deps,
  caller: Moderator,
  { key, verified }: { key: string; verified: boolean },
): Promise<void> {
  const { project } = await findVisibleProject(db, caller, key)
  await inTransaction(db, async (trx) => {
    const known = await lockProject(trx, project.id)
    await updateProject(trx, project.id, { verified_at: verified ? (known?.verified_at ?? new Date()) : null })
  })
}

/** Every release with the file is withdrawn or refused, it is taken from nobody any more, and it goes from all servers. */
export async function quarantine(
  { db, boss }: Pick<Context, 'db' | 'boss'>,
  { sha256, reason }: { sha256: string; reason: string },
): Promise<z.input<(typeof quarantineArtifact.responses)[200]>> {
  return inTransaction(db, async (trx) => {
    await repo.insertQuarantine(trx, sha256, reason)
    const releases = await repo.selectWithFile(trx, sha256)
    for (const id of releases) {
      const release = await lockRelease(trx, id)
      if (release?.state === 'published')
        await changeState(trx, release, 'withdrawn', { deleted_at: new Date(), reason })
      else if (release?.state === 'waiting' || release?.state === 'checking')
        await changeState(trx, release, 'refused', { reason })
    }
    await enqueue(boss, trx, isolatePackagesJob, {})
    const servers = await selectServersWithFile(trx, `sha256:${sha256}`)
    return { releases, servers: servers.map(({ id, name }) => ({ id, name })) }
  })
}

export async function listReports({ db }: Deps): Promise<z.input<(typeof listProjectReports.responses)[200]>> {
  const rows = await repo.selectReports(db, most)
  return rows.map(({ id, project_id, slug, project_name, reason, comment, release_id, review_id, created_at }) => ({
    id,
    project: { id: project_id, slug, name: project_name },
    reason,
    comment,
    release_id,
    review_id,
    created_at: created_at.toISOString(),
  }))
}

export async function closeReport({ db }: Deps, id: string): Promise<void> {
  if (!(await repo.closeReport(db, id))) throw new DomainError('resource_not_found')
}
