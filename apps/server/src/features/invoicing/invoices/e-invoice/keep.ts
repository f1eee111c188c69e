/** Keeps a document as FA(3), beside it and in its transaction, and decides whether KSeF is to have it. */
import type { Context } from '#src/context.ts'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { Snapshot } from '../snapshot.ts'
import { sellerNip, writeFa3 } from './fa3.ts'
import { findEInvoice, findKsefNumber, insertEInvoice } from './repo.ts'

/**
 * Businesses' documents go there; those of consumers need not, and sales that are reported through the One Stop Shop
 * stay outside.
 */
function isMeantForKsef({ buyer, tax, sample }: Snapshot): boolean {
  return !sample && buyer.kind === 'company' && tax.treatment !== 'destination'
}

/** What KSeF refused may be sent again for so long before a credit note says for ever that it is outside of it. */
const secondThoughts = 3 * 86_400_000

/** Whether a document is on its way to KSeF, whose number what corrects it has to name. */
export async function isAwaited(
  db: Handle,
  { KSEF_URL, KSEF_TOKEN }: Pick<Context['settings'], 'KSEF_URL' | 'KSEF_TOKEN'>,
  { documentId, now }: { documentId: string; now: Date },
): Promise<boolean> {
  if (KSEF_URL === undefined || KSEF_TOKEN === undefined) return false // nobody sends it
  const kept = await findEInvoice(db, documentId)
  if (kept?.state === 'failed') return now.getTime() - kept.updated_at.getTime() < secondThoughts
  return kept?.state === 'waiting' || kept?.state === 'sent'
}

export async function keepEInvoice(
  { settings }: Pick<Context, 'settings'>,
  trx: Transaction,
  { document, snapshot, now }: { document: { id: string; label: string }; snapshot: Snapshot; now: Date },
): Promise<void> {
  if (sellerNip(snapshot) === undefined) return
  const correctedKsefNumber = snapshot.corrects === null ? undefined : await findKsefNumber(trx, snapshot.corrects.id)
  const xml = writeFa3(snapshot, { number: document.label, now, correctedKsefNumber })
  const isSent = settings.KSEF_URL !== undefined && isMeantForKsef(snapshot)
  await insertEInvoice(trx, {
    documentId: document.id,
    xml,
    state: isSent ? 'waiting' : 'kept',
    nextAt: isSent ? now : null,
  })
}
