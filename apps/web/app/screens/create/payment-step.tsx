import type { ReactNode } from 'react'
import { usePeriodLabel } from '#app/features/servers/period-savings.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Segmented } from '#app/ui/segmented.tsx'
import classes from './create.module.css'
import { Option, Step, type StepProps } from './step.tsx'

/** For how long, and out of which wallet; `children` is what else is asked of who pays. */
export function PaymentStep({ choice, catalogue, update, refusal, children }: StepProps & { children: ReactNode }) {
  const { t } = useTranslation()
  const format = useFormat()
  const labelOf = usePeriodLabel()
  return (
    <Step title={t('create.period')} parts={['wallet']} refusal={refusal}>
      {choice.period !== undefined && (
        <div className={classes.periods}>
          <Segmented
            even
            label={t('create.period')}
            value={choice.period}
            onChange={(period) => update({ period })}
            options={choice.periods.map(({ period, saving }) => ({
              value: period,
              label: labelOf(period, saving),
            }))}
          />
        </div>
      )}
      <div>
        <h3 className={classes.label}>{t('create.wallet')}</h3>
        {catalogue.wallets.length === 0 ? (
          <p className={classes.muted}>{t('create.noWallet')}</p>
        ) : (
          <div className={classes.wallets} role="radiogroup" aria-label={t('create.wallet')}>
            {catalogue.wallets.map((wallet) => (
              <Option
                key={wallet.id}
                name="wallet"
                checked={wallet.id === choice.wallet?.id}
                onChoose={() => update({ wallet: wallet.id })}
              >
                <span>{t('create.walletOption', { currency: wallet.currency })}</span>
                <strong className="tabular">{format.money(wallet.balance)}</strong>
              </Option>
            ))}
          </div>
        )}
      </div>
      {children}
    </Step>
  )
}
