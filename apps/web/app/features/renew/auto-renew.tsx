import { Checkbox } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { changeService } from '@wakestone/contract/sales/billings-routes'
import type { Service } from '@wakestone/contract/sales/service'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { useRenewed } from './use-renewed.ts'

/** Whether a service renews itself a day before its end, for the period and from the wallet of last time, at the price of that day. */
export function AutoRenew({ service }: { service: Service }) {
  const { t } = useTranslation()
  const format = useFormat()
  const takeOver = useRenewed()
  const change = useMutation({
    mutationFn: (value: boolean) =>
      api(changeService, { params: { id: service.service_id }, body: { auto_renew: value } }),
    onSuccess: takeOver,
    onError: (error) => showErrorToast(error),
  })
  return (
    <Card title={t('renew.auto')}>
      <Checkbox
        label={t('renew.autoLabel')}
        description={t('renew.autoHint', {
          period: t(`create.periods.${service.billing_period}`),
          wallet: t('create.walletOption', { currency: service.gross_cost.currency }),
          price: service.renewal === null ? '–' : format.money(service.renewal.cost.gross_price),
        })}
        checked={change.isPending ? change.variables : service.auto_renew}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
    </Card>
  )
}
