/** PayPal writes amounts as decimal text of whole units (`"10.00"`); we count minor units. Exact both ways. */
import { exponentOf, type Money, MoneyError, money, toDecimal } from '@wakestone/kit/money'

/** `12.50` of `EUR` is 1250. @throws MoneyError for what is no such text, or has more decimals than the currency. */
export function readAmount({ currency_code, value }: { currency_code: string; value: string }): Money {
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,8}))?$/.exec(value)
  if (match === null) throw new MoneyError(`${JSON.stringify(value)} is no amount`)
  const [, sign = '', whole = '', decimals = ''] = match
  const exponent = exponentOf(currency_code)
  if (decimals.length > exponent) throw new MoneyError(`${currency_code} has ${exponent} decimals`)
  return money(Number(`${sign}${whole}${decimals.padEnd(exponent, '0')}`), currency_code)
}

export function writeAmount(value: Money): { currency_code: string; value: string } {
  return { currency_code: value.currency, value: toDecimal(value) }
}
