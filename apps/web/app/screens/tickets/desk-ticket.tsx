import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router'
import { isAdmin } from '@wakestone/contract/capabilities'
import type { DeskThread } from '@wakestone/contract/accounts/support'
import { prefetch } from '#app/api/prefetch.ts'
import { deskFrame } from '#app/features/admin/desk-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { AnswerClock } from '#app/features/support/answer-clock.tsx'
import { ContextCard } from '#app/features/support/context-card.tsx'
import { Thread } from '#app/features/support/thread.tsx'
import { deskTicketQuery, macrosQuery } from '#app/features/support/ticket-queries.ts'
import { TicketStatusBadge } from '#app/features/support/ticket-status.tsx'
import classes from '#app/features/support/tickets.module.css'
import { useTicketChanges } from '#app/features/support/use-ticket-changes.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/desk-ticket'
import { AnswerBox } from './answer-box.tsx'
import { TicketControls } from './ticket-controls.tsx'

export const handle = { frame: deskFrame } satisfies FrameHandle

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const user = requireCapability(request, context, 'admin.support')
  const { api } = context.get(webContext)
  return {
    queries: await prefetch(deskTicketQuery(params.ticketId, api), macrosQuery(api)),
    isAdmin: isAdmin(user.user_capabilities),
  }
}

/** `/{lang}/admin/tickets/{ticketId}`: one ticket, for those who answer. */
export default function DeskTicket({ loaderData, params }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  useTicketChanges()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="deskTicket" />
      <Link className={classes['back']} to={path('/admin/tickets')}>
        <IconArrowLeft size={15} aria-hidden="true" /> {t('desk.back')}
      </Link>
      <Loaded id={params.ticketId} canSeeUser={loaderData.isAdmin} />
    </HydrationBoundary>
  )
}

function Loaded({ id, canSeeUser }: { id: string; canSeeUser: boolean }) {
  const { data: ticket, error, refetch } = useQuery(deskTicketQuery(id))
  if (ticket === undefined)
    return error === null ? <Skeleton height={420} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  return <Shown ticket={ticket} canSeeUser={canSeeUser} />
}

function Shown({ ticket, canSeeUser }: { ticket: DeskThread; canSeeUser: boolean }) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <>
      <PageHeader
        title={ticket.subject}
        beside={<TicketStatusBadge status={ticket.status} forDesk />}
        text={
          <span className={classes['facts']}>
            <span>{`#${ticket.number}`}</span>
            {ticket.user === null ? (
              <span>{`${ticket.email} (${t('desk.visitor')})`}</span>
            ) : canSeeUser ? (
              <Link to={path(`/user/${ticket.user.id}`)}>{ticket.user.username}</Link>
            ) : (
              <span>{ticket.user.username}</span>
            )}
            <span>{t(`desk.languages.${ticket.language}`)}</span>
            <AnswerClock due={ticket.answer_due_at} />
            {ticket.follows !== null && (
              <Link to={path(`/admin/tickets/${ticket.follows.id}`)}>
                {t('tickets.follows', { number: String(ticket.follows.number) })}
              </Link>
            )}
          </span>
        }
      />
      <div className={classes['sides']}>
        <div>
          <Thread messages={ticket.messages} viewer="staff" />
          <AnswerBox ticket={ticket} />
        </div>
        <div>
          <TicketControls ticket={ticket} />
          {ticket.satisfaction !== null && (
            <Card title={t('desk.satisfaction')}>
              <p>{t(`tickets.satisfactions.${ticket.satisfaction.rate}`)}</p>
              {ticket.satisfaction.comment !== '' && <p className={classes['words']}>{ticket.satisfaction.comment}</p>}
            </Card>
          )}
          {ticket.context !== null && <ContextCard context={ticket.context} />}
        </div>
      </div>
    </>
  )
}
