import { HydrationBoundary } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { walletCurrencies } from '@wakestone/contract/primitives'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { readTimeZone, todayIn } from '#app/i18n/time-zone.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { SegmentedLinks } from '#app/ui/segmented-links.tsx'
import { DayFilter, TableFilters } from '#app/ui/table-filters.tsx'
import type { Route } from './+types/reports'
import { readReport, revenueQuery, taxQuery } from './report-queries.ts'
import classes from './reports.module.css'
import { Revenue } from './revenue.tsx'
import { Tax } from './tax.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  const { api } = context.get(webContext)
  const search = new URL(request.url).searchParams
  const today = todayIn(readTimeZone(request.headers.get('cookie')))
  const query = readReport(search, today)
  const queries =
    search.get('report') === 'tax' ? await prefetch(taxQuery(query, api)) : await prefetch(revenueQuery(query, api))
  return { queries, today }
}

/** `/{lang}/admin/reports`: what was earned in a period, or what VAT is owed for it. */
export default function Reports({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const query = readReport(search, loaderData.today)
  const report = search.get('report') === 'tax' ? 'tax' : 'revenue'
  const to = (change: Record<string, string>) =>
    `?${new URLSearchParams({ ...query, ...(report === 'tax' && { report }), ...change }).toString()}`
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="reports" />
      <PageHeader title={t('reports.title')} text={t('reports.text')} />
      <div className={classes['choices']}>
        <SegmentedLinks
          label={t('reports.title')}
          options={(['revenue', 'tax'] as const).map((kind) => ({
            to: to({ report: kind }),
            label: t(`reports.kinds.${kind}`),
            active: kind === report,
          }))}
        />
        <SegmentedLinks
          label={t('reports.currency')}
          options={walletCurrencies.map((currency) => ({
            to: to({ currency }),
            label: currency,
            active: currency === query.currency,
          }))}
        />
      </div>
      <div className={classes['choices']}>
        <TableFilters names={['from', 'to']}>
          <DayFilter name="from" label={t('reports.from')} most={query.to} standard={query.from} />
          <DayFilter name="to" label={t('reports.to')} least={query.from} standard={query.to} />
        </TableFilters>
        <LinkButton
          to={`/api/v1/admin/reports/${report}.csv?${new URLSearchParams(query).toString()}`}
          icon={<IconDownload size={16} aria-hidden="true" />}
          reload
          download
        >
          {t('reports.save')}
        </LinkButton>
      </div>
      {report === 'tax' ? <Tax query={query} /> : <Revenue query={query} />}
    </HydrationBoundary>
  )
}
