/**
 * What is put right when the EU's register confirms a VAT id after sales were charged with VAT: it was silent, so a
 * business paid what a consumer pays. Each sale is given back with its VAT (a credit note) and made again without (an
 * invoice with reverse charge); the VAT stays in the wallet. A sale is one transaction, and is corrected once.
 */
import type { Context } from '#src/context.ts'
import { type Db, inTransaction, type Transaction } from '#src/db/client.ts'
import { findPaidWith } from '#src/features/sales/bills/service.ts'
import { lockWallet } from '#src/features/money/ledger/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { type Span, updateService } from '#src/features/sales/services/service.ts'
import { taxOf, taxWithin } from '#src/features/money/taxes/service.ts'
import { lockBuyer } from '#src/features/money/tax-data/service.ts'
import { scaleLines, taxByOtherRule } from '#src/features/money/taxed-balances/service.ts'
import { chargeWallet, creditWallet } from '#src/features/money/wallets/service.ts'
import {
  type Answer,
  findSale,
  findSales,
  findTopUps,
  findUnhandled,
  lockPaidServices,
  noteHandled,
  type SaleRow,
} from './repo.ts'

/** One pass. What fails for one answer does not keep the others waiting, and is tried again with the next pass. */
export async function handleAnswers({ db, logger }: Pick<Context, 'db' | 'logger'>, now: Date): Promise<void> {
  for (const answer of await findUnhandled(db)) {
    try {
      for (const id of await findSales(db, answer)) await ifReverseCharged(db, answer, (trx) => correct(trx, id))
      for (const id of await findTopUps(db, answer))
        await ifReverseCharged(db, answer, (trx) => taxAnew(trx, answer, id))
      await noteHandled(db, answer.id, now)
    } catch (error) {
      logger.warn({ error, check: answer.id }, 'what was charged with VAT is not corrected yet')
    }
  }
}

/** Once their data say something else, what they were charged by is not put right by itself; they stay as they are meanwhile. */
async function ifReverseCharged(db: Db, { user_id }: Answer, work: (trx: Transaction) => Promise<void>): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockBuyer(trx, user_id)
    const { treatment } = await taxOf(trx, { userId: user_id })
    if (treatment === 'reverse_charge') await work(trx)
  })
}

async function taxAnew(trx: Transaction, { user_id }: Answer, topUpId: string): Promise<void> {
  await taxByOtherRule(trx, { topUpId, rule: await taxOf(trx, { userId: user_id }) })
}

async function correct(trx: Transaction, saleId: string): Promise<void> {
  const services = await lockPaidServices(trx, saleId)
  const seen = await findSale(trx, saleId)
  if (seen === undefined || (await lockWallet(trx, seen.wallet_id)) === undefined) return
  const sale = await findSale(trx, saleId)
  if (sale === undefined || sale.is_corrected) return
  // What was given back has had its credit note.
  const gross = sale.amount - sale.returned
  if (gross <= 0) return
  const lines = scaleLines(sale.positions, gross).map((line) => ({
    ...line,
    net: line.total_price_gross - taxWithin(line.total_price_gross, line.tax),
  }))
  const net = lines.reduce((sum, line) => sum + line.net, 0)
  await giveBack(trx, sale, { gross, vat: gross - net })
  const made = await chargeAgain(trx, sale, { net, lines })
  for (const service of services)
    await updateService(trx, service.id, {
      value_held: JSON.stringify(paidAnew(service.value_held as Span[], { sale, made, gross, net })),
    })
  await notify(trx, {
    userId: sale.user_id,
    kind: 'TAX_CORRECTED',
    fields: { amount: { amount: gross - net, currency: sale.currency } },
    resource: { type: 'transaction', id: made.id },
    dedupeKey: `TAX_CORRECTED ${saleId}`,
  })
}

/** Whole, with its VAT; what was paid with credit that never leaves is such credit again. */
async function giveBack(
  trx: Transaction,
  sale: SaleRow,
  { gross, vat }: { gross: number; vat: number },
): Promise<void> {
  const [paid = { amount: sale.amount, credit: 0 }] = await findPaidWith(trx, [sale.id])
  const credit = Math.ceil((gross * Math.min(paid.credit, paid.amount)) / paid.amount)
  const creditVat = Math.round((vat * credit) / gross)
  for (const part of [
    { amount: gross - credit, tax: vat - creditVat, refundable: true },
    { amount: credit, tax: creditVat, refundable: false },
  ]) {
    if (part.amount === 0) continue
    await creditWallet(trx, {
      ...part,
      userId: sale.user_id,
      walletId: sale.wallet_id,
      currency: sale.currency,
      countryTaxRate: { country_code: sale.country_code, vat_rate: sale.vat_rate },
      source: 'purchase',
      cause: 'REFUND',
      action: 'TAX_CORRECTION',
      scope: 'tax-correction',
      key: `${sale.id}:${part.refundable ? 'money' : 'credit'}`,
      positions: scaleLines(sale.positions, -part.amount),
      details: { ...aboutOf(sale), reverses: sale.id },
    })
  }
}

/** What it was about, without how it was paid and taxed. */
function aboutOf({ details }: SaleRow): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).filter(([name]) => !ofItsPayment.includes(name)))
}
const ofItsPayment = ['non_refundable', 'tax_treatment', 'taxed_before', 'document_positions']

async function chargeAgain(
  trx: Transaction,
  sale: SaleRow,
  { net, lines }: { net: number; lines: readonly (SaleRow['positions'][number] & { net: number })[] },
): Promise<{ id: string; country: string }> {
  const { country_code, vat_rate } = await taxOf(trx, { userId: sale.user_id })
  const id = await chargeWallet(trx, {
    userId: sale.user_id,
    walletId: sale.wallet_id,
    currency: sale.currency,
    amount: net,
    tax: 0,
    countryTaxRate: { country_code, vat_rate },
    positions: lines.map(({ name, quantity, net: price }) => ({ name, quantity, tax: 0, total_price_gross: price })),
    action: 'TAX_CORRECTION',
    key: `tax-correction:${sale.id}`,
    details: { ...aboutOf(sale), corrects_tax_of: sale.id },
  })
  return { id, country: country_code }
}

/** Time that was paid with the sale is paid with the one that took its place: no more than that comes back of it. */
function paidAnew(
  spans: readonly Span[],
  { sale, made, gross, net }: { sale: SaleRow; made: { id: string; country: string }; gross: number; net: number },
): Span[] {
  return spans.map((span) => ({
    ...span,
    payments: span.payments.map((payment) =>
      payment.transaction === sale.id
        ? {
            transaction: made.id,
            amount: Number((BigInt(payment.amount) * BigInt(net)) / BigInt(gross)),
            vatRate: 0,
            country: made.country,
          }
        : payment,
    ),
  }))
}
