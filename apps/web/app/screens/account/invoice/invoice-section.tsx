import { useTranslation } from '#app/i18n/texts.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useLanguage } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import classes from '../account.module.css'

/** Whom invoices are made out to, and the way to change it. */
export function InvoiceSection() {
  const { t } = useTranslation()
  const language = useLanguage()
  const { tax_data } = useSignedInUser()
  return (
    <Card title={t('invoiceData.title')} id="invoice">
      <p className={classes['text']}>
        {tax_data === null
          ? t('invoiceData.none')
          : [tax_data.name, tax_data.tax_id, `${tax_data.postal_code} ${tax_data.city}`.trim()]
              .filter(Boolean)
              .join(' · ')}
      </p>
      <LinkButton to={`/${language}/account/settings/invoice`}>
        {t(tax_data === null ? 'invoiceData.give' : 'invoiceData.change')}
      </LinkButton>
    </Card>
  )
}
