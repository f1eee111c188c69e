import { useFormat } from '#app/i18n/use-format.ts'
import classes from './balance-after.module.css'

/** What a wallet holds after a purchase; below zero, which cannot be, it stands out. `amount` in minor units. */
export function BalanceAfter({ amount, currency }: { amount: number; currency: string }) {
  const format = useFormat()
  return <span className={amount < 0 ? classes['short'] : undefined}>{format.money({ amount, currency })}</span>
}
