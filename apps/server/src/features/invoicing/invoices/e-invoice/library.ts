/**
 * The library that knows EN 16931 in its syntaxes. Its parts are put together here, because what puts them together there
 * compiles the model's large schema for each document. Loaded when the first document is written: no start waits for it.
 */
import type { Invoice } from '@e-invoice-eu/core'
import { loadBundle } from '#src/adapters/bundled.ts'

export type Syntax = 'UBL' | 'CII'
/** @throws Error naming what the model does not allow. */
export type Writer = (invoice: Invoice, language: string) => Promise<string>

const silent = { log: () => undefined, warn: () => undefined, error: () => undefined }

let writers: Promise<Record<Syntax, Writer>> | undefined
export const writerOf = async (syntax: Syntax): Promise<Writer> => (await (writers ??= load()))[syntax]

async function load(): Promise<Record<Syntax, Writer>> {
  const [{ FormatFactoryService, invoiceSchema }, { Ajv2019 }] = await Promise.all([
    loadBundle('e-invoice'),
    import('ajv/dist/2019.js'),
  ])
  const formats = new FormatFactoryService()
  const [ubl, cii] = [formats.createFormatService('UBL', silent), formats.createFormatService('CII', silent)]
  const schema = structuredClone(invoiceSchema)
  ubl.patchSchema(schema) // the stricter of both
  const ajv = new Ajv2019({ strict: true, allErrors: true, useDefaults: true })
  const isInvoice = ajv.compile(schema)
  const writer =
    (format: typeof ubl): Writer =>
    async (invoice, lang) => {
      if (!isInvoice(invoice)) throw new Error(`no invoice of EN 16931: ${ajv.errorsText(isInvoice.errors)}`)
      format.fillInvoiceDefaults(invoice)
      const written = await format.generate(invoice, { format: format.syntax, lang, noWarnings: true })
      return typeof written === 'string' ? written : Buffer.from(written).toString('utf8')
    }
  return { UBL: writer(ubl), CII: writer(cii) }
}
