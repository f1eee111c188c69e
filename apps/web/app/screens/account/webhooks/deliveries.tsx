import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AuditAction } from '@wakestone/contract/ground/event'
import type { WebhookDelivery } from '@wakestone/contract/ground/webhooks'
import {
  listWebhookDeliveries,
  replayDelivery,
  replayFailedDeliveries,
} from '@wakestone/contract/ground/webhooks-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import own from './webhooks.module.css'

const shown = 20
const lookMilliseconds = 3_000
const replayDays = 7

/** The last messages to an address; each can be sent again. */
export function Deliveries({ userId, webhookId }: { userId: string; webhookId: string }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('webhooks.deliveries')}</summary>
      {isOpen && <DeliveryList params={{ id: userId, webhookId }} />}
    </details>
  )
}

function DeliveryList({ params }: { params: { id: string; webhookId: string } }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<unknown>()
  const { data, error, refetch } = useQuery(
    queryOf(
      listWebhookDeliveries,
      { params, query: { limit: shown } },
      { refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? lookMilliseconds : false) },
    ),
  )
  const again = async (work: () => Promise<unknown>) => {
    setFailure(undefined)
    try {
      await work()
      await makeStale(queries, answersOf(listWebhookDeliveries, params))
    } catch (problem) {
      setFailure(problem)
    }
  }
  if (data === undefined)
    return error === null ? <SkeletonText lines={3} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const since = new Date(Date.now() - replayDays * 86_400_000).toISOString()
  return (
    <>
      {data.length === 0 && <p className={own['muted']}>{t('webhooks.noDeliveries')}</p>}
      <ul className={own['deliveries']}>
        {data.map((delivery) => (
          <li key={delivery.id}>
            <span>
              {delivery.event === null
                ? t('webhooks.pingEvent')
                : t(`events.actions.${delivery.event.action as AuditAction}`)}
              {' · '}
              <DateTime value={delivery.created_at} />
            </span>
            <span className={delivery.state === 'failed' ? own['wrong'] : own['muted']}>
              <Became delivery={delivery} />
            </span>
            {delivery.state !== 'pending' && (
              <Button
                size="small"
                look="quiet"
                onClick={() =>
                  void again(() => api(replayDelivery, { params: { ...params, deliveryId: delivery.id } }))
                }
              >
                {t('webhooks.again')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {failure !== undefined && <ErrorNote error={failure} />}
      {data.some(({ state }) => state === 'failed') && (
        <Button size="small" onClick={() => void again(() => api(replayFailedDeliveries, { params, body: { since } }))}>
          {t('webhooks.againAll', { count: replayDays })}
        </Button>
      )}
    </>
  )
}

/** One that waits for hours is not looked at all the while. */
const isUnderWay = ({ state, tries }: WebhookDelivery) => state === 'pending' && tries < 2

function Became({ delivery: { state, status, error, tries, next_at: next } }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation()
  const answer = status === null ? t(`webhooks.faults.${error ?? 'unreachable'}`) : t('webhooks.answer', { status })
  if (state === 'delivered') return <>{t('webhooks.delivered')}</>
  if (state === 'failed') return <>{t('webhooks.failed', { answer, count: tries })}</>
  if (tries === 0) return <>{t('webhooks.waiting')}</>
  return (
    <>
      {t('webhooks.retried', { answer })} {next !== null && <DateTime value={next} />}
    </>
  )
}
