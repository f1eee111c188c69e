import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Project } from '@wakestone/contract/marketplace/project'
import { mostWebhooks, type Webhook } from '@wakestone/contract/marketplace/webhooks'
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  pingWebhook,
} from '@wakestone/contract/marketplace/webhooks-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import classes from './edit.module.css'

const eventNames = {
  ping: 'market.webhooks.ping_event',
  'release.published': 'market.webhooks.release_published',
  'release.withdrawn': 'market.webhooks.release_withdrawn',
} as const

/** Where programs are told of releases: signed messages to addresses, and a feed for everybody. */
export function WebhooksCard({ project: { slug, visibility } }: { project: Project }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(queryOf(listWebhooks, { params: { slug } }))
  const [url, setUrl] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [leaving, setLeaving] = useState<Webhook | null>(null)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
      await refetch()
    } catch (problem) {
      setFailure(problem)
    } finally {
      setBusy(false)
    }
  }
  const isFull = (data?.length ?? 0) >= mostWebhooks
  return (
    <Card title={t('market.webhooks.title')} beside={t('market.webhooks.hint')}>
      <div className={classes['fields']}>
        {data === undefined ? (
          error === null ? (
            <SkeletonText lines={2} />
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )
        ) : data.length === 0 ? (
          <p className={classes['muted']}>{t('market.webhooks.empty')}</p>
        ) : (
          <ul className={classes['webhooks']}>
            {data.map((webhook) => (
              <WebhookRow
                key={webhook.id}
                webhook={webhook}
                busy={busy}
                onPing={() => void run(() => api(pingWebhook, { params: { slug, webhookId: webhook.id } }))}
                onRemove={() => setLeaving(webhook)}
              />
            ))}
          </ul>
        )}
        <form
          className={classes['row']}
          onSubmit={(event) => {
            event.preventDefault()
            void run(async () => {
              await api(createWebhook, { params: { slug }, body: { url } })
              setUrl('')
            })
          }}
        >
          <TextInput
            type="url"
            required
            label={t('market.webhooks.url')}
            maxLength={500}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <Button
            type="submit"
            loading={busy}
            why={isFull ? t('market.webhooks.tooMany', { count: mostWebhooks }) : undefined}
          >
            {t('market.webhooks.add')}
          </Button>
        </form>
        {failure !== undefined && <ErrorNote error={failure} />}
        {visibility !== 'private' && (
          <p className={classes['muted']}>
            <a href={`/api/v1/marketplace/projects/${slug}/releases.atom`}>{t('market.webhooks.feed')}</a> ·{' '}
            {t('market.webhooks.feedHint')}
          </p>
        )}
      </div>
      {leaving !== null && (
        <ConfirmDialog
          opened
          onClose={() => setLeaving(null)}
          title={t('market.webhooks.removeTitle')}
          text={t('market.webhooks.removeText', { url: leaving.url })}
          action={t('market.webhooks.remove')}
          onConfirm={async () => {
            await api(deleteWebhook, { params: { slug, webhookId: leaving.id } })
            await refetch()
          }}
        />
      )}
    </Card>
  )
}

function WebhookRow({
  webhook: { url, secret, deliveries },
  busy,
  onPing,
  onRemove,
}: {
  webhook: Webhook
  busy: boolean
  onPing: () => void
  onRemove: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <li>
      <strong className={classes['address']}>{url}</strong>
      <details>
        <summary>{t('market.webhooks.show')}</summary>
        <code className={classes['address']}>{secret}</code>
      </details>
      <ul className={classes['muted']}>
        {deliveries.map(({ id, event, state, status, done_at: done }) => (
          <li key={id}>
            {t(`market.webhooks.${state}`, {
              event: t(eventNames[event]),
              date: done === null ? '' : format.dateTime(done),
              status: status ?? t('market.webhooks.none'),
            })}
          </li>
        ))}
      </ul>
      <div className={classes['row']}>
        <Button size="small" loading={busy} onClick={onPing}>
          {t('market.webhooks.ping')}
        </Button>
        <Button size="small" look="quiet" onClick={onRemove}>
          {t('market.webhooks.remove')}
        </Button>
      </div>
    </li>
  )
}
