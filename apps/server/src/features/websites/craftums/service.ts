/**
 * Websites as their owners have them: a draft that is saved, versions that were published, the one that is shown.
 * What is sold is `sales/`'s; a website is shown while it is published and its service runs.
 */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { Craftum } from '@wakestone/contract/sales/craftum'
import {
  contentSchema,
  markdownIn,
  namedIn,
  type WebsiteContent,
  websiteLimits,
} from '@wakestone/contract/websites/content'
import type { changeCraftumBody, CraftumParameters, WebsiteVersion } from '@wakestone/contract/websites/website'
import { websiteHost, websiteUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import type { OwnerCheck } from '#src/owner-check.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { renderAuthorTexts } from '#src/features/site/documents/service.ts'
import { firstContent } from './first-content.ts'
import { giveName } from './names.ts'
import {
  dropOldVersions,
  emptyWebsite,
  findFirstServer,
  findOwnServers,
  findVersion,
  findWebsite,
  findWebsiteOfService,
  insertVersion,
  insertWebsite,
  lockWebsite,
  saveDraft,
  selectVersions,
  selectWebsitesOf,
  updateWebsite,
  type WebsiteRow,
} from './repo.ts'

export { requireFreeName } from './names.ts'
export {
  findVersion as findWebsiteVersion,
  findWebsiteByDomain,
  findWebsiteByName,
  lockWebsite,
  selectEndedWebsites,
  type WebsiteRow,
} from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings'>
const notFound = () => new DomainError('resource_not_found', { resource: 'website' })

export const craftumOwners: OwnerCheck = {
  findOwner: async (db, id) => (await findWebsite(db, id))?.owner_id,
  notFound: { code: 'resource_not_found', resource: 'website' },
}

/** Whether strangers see it: it is published, paid for, and nobody has stopped its owner. */
export const isOnline = (row: WebsiteRow, now: Date): boolean => row.published_version !== null && isRunning(row, now)

export const isRunning = (row: WebsiteRow, now: Date): boolean =>
  (row.expires === null || row.expires > now) && row.bill_overdue_since === null && !row.owner_suspended

export function describeWebsite(row: WebsiteRow, settings: Context['settings'], now = new Date()): Craftum {
  return {
    id: row.id,
    service_id: row.service_id,
    product_id: row.product_id,
    created_at: row.created_at.toISOString(),
    expires: row.expires?.toISOString() ?? null,
    name: row.name,
    subdomain: row.subdomain,
    address: websiteUrl(settings, row.own_domain ?? websiteHost(settings, row.subdomain)),
    online: isOnline(row, now),
    published_at: row.published_at?.toISOString() ?? null,
    cleanup_date: row.cleanup_date?.toISOString() ?? null,
    withdrawn_at: row.withdrawn_at?.toISOString() ?? null,
    auto_renew: row.auto_renew,
  }
}

/** Websites that a user rents, oldest first. */
export async function listWebsitesOf({ db, settings }: Deps, userId: string): Promise<Craftum[]> {
  return (await selectWebsitesOf(db, userId)).map((row) => describeWebsite(row, settings))
}

/** @throws DomainError `resource_not_found` */
export async function showWebsite({ db, settings }: Deps, id: string): Promise<Craftum> {
  return describeWebsite(await requireWebsite(db, id), settings)
}

/** The website that a service pays for. */
export async function findRentedWebsite({ db, settings }: Deps, serviceId: string): Promise<Craftum | undefined> {
  const row = await findWebsiteOfService(db, serviceId)
  return row === undefined ? undefined : describeWebsite(row, settings)
}

/** In the transaction that sells it. @throws DomainError those of `giveName`. */
export async function createWebsite(
  trx: Transaction,
  website: {
    id: string
    serviceId: string
    ownerId: string
    name: string
    subdomain: string
    language: 'en' | 'pl' | 'de'
  },
): Promise<void> {
  const server = (await findFirstServer(trx, website.ownerId)) ?? ''
  await insertWebsite(trx, { ...website, draft: firstContent({ ...website, server }) })
  await giveName(trx, { name: website.subdomain, userId: website.ownerId, websiteId: website.id })
}

async function requireWebsite(db: Handle, id: string): Promise<WebsiteRow> {
  const row = await findWebsite(db, id)
  if (row === undefined) throw notFound()
  return row
}

/** @throws DomainError `resource_not_found` */
export async function showParameters({ db, settings }: Deps, id: string): Promise<CraftumParameters> {
  const row = await requireWebsite(db, id)
  return {
    craftum: describeWebsite(row, settings),
    content: contentSchema.parse(row.draft),
    revision: row.revision,
    saved_at: row.saved_at.toISOString(),
    published_version: row.published_version,
  }
}

/**
 * Saves name and draft.
 * @throws DomainError `website_changed_since` where it is not built on the revision there is; `invalid_request` for
 *   servers that are not the owner's, texts that take too long, and too much of everything. A picture that is not the
 *   website's own shows nothing.
 */
export async function changeWebsite(
  { db }: Pick<Context, 'db'>,
  { id, body }: { id: string; body: z.output<typeof changeCraftumBody> },
): Promise<void> {
  const { name, content, revision } = body
  if (content !== undefined && revision === undefined)
    throw new DomainError('invalid_request', { revision: 'required' })
  if (content !== undefined) await requireReadable(content)
  await inTransaction(db, async (trx) => {
    const website = await lockWebsite(trx, id)
    if (website === undefined) throw notFound()
    if (name !== undefined) await updateWebsite(trx, id, { name })
    if (content === undefined) return
    requireRevision(website, revision)
    await requireOwn(trx, website.owner_id, content)
    await saveDraft(trx, id, content)
  })
}

function requireRevision(website: { revision: number }, revision: number | undefined): void {
  if (website.revision !== revision)
    throw new DomainError('website_changed_since', { resource: 'website', revision: website.revision })
}

/** What a content speaks of is its owner's. */
async function requireOwn(trx: Transaction, userId: string, content: WebsiteContent): Promise<void> {
  const { servers } = namedIn(content)
  const own = new Set(await findOwnServers(trx, userId, servers))
  if (servers.some((id) => !own.has(id))) throw new DomainError('invalid_request', { content: 'servers' })
}

/** Hostile texts take seconds: they are refused before anybody has to wait for their page. */
async function requireReadable(content: WebsiteContent): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(content)) > websiteLimits.bytes)
    throw new DomainError('request_too_large', { limit: websiteLimits.bytes })
  if ((await renderAuthorTexts(markdownIn(content))) === undefined)
    throw new DomainError('invalid_request', { content: 'markdown' })
}

