import { useTranslation } from '#app/i18n/texts.tsx'
import type { TaxData } from '@wakestone/contract/money/tax-data'
import { DateTime } from '#app/ui/date-time.tsx'
import classes from './invoice.module.css'

/** What the EU's register says of the VAT id. */
export function TaxIdState({ taxId, check }: { taxId: string; check: NonNullable<TaxData['tax_id_check']> }) {
  const { t } = useTranslation()
  return (
    <div className={classes['check']} data-state={check.state} role="status">
      <p>
        <b>{t(`invoiceData.check.${check.state}`)}</b> <code>{taxId}</code>
      </p>
      <p>{t(`invoiceData.checkText.${check.state}`)}</p>
      {check.checked_at !== null && (
        <p className={classes['evidence']}>
          {t('invoiceData.checkedAt')} <DateTime value={check.checked_at} />
          {check.consultation_number !== null && (
            <>
              {' · '}
              {t('invoiceData.consultation')} <code>{check.consultation_number}</code>
            </>
          )}
        </p>
      )}
    </div>
  )
}
