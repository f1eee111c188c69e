import * as routes from '@wakestone/contract/invoicing/invoices-routes'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import {
  exportInvoices,
  getInvoice,
  listInvoices,
  listInvoicesOf,
  printInvoice,
  retryInvoice,
  writeInvoiceXml,
} from './service.ts'

/** A file that is there already goes out as it is. */
async function* whole<Content>(content: Content): AsyncGenerator<Content> {
  yield content
}

export function registerInvoiceRoutes(api: Api): void {
  const { context } = api
  const { db } = context
  implement(api, routes.listUserInvoices, ({ params, query: { transaction_id: transactionId, after, limit } }) =>
    listInvoicesOf(db, { userId: params.id, transactionId }, { after, limit }),
  )
  implement(api, routes.getInvoice, ({ params }) => getInvoice(db, params.id))
  implement(api, routes.getInvoicePdf, async ({ params, query, user, ip, reply }) => {
    await requireWithinLimit(context, 'print', { ip, userId: user.userId })
    const { name, content } = await printInvoice(context, params.id, query.language)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return whole(content)
  })
  implement(api, routes.getInvoiceXml, async ({ params, query, user, ip, reply }) => {
    await requireWithinLimit(context, 'print', { ip, userId: user.userId })
    const { name, content } = await writeInvoiceXml(db, params.id, query.format)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return whole(content)
  })
  implement(api, routes.listInvoices, ({ query: { after, limit, attention, ...filter } }) =>
    listInvoices(db, { ...filter, attention: attention === '1' }, { after, limit }),
  )
  implement(api, routes.exportInvoices, async ({ query: { attention, ...filter }, reply }) => {
    reply.header('content-disposition', 'attachment; filename="documents.csv"')
    return exportInvoices(db, { ...filter, attention: attention === '1' })
  })
  implement(api, routes.retryInvoice, ({ params }) => retryInvoice(db, params.id))
}
