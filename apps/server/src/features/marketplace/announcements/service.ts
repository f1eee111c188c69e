/** Tells of releases: authors, followers and moderators by notifications, programs of authors by webhooks, all others by a feed. */
import { DomainError } from '@wakestone/contract/errors'
import { publicUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { findUsername, findVisibleProject } from '#src/features/marketplace/projects/service.ts'
import { writeFeed, writeRss } from './feed.ts'
import * as repo from './repo.ts'
import { addressOf, type Deps, sendTo } from './webhooks.ts'

export { createWebhook, deleteWebhook, listWebhooks, pingWebhook, sendDelivery } from './webhooks.ts'

/** In the transaction of what it tells of. */
export const noteRelease = repo.insertAnnouncement

/** All that is to be told. One that fails takes nothing else with it: it is told the next time. */
export async function announceReleases(deps: Deps & Pick<Context, 'logger'>): Promise<void> {
  for (;;) {
    const isMore = await inTransaction(deps.db, async (trx) => {
      const found = await repo.takeAnnouncement(trx)
      if (found !== undefined) await announce(deps, trx, found)
      return found !== undefined
    })
    if (!isMore) break
  }
  await repo.deleteDeliveriesBefore(deps.db, new Date(Date.now() - 30 * 86_400_000))
}

async function announce(deps: Deps, trx: Transaction, found: repo.Announcement): Promise<void> {
  const { release_id: releaseId, what, project_id: projectId, name, version } = found
  const told = { fields: { project: name, version }, resource: { type: 'market_project', id: projectId } } as const
  if (what === 'waiting') {
    for (const userId of await repo.selectModerators(trx))
      await notify(trx, { userId, kind: 'RELEASE_WAITING', ...told, dedupeKey: `release waits ${releaseId}` })
    return
  }
  if (what !== 'withdrawn') await tellPublishers(trx, found)
  if (what === 'refused') return
  // Nobody is led to what they may not see.
  if (found.release_type === 'private') return
  if (what === 'published' && found.visibility !== 'private' && !found.is_taken_down)
    for (const userId of await repo.selectFollowers(trx, projectId))
      await notify(trx, { userId, kind: 'PROJECT_RELEASED', ...told, dedupeKey: `release ${releaseId}` })
  for (const webhook of await repo.selectWebhooks(trx, projectId))
    await sendTo(deps, trx, {
      webhookId: webhook.id,
      event: what === 'published' ? 'release.published' : 'release.withdrawn',
      project: { id: projectId, slug: found.slug, name },
      release: {
        id: releaseId,
        version,
        release_type: found.release_type,
        game_versions: found.game_versions,
        loaders: found.loaders,
        published_at: found.published_at?.toISOString() ?? null,
      },
    })
}

/** What became of it, to those who publish the project. */
async function tellPublishers(
  trx: Transaction,
  { release_id: releaseId, what, project_id: projectId, name, version, reason }: repo.Announcement,
): Promise<void> {
  const about = { resource: { type: 'market_project', id: projectId }, dedupeKey: `own release ${releaseId}` } as const
  const fields = { project: name, version }
  for (const userId of await repo.selectPublishers(trx, projectId))
    await (what === 'published'
      ? notify(trx, { userId, kind: 'RELEASE_PUBLISHED', fields, ...about })
      : notify(trx, {
          userId,
          kind: 'RELEASE_REFUSED',
          fields: { ...fields, ...(reason !== null && { reason: reason.slice(0, 500).toWellFormed() }) },
          ...about,
        }))
}

const mostEntries = 30

/** @throws DomainError `resource_not_found`, also for what not everybody may see */
export async function readFeed({ db, settings }: Pick<Deps, 'db' | 'settings'>, key: string): Promise<string> {
  const { project } = await findVisibleProject(db, undefined, key)
  const entries = await repo.selectFeed(db, project.id, mostEntries)
  return writeFeed({
    projectId: project.id,
    name: project.name,
    url: addressOf(settings, project.slug),
    self: `${publicUrl(settings)}/api/v1/marketplace/projects/${project.slug}/releases.atom`,
    updated: entries[0]?.published_at ?? project.created_at,
    entries,
  })
}

const apiOf = (settings: Deps['settings']) => `${publicUrl(settings)}/api/v1/marketplace`

/** @throws DomainError `resource_not_found`, also for what not everybody may see */
export async function readRss({ db, settings }: Pick<Deps, 'db' | 'settings'>, key: string): Promise<string> {
  const { project } = await findVisibleProject(db, undefined, key)
  const entries = await repo.selectFeed(db, project.id, mostEntries)
  const url = addressOf(settings, project.slug)
  return writeRss({
    title: project.name,
    url,
    self: `${apiOf(settings)}/projects/${project.slug}/releases.rss`,
    language: 'en',
    updated: entries[0]?.published_at ?? project.created_at,
    items: entries.map((entry) => ({ ...entry, name: project.name, url })),
  })
}

/** @throws DomainError `resource_not_found` for somebody who is not there */
export async function readAuthorRss({ db, settings }: Pick<Deps, 'db' | 'settings'>, userId: string): Promise<string> {
  const [username, entries] = await Promise.all([
    findUsername(db, userId),
    repo.selectAuthorFeed(db, userId, mostEntries),
  ])
  // Who shows nothing to everybody is not named to everybody either.
  if (username === undefined || entries.length === 0) throw new DomainError('resource_not_found', { resource: 'user' })
  return writeRss({
    title: username,
    url: `${publicUrl(settings)}/en/m/${userId}/projects`,
    self: `${apiOf(settings)}/authors/${userId}/releases.rss`,
    language: 'en',
    updated: entries[0]?.published_at ?? new Date(0),
    items: entries.map((entry) => ({ ...entry, url: addressOf(settings, entry.slug) })),
  })
}
