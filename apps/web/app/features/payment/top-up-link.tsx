import type { Wallet } from '@wakestone/contract/money/wallet'
import { useTranslation } from '#app/i18n/texts.tsx'
import { currencyDigits } from '#app/i18n/format.ts'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'

/** To the top-up of at least what is missing, and back to `from` with all that it holds. */
export function TopUpLink({
  wallet: { id, currency, owed },
  missing,
  from,
  fullWidth = false,
}: {
  wallet: Wallet
  /** Minor units. What is owed is settled first, and comes on top. */
  missing: number
  from: string
  fullWidth?: boolean
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  // Whole units read better, and providers take no less than 5 zł or one euro or dollar.
  const rounded = Math.max(Math.ceil((missing + owed.amount) / 100) * 100, currency === 'PLN' ? 500 : 100)
  const search = new URLSearchParams({ amount: String(rounded / 10 ** currencyDigits(currency)), from })
  return (
    <LinkButton look="primary" to={`${path(`/wallets/${id}/recharge`)}?${search}`} fullWidth={fullWidth}>
      {t('create.topUp', { amount: format.money({ amount: rounded, currency }) })}
    </LinkButton>
  )
}
