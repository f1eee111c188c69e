import { IconCheck } from '@tabler/icons-react'
import type { BillingPeriod } from '@wakestone/contract/primitives'
import type { Product } from '@wakestone/contract/sales/product'
import type { UpgradeQuote, UpgradeTarget } from '@wakestone/contract/sales/service-change'
import { planName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import classes from './payments.module.css'

function PlanLines({
  product,
  price,
  period,
  than,
}: {
  product: Product
  price: { amount: number; currency: string } | null
  period: BillingPeriod
  /** The plan of now: what differs from it says by how much. */
  than?: Product
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { memory, cpu, storage, players } = product.parameters
  return (
    <KeyValueList
      rows={[
        {
          key: t('plans.memory'),
          value: <Compared now={memory} before={than?.parameters.memory} write={format.bytes} />,
        },
        { key: t('plans.cores'), value: <Compared now={cpu} before={than?.parameters.cpu} write={String} /> },
        {
          key: t('plans.storage'),
          value: <Compared now={storage} before={than?.parameters.storage} write={format.bytes} />,
        },
        { key: t('plans.players'), value: players === null ? t('plans.unlimited') : String(players) },
        {
          key: t('plans.price', { period: t(`create.periods.${period}`) }),
          value: price === null ? '–' : format.money(price),
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
  const format = useFormat()
  return (
    <Card title={planName(quote.product.id)} beside={t('plans.yours')}>
      <div className={classes['plan']}>
        <PlanLines product={quote.product} price={quote.product_price} period={quote.billing_period} />
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
  return (
    <Card
      title={name}
      beside={target.direction === 'up' ? t('plans.greater') : t('plans.smaller')}
      data-chosen={isChosen || undefined}
      className={classes['target'] ?? ''}
    >
      <div className={classes['plan']}>
        <PlanLines product={target.product} price={listed} period={quote.billing_period} than={quote.product} />
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
