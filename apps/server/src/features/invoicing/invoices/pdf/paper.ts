/** What the parts of a printed document share: its paper, how days and amounts are written, and where a page ends. */
import { localeOf } from '@wakestone/contract/language'
import type { Language } from '@wakestone/contract/primitives'
import { formatMoney } from '@wakestone/kit/money'
import type { Snapshot } from '../snapshot.ts'
import type { printedTexts } from './texts.ts'
import type { Page } from './typeset.ts'

export type Printed = {
  snapshot: Snapshot
  number: string
  issuedAt: Date
  language: Language
  /** Where the tax office's register lets anybody check the document. */
  ksef: { url: string; number: string | null } | null
  /** CII, attached. */
  cii: string
}

export type Paper = { page: Page; printed: Printed; texts: (typeof printedTexts)[Language]; right: number }

export const margin = 48
export const colours = { text: '#15181d', soft: '#5b6470', accent: '#b87708', panel: '#f6f4ef', rule: '#dcdfe4' }

export const dayOf = (iso: string, language: Language) =>
  new Intl.DateTimeFormat(localeOf[language], {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(new Date(`${iso}T00:00:00Z`))

export const moneyOf =
  ({ snapshot, language }: Printed) =>
  (amount: number) =>
    formatMoney({ amount, currency: snapshot.currency }, language)
export const percentOf = (rate: number, language: Language) =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(rate)

export const isTaxed = ({ tax }: Snapshot) => tax.treatment !== 'reverse_charge' && tax.treatment !== 'outside'

export const titleOf = ({ printed, texts }: Pick<Paper, 'printed' | 'texts'>) =>
  `${texts.kinds[printed.snapshot.kind]} ${texts.number} ${printed.number}`

/** Goes on overleaf where a block of this height does not fit; there, too, it is said what document this is. */
export function roomFor(paper: Paper, y: number, height: number): number {
  const { page } = paper
  if (y + height < page.height - 64) return y
  footer(paper)
  page.newPage()
  page.text(titleOf(paper), margin, margin - 8, { size: 9, weight: 600, color: colours.soft })
  return margin + 18
}

export function footer({ page, printed, texts, right }: Paper): void {
  const { seller } = printed.snapshot
  const y = page.height - 46
  page.line(margin, y - 8, right, colours.rule, 0.5)
  page.text([seller.name, seller.email].filter(Boolean).join(' · '), margin, y, { size: 8, color: colours.soft })
  page.text(texts.page.replace('{page}', String(page.pages())), right - 120, y, {
    size: 8,
    color: colours.soft,
    width: 120,
    align: 'right',
  })
}
