import { HydrationBoundary } from '@tanstack/react-query'
import { prefetch } from '#app/api/prefetch.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/settings'
import { AccountFrame } from './account-frame.tsx'
import classes from './account.module.css'
import { DataSection, dataExportsQuery } from './data/data-section.tsx'
import { ConnectedSection } from './connected/connected-section.tsx'
import { DeletionSection } from './deletion-section.tsx'
import { EmailSection } from './email-section.tsx'
import { InvoiceSection } from './invoice/invoice-section.tsx'
import { LanguageSection } from './language-section.tsx'
import { NameSection } from './name-section.tsx'
import { NewsletterSection } from './newsletter-section.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api } = context.get(webContext)
  return { queries: await prefetch(dataExportsQuery(user.id, api)) }
}

/** `/{lang}/account/settings`: name, address, connected accounts, news, and the end of the account. */
export default function AccountSettings({ loaderData }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="accountSettings" />
      <AccountFrame>
        <div className={classes['sections']}>
          <NameSection />
          <EmailSection />
          <LanguageSection />
          <ConnectedSection />
          <InvoiceSection />
          <NewsletterSection />
          <DataSection />
          <DeletionSection />
        </div>
      </AccountFrame>
    </HydrationBoundary>
  )
}
