import type { ProviderId } from '@wakestone/contract/money/transaction'
import { useTranslation } from '#app/i18n/texts.tsx'

/** Methods whose name doesn't say how one pays. */
const described = ['payu', 'paynow', 'blik'] as const
const isDescribed = (id: ProviderId): id is (typeof described)[number] => described.some((known) => known === id)

/** A way to pay, by what the payer does. */
export function useMethodName(): (id: ProviderId) => string {
  const { t } = useTranslation()
  return (id) => (isDescribed(id) ? t(`recharge.${id}`) : t(`wallet.providers.${id}`))
}
