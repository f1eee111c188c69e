import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '#src/context.ts'
import { submitDueEInvoices } from './e-invoice/submit.ts'
import { issueDueDocuments } from './issue.ts'

const tickMilliseconds = 1_000

/** Has this process issue documents as sales complete, and send e-invoices. Any number may. @returns how to stop it. */
export function keepIssuing(context: Context): () => Promise<void> {
  const stop = new AbortController()
  const issuing = issueUntil(context, stop.signal)
  return async () => {
    stop.abort()
    await issuing
  }
}

async function issueUntil(context: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      while ((await issueDueDocuments(context, new Date())) > 0 && !signal.aborted);
      while ((await submitDueEInvoices(context, new Date())) > 0 && !signal.aborted);
    } catch (error) {
      if (!signal.aborted) context.logger.warn({ error }, 'invoices: cannot issue now')
    }
    await delay(tickMilliseconds, undefined, { signal }).catch(() => undefined)
  }
}
