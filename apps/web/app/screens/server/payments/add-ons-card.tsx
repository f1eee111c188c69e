import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BillingPeriod } from '@wakestone/contract/primitives'
import { addServiceAddOn, removeServiceAddOn } from '@wakestone/contract/sales/billings-routes'
import type { AddOn, AddOnQuote } from '@wakestone/contract/sales/service-change'
import { randomId } from '#app/api/random-id.ts'
import { api } from '#app/api/client.ts'
import { walletsQuery } from '#app/api/queries.ts'
import { DebtNotes } from '#app/features/payment/debt-notes.tsx'
import { addOnsQuery } from '#app/features/servers/plan-queries.ts'
import { useProductName } from '#app/features/servers/use-product-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { taxWithin } from '#app/ui/money.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { Stepper } from '#app/ui/stepper.tsx'
import { useServerPage } from '../use-server-page.ts'
import type { Bill } from './bill.tsx'
import { PayDialog } from './pay-dialog.tsx'
import classes from './payments.module.css'
import { useServiceChanged } from './use-service-changed.ts'

type Option = AddOnQuote['options'][number]

const day = 86_400_000

/** `EXTRA_MEMORY_4G` → `EXTRA_MEMORY_`: what comes in several sizes is one line, with the size to choose. */
const kindOf = (productId: string) => productId.replace(/\d+G?$/, '')

/** `EXTRA_MEMORY_4G` → 4. */
const sizeOf = ({ product }: Option) => Number(/(\d+)G?$/.exec(product.id)?.[1] ?? 0)

/** Of each kind its sizes, smallest first. */
function familiesOf(options: readonly Option[]): Option[][] {
  const families = new Map<string, Option[]>()
  for (const option of options)
    families.set(kindOf(option.product.id), [...(families.get(kindOf(option.product.id)) ?? []), option])
  return [...families.values()].map((family) => family.toSorted((left, right) => sizeOf(left) - sizeOf(right)))
}

