/** The writers of EN 16931 without what their library has for spreadsheets: one file where it runs. */
export { FormatFactoryService, invoiceSchema } from '@e-invoice-eu/core'
