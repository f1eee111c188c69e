import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { renewFreeService } from '@wakestone/contract/sales/billings-routes'
import { freeRenewalDays, type Service } from '@wakestone/contract/sales/service'
import { api } from '#app/api/client.ts'
import { useRenewed } from '#app/features/renew/use-renewed.ts'
import { freeRenewalOpens } from '#app/features/servers/free-renewal.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import classes from './renew.module.css'

/** A free server is kept on by a click in its last days. */
export function KeepFree({ service }: { service: Service }) {
  const { t } = useTranslation()
  const format = useFormat()
  const takeOver = useRenewed()
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => setNow(Date.now()), [service.expires])
  const opens = freeRenewalOpens(service.expires ?? new Date(0).toISOString())
  const keep = useMutation({
    mutationFn: () => api(renewFreeService, { params: { id: service.service_id } }),
    onSuccess: takeOver,
  })
  const isOpen = now !== null && now >= opens
  return (
    <Card title={t('renew.free')}>
      <div className={classes['step']}>
        <p className={classes['muted']}>{t('renew.freeText', { days: freeRenewalDays })}</p>
        {service.expires !== null && (
          <KeyValueList
            rows={[
              { key: t('create.runsUntil'), value: format.dateTime(service.expires) },
              ...(now !== null && !isOpen ? [{ key: t('renew.keepFrom'), value: format.dateTime(opens) }] : []),
            ]}
          />
        )}
        {keep.data?.expires != null && (
          <p role="status" className={classes['done']}>
            {t('renew.done', { date: format.dateTime(keep.data.expires) })}
          </p>
        )}
        {keep.error !== null && <ErrorNote error={keep.error} title={t('renew.failed')} />}
        {isOpen && (
          <div>
            <Button look="primary" loading={keep.isPending} onClick={() => keep.mutate()}>
              {t('renew.keep')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}
