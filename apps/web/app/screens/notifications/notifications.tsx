import { HydrationBoundary, keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Notification } from '@wakestone/contract/ground/notification'
import { markNotificationsRead } from '@wakestone/contract/ground/notifications-routes'
import { api } from '#app/api/client.ts'
import { makeStale } from '#app/api/query-of.ts'
import { aboutNotifications } from '#app/api/stale-answers.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { GroupIcon } from '#app/features/notifications/group-icon.tsx'
import { notificationsPerPage, notificationsQuery } from '#app/features/notifications/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { KeysetPager } from '#app/ui/pager.tsx'
import { SegmentedLinks } from '#app/ui/segmented-links.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { readAfter } from '#app/ui/table-address.ts'
import { showErrorToast } from '#app/ui/toasts.tsx'
import type { Route } from './+types/notifications'
import classes from './notifications.module.css'

const readAddress = (search: URLSearchParams) => ({
  after: readAfter(search).at(-1),
  isUnreadOnly: search.get('unread') === '1',
})

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api: client, language: guess } = context.get(webContext)
  const page = {
    userId: user.id,
    language: chooseLanguage(request, guess),
    ...readAddress(new URL(request.url).searchParams),
  }
  return { queries: await prefetch(notificationsQuery(page, client)) }
}

/** `/{lang}/notifications`: what the user was told, newest first. */
export default function Notifications({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="notifications" />
      <PageHeader
        title={t('notifications.title')}
        text={t('notifications.text')}
        actions={<LinkButton to={path('/account/settings/notifications')}>{t('notifications.settings')}</LinkButton>}
      />
      <List />
    </HydrationBoundary>
  )
}

function List() {
  const { t } = useTranslation()
  const language = useLanguage()
  const { id: userId } = useSignedInUser()
  const [search] = useSearchParams()
  const { after, isUnreadOnly } = readAddress(search)
  const { data, error, refetch } = useQuery({
    ...notificationsQuery({ userId, language, after, isUnreadOnly }),
    placeholderData: keepPreviousData,
  })
  const rows = data?.notifications.slice(0, notificationsPerPage) ?? []
  const hasMore = (data?.notifications.length ?? 0) > notificationsPerPage
  return (
    <div className={classes['page']}>
      <div className={classes['tools']}>
        <SegmentedLinks
          label={t('notifications.show')}
          options={[
            { to: '?', label: t('notifications.all'), active: !isUnreadOnly },
            { to: '?unread=1', label: t('notifications.unread'), active: isUnreadOnly },
          ]}
        />
        <ReadAll userId={userId} />
      </div>
      <Card padded={false}>
        {error !== null && data === undefined ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton height={360} />
        ) : rows.length === 0 ? (
          <EmptyState
            title={t(isUnreadOnly ? 'notifications.nothingTitle' : 'notifications.emptyTitle')}
            text={t(isUnreadOnly ? 'notifications.nothingText' : 'notifications.emptyText')}
          />
        ) : (
          <>
            <ul className={classes['list']}>
              {rows.map((notification) => (
                <Row key={notification.id} notification={notification} />
              ))}
            </ul>
            <KeysetPager
              next={hasMore ? rows.at(-1)?.id : undefined}
              shown={rows.length}
              size={notificationsPerPage}
              count={data.count}
            />
          </>
        )}
      </Card>
    </div>
  )
}

function Row({ notification }: { notification: Notification }) {
  const { t } = useTranslation()
  const path = usePath()
  const isUnread = notification.opened_at === null
  return (
    <li data-unread={isUnread || undefined}>
      <GroupIcon kind={notification.type} />
      <div className={classes['words']}>
        <Link to={path(`/notifications/${notification.id}`)}>{notification.title}</Link>
        <p>{notification.text}</p>
      </div>
      <div className={classes['when']}>
        {isUnread && <span className={classes['new']}>{t('notifications.new')}</span>}
        <DateTime value={notification.created_at} />
      </div>
    </li>
  )
}

function ReadAll({ userId }: { userId: string }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const readAll = async () => {
    setBusy(true)
    try {
      await api(markNotificationsRead, { params: { userId }, body: {} })
      await makeStale(queries, ...aboutNotifications(userId))
    } catch (failure) {
      showErrorToast(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="small" look="quiet" loading={isBusy} onClick={() => void readAll()}>
      {t('notifications.readAll')}
    </Button>
  )
}
