/** Webhooks: programs of authors that are told of releases by signed messages. */
import { createHmac, randomUUID } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import { mostWebhooks, type Webhook, type webhookBodySchema } from '@wakestone/contract/marketplace/webhooks'
import { deriveKey } from '@wakestone/kit/secrets'
import { publicUrl } from '@wakestone/kit/settings'
import type { z } from 'zod'
import { requireCallable } from '#src/adapters/outbound/callable.ts'
import { ForbiddenTarget } from '#src/adapters/outbound/guarded-lookup.ts'
import { postOutside } from '#src/adapters/outbound/post.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { type Caller, type ProjectRow, requireProjectRight } from '#src/features/marketplace/projects/service.ts'
import { enqueue } from '#src/jobs/boss.ts'
import { sendWebhookJob, webhookTries } from './job-definitions.ts'
import * as repo from './repo.ts'

export type Deps = Pick<Context, 'db' | 'boss' | 'settings' | 'secrets'>
type Author = NonNullable<Caller>
type Body = z.input<typeof webhookBodySchema>
type Project = Pick<ProjectRow, 'id' | 'slug' | 'name'>

/** Nobody can work another one's out of it, and it is the same as long as there is the webhook. */
const secretOf = ({ secrets }: Pick<Deps, 'secrets'>, webhookId: string): string =>
  createHmac('sha256', deriveKey(secrets.supervisor.privateKey, 'project webhooks')).update(webhookId).digest('hex')

const signatureOf = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

export const addressOf = (settings: Deps['settings'], slug: string) => `${publicUrl(settings)}/m/${slug}`

/** In the transaction of what it tells of. */
export async function sendTo(
  { boss, settings }: Deps,
  trx: Transaction,
  { webhookId, event, project, release }: Pick<Body, 'event' | 'release'> & { webhookId: string; project: Project },
): Promise<void> {
  const id = randomUUID()
  const body: Body = {
    event,
    delivery_id: id,
    project: { id: project.id, slug: project.slug, name: project.name, url: addressOf(settings, project.slug) },
    release,
  }
  const delivery = { id, webhookId, releaseId: release?.id ?? null, event, body: JSON.stringify(body) }
  if (await repo.insertDelivery(trx, delivery)) await enqueue(boss, trx, sendWebhookJob, { deliveryId: id })
}

/** Posts a message. @throws Error where it has to be tried again */
export async function sendDelivery(deps: Pick<Deps, 'db' | 'settings' | 'secrets'>, deliveryId: string): Promise<void> {
  const delivery = await repo.findDelivery(deps.db, deliveryId)
  if (delivery === undefined || delivery.state !== 'pending') return
  const { body, event, url, webhook_id: webhookId, attempts } = delivery
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Wakestone',
    'x-wakestone-event': event,
    'x-wakestone-delivery': deliveryId,
    'x-wakestone-signature': signatureOf(secretOf(deps, webhookId), body),
  }
  let status: number | null = null
  let isForbidden = false
  try {
    ;({ status } = await postOutside(url, { headers, body, mayBePrivate: deps.settings.ALLOW_PRIVATE_TARGETS }))
  } catch (error) {
    isForbidden = error instanceof ForbiddenTarget
  }
  const isTaken = status !== null && status >= 200 && status < 300
  // Gone for good, or nothing that we call: no further try would end otherwise.
  const isOver = isForbidden || status === 410 || attempts + 1 >= webhookTries
  const state = isTaken ? 'delivered' : isOver ? 'failed' : 'pending'
  await repo.noteAttempt(deps.db, deliveryId, { state, status })
  if (state === 'pending') throw new Error(`a webhook answered ${status ?? 'nothing'}`)
}

export async function listWebhooks(deps: Deps, caller: Author, key: string): Promise<Webhook[]> {
  const { project } = await requireProjectRight(deps.db, caller, { key, right: 'manage' })
  const rows = await repo.selectWebhooks(deps.db, project.id)
  return Promise.all(rows.map((row) => describe(deps, row)))
}

async function describe(deps: Deps, { id, url, created_at }: repo.WebhookRow): Promise<Webhook> {
  const deliveries = await repo.selectDeliveries(deps.db, id)
  return {
    id,
    url,
    secret: secretOf(deps, id),
    created_at: created_at.toISOString(),
    deliveries: deliveries.map((one) => ({
      ...one,
      event: one.event as Webhook['deliveries'][number]['event'],
      state: one.state as Webhook['deliveries'][number]['state'],
      created_at: one.created_at.toISOString(),
      done_at: one.done_at?.toISOString() ?? null,
    })),
  }
}

/** @throws DomainError `invalid_request` for an address that we do not call, or one too many; `resource_already_exists` */
export async function createWebhook(
  deps: Deps,
  caller: Author,
  { key, url }: { key: string; url: string },
): Promise<Webhook> {
  const { project } = await requireProjectRight(deps.db, caller, { key, right: 'manage' })
  requireCallable(deps.settings, url)
  const row = await inTransaction(deps.db, async (trx) => {
    const known = await repo.selectWebhooks(trx, project.id)
    if (known.length >= mostWebhooks) throw new DomainError('invalid_request', { url: 'too_many' })
    const made = await repo.insertWebhook(trx, { projectId: project.id, url })
    if (made === undefined) throw new DomainError('resource_already_exists', { resource: 'market_project' })
    await sendTo(deps, trx, { webhookId: made.id, event: 'ping', project, release: null })
    return made
  })
  return describe(deps, row)
}

/** @throws DomainError `resource_not_found` */
export async function deleteWebhook(
  { db }: Pick<Deps, 'db'>,
  caller: Author,
  { key, id }: { key: string; id: string },
): Promise<void> {
  const { project } = await requireProjectRight(db, caller, { key, right: 'manage' })
  if (!(await repo.deleteWebhook(db, project.id, id))) throw new DomainError('resource_not_found')
}

/** @throws DomainError `resource_not_found` */
export async function pingWebhook(
  deps: Deps,
  caller: Author,
  { key, id }: { key: string; id: string },
): Promise<Webhook> {
  const { project } = await requireProjectRight(deps.db, caller, { key, right: 'manage' })
  const row = (await repo.selectWebhooks(deps.db, project.id)).find((one) => one.id === id)
  if (row === undefined) throw new DomainError('resource_not_found')
  await inTransaction(deps.db, (trx) => sendTo(deps, trx, { webhookId: id, event: 'ping', project, release: null }))
  return describe(deps, row)
}
