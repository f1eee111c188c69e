import { ApiError } from '@wakestone/contract/client'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { planName } from '#app/features/servers/server-names.ts'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Price, taxWithin } from '#app/ui/money.tsx'
import classes from './create.module.css'
import { Option, Step, type StepProps } from './step.tsx'

/** Which plan: what it holds and what it costs for the chosen time. One that somebody comes with is not asked for again. */
export function PlanStep({ choice, catalogue, draft, update, refusal }: StepProps) {
  const { t } = useTranslation()
  const path = usePath()
  const isFull = refusal?.error instanceof ApiError && refusal.error.body.error === 'free_servers_not_available'
  const rate = choice.wallet?.country_tax_rate.vat_rate ?? 0
  const [isFolded, setFolded] = useState(draft.product !== null && draft.product === choice.plan?.id)
  const plans = useRef<HTMLDivElement>(null)
  const { plan: chosen } = choice
  if (isFolded && chosen !== undefined && refusal?.part !== 'plan')
    return (
      <Step title={t('create.plan')} parts={[]} refusal={null}>
        <div className={classes.folded}>
          <span>
            <strong>{planName(chosen.id)}</strong>
            <Facts plan={chosen} />
          </span>
          <Button
            size="small"
            onClick={() => {
              flushSync(() => setFolded(false))
              plans.current?.querySelector<HTMLInputElement>('input:checked')?.focus()
            }}
          >
            {t('create.changePlan')}
          </Button>
        </div>
      </Step>
    )
  return (
    <Step title={t('create.plan')} parts={['plan']} refusal={refusal}>
      <div ref={plans} className={classes.plans} role="radiogroup" aria-label={t('create.plan')}>
        {catalogue.plans.map((plan) => {
          const prices = plan.prices.filter(
            (price) =>
              price.cluster_id === choice.cluster?.id && price.gross_price.currency === choice.wallet?.currency,
          )
          const price = prices.find((candidate) => candidate.period === choice.period) ?? prices[0]
          return (
            <Option
              key={plan.id}
              name="plan"
              checked={plan.id === choice.plan?.id}
              disabled={!plan.available}
              onChoose={() => update({ product: plan.id })}
            >
              <span className={classes.optionHead}>
                <strong>{planName(plan.id)}</strong>
                {!plan.available ? (
                  <span className={classes.muted}>{t('create.soldOut')}</span>
                ) : (
                  price !== undefined && <small className={classes.muted}>{t(`create.periods.${price.period}`)}</small>
                )}
              </span>
              {price !== undefined && (
                <span className={classes.optionPrice}>
                  <Price gross={price.gross_price} tax={taxWithin(price.gross_price, rate)} rate={rate} />
                </span>
              )}
              <Facts plan={plan} />
            </Option>
          )
        })}
      </div>
      {isFull && <Link to={path('/free-play')}>{t('freePlay.toQueue')}</Link>}
    </Step>
  )
}

function Facts({ plan }: { plan: StepProps['catalogue']['plans'][number] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { memory, cpu, storage, players } = plan.parameters
  return (
    <span className={classes.facts}>
      <span>{t('create.memory', { size: format.bytes(memory) })}</span>
      <span>{t('create.cpu', { count: cpu })}</span>
      <span>{t('create.storage', { size: format.bytes(storage) })}</span>
      <span>{players === null ? t('create.playersUnlimited') : t('create.players', { count: players })}</span>
    </span>
  )
}
