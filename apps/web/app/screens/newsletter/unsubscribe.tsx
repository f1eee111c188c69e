import { unsubscribe } from '@wakestone/contract/site/newsletter-routes'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/unsubscribe'
import { CodePage, takeCode } from './code-page.tsx'

/** Mail programs post here by themselves when someone presses their own button (RFC 8058). */
export function action({ request, context }: Route.ActionArgs) {
  const { api } = context.get(webContext)
  return takeCode(request, (code) => api(unsubscribe, { body: { code } }))
}

/** `/{lang}/newsletter/unsubscribe?code=`: where every mail of the newsletter leads. */
export default function LeaveNewsletter({ actionData }: Route.ComponentProps) {
  return (
    <>
      <PageMeta page="newsletterUnsubscribe" />
      <CodePage kind="unsubscribe" outcome={actionData} />
    </>
  )
}
