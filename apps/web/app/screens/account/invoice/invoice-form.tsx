import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { postalCodeExample } from '@wakestone/contract/money/postal-code'
import { setTaxData } from '@wakestone/contract/money/tax-data-routes'
import type { BuyerKind, TaxData } from '@wakestone/contract/money/tax-data'
import { hasTaxIdRules, needsNip, taxDataBody } from '@wakestone/contract/money/tax-data-form'
import { api } from '#app/api/client.ts'
import type { Country } from '#app/features/location/list-countries.ts'
import { useVisitor } from '#app/features/session/use-visitor.ts'
import { useLanguage } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import account from '../account.module.css'
import classes from './invoice.module.css'
import { taxDataQuery } from './tax-data-query.ts'

/** Who the buyer is. Which number is asked for, and how the postal code looks, follows the country. */
export function InvoiceForm({
  userId,
  known,
  countries,
}: {
  userId: string
  known: TaxData | null
  countries: readonly Country[]
}) {
  const { t } = useTranslation()
  const language = useLanguage()
  const visitor = useVisitor()
  const queries = useQueryClient()
  const [isDone, setDone] = useState(false)
  const form = useZodForm(taxDataBody, {
    kind: known?.kind ?? 'company',
    name: known?.name ?? '',
    short_name: known?.short_name ?? '',
    nip: known?.nip ?? '',
    tax_id: known?.tax_id ?? '',
    address: known?.address ?? '',
    postal_code: known?.postal_code ?? '',
    city: known?.city ?? '',
    country: known?.country ?? visitor?.country_code ?? 'PL',
    language: known?.language ?? language,
  })
  const { kind, country } = form.values
  const isCompany = kind === 'company'
  const submit = form.submit(async (body) => {
    setDone(false)
    queries.setQueryData(taxDataQuery(userId).queryKey, await api(setTaxData, { params: { id: userId }, body }))
    setDone(true)
  })
  return (
    <form className={account['form']} noValidate onSubmit={submit}>
      <Segmented<BuyerKind>
        label={t('invoiceData.kind')}
        options={[
          { value: 'company', label: t('invoiceData.company') },
          { value: 'person', label: t('invoiceData.person') },
        ]}
        value={kind}
        onChange={(value) => form.set('kind', value)}
      />
      <NativeSelect
        label={t('invoiceData.country')}
        autoComplete="country"
        data={countries.map(({ code, name }) => ({ value: code, label: name }))}
        {...form.field('country')}
      />
      <TextInput
        label={t(isCompany ? 'invoiceData.companyName' : 'invoiceData.personName')}
        autoComplete={isCompany ? 'organization' : 'name'}
        {...form.field('name')}
      />
      {isCompany && needsNip(country) && (
        <TextInput label={t('invoiceData.nip')} inputMode="numeric" autoComplete="off" {...form.field('nip')} />
      )}
      {isCompany && !needsNip(country) && (
        <TextInput
          label={t(hasTaxIdRules(country) ? 'invoiceData.vatId' : 'invoiceData.taxId')}
          description={t('invoiceData.vatIdHint')}
          autoComplete="off"
          {...form.field('tax_id')}
        />
      )}
      {isCompany && (
        <TextInput
          label={t('invoiceData.shortName')}
          description={t('invoiceData.shortNameHint')}
          autoComplete="off"
          {...form.field('short_name')}
        />
      )}
      <TextInput label={t('invoiceData.address')} autoComplete="street-address" {...form.field('address')} />
      <div className={classes['place']}>
        <TextInput
          label={t('invoiceData.postalCode')}
          placeholder={postalCodeExample(country)}
          autoComplete="postal-code"
          {...form.field('postal_code')}
        />
        <TextInput label={t('invoiceData.city')} autoComplete="address-level2" {...form.field('city')} />
      </div>
      <NativeSelect
        label={t('invoiceData.language')}
        data={[
          { value: 'pl', label: 'Polski' },
          { value: 'en', label: 'English' },
          { value: 'de', label: 'Deutsch' },
        ]}
        {...form.field('language')}
      />
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <p aria-live="polite" className={account['done']} hidden={!isDone}>
        {isDone && t('invoiceData.saved')}
      </p>
      <Button type="submit" look="primary" loading={form.busy}>
        {t('invoiceData.save')}
      </Button>
    </form>
  )
}
