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

type Choice = { when: 'now' } | { when: 'period_end' } | { when: 'now'; period: BillingPeriod }

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

/** Another plan, and the ways to it. */
export function TargetColumn({
  quote,
  target,
  onChoose,
}: {
  quote: UpgradeQuote
  target: UpgradeTarget
  onChoose: (choice: Choice) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { obstacle, planned_obstacle: plannedObstacle, upgrade_price: price, credit } = target
  const isUp = target.direction === 'up'
  const listed = target.billing_periods.find(({ period }) => period === quote.billing_period)?.price ?? null
  const isPlanned = quote.planned?.details.product_id === target.product.id
  return (
    <Card title={planName(target.product.id)} beside={isUp ? t('plans.greater') : t('plans.smaller')}>
      <div className={classes['plan']}>
        <PlanLines product={target.product} price={listed} period={quote.billing_period} than={quote.product} />
        {price !== null && credit !== null && (
          <p>
            {credit.amount > 0
              ? t('plans.givesBack', { amount: format.money(credit) })
              : t('plans.costsNow', { amount: format.money(price) })}
          </p>
        )}
        <div className={classes['buttons']}>
          <Button
            look={isUp ? 'primary' : 'secondary'}
            why={obstacle === null ? undefined : t(`plans.obstacles.${obstacle}`)}
            onClick={() => onChoose({ when: 'now' })}
          >
            {t('plans.changeNow')}
          </Button>
          <Button
            why={
              isPlanned
                ? t('plans.alreadyPlanned')
                : plannedObstacle === null
                  ? undefined
                  : t(`plans.obstacles.${plannedObstacle}`)
            }
            onClick={() => onChoose({ when: 'period_end' })}
          >
            {t('plans.changeLater')}
          </Button>
        </div>
        {isUp && obstacle === null && <NewPeriods target={target} onChoose={onChoose} />}
      </div>
    </Card>
  )
}

function NewPeriods({ target, onChoose }: { target: UpgradeTarget; onChoose: (choice: Choice) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const offered = target.billing_periods.filter(({ upgrade_price }) => upgrade_price !== null)
  if (offered.length === 0) return null
  return (
    <div className={classes['part']}>
      <h3 className={classes['label']}>{t('plans.newPeriod')}</h3>
      <ul className={classes['list']}>
        {offered.map(({ period, upgrade_price }) => (
          <li key={period}>
            <span>{t(`create.periods.${period}`)}</span>
            <Button size="small" onClick={() => onChoose({ when: 'now', period })}>
              {upgrade_price === null ? '' : format.money(upgrade_price)}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
