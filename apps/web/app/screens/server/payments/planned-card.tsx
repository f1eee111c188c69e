import { useMutation } from '@tanstack/react-query'
import { cancelServiceUpgrade, changeService } from '@wakestone/contract/sales/billings-routes'
import type { Service } from '@wakestone/contract/sales/service'
import type { ScheduledAction } from '@wakestone/contract/sales/service-change'
import { api } from '#app/api/client.ts'
import { planName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './payments.module.css'
import { useServiceChanged } from './use-service-changed.ts'

/** What will happen by itself; each can be taken back. */
export function PlannedCard({ service }: { service: Service }) {
  const { t } = useTranslation()
  const format = useFormat()
  const changed = useServiceChanged()
  const params = { id: service.service_id }
  const takeBack = useMutation({
    mutationFn: ({ action }: ScheduledAction) =>
      action === 'CHANGE_PRODUCT'
        ? api(cancelServiceUpgrade, { params })
        : api(changeService, { params, body: { cancel_at_end: false } }),
    onSuccess: changed,
    onError: (error) => showErrorToast(error),
  })
  const end = useMutation({
    mutationFn: () => api(changeService, { params, body: { cancel_at_end: true } }),
    onSuccess: changed,
    onError: (error) => showErrorToast(error),
  })
  const isCancelled = service.scheduled_actions.some(({ action }) => action === 'CANCEL_SERVICE')
  const canEnd = service.expires !== null && service.product.id !== 'FREE' && !isCancelled
  if (service.scheduled_actions.length === 0 && !canEnd) return null
  return (
    <Card title={t('plans.planned')}>
      <div className={classes['part']}>
        {service.scheduled_actions.length === 0 ? (
          <p className={classes['muted']}>{t('plans.nothingPlanned')}</p>
        ) : (
          <ul className={classes['list']}>
            {service.scheduled_actions.map((action) => (
              <li key={action.id}>
                <span className={classes['name']}>
                  <strong>
                    {action.action === 'CHANGE_PRODUCT'
                      ? t('plans.willChange', { name: planName(action.details.product_id ?? '') })
                      : t('plans.willEnd')}
                  </strong>
                  <span className={classes['muted']}>{format.dateTime(action.date)}</span>
                </span>
                <Button
                  size="small"
                  loading={takeBack.isPending && takeBack.variables.id === action.id}
                  why={action.details.renewed === true ? t('plans.obstacles.change_is_paid') : undefined}
                  onClick={() => takeBack.mutate(action)}
                >
                  {t('plans.takeBack')}
                </Button>
              </li>
            ))}
          </ul>
        )}
        {canEnd && (
          <div className={classes['end']}>
            <p className={classes['muted']}>{t('plans.endText')}</p>
            <Button size="small" loading={end.isPending} onClick={() => end.mutate()}>
              {t('plans.end')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}
