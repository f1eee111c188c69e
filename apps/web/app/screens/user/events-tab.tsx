import type { AdminUserDetails } from '@wakestone/contract/admin/admin'
import { EventTable } from '#app/features/events/event-list.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'

/** What happened to the account and when. */
export function EventsTab({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <EventTable source={{ kind: 'user', id: user.id }} path={path('/account/events')} empty={t('admin.noEventsText')} />
  )
}
