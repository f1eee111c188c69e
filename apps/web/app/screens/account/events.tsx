import { EventList } from '#app/features/events/event-list.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import type { Route } from './+types/events'

export function loader({ request, context }: Route.LoaderArgs) {
  requireUser(request, context)
  return null
}

/** `/{lang}/account/events`: who signed in, and what was changed. */
export default function AccountEvents() {
  const { t } = useTranslation()
  const path = usePath()
  const { id } = useSignedInUser()
  return (
    <>
      <PageMeta page="accountEvents" />
      <EventList
        source={{ kind: 'user', id }}
        path={path('/account/events')}
        description={t('events.ofAccount')}
        empty={t('events.emptyAccount')}
      />
    </>
  )
}
