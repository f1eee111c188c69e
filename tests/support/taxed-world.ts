/** Payments where top-ups are taxed when they are paid in, with what its tests look at: documents, ledger, what is left. */
import { startNbpSimulator } from '@wakestone/simulators/nbp'
import { listUserInvoices } from '@wakestone/contract/invoicing/invoices-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { confirmWithdrawal, declareWithdrawal } from '@wakestone/contract/sales/withdrawals-routes'
import { issueDueDocuments } from '../../apps/server/src/features/invoicing/invoices/issue.ts'
import { ensureTaxSettings } from '../../apps/server/src/features/money/taxes/service.ts'
import type { Caller } from './api.ts'
import { findLedgerFaults } from './ledger.ts'
import { startPaymentWorld, walletOf } from './payment-world.ts'

export type TaxedWorld = Awaited<ReturnType<typeof startTaxedWorld>>

export async function startTaxedWorld() {
  const nbp = await startNbpSimulator()
  const world = await startPaymentWorld({ jobs: false, env: { NBP_URL: nbp.url } })
  const { context } = world.api
  const { pool } = context.database
  const taxAt = (point: 'purchase' | 'deposit') =>
    ensureTaxSettings({
      db: context.db,
      settings: { ...context.settings, TOP_UP_TAX_POINT: point },
    })
  /** A credit note waits for what it corrects. */
  async function issue() {
    for (const hours of [0, 1, 2]) await issueDueDocuments(context, new Date(Date.now() + hours * 3_600_000))
  }
  await taxAt('deposit')
  const boss = await world.api.signUp({ admin: true })

  return {
    world,
    boss,
    taxAt,
    issue,
    /** From the whole contract. */
    async withdraw(payer: Caller, serviceId: string) {
      const params = { id: serviceId }
      const { declaration_id } = await payer.call(declareWithdrawal, { params })
      return payer.call(confirmWithdrawal, { params, body: { declaration_id: declaration_id ?? '' } })
    },
    /** Balance, and what of it is never paid out. */
    async balanceOf(payer: Caller, currency = 'PLN') {
      const shown = await payer.call(getWallet, { params: { id: walletOf(payer, currency) } })
      return [shown.balance.amount, shown.non_refundable.amount]
    },
    /** Kind and gross of a customer's documents, the first first. */
    async documentsOf({ call, user }: Caller) {
      await issue()
      const { data } = await call(listUserInvoices, { params: { id: user.id } })
      return data.toReversed().map(({ kind, gross }) => [kind, gross])
    },
    /** Of a customer's taxed top-ups: money and credit that are left, and of how much the tax was given back. */
    async left({ user }: Caller) {
      const rows = await context.db
        .selectFrom('taxed_top_ups')
        .select(['left_money', 'left_credit', 'returned'])
        .where('user_id', '=', user.id)
        .orderBy('id')
        .execute()
      return rows.map(({ left_money, left_credit, returned }) => [left_money, left_credit, returned])
    },
    /** What the ledger has of all that a customer did: sold net, VAT of Poland, and taxed before it is spent. */
    async booksOf({ user }: Caller) {
      const { rows } = await pool.query<{ net: number; vat: number; prepaid: number; other: number }>(
        `select coalesce(sum(e.amount) filter (where a.code like 'revenue:%'), 0)::int as net,
           coalesce(sum(e.amount) filter (where a.code like 'vat:PL:%'), 0)::int as vat,
           coalesce(sum(e.amount) filter (where a.code like 'vat:%' and a.code not like 'vat:PL:%'), 0)::int as other,
           coalesce(-sum(e.amount) filter (where a.code like 'prepaid:%'), 0)::int as prepaid
         from transactions t join ledger_entries e on e.transaction_id = t.ledger_transaction_id
         join ledger_accounts a on a.id = e.account_id where t.user_id = $1`,
        [user.id],
      )
      return rows[0]
    },
    /** Whatever happened: documents are of what the ledger sold, to the minor unit. @throws where they are not. */
    async verify() {
      const faults = await findLedgerFaults(pool)
      await issue()
      const { rows } = await pool.query(`
        select currency, sum(documented) as documented, sum(document_vat) as document_vat, sum(sold) as sold, sum(vat) as vat from (
          select trim(currency) as currency, gross as documented, vat as document_vat, 0 as sold, 0 as vat from documents
          union all select trim(e.currency), 0, 0, e.amount, case when a.code like 'vat:%' then e.amount else 0 end
            from ledger_entries e join ledger_accounts a on a.id = e.account_id
            where a.code like 'revenue:%' or a.code like 'vat:%') lines
        group by currency having sum(documented) <> sum(sold) or sum(document_vat) <> sum(vat)`)
      if (rows.length > 0) faults['documents are of what was sold'] = rows
      if (Object.keys(faults).length > 0) throw new Error(`broken rules: ${JSON.stringify(faults)}`)
    },
    async close() {
      await world.close()
      await nbp.close()
    },
  }
}
