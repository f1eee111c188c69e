import { HydrationBoundary, queryOptions, useQuery } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { getOutboxMail, listOutbox } from '@wakestone/contract/routes/outbox'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { api } from '#app/api/client.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import { DataTable } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/outbox'
import classes from './outbox.module.css'

const outboxQuery = (client: ApiClient = api) =>
  queryOptions({ queryKey: ['outbox'], queryFn: () => client(listOutbox, {}), refetchInterval: 5_000 })

const mailQuery = (name: string, client: ApiClient = api) =>
  queryOptions({ queryKey: ['outbox', name], queryFn: () => client(getOutboxMail, { params: { name } }) })

export async function loader({ request, context }: Route.LoaderArgs) {
  requireUser(request, context)
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
      {name === null ? <Mails /> : <Mail name={name} />}
    </HydrationBoundary>
  )
}

function Mails() {
  const { t } = useTranslation()
  const { data: mails, error, refetch } = useQuery(outboxQuery())
  if (error !== null && mails === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (mails === undefined) return <Skeleton height={240} />
  if (mails.length === 0) return <EmptyState title={t('outbox.emptyTitle')} text={t('outbox.emptyText')} />
  return (
    <Card padded={false}>
      <DataTable
        label={t('outbox.title')}
        rows={mails}
        rowKey={(mail) => mail.name}
        columns={[
          { key: 'written', header: t('outbox.written'), cell: (mail) => <DateTime value={mail.written_at} /> },
          { key: 'to', header: t('outbox.to'), cell: (mail) => mail.to },
          {
            key: 'subject',
            header: t('outbox.subject'),
            cell: (mail) => <Link to={`?mail=${encodeURIComponent(mail.name)}`}>{mail.subject}</Link>,
          },
        ]}
      />
    </Card>
  )
}

function Mail({ name }: { name: string }) {
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
