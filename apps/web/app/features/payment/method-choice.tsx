import type { PaymentMethod } from '@wakestone/contract/money/transaction'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Segmented } from '#app/ui/segmented.tsx'
import type { OtherMethod } from './use-payment-methods.ts'

/** The wallet, or what else there is to pay with, each with how much there is of it. */
export function MethodChoice({
  method,
  others,
  currency,
  onChange,
}: {
  method: PaymentMethod
  others: readonly OtherMethod[]
  currency: string
  onChange: (method: PaymentMethod) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  if (others.length === 0) return null
  return (
    <Segmented
      label={t('wallet.provider')}
      value={method}
      onChange={onChange}
      options={[
        { value: 'wallet' as PaymentMethod, label: t('wallet.providers.wallet') },
        ...others.map((other) => ({
          value: other.method as PaymentMethod,
          label: `${t(`wallet.providers.${other.method}`)} (${format.money({ amount: other.available, currency })})`,
        })),
      ]}
    />
  )
}
