import { z } from 'zod'
import { adminSaleDocumentSchema, dueDocumentSchema, saleDocumentFilter, saleDocumentSchema } from './invoice.ts'
import { idSchema, languageSchema, pagingQuery } from '../primitives.ts'
import { csvFile, defineRoute } from '../route.ts'

const tag = 'Invoices'
const params = z.object({ id: idSchema })
const access = { kind: 'invoice', param: 'id' } as const
const file = z.custom<AsyncIterable<string | Uint8Array>>()
const admin = { kind: 'capability', capability: 'admin' } as const

export const listUserInvoices = defineRoute({
  method: 'GET',
  path: '/users/:id/invoices',
  tag,
  summary: 'List a user’s invoices, receipts and credit notes, newest first',
  access: { kind: 'self', param: 'id' },
  keyScope: 'user.read',
  params,
  query: z.object({
    ...pagingQuery,
    /** Only the documents of this payment. */
    transaction_id: idSchema.optional(),
  }),
  responses: { 200: z.object({ data: z.array(saleDocumentSchema), count: z.int() }) },
  errors: ['user_not_found'],
})
export const getInvoice = defineRoute({
  method: 'GET',
  path: '/invoices/:id',
  tag,
  summary: 'Get an invoice, receipt or credit note',
  access,
  keyScope: 'user.read',
  params,
  responses: { 200: saleDocumentSchema },
  errors: ['invoice_not_found'],
})
export const getInvoicePdf = defineRoute({
  method: 'GET',
  path: '/invoices/:id/pdf',
  tag,
  summary: 'Get a document as a PDF with the e-invoice attached. The default language is the buyer’s.',
  access,
  keyScope: 'user.read',
  params,
  query: z.object({ language: languageSchema.optional() }),
  streams: 'application/pdf',
  responses: { 200: file },
  errors: ['invoice_not_found'],
})
export const getInvoiceXml = defineRoute({
  method: 'GET',
  path: '/invoices/:id/xml',
  tag,
  summary: 'Get a document as an e-invoice: EN 16931 in UBL, or KSeF FA(3) if the seller is in Poland',
  access,
  keyScope: 'user.read',
  params,
  query: z.object({ format: z.enum(['ubl', 'ksef']).default('ubl') }),
  streams: 'application/xml; charset=utf-8',
  responses: { 200: file },
  errors: ['invoice_not_found'],
})

export const listInvoices = defineRoute({
  method: 'GET',
  path: '/admin/invoices',
  tag,
  summary: 'List the documents of all users, newest first, and the sales whose document could not be issued yet',
  access: admin,
  keyScope: 'access',
  query: z.object({ ...pagingQuery, ...saleDocumentFilter }),
  responses: {
    200: z.object({ data: z.array(adminSaleDocumentSchema), count: z.int(), due: z.array(dueDocumentSchema) }),
  },
  errors: [],
})
export const exportInvoices = defineRoute({
  method: 'GET',
  path: '/admin/invoices.csv',
  tag,
  summary: 'Export documents as CSV for accounting, oldest first, with amounts as decimals',
  access: admin,
  keyScope: 'access',
  query: z.object(saleDocumentFilter),
  ...csvFile,
  errors: [],
})
export const retryInvoice = defineRoute({
  method: 'POST',
  path: '/admin/invoices/:id/retry',
  tag,
  summary: 'Retry a failed e-invoice. `id` is that of the document, or of a transaction whose document is still due.',
  access: admin,
  keyScope: 'access',
  params,
  responses: { 204: null },
  errors: ['resource_not_found'],
})
