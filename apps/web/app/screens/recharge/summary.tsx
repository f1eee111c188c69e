import type { ProviderId } from '@wakestone/contract/money/transaction'
import type { Wallet } from '@wakestone/contract/money/wallet'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import classes from './recharge.module.css'

/** What the wallet holds before and after, and the button. */
export function Summary({
  wallet,
  amount,
  method,
  isByCode,
  isBusy,
  failure,
  onPay,
}: {
  wallet: Wallet
  /** Minor units; null: none that can be paid. */
  amount: number | null
  method: ProviderId
  isByCode: boolean
  isBusy: boolean
  failure: unknown
  onPay: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { currency, balance, owed } = wallet
  // What is owed comes first; only what is beyond it stays.
  const toDebt = Math.min(amount ?? 0, owed.amount)
  const money = (value: number) => format.money({ amount: value, currency })
  const provider = t(`wallet.providers.${method}`)
  return (
    <aside className={classes['summary']}>
      <Card>
        <KeyValueList
          rows={[
            { key: t('recharge.now'), value: money(balance.amount) },
            { key: t('recharge.plus'), value: amount === null ? '–' : money(amount) },
            ...(owed.amount === 0
              ? []
              : [
                  { key: t('recharge.toDebt'), value: amount === null ? '–' : money(toDebt) },
                  { key: t('recharge.stillOwed'), value: money(owed.amount - toDebt) },
                ]),
            { key: t('recharge.after'), value: amount === null ? '–' : money(balance.amount + amount - toDebt) },
          ]}
        />
        <p className={classes['note']}>{t('recharge.noFee')}</p>
        {failure !== undefined && <ErrorNote error={failure} />}
        <div className={classes['pay']}>
          <Button look="primary" size="large" fullWidth loading={isBusy} onClick={onPay} data-testid="pay">
            {amount === null ? t('wallet.topUp') : t('recharge.pay', { amount: money(amount) })}
          </Button>
        </div>
        <p className={classes['note']} aria-live="polite">
          {isByCode ? t('recharge.confirm') : t(isBusy ? 'recharge.leaving' : 'recharge.redirect', { provider })}
        </p>
      </Card>
    </aside>
  )
}
