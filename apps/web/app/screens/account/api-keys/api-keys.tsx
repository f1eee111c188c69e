import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewApiKey } from '@wakestone/contract/accounts/api-key'
import { prefetch } from '#app/api/prefetch.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { CodeBlock } from '#app/ui/code-block.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { AccountFrame } from '../account-frame.tsx'
import classes from '../account.module.css'
import type { Route } from './+types/api-keys'
import { ApiKeyForm } from './api-key-form.tsx'
import { apiKeysQuery } from './api-keys-query.ts'
import { ApiKeyRow } from './api-key-row.tsx'
import own from './api-keys.module.css'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  return { queries: await prefetch(apiKeysQuery(user.id, context.get(webContext).api)) }
}

/** `/{lang}/account/settings/api-keys`: what scripts and other programs may do in the account's name. */
export default function ApiKeys({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [made, setMade] = useState<NewApiKey | null>(null)
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="apiKeys" />
      <AccountFrame>
        <div className={classes['sections']}>
          {made !== null && <Made made={made} onSeen={() => setMade(null)} />}
          <KeyList />
          <Card title={t('apiKeys.new')} id="new">
            <ApiKeyForm onMade={setMade} />
          </Card>
        </div>
      </AccountFrame>
    </HydrationBoundary>
  )
}

/** The one moment in which a key can be read. */
function Made({ made, onSeen }: { made: NewApiKey; onSeen: () => void }) {
  const { t } = useTranslation()
  return (
    <section className={own['made']} aria-live="polite">
      <h2>{t('apiKeys.madeTitle', { name: made.name })}</h2>
      <p>{t('apiKeys.madeText')}</p>
      <CodeBlock name={made.name} text={made.key} />
      <Button onClick={onSeen}>{t('apiKeys.seen')}</Button>
    </section>
  )
}

function KeyList() {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const { data: keys, error, refetch } = useQuery(apiKeysQuery(id))
  return (
    <Card id="keys">
      {keys === undefined ? (
        error === null ? (
          <Skeleton height={120} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : keys.length === 0 ? (
        <EmptyState figure="none" title={t('apiKeys.emptyTitle')} text={t('apiKeys.emptyText')} />
      ) : (
        <ul className={classes['devices']}>
          {keys.map((key) => (
            <ApiKeyRow key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
    </Card>
  )
}
