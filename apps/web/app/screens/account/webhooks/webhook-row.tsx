import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EventWebhook } from '@wakestone/contract/ground/webhooks'
import {
  changeEventWebhook,
  deleteEventWebhook,
  listEventWebhooks,
  listWebhookDeliveries,
  pingEventWebhook,
  renewWebhookSecret,
} from '@wakestone/contract/ground/webhooks-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { CodeBlock } from '#app/ui/code-block.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { AskFirst } from '../security/ask-first.tsx'
import { Deliveries } from './deliveries.tsx'
import own from './webhooks.module.css'

/** One address: how it does, its secret, what it was told, and its end. */
export function WebhookRow({ webhook }: { webhook: EventWebhook }) {
  const { t } = useTranslation()
  const { id: userId } = useSignedInUser()
  const queries = useQueryClient()
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>()
  const { id: webhookId, url, scope, actions, secret, secret_before_until: until, paused_for } = webhook
  const params = { id: userId, webhookId }
  const refresh = () =>
    makeStale(queries, answersOf(listEventWebhooks, { id: userId }), answersOf(listWebhookDeliveries, params))
  const run = async (what: string, work: () => Promise<unknown>) => {
    setBusy(what)
    setFailure(undefined)
    try {
      await work()
      await refresh()
    } catch (problem) {
      setFailure(problem)
    } finally {
      setBusy(null)
    }
  }
  const pause = (paused: boolean) => run('pause', () => api(changeEventWebhook, { params, body: { paused } }))
  return (
    <li className={own['webhook']}>
      <div className={own['head']}>
        <strong className={own['address']}>{url}</strong>
        <How webhook={webhook} />
      </div>
      <p className={own['muted']}>
        {scope === 'all' && `${t('webhooks.scopes.all')} · `}
        {actions.length === 0
          ? t(scope === 'all' ? 'webhooks.everythingOfAll' : 'webhooks.everything')
          : t('webhooks.some', { count: actions.length })}
      </p>
      <details>
        <summary>{t('webhooks.secret')}</summary>
        <p className={own['muted']}>{t('webhooks.secretText')}</p>
        <CodeBlock name={t('webhooks.secret')} text={secret} />
        {until !== null && (
          <p className={own['muted']}>
            {t('webhooks.oldSecret')} <DateTime value={until} />
          </p>
        )}
        <AskFirst
          label={t('webhooks.renew')}
          title={t('webhooks.renewTitle')}
          text={t('webhooks.renewText')}
          look="primary"
          onConfirm={async () => {
            await api(renewWebhookSecret, { params })
            await refresh()
          }}
        />
      </details>
      <Deliveries userId={userId} webhookId={webhookId} />
      {failure !== undefined && <ErrorNote error={failure} />}
      <div className={own['buttons']}>
        <Button
          size="small"
          loading={busy === 'ping'}
          why={paused_for === null ? undefined : t('webhooks.isPaused')}
          onClick={() => void run('ping', () => api(pingEventWebhook, { params }))}
        >
          {t('webhooks.ping')}
        </Button>
        <Button size="small" loading={busy === 'pause'} onClick={() => void pause(paused_for === null)}>
          {t(paused_for === null ? 'webhooks.pause' : 'webhooks.resume')}
        </Button>
        <AskFirst
          label={t('webhooks.remove')}
          name={t('webhooks.removeOf', { url })}
          title={t('webhooks.removeTitle')}
          text={t('webhooks.removeText', { url })}
          onConfirm={async () => {
            await api(deleteEventWebhook, { params })
            await refresh()
          }}
        />
      </div>
    </li>
  )
}

function How({ webhook: { paused_for, failing_since } }: { webhook: EventWebhook }) {
  const { t } = useTranslation()
  if (paused_for !== null)
    return (
      <Badge colour={paused_for === 'owner' ? 'muted' : 'ember'} shape={paused_for === 'owner' ? 'square' : 'triangle'}>
        {t(`webhooks.paused.${paused_for}`)}
      </Badge>
    )
  return (
    <Badge colour={failing_since === null ? 'moss' : 'lantern'} shape={failing_since === null ? 'filled' : 'triangle'}>
      {t(failing_since === null ? 'webhooks.works' : 'webhooks.fails')}
    </Badge>
  )
}
