/** Event webhooks: programs of owners, and of whoever runs the installation, that are told of what happens. */
import { hasCapability } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import {
  type changeEventWebhookBody,
  type createEventWebhookBody,
  type EventWebhook,
  mostEventWebhooks,
  secretOverlapHours,
  type WebhookDelivery,
  type webhookDeliveryQuery,
} from '@wakestone/contract/ground/webhooks'
import type { z } from 'zod'
import { requireCallable } from '#src/adapters/outbound/callable.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import type { SessionPrincipal } from '#src/http/principal.ts'
import * as repo from './repo.ts'
import { secretOf } from './signing.ts'

export { deleteWebhooksOf, dropMessagesBefore, queueEvent } from './repo.ts'
export { beginWebhooks } from './sending.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'secrets'>
type Which = { userId: string; webhookId: string }

export async function listWebhooks(deps: Deps, userId: string): Promise<EventWebhook[]> {
  return (await repo.selectWebhooks(deps.db, userId)).map((row) => describe(deps, row))
}

function describe({ secrets }: Pick<Deps, 'secrets'>, row: repo.WebhookRow): EventWebhook {
  const { id, url, actions, secret_number, secret_before_until: until } = row
  return {
    id,
    scope: row.scope as EventWebhook['scope'],
    url,
    actions,
    secret: secretOf(secrets, id, secret_number),
    secret_before_until: until !== null && until > new Date() ? until.toISOString() : null,
    paused_for: row.paused_for as EventWebhook['paused_for'],
    failing_since: row.failing_since?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}

/**
 * @throws DomainError `invalid_request` for an address that we do not call; `too_many_requests` with `limit` for one too
 *   many; `resource_already_exists`; `insufficient_capabilities` for everybody's events
 */
export async function createWebhook(
  deps: Deps,
  { userId, capabilities }: SessionPrincipal,
  { url, scope, actions }: z.output<typeof createEventWebhookBody>,
): Promise<EventWebhook> {
  if (scope === 'all' && !hasCapability(capabilities, 'admin')) throw new DomainError('insufficient_capabilities')
  requireCallable(deps.settings, url)
  const row = await inTransaction(deps.db, async (trx) => {
    if ((await repo.selectWebhooks(trx, userId)).length >= mostEventWebhooks)
      throw new DomainError('too_many_requests', { limit: mostEventWebhooks })
    const made = await repo.insertWebhook(trx, { userId, scope, url, actions: [...new Set(actions)] })
    if (made === undefined) throw new DomainError('resource_already_exists')
    await record(trx, 'USER_CREATE_WEBHOOK', made)
    await repo.queuePing(trx, made.id)
    return made
  })
  return describe(deps, row)
}

/** Nothing of the address but the host: what follows it often is a secret. */
function record(
  trx: Parameters<typeof recordUserEvent>[0],
  action: 'USER_CREATE_WEBHOOK' | 'USER_CHANGE_WEBHOOK' | 'USER_DELETE_WEBHOOK',
  { user_id, url }: repo.WebhookRow,
): Promise<string> {
  return recordUserEvent(trx, user_id, { action, data: { name: new URL(url).host } })
}

/** @throws DomainError `resource_not_found`, `invalid_request`, `resource_already_exists` */
export async function changeWebhook(
  deps: Deps,
  { userId, webhookId: id }: Which,
  { url, actions, paused }: z.output<typeof changeEventWebhookBody>,
): Promise<EventWebhook> {
  if (url !== undefined) requireCallable(deps.settings, url)
  const row = await inTransaction(deps.db, async (trx) => {
    const known = await repo.selectWebhooks(trx, userId)
    const own = known.find((one) => one.id === id)
    if (own === undefined) throw new DomainError('resource_not_found')
    if (url !== undefined && known.some((one) => one.id !== id && one.scope === own.scope && one.url === url))
      throw new DomainError('resource_already_exists')
    const changed = await repo.updateWebhook(
      trx,
      { userId, id },
      {
        ...(url !== undefined && { url }),
        ...(actions !== undefined && { actions: [...new Set(actions)] }),
        ...(paused !== undefined && { paused_for: paused ? ('owner' as const) : null }),
        ...(paused === false && { failing_since: null }),
      },
    )
    if (changed === undefined) throw new DomainError('resource_not_found')
    await record(trx, 'USER_CHANGE_WEBHOOK', changed)
    if (paused === false) await repo.wakeDeliveries(trx)
    return changed
  })
  return describe(deps, row)
}

/** @throws DomainError `resource_not_found` */
export async function renewSecret(deps: Deps, { userId, webhookId: id }: Which): Promise<EventWebhook> {
  const beforeUntil = new Date(Date.now() + secretOverlapHours * 3600_000)
  const row = await repo.renewSecret(deps.db, { userId, id, beforeUntil })
  if (row === undefined) throw new DomainError('resource_not_found')
  return describe(deps, row)
}

/** @throws DomainError `resource_not_found` */
export async function deleteWebhook({ db }: Pick<Deps, 'db'>, { userId, webhookId }: Which): Promise<void> {
  await inTransaction(db, async (trx) => {
    const gone = await repo.deleteWebhook(trx, userId, webhookId)
    if (gone === undefined) throw new DomainError('resource_not_found')
    await record(trx, 'USER_DELETE_WEBHOOK', gone)
  })
}

async function requireWebhook({ db }: Pick<Deps, 'db'>, { userId, webhookId }: Which): Promise<void> {
  if ((await repo.findWebhook(db, userId, webhookId)) === undefined) throw new DomainError('resource_not_found')
}

/** @throws DomainError `resource_not_found` */
export async function pingWebhook(deps: Pick<Deps, 'db'>, which: Which): Promise<void> {
  await requireWebhook(deps, which)
  await inTransaction(deps.db, (trx) => repo.queuePing(trx, which.webhookId))
}

/** @throws DomainError `resource_not_found` */
export async function listDeliveries(
  deps: Pick<Deps, 'db'>,
  which: Which,
  query: z.output<typeof webhookDeliveryQuery>,
): Promise<WebhookDelivery[]> {
  await requireWebhook(deps, which)
  const rows = await repo.selectDeliveries(deps.db, which.webhookId, query)
  return rows.map(({ event_id, action, resource_id, state, error, next_at, created_at, done_at, ...row }) => ({
    ...row,
    state: state as WebhookDelivery['state'],
    error: error as WebhookDelivery['error'],
    event: event_id === null || action === null || resource_id === null ? null : { id: event_id, action, resource_id },
    created_at: created_at.toISOString(),
    next_at: state === 'pending' ? next_at.toISOString() : null,
    done_at: done_at?.toISOString() ?? null,
  }))
}

/** @throws DomainError `resource_not_found`, also for one that is still being sent */
export async function replayDelivery(
  deps: Pick<Deps, 'db'>,
  { deliveryId, ...which }: Which & { deliveryId: string },
): Promise<void> {
  await requireWebhook(deps, which)
  await inTransaction(deps.db, async (trx) => {
    if (!(await repo.replay(trx, which.webhookId, deliveryId))) throw new DomainError('resource_not_found')
    await repo.wakeDeliveries(trx)
  })
}

/** @throws DomainError `resource_not_found` @returns how many are sent again */
export async function replayFailed(deps: Pick<Deps, 'db'>, which: Which, since: Date): Promise<number> {
  await requireWebhook(deps, which)
  return inTransaction(deps.db, async (trx) => {
    const count = await repo.replayFailed(trx, which.webhookId, since)
    if (count > 0) await repo.wakeDeliveries(trx)
    return count
  })
}
