import type { ShownVoucher } from '@wakestone/contract/sales/voucher'
import { engineName, planName } from '#app/features/servers/server-names.ts'
import { useProductName } from '#app/features/servers/use-product-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { localeOf } from '#app/i18n/languages.ts'
import { useFormat, useLanguage } from '#app/i18n/use-format.ts'
import classes from './voucher-effects.module.css'

type Data = ShownVoucher['data']

/** `GRASS or AMETHYST`, as each language says it. */
function useAlternatives(): (words: readonly string[]) => string {
  const language = useLanguage()
  return (words) => new Intl.ListFormat(localeOf[language], { type: 'disjunction' }).format(words)
}

/** What a voucher gives, line by line. */
export function useEffectLines(): (data: Data) => string[] {
  const { t } = useTranslation()
  const format = useFormat()
  const either = useAlternatives()
  const nameOf = useProductName()
  return ({ new_server, product_id, add_hours, new_cost, wallet_tx, coupon, add_product }) => {
    const lines: string[] = []
    const plans = either(product_id.map(planName))
    if (new_server && add_hours !== null) lines.push(t('vouchers.gives.server', { plan: plans, count: add_hours }))
    else if (add_hours !== null) lines.push(t('vouchers.gives.hours', { count: add_hours }))
    if (wallet_tx !== null) lines.push(t('vouchers.gives.money', { amount: either(wallet_tx.map(format.money)) }))
    if (new_cost !== null) lines.push(t('vouchers.gives.price', { amount: either(new_cost.map(format.money)) }))
    if (coupon !== null) {
      lines.push(
        coupon.uses_left === null
          ? t('vouchers.gives.couponAlways', { name: coupon.name })
          : t('vouchers.gives.coupon', { name: coupon.name, count: coupon.uses_left }),
      )
      if (coupon.add_hours_on_renewal > 0)
        lines.push(t('vouchers.gives.couponHours', { count: coupon.add_hours_on_renewal }))
    }
    if (add_product !== null) lines.push(t('vouchers.gives.addOn', { product: nameOf(add_product) }))
    return lines
  }
}

/** What a voucher gives, and what it is for. */
export function VoucherEffects({ data }: { data: Data }) {
  const { t } = useTranslation()
  const either = useAlternatives()
  const lines = useEffectLines()(data)
  const { product_id, billing_period, user_parameters, new_server } = data
  const only = [
    ...(product_id.length > 0 && !new_server ? [either(product_id.map(planName))] : []),
    ...(billing_period.length > 0 ? [either(billing_period.map((one) => t(`create.periods.${one}`)))] : []),
    ...(user_parameters.engine?.length ? [either(user_parameters.engine.map(engineName))] : []),
  ]
  return (
    <div className={classes['effects']}>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {only.length > 0 && <p className={classes['muted']}>{t('vouchers.only', { what: only.join(' · ') })}</p>}
    </div>
  )
}
