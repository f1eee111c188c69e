import { useCallback, useEffect, useMemo, useState } from 'react'
import { getProjectMetrics } from '@wakestone/contract/marketplace/reviews-routes'
import { metricLabels, metricTypes, type MetricType } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { useCountryName } from '#app/features/location/use-country-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { Chart } from '#app/ui/chart.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { dailyValues } from './daily-values.ts'
import classes from './project.module.css'

type Label = (typeof metricLabels)[number]
type Told = Record<Label, readonly { label: string; value: number }[]>

async function load(slug: string, metricType: MetricType): Promise<Told> {
  const told = await Promise.all(
    metricLabels.map(async (label) => [
      label,
      await api(getProjectMetrics, { params: { slug }, query: { label, metricType } }),
    ]),
  )
  return Object.fromEntries(told) as Told
}

/** Views, downloads and installs of the last 90 days: by day, and by what can be told apart. For members. */
export default function ProjectMetrics({ slug }: { slug: string }) {
  const { t } = useTranslation()
  const [metric, setMetric] = useState<MetricType>('downloads')
  const [told, setTold] = useState<{ metric: MetricType; values: Told } | { error: unknown } | null>(null)
  const ask = useCallback(() => {
    let isShown = true
    setTold(null)
    load(slug, metric).then(
      (values) => isShown && setTold({ metric, values }),
      (error: unknown) => isShown && setTold({ error }),
    )
    return () => {
      isShown = false
    }
  }, [slug, metric])
  useEffect(ask, [ask])
  return (
    <div className={classes['metrics']}>
      <p className={classes['muted']}>{t('market.metrics.text')}</p>
      <Segmented
        label={t('market.tabs.metrics')}
        options={metricTypes.map((value) => ({ value, label: t(`market.metrics.${value}`) }))}
        value={metric}
        onChange={setMetric}
      />
      {told === null ? (
        <Skeleton height={320} radius={12} />
      ) : 'error' in told ? (
        <ErrorState error={told.error} onRetry={ask} />
      ) : (
        <Figures metric={told.metric} told={told.values} />
      )}
    </div>
  )
}

function Figures({ metric, told }: { metric: MetricType; told: Told }) {
  const { t } = useTranslation()
  const format = useFormat()
  const country = useCountryName()
  const { times, values } = useMemo(() => dailyValues(told.day, Date.now()), [told])
  return (
    <>
      <Card>
        <Chart
          label={t('market.metrics.days')}
          times={told.day.length === 0 ? [] : times}
          series={[{ name: t(`market.metrics.${metric}`), colour: 'lantern', values }]}
          write={format.number}
          daily
          emptyText={t('market.metrics.empty')}
        />
      </Card>
      {(['version', 'engine', 'country'] as const).map((label) => {
        const rows = told[label]
        // Of views no version is known, of downloads no engine.
        if (rows.every((row) => row.label === '')) return null
        const most = Math.max(...rows.map(({ value }) => value))
        return (
          <Card key={label} title={t(`market.metrics.by.${label}`)}>
            <ul className={classes['bars']}>
              {rows.slice(0, 12).map((row) => (
                <li key={row.label}>
                  <span>{nameOf(row.label, label, { unknown: t('market.metrics.unknown'), country })}</span>
                  <meter min={0} max={most} value={row.value} aria-hidden="true" />
                  <b>{format.number(row.value)}</b>
                </li>
              ))}
            </ul>
          </Card>
        )
      })}
    </>
  )
}

const nameOf = (
  value: string,
  label: 'version' | 'engine' | 'country',
  { unknown, country }: { unknown: string; country: (code: string) => string },
) => (value === '' ? unknown : label === 'country' ? country(value) : value)
