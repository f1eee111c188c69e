import { useLocation } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { SegmentedLinks } from '#app/ui/segmented-links.tsx'
import { type StatsSpan, statsSpans } from './stats-span.ts'
import classes from './stats.module.css'

const ANCHOR = 'figures'

/** Heads the graphs, and says which time they show. */
export function SpanPicker({ span }: { span: StatsSpan }) {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  const addressOf = (to: StatsSpan) => {
    const query = new URLSearchParams(search)
    if (to === 'now') query.delete('stats')
    else query.set('stats', to)
    return query.size === 0 ? pathname : `${pathname}?${query.toString()}`
  }
  return (
    <div className={classes.head} id={ANCHOR}>
      <h2>{t('server.stats.heading')}</h2>
      <SegmentedLinks
        label={t('server.stats.pick')}
        anchor={ANCHOR}
        options={statsSpans.map((option) => ({
          to: addressOf(option),
          label: t(`server.stats.spans.${option}`),
          active: option === span,
        }))}
      />
    </div>
  )
}
