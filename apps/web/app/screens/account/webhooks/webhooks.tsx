import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { listEventWebhooks } from '@wakestone/contract/ground/webhooks-routes'
import { mostEventWebhooks } from '@wakestone/contract/ground/webhooks'
import { prefetch } from '#app/api/prefetch.ts'
import { queryOf } from '#app/api/query-of.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { AccountFrame } from '../account-frame.tsx'
import classes from '../account.module.css'
import type { Route } from './+types/webhooks'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookRow } from './webhook-row.tsx'
import own from './webhooks.module.css'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const client = context.get(webContext).api
  return { queries: await prefetch(queryOf(listEventWebhooks, { params: { id: user.id } }, { client })) }
}

/** `/{lang}/account/settings/webhooks`: programs that are told of what happens to the account and its servers. */
export default function Webhooks({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="webhooks" />
      <AccountFrame>
        <div className={classes['sections']}>
          <WebhookList />
          <Card title={t('webhooks.new')} id="new">
            <WebhookForm />
          </Card>
        </div>
      </AccountFrame>
    </HydrationBoundary>
  )
}

function WebhookList() {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const { data, error, refetch } = useQuery(queryOf(listEventWebhooks, { params: { id } }))
  return (
    <Card id="webhooks">
      {data === undefined ? (
        error === null ? (
          <Skeleton height={120} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <EmptyState
          figure="none"
          title={t('webhooks.emptyTitle')}
          text={t('webhooks.emptyText', { count: mostEventWebhooks })}
        />
      ) : (
        <ul className={own['list']}>
          {data.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </Card>
  )
}
