import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { IconBook, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { ListedTicket } from '@wakestone/contract/accounts/support'
import { openSupport } from '@wakestone/contract/accounts/support-routes'
import { ticketListStates } from '@wakestone/contract/values'
import { api } from '#app/api/client.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { readTicketState, ticketsQuery } from '#app/features/support/ticket-queries.ts'
import { TicketStatusBadge } from '#app/features/support/ticket-status.tsx'
import classes from '#app/features/support/tickets.module.css'
import { useTicketChanges } from '#app/features/support/use-ticket-changes.ts'
import { useSite } from '#app/features/site/use-site.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { SegmentedLinks } from '#app/ui/segmented-links.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import type { Route } from './+types/support'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api: client } = context.get(webContext)
  const { searchParams } = new URL(request.url)
  const [queries, door] = await Promise.all([
    prefetch(ticketsQuery(user.id, readTicketState(searchParams), client)),
    client(openSupport, {}).catch(() => ({ token: null })),
  ])
  return { queries, isElsewhere: door.token !== null }
}

/** `/{lang}/account/support`: what somebody has written to support, and the way to write more. */
export default function Support({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const { docsUrl } = useSite()
  useTicketChanges()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="support" />
      <PageHeader
        title={t('tickets.title')}
        text={t('tickets.text')}
        actions={
          <>
            {docsUrl === undefined && (
              <LinkButton icon={<IconBook />} to={path('/docs')}>
                {t('docs.title')}
              </LinkButton>
            )}
            <LinkButton look="primary" icon={<IconPlus />} to={path('/account/support/new')}>
              {t('tickets.create')}
            </LinkButton>
          </>
        }
      />
      <div className={classes['page']}>
        {loaderData.isElsewhere && <DeskElsewhere />}
        <List />
      </div>
    </HydrationBoundary>
  )
}

function List() {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const [search] = useSearchParams()
  const state = readTicketState(search)
  const { data, error, refetch } = useQuery(ticketsQuery(id, state))
  return (
    <>
      <SegmentedLinks
        label={t('tickets.show')}
        options={[
          { to: '?', label: t('tickets.all'), active: state === undefined },
          ...ticketListStates.map((one) => ({
            to: `?state=${one}`,
            label: t(`tickets.listStates.${one}`),
            active: one === state,
          })),
        ]}
      />
      <Card padded={false}>
        {error !== null && data === undefined ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton height={280} />
        ) : data.length === 0 ? (
          <EmptyState
            title={t(state === undefined ? 'tickets.emptyTitle' : 'tickets.noneTitle')}
            text={t(state === undefined ? 'tickets.emptyText' : 'tickets.noneText')}
          />
        ) : (
          <ul className={classes['list']}>
            {data.map((ticket) => (
              <Row key={ticket.id} ticket={ticket} />
            ))}
          </ul>
        )}
      </Card>
    </>
  )
}

function Row({ ticket }: { ticket: ListedTicket }) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <li>
      <div className={classes['listWords']}>
        <Link to={path(`/account/support/${ticket.id}`)}>{ticket.subject}</Link>
        <p>
          {`#${ticket.number} · ${t(`support.topics.${ticket.topic}`)}`}
          {ticket.server !== null && ` · ${ticket.server.name}`}
          {' · '}
          <DateTime value={ticket.updated_at} />
        </p>
      </div>
      <TicketStatusBadge status={ticket.status} />
    </li>
  )
}

/** The operator's desk elsewhere takes a sign-in by a form, made when it is asked for: it is good for minutes. */
function DeskElsewhere() {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const go = async () => {
    setBusy(true)
    try {
      const { url, token } = await api(openSupport, {})
      const form = document.createElement('form')
      form.method = 'post'
      form.action = url
      const field = document.createElement('input')
      field.type = 'hidden'
      field.name = 'jwt'
      field.value = token ?? ''
      form.append(field)
      document.body.append(form)
      form.submit()
    } catch (failure) {
      showErrorToast(failure)
      setBusy(false)
    }
  }
  return (
    <Card
      title={t('tickets.elsewhereTitle')}
      beside={
        <Button loading={busy} onClick={() => void go()}>
          {t('tickets.elsewhere')}
        </Button>
      }
    >
      <p className={classes['hint']}>{t('tickets.elsewhereText')}</p>
    </Card>
  )
}
