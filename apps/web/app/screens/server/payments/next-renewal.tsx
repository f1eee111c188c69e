import { useQuery } from '@tanstack/react-query'
import type { Cost } from '@wakestone/contract/sales/product'
import type { Service } from '@wakestone/contract/sales/service'
import { walletsQuery } from '#app/api/queries.ts'
import { TopUpLink } from '#app/features/payment/top-up-link.tsx'
import { CostLines } from '#app/features/servers/cost-lines.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Price } from '#app/ui/money.tsx'
import { useServerPage } from '../use-server-page.ts'
import classes from './payments.module.css'

/** The renewal that comes by itself: when, for how much, and whether the wallet covers it. */
export function NextRenewal({ service, cost, at }: { service: Service; cost: Cost; at: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server, identity } = useServerPage()
  const { data: wallets = [] } = useQuery(walletsQuery(service.owner))
  const wallet = wallets.find(({ id }) => id === service.wallet_id)
  const missing = wallet === undefined ? 0 : cost.gross_price.amount - wallet.balance.amount
  return (
    <li className={classes['renewal']}>
      <span className={classes['name']}>
        <strong>{t('plans.willRenew', { period: t(`create.periods.${cost.period}`) })}</strong>
        <span className={classes['muted']}>{server.status.expired ? t('plans.renewalDue') : format.dateTime(at)}</span>
      </span>
      <Price
        gross={cost.gross_price}
        tax={cost.tax}
        rate={cost.country_tax_rate.vat_rate}
        full={cost.full_gross_price}
      />
      <div className={classes['whole']}>
        <CostLines cost={cost} />
        {wallet !== undefined && missing <= 0 && <p className={classes['muted']}>{t('plans.covered')}</p>}
        {wallet !== undefined && missing > 0 && (
          <>
            <p role="status">
              {t('plans.short', { amount: format.money({ amount: missing, currency: wallet.currency }) })}
            </p>
            <TopUpLink wallet={wallet} missing={missing} from={`/s/${identity}/payments`} />
          </>
        )}
      </div>
    </li>
  )
}
