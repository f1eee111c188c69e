import { TextInput } from '@mantine/core'
import type { PublicShop, ShopQuote } from '@wakestone/contract/sales/shop'
import { useId } from 'react'
import { useMethodName } from '#app/features/payment/method-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import type { FormAnswer } from '#app/ui/form-reasons.ts'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Money } from '#app/ui/money.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
import { orderAnchor } from './choice.ts'
import classes from './shop.module.css'

/** What is bought, what it comes to, and how it is paid. */
export function PayForm({
  shop,
  quote,
  search,
  answer,
}: {
  shop: PublicShop
  quote: ShopQuote
  search: URLSearchParams
  answer: FormAnswer | undefined
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const textOf = useReasonText()
  const nameOf = useMethodName()
  const consent = useId()
  const { total } = quote
  const ways = shop.providers.filter(({ minimum }) => total.amount >= minimum)
  const isFree = total.amount === 0
  const emailFault = textOf(answer?.reasons['email'])
  const lacksConsent = answer?.reasons['begins_now'] !== undefined
  // A field that has the focus is gone to, unless the address names another place.
  const hasFault = emailFault !== undefined || lacksConsent || answer?.failure !== undefined
  const rows = [
    { key: t('shop.for'), value: quote.player },
    { key: t('shop.what'), value: `${quote.item.name}${quote.quantity > 1 ? ` × ${quote.quantity}` : ''}` },
    ...(quote.until === null ? [] : [{ key: t('shop.until'), value: format.dateTime(quote.until) }]),
    ...(quote.discount.amount === 0
      ? []
      : [
          { key: t('shop.full'), value: <Money value={quote.full} /> },
          { key: t('shop.discount'), value: <Money value={{ ...quote.discount, amount: -quote.discount.amount }} /> },
        ]),
    {
      key: t('shop.total'),
      value: <strong className={classes['total']}>{isFree ? t('shop.free') : <Money value={total} />}</strong>,
    },
  ]
  return (
    <Card
      title={t('shop.summary')}
      id={hasFault ? undefined : orderAnchor}
      tabIndex={-1}
      className={classes['reached']}
    >
      <form method="post" action={`?${search.toString()}#${orderAnchor}`} className={classes['form']} noValidate>
        <KeyValueList rows={rows} />
        <p className={classes['muted']}>{t('shop.grossNote')}</p>
        <input type="hidden" name="total" value={total.amount} />
        <TextInput
          name="email"
          type="email"
          label={t('shop.email')}
          description={t('shop.emailHint')}
          autoComplete="email"
          required
          withAsterisk={false}
          defaultValue={typeof answer?.values['email'] === 'string' ? answer.values['email'] : ''}
          error={emailFault}
          autoFocus={emailFault !== undefined}
        />
        {!isFree && ways.length > 0 && (
          <fieldset className={classes['ways']}>
            <legend>{t('shop.ways')}</legend>
            {ways.map(({ id }, index) => (
              <label key={id}>
                <input
                  type="radio"
                  name="provider"
                  value={id}
                  defaultChecked={(answer?.values['provider'] || ways[0]!.id) === id || (index === 0 && !answer)}
                />
                {nameOf(id)}
              </label>
            ))}
          </fieldset>
        )}
        {!isFree && ways.length === 0 && <p role="alert">{t('shop.noWay')}</p>}
        <div>
          <div className={classes['consent']}>
            <input
              id={consent}
              type="checkbox"
              name="begins_now"
              required
              defaultChecked={answer?.values['begins_now'] === true}
              aria-invalid={lacksConsent}
              autoFocus={lacksConsent && emailFault === undefined}
            />
            <label htmlFor={consent}>{t('shop.beginsNow')}</label>
          </div>
          {lacksConsent && <p role="alert">{t('shop.beginsNowFirst')}</p>}
        </div>
        {answer?.failure !== undefined && (
          <div id={orderAnchor} tabIndex={-1} className={classes['reached']}>
            <ErrorNote error={answer.failure} />
          </div>
        )}
        <div>
          <Button type="submit" look="primary" why={!isFree && ways.length === 0 ? t('shop.noWay') : undefined}>
            {isFree ? t('shop.take') : t('shop.payNow', { total: format.money(total) })}
          </Button>
        </div>
      </form>
    </Card>
  )
}
