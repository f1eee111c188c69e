/**
 * Sends documents to KSeF and follows them until the register has numbered them. Each step is noted before the next, so
 * that a process may die in between: what was sent already is known to the register as a duplicate, with its number.
 */
import { createKsef, type Ksef, KsefRefused, KsefUnavailable } from '#src/adapters/ksef/client.ts'
import type { Context } from '#src/context.ts'
import { claimDueEInvoices, type EInvoiceRow, updateEInvoice } from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'logger'>

/** A status is asked for soon, then later and later; an unanswered call likewise. */
function later(now: Date, tries: number): Date {
  return new Date(now.getTime() + Math.min(3_600_000, 2_000 * 2 ** Math.min(tries, 12)))
}

const clients = new Map<string, Ksef | undefined>()
/** One per address and token: it keeps its login. */
function clientOf({ settings }: Deps): Ksef | undefined {
  const nip = settings.OPERATOR_VAT_ID?.slice(2) ?? ''
  const key = `${settings.KSEF_URL} ${settings.KSEF_TOKEN} ${nip}`
  if (!clients.has(key)) clients.set(key, createKsef(settings, nip))
  return clients.get(key)
}

/**
 * Takes the next step with each e-invoice that is due.
 * @returns how many there were.
 */
export async function submitDueEInvoices(deps: Deps, now: Date): Promise<number> {
  const ksef = clientOf(deps)
  if (ksef === undefined) return 0
  const rows = await claimDueEInvoices(deps.db, { now, limit: 20 })
  for (const row of rows.filter(({ state }) => state === 'sent'))
    await attempt(deps, row, now, () => follow(deps, ksef, row, now))
  const waiting = rows.filter(({ state }) => state === 'waiting')
  if (waiting.length > 0) await sendAll(deps, ksef, waiting, now)
  return rows.length
}

async function sendAll(deps: Deps, ksef: Ksef, rows: EInvoiceRow[], now: Date): Promise<void> {
  let session: Awaited<ReturnType<Ksef['openSession']>> | undefined
  for (const row of rows) {
    await attempt(deps, row, now, async () => {
      session ??= await ksef.openSession()
      const reference = await session.send(row.xml)
      await updateEInvoice(deps.db, row.document_id, {
        state: 'sent',
        session_reference: session.reference,
        invoice_reference: reference,
        tries: 0,
        next_at: later(now, 0),
        last_error: null,
      })
    })
  }
  await session
    ?.close()
    .catch((error: unknown) => deps.logger.warn({ error }, 'invoices: KSeF did not close the session'))
}

async function follow({ db }: Deps, ksef: Ksef, row: EInvoiceRow, now: Date): Promise<void> {
  const [session, reference] = [row.session_reference ?? '', row.invoice_reference ?? '']
  const status = await ksef.status(session, reference)
  if (status.state === 'pending') return updateEInvoice(db, row.document_id, { next_at: later(now, row.tries) })
  if (status.state === 'refused') throw new KsefRefused(status.reason)
  // Of a duplicate the confirmation is with the session that was accepted; it has none of its own.
  const upo = await ksef.upo(session, reference).catch((error: unknown) => {
    if (error instanceof KsefRefused) return null
    throw error
  })
  await updateEInvoice(db, row.document_id, {
    state: 'accepted',
    ksef_number: status.ksefNumber,
    upo,
    next_at: null,
    last_error: null,
  })
}

/** What the register refuses waits for a person; what it did not answer is tried again. */
async function attempt(deps: Deps, row: EInvoiceRow, now: Date, step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    const isFinal = error instanceof KsefRefused
    if (!isFinal && !(error instanceof KsefUnavailable)) throw error
    deps.logger.warn({ error, document: row.document_id }, 'invoices: KSeF has not taken an e-invoice')
    await updateEInvoice(deps.db, row.document_id, {
      last_error: error.message.slice(0, 500),
      ...(isFinal ? { state: 'failed' as const, next_at: null } : { next_at: later(now, row.tries) }),
    })
  }
}
