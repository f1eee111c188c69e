/** What may be given as invoice data; the form and the API check the same. */
import { z } from 'zod'
import { isCountry } from '../countries.ts'
import { readPostalCode } from './postal-code.ts'
import { languageSchema } from '../primitives.ts'
import { buyerKinds } from './tax-data.ts'
import { countriesWithTaxId, readNip, readTaxId } from './tax-id.ts'

const line = (least: number, most: number) =>
  z
    .string()
    .trim()
    .min(least, 'required')
    .max(most, 'too_long')
    .regex(/^[^\p{C}]*$/u, 'invalid')

/** Companies there have a number that the invoice must name. */
export const needsNip = (country: string) => country === 'PL'

export const taxDataBody = z
  .object({
    kind: z.enum(buyerKinds),
    name: line(2, 160),
    short_name: line(0, 64).default(''),
    nip: z.string().max(32, 'nip').default(''),
    tax_id: z.string().max(32, 'tax_id').default(''),
    address: line(3, 200),
    postal_code: z.string().max(16, 'postal_code'),
    city: line(1, 100),
    country: z.string().refine(isCountry, 'country'),
    language: languageSchema,
  })
  .superRefine(({ kind, country, nip, tax_id, postal_code }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    if (readPostalCode(country, postal_code) === undefined) refuse('postal_code', 'postal_code')
    if (kind === 'person') return
    if (needsNip(country)) {
      if (readNip(nip) === undefined) refuse('nip', 'nip')
    } else if (tax_id.trim() !== '' && readTaxId(country, tax_id) === undefined) refuse('tax_id', 'tax_id')
  })
export type TaxDataBody = z.output<typeof taxDataBody>

/** What is kept of a body that passed: numbers as their country writes them, none of a private person. */
export function settleTaxData(body: TaxDataBody) {
  const { kind, country, nip, tax_id, postal_code } = body
  const ownNip = kind === 'company' && needsNip(country) ? (readNip(nip) ?? null) : null
  const other = kind === 'company' && tax_id.trim() !== '' ? (readTaxId(country, tax_id) ?? null) : null
  return {
    ...body,
    postal_code: readPostalCode(country, postal_code) ?? '',
    nip: ownNip,
    tax_id: ownNip === null ? other : `PL${ownNip}`,
  }
}

/** Whether a country's companies have a VAT id whose format we know. */
export const hasTaxIdRules = (country: string) => (countriesWithTaxId as readonly string[]).includes(country)
