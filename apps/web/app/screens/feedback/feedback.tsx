import { HydrationBoundary, keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import type { ApiClient } from '@wakestone/contract/client'
import { type Feedback as Answer, feedbackKinds, type FeedbackFigures } from '@wakestone/contract/accounts/feedback'
import { getFeedbackFigures, listFeedback, publishFeedback } from '@wakestone/contract/accounts/feedback-routes'
import { api } from '#app/api/client.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Chart } from '#app/ui/chart.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { NumberedTable } from '#app/ui/query-table.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { readPage } from '#app/ui/table-address.ts'
import { DayFilter, SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import type { Route } from './+types/feedback'
import { Bars } from './bars.tsx'
import classes from './feedback.module.css'

export const handle = { frame: adminFrame } satisfies FrameHandle
const pageSize = 25

function readDays(search: URLSearchParams) {
  const day = (name: 'from' | 'to') => {
    const given = search.get(name) ?? ''
    return /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given)) ? { [name]: given } : {}
  }
  return { ...day('from'), ...day('to') }
}
function readFilters(search: URLSearchParams) {
  const kind = feedbackKinds.find((known) => known === search.get('kind'))
  return {
    ...readDays(search),
    offset: (readPage(search) - 1) * pageSize,
    limit: pageSize,
    ...(kind !== undefined && { kind }),
    ...(search.get('commented') === '1' && { commented: '1' as const }),
  }
}
const figuresQuery = (days: ReturnType<typeof readDays>, client: ApiClient = api) =>
  queryOf(getFeedbackFigures, { query: days }, { client, placeholderData: keepPreviousData })
const answersQuery = (filters: ReturnType<typeof readFilters>, client: ApiClient = api) =>
  queryOf(listFeedback, { query: filters }, { client, placeholderData: keepPreviousData })

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  const { api: client } = context.get(webContext)
  const { searchParams } = new URL(request.url)
  return {
    queries: await prefetch(
      figuresQuery(readDays(searchParams), client),
      answersQuery(readFilters(searchParams), client),
    ),
  }
}

/** `/{lang}/admin/feedback`: what customers think. */
export default function Feedback({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="feedback" />
      <PageHeader title={t('feedback.title')} text={t('feedback.text')} />
      <TableFilters names={['from', 'to']}>
        <DayFilter name="from" label={t('feedback.from')} />
        <DayFilter name="to" label={t('feedback.to')} />
      </TableFilters>
      <div className={classes['page']}>
        <Figures />
        <Answers />
      </div>
    </HydrationBoundary>
  )
}

function Figures() {
  const [search] = useSearchParams()
  const { data, error, refetch } = useQuery(figuresQuery(readDays(search)))
  if (data === undefined)
    return error === null ? <Skeleton height={420} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  return <Shown figures={data} />
}

