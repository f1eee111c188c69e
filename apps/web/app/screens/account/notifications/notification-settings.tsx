import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { prefetch } from '#app/api/prefetch.ts'
import { notificationSettingsQuery } from '#app/features/notifications/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { AccountFrame } from '../account-frame.tsx'
import type { Route } from './+types/notification-settings'
import classes from './notification-settings.module.css'
import { PushSection } from './push-section.tsx'
import { Topics } from './topics.tsx'
import { WebhookSection } from './webhook-section.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api: client } = context.get(webContext)
  return { queries: await prefetch(notificationSettingsQuery(user.id, client)) }
}

/** `/{lang}/account/settings/notifications`: what reaches the user, and on which ways. */
export default function NotificationSettingsScreen({ loaderData }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="notificationSettings" />
      <AccountFrame>
        <Sections />
      </AccountFrame>
    </HydrationBoundary>
  )
}

function Sections() {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const { data: settings, error, refetch } = useQuery(notificationSettingsQuery(id))
  if (settings === undefined && error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (settings === undefined) return <Skeleton height={400} />
  return (
    <div className={classes['sections']}>
      <PushSection push={settings.push} />
      <WebhookSection webhook={settings.webhook} />
      <Card padded={false} title={t('notifications.matrix')}>
        <p className={classes['standard']}>{t('notifications.standardText')}</p>
        <Topics settings={settings} userId={id} />
      </Card>
    </div>
  )
}
