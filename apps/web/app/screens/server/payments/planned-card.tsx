import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { cancelServiceUpgrade, changeService } from '@wakestone/contract/sales/billings-routes'
import type { Cost } from '@wakestone/contract/sales/product'
import type { Service } from '@wakestone/contract/sales/service'
import type { ScheduledAction } from '@wakestone/contract/sales/service-change'
import { api } from '#app/api/client.ts'
import { CostLines } from '#app/features/servers/cost-lines.tsx'
import { planName } from '#app/features/servers/server-names.ts'
import { freeRenewalOpens } from '#app/features/servers/free-renewal.ts'
import { keptUntil } from '#app/features/servers/time-left.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { useServerPage } from '../use-server-page.ts'
import { WithdrawnNote } from '../withdrawn-note.tsx'
import { NextRenewal } from './next-renewal.tsx'
import classes from './payments.module.css'
import { useServiceChanged } from './use-service-changed.ts'

/** What comes by itself, soonest first: the renewal or the end, and planned changes, which can be taken back. */
export function PlannedCard({ service }: { service: Service }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server, identity } = useServerPage()
  const change = service.scheduled_actions.find(({ action }) => action === 'CHANGE_PRODUCT')
  const cancellation = service.scheduled_actions.find(({ action }) => action === 'CANCEL_SERVICE')
  const renews = service.renewal?.automatic_at != null
  const isOver = server.status.expired
  // With neither, it ends anyway.
  const goesOn = service.auto_renew || change !== undefined
  const opens = service.expires === null ? 0 : freeRenewalOpens(service.expires)
  const isRenewable = service.product.id !== 'FREE' || opens <= Date.now()
  const isStoppable = goesOn && cancellation === undefined && !isOver
  if (service.expires === null && change === undefined) return null
  return (
    <Card title={t('plans.planned')}>
      <div className={classes['part']}>
        <ul className={classes['list']}>
          {service.renewal?.automatic_at != null && (
            <NextRenewal service={service} cost={service.renewal.cost} at={service.renewal.automatic_at} />
          )}
          {change !== undefined && <PlanChange service={service} action={change} />}
          {service.expires !== null && !renews && (
            <TheEnd service={service} expires={service.expires} cancellation={cancellation} />
          )}
        </ul>
        {!isRenewable && (
          <p className={classes['muted']}>{t('server.plan.freeFrom', { date: format.dateTime(opens) })}</p>
        )}
        {service.expires !== null && (isRenewable || isStoppable) && (
          <div className={classes['buttons']}>
            {isRenewable && (
              <LinkButton
                look={server.withdrawn_at === null ? 'primary' : 'secondary'}
                to={`/s/${identity}/payments/renew`}
              >
                {t('server.plan.renew')}
              </LinkButton>
            )}
            {isStoppable && <CancelAtEnd service={service} expires={service.expires} />}
          </div>
        )}
      </div>
    </Card>
  )
}

function PlanChange({ service, action }: { service: Service; action: ScheduledAction }) {
  const { t } = useTranslation()
  // Otherwise the server stops then, unless its owner renews it.
  const isCertain = service.renewal?.automatic_at != null || action.details.renewed === true
  const format = useFormat()
  const changed = useServiceChanged()
  const undo = useMutation({
    mutationFn: () => api(cancelServiceUpgrade, { params: { id: service.service_id } }),
    onSuccess: changed,
    onError: (error) => showErrorToast(error),
  })
  return (
    <li>
      <span className={classes['name']}>
        <strong>
          {t(isCertain ? 'plans.willChange' : 'plans.wouldChange', { name: planName(action.details.product_id ?? '') })}
        </strong>
        <span className={classes['muted']}>{format.dateTime(action.date)}</span>
      </span>
      {action.details.renewed === true ? (
        <small className={classes['muted']}>{t('plans.obstacles.change_is_paid')}</small>
      ) : (
        <Button size="small" loading={undo.isPending} onClick={() => undo.mutate()}>
          {t('plans.undo')}
        </Button>
      )}
    </li>
  )
}

/** When it stops, or has stopped, and how long its files are kept after that. */
function TheEnd({
  service,
  expires,
  cancellation,
}: {
  service: Service
  expires: string
  cancellation: ScheduledAction | undefined
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server } = useServerPage()
  const changed = useServiceChanged()
  const undo = useMutation({
    mutationFn: () => api(changeService, { params: { id: service.service_id }, body: { cancel_at_end: false } }),
    onSuccess: changed,
    onError: (error) => showErrorToast(error),
  })
  return (
    <li>
      <span className={classes['name']}>
        <strong>
          {server.withdrawn_at !== null
            ? t('state.withdrawn')
            : server.status.expired
              ? t('plans.hasEnded')
              : cancellation === undefined
                ? t('plans.willEnd')
                : t('plans.willEndCancelled')}
        </strong>
        {server.withdrawn_at === null && <span className={classes['muted']}>{format.dateTime(expires)}</span>}
        <WithdrawnNote className={classes['muted']} />
        {server.files_deleted_at === null && server.withdrawn_at === null && (
          <span className={classes['muted']}>
            {t('plans.keptUntil', { date: format.date(keptUntil(server, expires)) })}
          </span>
        )}
        {service.renewal !== null && <NextPrice cost={service.renewal.cost} />}
      </span>
      {cancellation !== undefined && (
        <Button size="small" loading={undo.isPending} onClick={() => undo.mutate()}>
          {t('plans.undo')}
        </Button>
      )}
      {service.renewal !== null && (
        <div className={classes['whole']}>
          <CostLines cost={service.renewal.cost} />
        </div>
      )}
    </li>
  )
}

/** What another period costs, of a service that does not renew itself. */
function NextPrice({ cost }: { cost: Cost }) {
  const { t } = useTranslation()
  const format = useFormat()
  const price = t('server.plan.costs', {
    price: format.money(cost.gross_price),
    period: t(`create.periods.${cost.period}`),
  })
  const tax = t('money.vatWithin', {
    tax: format.money(cost.tax),
    rate: format.percent(cost.country_tax_rate.vat_rate),
  })
  return (
    <span className={classes['muted']}>
      {t('plans.nextPeriod')} {price}, {tax}
    </span>
  )
}

function CancelAtEnd({ service, expires }: { service: Service; expires: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const changed = useServiceChanged()
  const { server } = useServerPage()
  const [isAsking, setAsking] = useState(false)
  const cancel = async () => {
    await api(changeService, { params: { id: service.service_id }, body: { cancel_at_end: true } })
    await changed()
  }
  const words = { date: format.dateTime(expires), kept: format.date(keptUntil(server, expires)) }
  return (
    <div>
      <Button look="quiet" onClick={() => setAsking(true)}>
        {t('plans.cancel')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('plans.cancelTitle')}
        text={service.auto_renew ? t('plans.cancelTextRenewal', words) : t('plans.cancelText', words)}
        action={t('plans.cancel')}
        keep={t('plans.keepServer')}
        onConfirm={cancel}
      />
    </div>
  )
}
