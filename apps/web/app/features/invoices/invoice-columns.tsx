import type { SaleDocument } from '@wakestone/contract/invoicing/invoice'
import type { Translate } from '#app/i18n/create-i18n.ts'
import type { Language } from '#app/i18n/languages.ts'
import type { Column } from '#app/ui/data-table.tsx'
import { CalendarDay } from '#app/ui/date-time.tsx'
import { Money } from '#app/ui/money.tsx'
import classes from './invoices.module.css'

/** A document of sale: its number, day, what it is and for what, its amount and its files. */
export function invoiceColumns<Entry extends SaleDocument>(t: Translate, language: Language): Column<Entry>[] {
  return [
    {
      key: 'number',
      header: t('invoices.number'),
      phone: 'title',
      cell: (entry) => <span className={classes['whole']}>{entry.number}</span>,
    },
    { key: 'date', header: t('invoices.issued'), cell: (entry) => <CalendarDay value={entry.issued_on} /> },
    {
      key: 'kind',
      header: t('invoices.kind'),
      cell: (entry) => (
        <span className={classes['what']}>
          {entry.corrects === null
            ? t(`invoices.kinds.${entry.kind}`)
            : t('invoices.corrects', { number: entry.corrects.number })}
          {entry.positions.map((position, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- two positions may read the same
            <span key={place} className={classes['position']}>
              {position[language]}
            </span>
          ))}
        </span>
      ),
    },
    {
      key: 'gross',
      header: t('invoices.gross'),
      align: 'end',
      cell: (entry) => (
        <span className={classes['whole']}>
          <Money value={{ amount: entry.gross, currency: entry.currency }} />
        </span>
      ),
    },
    {
      key: 'files',
      header: t('invoices.files'),
      align: 'end',
      cell: (entry) => (
        <span className={classes['files']}>
          <a
            href={`/api/v1/invoices/${entry.id}/pdf?language=${language}`}
            download
            aria-label={t('invoices.pdfOf', { number: entry.number })}
          >
            PDF
          </a>
          <a
            href={`/api/v1/invoices/${entry.id}/xml`}
            download
            aria-label={t('invoices.xmlOf', { number: entry.number })}
          >
            XML
          </a>
        </span>
      ),
    },
  ]
}