/**
 * Publishes the draft.
 * @throws DomainError `website_changed_since`; `website_is_expired` where nobody would see it.
 */
export async function publishWebsite(
  { db }: Pick<Context, 'db'>,
  { id, revision, now }: { id: string; revision: number; now: Date },
): Promise<WebsiteVersion> {
  return inTransaction(db, async (trx) => {
    const website = await lockWebsite(trx, id)
    if (website === undefined) throw notFound()
    if (!isRunning(await requireWebsite(trx, id), now))
      throw new DomainError('website_is_expired', { resource: 'website' })
    requireRevision(website, revision)
    const content = contentSchema.parse(website.draft)
    await requireOwn(trx, website.owner_id, content)
    const { version, created_at } = await insertVersion(trx, { id, content })
    await updateWebsite(trx, id, { published_version: version })
    await dropOldVersions(trx, id, websiteLimits.versions)
    await recordUserEvent(trx, website.owner_id, {
      action: 'USER_WEBSITE_PUBLISHED',
      data: { website_id: id, name: website.name, version },
    })
    return {
      version,
      created_at: created_at.toISOString(),
      pages: content.pages.length,
      blocks: content.pages.reduce((sum, { blocks }) => sum + blocks.length, 0),
    }
  })
}

export async function unpublishWebsite({ db }: Pick<Context, 'db'>, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const website = await lockWebsite(trx, id)
    if (website === undefined) throw notFound()
    if (website.published_version === null) return
    await updateWebsite(trx, id, { published_version: null })
    await recordUserEvent(trx, website.owner_id, {
      action: 'USER_WEBSITE_UNPUBLISHED',
      data: { website_id: id, name: website.name },
    })
  })
}

export async function listVersions({ db }: Pick<Context, 'db'>, id: string): Promise<WebsiteVersion[]> {
  const rows = await selectVersions(db, id)
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

/** Has the draft be what a version was. @throws DomainError `website_changed_since`, `resource_not_found`. */
export async function restoreVersion(
  deps: Deps,
  { id, version, revision }: { id: string; version: number; revision: number },
): Promise<CraftumParameters> {
  await inTransaction(deps.db, async (trx) => {
    const website = await lockWebsite(trx, id)
    if (website === undefined) throw notFound()
    requireRevision(website, revision)
    const kept = await findVersion(trx, id, version)
    if (kept === undefined) throw notFound()
    await saveDraft(trx, id, contentSchema.parse(kept.content))
  })
  return showParameters(deps, id)
}

export function setWebsiteCleanup(trx: Transaction, id: string, at: Date | null): Promise<void> {
  return updateWebsite(trx, id, { cleanup_date: at })
}

/** A name that was given up stays reserved for its owner so long. */
const reservation = 30 * 86_400_000

/** What is in a website is deleted, for good; its name waits before somebody else may have it. */
export async function endWebsite(trx: Transaction, id: string, now: Date): Promise<void> {
  await emptyWebsite(trx, id, { now, until: new Date(now.getTime() + reservation) })
}
