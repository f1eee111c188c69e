import { confirmSubscription } from '@wakestone/contract/site/newsletter-routes'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/confirm'
import { CodePage, takeCode } from './code-page.tsx'

export function action({ request, context }: Route.ActionArgs) {
  const { api } = context.get(webContext)
  return takeCode(request, (code) => api(confirmSubscription, { body: { code } }))
}

/** `/{lang}/newsletter/confirm?code=`: where the mail leads that asks back. */
export default function ConfirmNewsletter({ actionData }: Route.ComponentProps) {
  return (
    <>
      <PageMeta page="newsletterConfirm" />
      <CodePage kind="confirm" outcome={actionData} />
    </>
  )
}
