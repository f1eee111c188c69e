import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/routes/transactions'
import { type Api, implement } from '#src/http/implement.ts'
import { findTransaction } from './repo.ts'
import { showTransaction } from './service.ts'

export function registerTransactionRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getTransaction, async ({ params }) => {
    const row = await findTransaction(context.db, params.id)
    if (row === undefined) throw new DomainError('transaction_not_found', { resource: 'transactions' })
    return showTransaction(row)
  })
}
