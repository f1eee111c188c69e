/** Tells programs of events: at least once each, and until they take it for a day and a half. */
import type { DeliveryFault, EventMessage } from '@wakestone/contract/ground/webhooks'
import { DomainError } from '@wakestone/contract/errors'
import { ForbiddenTarget } from '#src/adapters/outbound/guarded-lookup.ts'
import { postOutside } from '#src/adapters/outbound/post.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { getEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { beginDueWork } from '#src/jobs/due-work.ts'
import * as repo from './repo.ts'
import { signedHeaders } from './signing.ts'

const atOnce = 16
/** Longer than a post may take: what is claimed and never finished is free again then. */
const claimSeconds = 60
export const triesAllowed = 14
/** Who has taken nothing for so long is not called any more. */
const failingMilliseconds = 3 * 86_400_000

/** 10 s, 30 s, 90 s … up to four hours: fourteen tries reach over a day and a half. */
const waitSeconds = (tries: number) => Math.min(10 * 3 ** (tries - 1), 4 * 3600)

type Deps = Pick<Context, 'db' | 'settings' | 'secrets' | 'logger'>

/** @returns how many were tried. */
export async function sendDue(deps: Deps): Promise<number> {
  const due = await repo.claimDue(deps.db, { limit: atOnce, claimSeconds })
  await Promise.all(due.map((one) => send(deps, one)))
  return due.length
}

async function send(deps: Deps, due: repo.Due): Promise<void> {
  const body = await writeBody(deps, due)
  const began = Date.now()
  const { status, error } =
    body === undefined ? { status: null, error: 'event_gone' as const } : await post(deps, due, body)
  const isTaken = status !== null && status >= 200 && status < 300
  const isGone = status === 410
  const isLast = error === 'forbidden' || error === 'event_gone' || isGone || due.tries >= triesAllowed
  const hasFailedLong = due.failing_since !== null && Date.now() - due.failing_since.getTime() > failingMilliseconds
  const pause = isTaken ? undefined : isGone ? 'gone' : isLast && hasFailedLong ? 'failing' : undefined
  const seconds = isTaken || isLast ? undefined : waitSeconds(due.tries)
  const outcome = { isTaken, status, error, milliseconds: Date.now() - began, seconds }
  await inTransaction(deps.db, async (trx) => {
    await repo.noteOutcome(trx, due, outcome)
    if (pause === undefined || !(await repo.stopWebhook(trx, due.webhook_id, pause))) return
    const { user_id: userId, url } = due
    await notify(trx, { userId, kind: 'WEBHOOK_STOPPED', fields: { host: new URL(url).host } })
  })
  if (!isTaken) deps.logger.info({ webhook: due.webhook_id, status, error, tries: due.tries }, 'a webhook took nothing')
}

/** The same each time. @returns undefined where the event is not kept any more */
async function writeBody({ db }: Deps, { event_id, created_at }: repo.Due): Promise<string | undefined> {
  const write = (message: EventMessage) => JSON.stringify(message)
  if (event_id === null) return write({ type: 'ping', timestamp: created_at.toISOString(), data: null })
  try {
    const event = await getEvent(db, event_id)
    return write({ type: event.action, timestamp: event.created_at, data: event })
  } catch (error) {
    if (error instanceof DomainError) return undefined
    throw error
  }
}

async function post({ settings, secrets }: Deps, due: repo.Due, body: string) {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Wakestone',
    ...signedHeaders(secrets, { id: due.id, webhookId: due.webhook_id, body, at: new Date() }, due),
  }
  try {
    const { status } = await postOutside(due.url, { headers, body, mayBePrivate: settings.ALLOW_PRIVATE_TARGETS })
    return { status, error: null }
  } catch (error) {
    return { status: null, error: faultOf(error as Error & { code?: string }) }
  }
}

function faultOf(error: Error & { code?: string }): DeliveryFault {
  if (error instanceof ForbiddenTarget) return 'forbidden'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout'
  const code = error.code ?? ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name_not_found'
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'ETIMEDOUT') return 'timeout'
  return /CERT|TLS|SSL|SIGNATURE|VERIFY/.test(code) ? 'certificate' : 'unreachable'
}

/** Tells as long as the process runs. */
export const beginWebhooks = (context: Deps & Pick<Context, 'channels'>): Promise<{ close(): Promise<void> }> =>
  beginDueWork(context, { channel: 'event_webhook_deliveries', lanes: [() => sendDue(context)] })