function Shown({ figures }: { figures: FeedbackFigures }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { count, nps, rates, months, causes, advantages, ages, support } = figures
  const sum = (from: number, to: number) => rates.slice(from, to + 1).reduce((all, one) => all + one, 0)
  const shareOf = (some: number, all: number) => (all === 0 ? '–' : format.percent(some / all))
  const tiles = [
    { key: t('feedback.nps'), value: nps === null ? '–' : signed(nps, format.number) },
    { key: t('feedback.answers'), value: format.number(count) },
    { key: t('feedback.kinds.promoters'), value: shareOf(sum(9, 10), count) },
    { key: t('feedback.kinds.passives'), value: shareOf(sum(7, 8), count) },
    { key: t('feedback.kinds.detractors'), value: shareOf(sum(0, 6), count) },
    { key: t('feedback.support'), value: shareOf(support.good, support.good + support.bad) },
  ]
  return (
    <>
      <dl className={classes['tiles']}>
        {tiles.map(({ key, value }) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes['charts']}>
        <Card>
          <Chart
            label={t('feedback.overTime')}
            daily
            times={months.map(({ month }) => Date.parse(`${month}-01T00:00:00Z`) / 1000)}
            series={[{ name: t('feedback.nps'), colour: 'lantern', values: months.map((one) => one.nps) }]}
            write={(value) => format.number(value)}
            limit={100}
            emptyText={t('feedback.nothing')}
          />
        </Card>
        <Card title={t('feedback.rates')}>
          <Bars rows={rates.map((value, rate) => ({ name: String(rate), count: value }))} />
        </Card>
        <Card title={t('survey.advantages')}>
          <Bars
            rows={advantages.map((one) => ({ name: t(`survey.advantageNames.${one.name}`), count: one.count }))}
            sorted
          />
        </Card>
        <Card title={t('survey.causes')}>
          <Bars rows={causes.map((one) => ({ name: t(`survey.causeNames.${one.name}`), count: one.count }))} sorted />
        </Card>
        {ages.some((one) => one.count > 0) && (
          <Card title={t('survey.age')}>
            <Bars rows={ages.map((one) => ({ name: t(`survey.ages.${one.name}`), count: one.count }))} />
          </Card>
        )}
      </div>
    </>
  )
}

const signed = (value: number, write: (value: number) => string) => (value > 0 ? `+${write(value)}` : write(value))

function Answers() {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const list = useQuery(answersQuery(readFilters(search)))
  const columns: Column<Answer>[] = [
    {
      key: 'user',
      header: t('affiliates.user'),
      phone: 'title',
      cell: ({ user }) =>
        user === null ? t('feedback.gone') : <Link to={path(`/user/${user.id}`)}>{user.username}</Link>,
    },
    { key: 'rate', header: t('feedback.rate'), align: 'end', cell: ({ rate }) => String(rate) },
    {
      key: 'said',
      header: t('feedback.said'),
      cell: (row) => (
        <span className={classes['said']}>
          {row.comment === '' ? '–' : row.comment}
          <small>
            {[
              ...row.advantages.map((name) => `+ ${t(`survey.advantageNames.${name}`)}`),
              ...row.causes.map((name) => `− ${t(`survey.causeNames.${name}`)}`),
            ].join(' · ')}
          </small>
        </span>
      ),
    },
    { key: 'date', header: t('wallet.date'), cell: (row) => <DateTime value={row.created_at} /> },
    { key: 'published', header: t('feedback.public'), align: 'end', cell: (row) => <Publish row={row} /> },
  ]
  return (
    <>
      <TableFilters names={['kind', 'commented']}>
        <SelectFilter
          name="kind"
          label={t('feedback.who')}
          options={[
            { value: '', label: t('desk.any') },
            ...feedbackKinds.map((value) => ({ value, label: t(`feedback.kinds.${value}`) })),
          ]}
        />
        <SelectFilter
          name="commented"
          label={t('feedback.said')}
          options={[
            { value: '', label: t('desk.any') },
            { value: '1', label: t('feedback.onlyCommented') },
          ]}
        />
      </TableFilters>
      <Card padded={false} title={t('feedback.answers')}>
        <NumberedTable
          query={list}
          size={pageSize}
          label={t('feedback.answers')}
          columns={columns}
          rowKey={({ id }) => id}
          empty={<EmptyState figure="none" title={t('feedback.emptyTitle')} text={t('feedback.emptyText')} />}
        />
      </Card>
    </>
  )
}

/** Nothing is shown to others that its writer has not agreed to. */
function Publish({ row }: { row: Answer }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const isPublic = row.published_at !== null
  const change = async () => {
    try {
      await api(publishFeedback, { params: { id: row.id }, body: { published: !isPublic } })
      await makeStale(queries, answersOf(listFeedback))
    } catch (failure) {
      showErrorToast(failure)
    }
  }
  if (row.comment === '') return <>–</>
  return (
    <Button
      size="small"
      why={row.may_publish ? undefined : t('feedback.whyPrivate')}
      aria-pressed={isPublic}
      onClick={() => void change()}
    >
      {t(isPublic ? 'feedback.hide' : 'feedback.show')}
    </Button>
  )
}
