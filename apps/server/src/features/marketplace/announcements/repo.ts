import { projectRoles, roleHasRight } from '@wakestone/contract/marketplace/values'
import type { Handle, Transaction } from '#src/db/client.ts'
import { sql } from 'kysely'

type Told = 'waiting' | 'published' | 'refused' | 'withdrawn'

/** Written with what it tells of; done by a job. */
export async function insertAnnouncement(trx: Transaction, releaseId: string, what: Told): Promise<void> {
  await trx
    .insertInto('release_announcements')
    .values({ release_id: releaseId, what })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type Announcement = {
  release_id: string
  what: Told
  version: string
  release_type: string
  game_versions: string[]
  loaders: string[]
  published_at: Date | null
  project_id: string
  slug: string
  name: string
  visibility: string
  is_taken_down: boolean
  reason: string | null
}

/** The oldest that nobody else is at. */
export async function takeAnnouncement(trx: Transaction): Promise<Announcement | undefined> {
  const { rows } = await sql<Announcement>`
    with taken as (
      delete from release_announcements where (release_id, what) = (
        select release_id, what from release_announcements order by created_at limit 1 for update skip locked
      ) returning release_id, what
    )
    select taken.release_id, taken.what, release.version, release.release_type, release.game_versions, release.loaders,
      release.published_at, project.id as project_id, project.slug, project.name, project.visibility,
      project.taken_down_at is not null as is_taken_down,
      release.reason
    from taken join releases release on release.id = taken.release_id join projects project on project.id = release.project_id`.execute(
    trx,
  )
  return rows[0]
}

export async function selectFollowers(db: Handle, projectId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('project_follows')
    .innerJoin('users', 'users.id', 'project_follows.user_id')
    .select('users.id')
    .where('project_id', '=', projectId)
    .where('users.destroyed_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Members who publish. */
export async function selectPublishers(db: Handle, projectId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select('users.id')
    .where('project_id', '=', projectId)
    .where(
      'role',
      'in',
      projectRoles.filter((role) => roleHasRight(role, 'release')),
    )
    .where('users.destroyed_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Who looks at releases that wait. */
export async function selectModerators(db: Handle): Promise<string[]> {
  const rows = await db
    .selectFrom('held_capabilities')
    .innerJoin('users', 'users.id', 'held_capabilities.user_id')
    .select('users.id')
    .distinct()
    .where('held_capabilities.name', 'in', ['admin', 'admin.marketplace'])
    .where(sql<boolean>`held_capabilities.value not in ('false', '0', '""')`)
    .where('users.suspended_at', 'is', null)
    .where('users.destroyed_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

export async function selectWebhooks(db: Handle, projectId: string) {
  return db
    .selectFrom('project_webhooks')
    .select(['id', 'url', 'created_at'])
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .execute()
}
export type WebhookRow = Awaited<ReturnType<typeof selectWebhooks>>[number]

/** @returns undefined where it is there already. */
export async function insertWebhook(
  trx: Transaction,
  { projectId, url }: { projectId: string; url: string },
): Promise<WebhookRow | undefined> {
  return trx
    .insertInto('project_webhooks')
    .values({ project_id: projectId, url })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'url', 'created_at'])
    .executeTakeFirst()
}

export async function deleteWebhook(db: Handle, projectId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('project_webhooks')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

type NewDelivery = { id: string; webhookId: string; releaseId: string | null; event: string; body: string }

/** @returns whether it is a new one. */
export async function insertDelivery(
  trx: Transaction,
  { id, webhookId, releaseId, event, body }: NewDelivery,
): Promise<boolean> {
  const row = await trx
    .insertInto('project_webhook_deliveries')
    .values({ id, webhook_id: webhookId, release_id: releaseId, event, body })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findDelivery(db: Handle, id: string) {
  return db
    .selectFrom('project_webhook_deliveries as delivery')
    .innerJoin('project_webhooks as webhook', 'webhook.id', 'delivery.webhook_id')
    .select(['delivery.id', 'delivery.event', 'delivery.body', 'delivery.state', 'delivery.attempts'])
    .select(['webhook.id as webhook_id', 'webhook.url'])
    .where('delivery.id', '=', id)
    .executeTakeFirst()
}

export async function noteAttempt(
  db: Handle,
  id: string,
  { state, status }: { state: 'pending' | 'delivered' | 'failed'; status: number | null },
): Promise<void> {
  await db
    .updateTable('project_webhook_deliveries')
    .set({
      state,
      status,
      attempts: sql<number>`attempts + 1`,
      done_at: state === 'pending' ? null : new Date(),
    })
    .where('id', '=', id)
    .execute()
}

const mostShown = 5

export async function selectDeliveries(db: Handle, webhookId: string) {
  return db
    .selectFrom('project_webhook_deliveries')
    .select(['id', 'event', 'release_id', 'state', 'attempts', 'status', 'created_at', 'done_at'])
    .where('webhook_id', '=', webhookId)
    .orderBy('created_at', 'desc')
    .limit(mostShown)
    .execute()
}

export async function deleteDeliveriesBefore(db: Handle, moment: Date): Promise<void> {
  await db
    .deleteFrom('project_webhook_deliveries')
    .where('created_at', '<', moment)
    .where('state', '<>', 'pending')
    .execute()
}

/** Of what everybody may see, newest first. */
export async function selectFeed(db: Handle, projectId: string, limit: number) {
  return db
    .selectFrom('releases')
    .select(['id', 'version', 'html', 'published_at', 'game_versions', 'loaders'])
    .where('project_id', '=', projectId)
    .where('state', '=', 'published')
    .where('release_type', '<>', 'private')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Of all public projects that somebody works on, newest first: who has the address sees no more than the gallery. */
export async function selectAuthorFeed(db: Handle, userId: string, limit: number) {
  return db
    .selectFrom('project_members')
    .innerJoin('projects', 'projects.id', 'project_members.project_id')
    .innerJoin('releases', 'releases.project_id', 'projects.id')
    .select(['releases.id', 'version', 'html', 'published_at', 'projects.name', 'projects.slug'])
    .where('project_members.user_id', '=', userId)
    .where('projects.visibility', '=', 'public')
    .where('projects.taken_down_at', 'is', null)
    .where('releases.state', '=', 'published')
    .where('release_type', '<>', 'private')
    .orderBy('releases.published_at', 'desc')
    .orderBy('releases.id', 'desc')
    .limit(limit)
    .execute()
}
