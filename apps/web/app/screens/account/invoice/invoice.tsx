import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { type Country, listCountries } from '#app/features/location/list-countries.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/invoice'
import { InvoiceForm } from './invoice-form.tsx'
import { AccountFrame } from '../account-frame.tsx'
import account from '../account.module.css'
import { taxDataQuery } from './tax-data-query.ts'
import { TaxIdState } from './tax-id-state.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api, language } = context.get(webContext)
  return {
    queries: await prefetch(taxDataQuery(user.id, api)),
    countries: listCountries(chooseLanguage(request, language)),
  }
}

/** `/{lang}/account/settings/invoice`: what invoices say of the buyer. */
export default function InvoicePage({ loaderData }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="invoiceData" />
      <AccountFrame>
        <div className={account['sections']}>
          <InvoiceData countries={loaderData.countries} />
        </div>
      </AccountFrame>
    </HydrationBoundary>
  )
}

function InvoiceData({ countries }: { countries: Country[] }) {
  const { id } = useSignedInUser()
  const { data: known, error, refetch } = useQuery(taxDataQuery(id))
  if (error !== null && known === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (known === undefined) return <Skeleton height={480} />
  return (
    <>
      {known?.tax_id != null && known.tax_id_check !== null && (
        <Card>
          <TaxIdState taxId={known.tax_id} check={known.tax_id_check} />
        </Card>
      )}
      <Card>
        <InvoiceForm userId={id} known={known} countries={countries} />
      </Card>
    </>
  )
}
