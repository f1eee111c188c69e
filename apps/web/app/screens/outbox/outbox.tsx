import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { getOutboxMail, listOutbox } from '@wakestone/contract/site/outbox-routes'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link, useSearchParams } from 'react-router'
import type { z } from 'zod'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Pager } from '#app/ui/pager.tsx'
import { QueryTable } from '#app/ui/query-table.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useTableAddress } from '#app/ui/table-address.ts'
import { SearchFilter, TableFilters } from '#app/ui/table-filters.tsx'
import { useWholeList } from '#app/ui/use-whole-list.ts'
import type { Route } from './+types/outbox'
import classes from './outbox.module.css'

const outboxQuery = (client: ApiClient = api) => queryOf(listOutbox, {}, { client, refetchInterval: 5_000 })

const mailQuery = (name: string, client: ApiClient = api) => queryOf(getOutboxMail, { params: { name } }, { client })

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  const { api: client } = context.get(webContext)
  return { queries: await prefetch(outboxQuery(client)) }
}

/** `/{lang}/admin/outbox`: mails that were written to a folder because no mail server is set. */
export default function Outbox({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const name = search.get('mail')
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="outbox" />
      <PageHeader title={t('outbox.title')} text={t('outbox.text')} />
      {name === null ? <Mails /> : <MailPage name={name} />}
    </HydrationBoundary>
  )
}

type Mail = z.infer<(typeof listOutbox)['responses'][200]>[number]
const pageSize = 25
const textOf = (mail: Mail) => `${mail.to} ${mail.subject}`

function Mails() {
  const { t } = useTranslation()
  const { to } = useTableAddress()
  const list = useQuery(outboxQuery())
  const columns: Column<Mail>[] = [
    {
      key: 'written',
      header: t('outbox.written'),
      sortBy: (mail) => mail.written_at,
      cell: (mail) => <DateTime value={mail.written_at} />,
    },
    { key: 'to', header: t('outbox.to'), sortBy: (mail) => mail.to, cell: (mail) => mail.to },
    {
      key: 'subject',
      header: t('outbox.subject'),
      phone: 'title',
      sortBy: (mail) => mail.subject,
      cell: (mail) => <Link to={to({ mail: mail.name })}>{mail.subject}</Link>,
    },
  ]
  const { rows, count, sort, isFiltered } = useWholeList({ rows: list.data, columns, size: pageSize, textOf })
  return (
    <>
      <TableFilters names={['q']}>
        <SearchFilter label={t('outbox.search')} />
      </TableFilters>
      <Card padded={false}>
        <QueryTable
          query={list}
          label={t('outbox.title')}
          rows={rows}
          columns={columns}
          rowKey={(mail) => mail.name}
          sort={sort}
          empty={
            isFiltered ? (
              <EmptyState figure="none" title={t('outbox.nothingTitle')} text={t('outbox.nothingText')} />
            ) : (
              <EmptyState title={t('outbox.emptyTitle')} text={t('outbox.emptyText')} />
            )
          }
        >
          <Pager size={pageSize} count={count} />
        </QueryTable>
      </Card>
    </>
  )
}

function MailPage({ name }: { name: string }) {
  const { t } = useTranslation()
  const { data: mail, error, refetch } = useQuery(mailQuery(name))
  return (
    <>
      <Link to="?" className={classes['back']}>
        {t('outbox.back')}
      </Link>
      {error !== null && mail === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : mail === undefined ? (
        <Skeleton height={240} />
      ) : (
        <Card padded={false} title={mail.subject}>
          <pre className={classes['text']}>
            <TextWithLinks text={mail.text} />
          </pre>
        </Card>
      )}
    </>
  )
}

/** Plain text whose addresses can be clicked. */
function TextWithLinks({ text }: { text: string }) {
  const parts = text.split(/(https?:\/\/\S+)/)
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      <a key={index} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  )
}