/** What stands beside the plan, and what could. `rate` of the VAT in its prices, where it is known. */
export function AddOnsCard({ serviceId, rate }: { serviceId: string; rate: number | undefined }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(addOnsQuery(serviceId))
  return (
    <Card title={t('plans.addOns')}>
      {data !== undefined ? (
        <AddOns serviceId={serviceId} quote={data} rate={rate} />
      ) : error === null ? (
        <SkeletonText lines={5} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}

function AddOns({ serviceId, quote, rate }: { serviceId: string; quote: AddOnQuote; rate: number | undefined }) {
  const { t } = useTranslation()
  const { server, identity } = useServerPage()
  const changed = useServiceChanged()
  const nameOf = useProductName()
  const [bill, setBill] = useState<Bill | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const { data: wallets = [] } = useQuery(walletsQuery(server.owner_id))
  const from = `/s/${identity}/payments`
  const isEnded = server.status.expired
  // Of one that has run out, an option says that before it says whether it is there.
  const offered = quote.options.filter(
    ({ product, obstacle }) =>
      obstacle !== 'already_has_it' && !quote.add_ons.some((one) => one.product === product.id),
  )

  const order = ({ product, price_now }: Option) => {
    if (price_now === null) return
    const idempotencyKey = randomId()
    setDone(null)
    setBill({
      key: idempotencyKey,
      title: t('plans.addTitle', { name: nameOf(product.id) }),
      text: t('plans.addText'),
      amount: price_now,
      until: null,
      confirm: t('plans.add'),
      run: async (walletId, immediate) => {
        await api(addServiceAddOn, {
          params: { id: serviceId },
          body: { product_id: product.id, wallet_id: walletId, immediate },
          idempotencyKey,
        })
        await changed()
        setDone(t('plans.added', { name: nameOf(product.id) }))
      },
    })
  }
  const remove = (addOn: AddOn) => {
    setDone(null)
    setBill({
      key: addOn.service_id,
      title: t('plans.removeTitle', { name: nameOf(addOn.product) }),
      text: t('plans.removeText'),
      amount: { amount: 0 - addOn.remaining_price.amount, currency: addOn.remaining_price.currency },
      until: null,
      confirm: t('plans.remove'),
      run: async () => {
        await api(removeServiceAddOn, { params: { id: serviceId, addOnId: addOn.service_id } })
        await changed()
        setDone(t('plans.removed', { name: nameOf(addOn.product) }))
      },
    })
  }
  return (
    <div className={classes['part']}>
      {done !== null && (
        <p role="status" className={classes['done']}>
          {done}
        </p>
      )}
      {quote.add_ons.length > 0 && (
        <ul className={classes['list']} aria-label={t('plans.has')}>
          {quote.add_ons.map((addOn) => (
            <Held
              key={addOn.service_id}
              addOn={addOn}
              period={quote.billing_period}
              onRemove={isEnded ? null : () => remove(addOn)}
            />
          ))}
        </ul>
      )}
      {quote.add_ons.length === 0 && <p className={classes['muted']}>{t('plans.noAddOns')}</p>}
      {offered.length > 0 && (
        <>
          <DebtNotes wallets={wallets} text={t('plans.owedText')} from={from} />
          <h3 className={classes['label']}>{t('plans.canAdd')}</h3>
          <ul className={classes['list']} aria-label={t('plans.canAdd')}>
            {familiesOf(offered).map((options) => (
              <Offered
                key={kindOf(options[0]!.product.id)}
                options={options}
                period={quote.billing_period}
                rate={rate}
                expires={quote.expires}
                onAdd={order}
              />
            ))}
          </ul>
        </>
      )}
      <PayDialog bill={bill} owner={server.owner_id} from={from} onClose={() => setBill(null)} />
    </div>
  )
}

function Each({ price, period }: { price: { amount: number; currency: string }; period: BillingPeriod }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span className={classes['muted']}>
      {t('plans.each', { price: format.money(price), period: t(`create.periods.${period}`) })}
    </span>
  )
}

function Held({
  addOn,
  period,
  onRemove,
}: {
  addOn: AddOn
  period: BillingPeriod
  /** Null: it has ended with its server, and begins again with it. */
  onRemove: (() => void) | null
}) {
  const { t } = useTranslation()
  const nameOf = useProductName()
  return (
    <li>
      <span className={classes['name']}>
        <strong>{nameOf(addOn.product)}</strong>
        <Each price={addOn.gross_cost} period={period} />
      </span>
      {onRemove === null ? (
        <small className={classes['muted']}>{t('plans.backWithRenewal')}</small>
      ) : (
        <Button size="small" onClick={onRemove}>
          {t('plans.remove')}
        </Button>
      )}
    </li>
  )
}

/** One kind of add-on: its size is stepped through, and the price follows. */
function Offered({
  options,
  period,
  rate,
  expires,
  onAdd,
}: {
  options: readonly Option[]
  period: BillingPeriod
  rate: number | undefined
  expires: string | null
  onAdd: (option: Option) => void
}) {
  const { t } = useTranslation()
  const nameOf = useProductName()
  const [at, setAt] = useState(0)
  const chosen = Math.min(at, options.length - 1)
  const option = options[chosen]
  if (option === undefined) return null
  const { product, price, price_now: now, obstacle } = option
  return (
    <li className={classes['offered']}>
      <span className={classes['name']} aria-live={options.length > 1 ? 'polite' : undefined}>
        <strong>{nameOf(product.id)}</strong>
        {price !== null && <Each price={price} period={period} />}
      </span>
      {now !== null && obstacle === null && <PriceNow price={now} rate={rate} expires={expires} />}
      <span className={classes['order']}>
        {options.length > 1 && (
          <Stepper
            label={t('plans.size', { name: nameOf(product.id) })}
            values={options.map(sizeOf)}
            value={sizeOf(option)}
            unit={product.id.endsWith('G') ? 'GiB' : undefined}
            onChange={(size) => setAt(options.findIndex((other) => sizeOf(other) === size))}
          />
        )}
        {obstacle === null ? (
          <Button
            size="small"
            onClick={() => onAdd(option)}
            aria-label={t('plans.addTitle', { name: nameOf(product.id) })}
          >
            {t('plans.add')}
          </Button>
        ) : (
          <small className={classes['muted']}>{t(`plans.obstacles.${obstacle}`)}</small>
        )}
      </span>
    </li>
  )
}

/** Why it is not the price of a period: it is paid for the time that the server has left. */
function PriceNow({
  price,
  rate,
  expires,
}: {
  price: { amount: number; currency: string }
  rate: number | undefined
  expires: string | null
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const days = expires === null ? 0 : Math.round((Date.parse(expires) - Date.now()) / day)
  return (
    <span className={classes['price']}>
      <b>{t('plans.now', { price: format.money(price) })}</b>
      {days > 0 && <small>{t('plans.forDays', { count: days })}</small>}
      {rate !== undefined && (
        <small>{t('money.vatWithin', { tax: format.money(taxWithin(price, rate)), rate: format.percent(rate) })}</small>
      )}
    </span>
  )
}
