import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Product } from '@wakestone/contract/sales/product'
import type { UpgradeQuote, UpgradeTarget } from '@wakestone/contract/sales/service-change'
import { extraFacts, useExtraFact } from '#app/features/offers/plan-features.ts'
import { planName } from '#app/features/servers/server-names.ts'
import { useProductName } from '#app/features/servers/use-product-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import classes from './payments.module.css'

/** What a server has with a plan, its add-ons included, and what both cost. */
function PlanLines({
  product,
  price,
  quote,
  than,
  addOns,
}: {
  product: Product
  price: { amount: number; currency: string } | null
  quote: UpgradeQuote
  /** The plan of now: what differs from it says by how much. */
  than?: Product
  /** What becomes of the add-ons, where there are any. */
  addOns: ReactNode
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { added, billing_period: period } = quote
  const { players } = product.parameters
  const writeExtra = useExtraFact()
  const offered = [quote.product, ...quote.upgrade_targets.map((target) => target.product)]
  const line = (name: 'memory' | 'cpu' | 'storage', write: (value: number) => string) => (
    <Compared
      now={product.parameters[name] + added[name]}
      before={than === undefined ? undefined : than.parameters[name] + added[name]}
      write={write}
    />
  )
  const whole = price === null || added.price === null ? null : { ...price, amount: price.amount + added.price.amount }
  return (
    <KeyValueList
      rows={[
        { key: t('plans.memory'), value: line('memory', format.bytes) },
        { key: t('plans.processor'), value: line('cpu', (count) => t('offers.cores', { count })) },
        { key: t('plans.storage'), value: line('storage', format.bytes) },
        { key: t('plans.players'), value: players === null ? t('plans.unlimited') : String(players) },
        ...extraFacts
          .filter((fact) => offered.some((one) => fact.of(one) > 0))
          .map((fact) => ({
            key: t(`offers.facts.${fact.key}`),
            value: (
              <Compared
                now={fact.of(product)}
                before={than && fact.of(than)}
                write={(value) => writeExtra(fact, value)}
              />
            ),
          })),
        ...(added.products.length === 0 ? [] : [{ key: t('plans.addOns'), value: addOns }]),
        {
          key: t('plans.price', { period: t(`create.periods.${period}`) }),
          value: whole === null ? '–' : format.money(whole),
        },
      ]}
    />
  )
}

function Compared({
  now,
  before,
  write,
}: {
  now: number
  before: number | undefined
  write: (value: number) => string
}) {
  const change = before === undefined ? 0 : now - before
  return (
    <>
      <span>{write(now)}</span>
      {change !== 0 && (
        <span className={classes['more']} data-less={change < 0 || undefined}>
          {change > 0 ? '+' : '−'}
          {write(Math.abs(change))}
        </span>
      )}
    </>
  )
}

/** The plan of now. */
export function PlanColumn({ quote }: { quote: UpgradeQuote }) {
  const { t } = useTranslation()
  const nameOf = useProductName()
  const format = useFormat()
  return (
    <Card title={planName(quote.product.id)} beside={t('plans.yours')}>
      <div className={classes['plan']}>
        <PlanLines
          product={quote.product}
          price={quote.product_price}
          quote={quote}
          addOns={quote.added.products.map(nameOf).join(', ')}
        />
        <p className={classes['muted']}>{t('plans.remaining', { amount: format.money(quote.remaining_price) })}</p>
      </div>
    </Card>
  )
}

/** Another plan beside it. */
export function TargetColumn({
  quote,
  target,
  isChosen,
  onChoose,
}: {
  quote: UpgradeQuote
  target: UpgradeTarget
  isChosen: boolean
  /** Undefined if it is chosen and the only one. */
  onChoose: (() => void) | undefined
}) {
  const { t } = useTranslation()
  const listed = target.billing_periods.find(({ period }) => period === quote.billing_period)?.price ?? null
  const name = planName(target.product.id)
  const fits = ![target.obstacle, target.planned_obstacle].includes('add_ons_do_not_fit')
  return (
    <Card
      title={name}
      beside={target.direction === 'up' ? t('plans.greater') : t('plans.smaller')}
      data-chosen={isChosen || undefined}
      className={classes['target'] ?? ''}
    >
      <div className={classes['plan']}>
        <PlanLines
          product={target.product}
          price={listed}
          quote={quote}
          than={quote.product}
          addOns={fits ? t('plans.addOnsStay') : t('plans.addOnsDoNotFit')}
        />
        {onChoose !== undefined && (
          <Button
            fullWidth
            aria-pressed={isChosen}
            icon={isChosen && <IconCheck size={18} aria-hidden="true" />}
            onClick={onChoose}
          >
            {isChosen ? t('plans.chosen') : t('plans.choose')}
            <span className="visually-hidden">: {name}</span>
          </Button>
        )}
      </div>
    </Card>
  )
}
