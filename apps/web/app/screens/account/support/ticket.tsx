import { Textarea } from '@mantine/core'
import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { IconArrowLeft, IconCheck, IconMail, IconMoodSad, IconMoodSmile } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { isTicketOver, ticketAfter } from '@wakestone/contract/accounts/ticket-states'
import type { TicketThread } from '@wakestone/contract/accounts/support'
import { ticketLimits, ticketSatisfactions, type TicketSatisfaction } from '@wakestone/contract/values'
import { prefetch } from '#app/api/prefetch.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { Composer } from '#app/features/support/composer.tsx'
import { ContextCard } from '#app/features/support/context-card.tsx'
import { Thread } from '#app/features/support/thread.tsx'
import { ticketQuery, useOwnTicket } from '#app/features/support/ticket-queries.ts'
import { TicketStatusBadge } from '#app/features/support/ticket-status.tsx'
import classes from '#app/features/support/tickets.module.css'
import { useTicketChanges } from '#app/features/support/use-ticket-changes.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { useNow } from '#app/ui/use-now.ts'
import type { Route } from './+types/ticket'

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireUser(request, context)
  return { queries: await prefetch(ticketQuery(params.ticketId, context.get(webContext).api)) }
}

/** `/{lang}/account/support/{ticketId}`: one ticket, as its writer sees it. */
export default function Ticket({ loaderData, params }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  useTicketChanges()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="ticket" />
      <Link className={classes['back']} to={path('/account/support')}>
        <IconArrowLeft size={15} aria-hidden="true" /> {t('tickets.back')}
      </Link>
      <Loaded id={params.ticketId} />
    </HydrationBoundary>
  )
}

function Loaded({ id }: { id: string }) {
  const { data: ticket, error, refetch } = useQuery(ticketQuery(id))
  if (ticket === undefined)
    return error === null ? <Skeleton height={420} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  return <Shown ticket={ticket} />
}

function Shown({ ticket }: { ticket: TicketThread }) {
  const { t } = useTranslation()
  const path = usePath()
  const { write, solve } = useOwnTicket(ticket.id)
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const finish = async () => {
    setBusy(true)
    try {
      await solve()
    } catch (failure) {
      showErrorToast(failure)
    } finally {
      setBusy(false)
    }
  }
  const canWrite = ticketAfter(ticket.status, 'write') !== undefined
  return (
    <>
      <PageHeader
        title={ticket.subject}
        beside={<TicketStatusBadge status={ticket.status} />}
        text={
          <span className={classes['facts']}>
            <span>{`#${ticket.number} · ${t(`support.topics.${ticket.topic}`)}`}</span>
            {ticket.follows !== null && (
              <Link to={path(`/account/support/${ticket.follows.id}`)}>
                {t('tickets.follows', { number: String(ticket.follows.number) })}
              </Link>
            )}
          </span>
        }
      />
      <div className={classes['page']}>
        {ticket.context !== null && <ContextCard context={ticket.context} />}
        <Thread messages={ticket.messages} viewer="writer" />
        {ticket.answer_due_at !== null && <Expected due={ticket.answer_due_at} />}
        {isTicketOver(ticket.status) && <Satisfaction key={ticket.satisfaction?.rate ?? ''} ticket={ticket} />}
        <Card>
          {canWrite ? (
            <Composer
              label={t(ticket.status === 'SOLVED' ? 'tickets.writeAgain' : 'tickets.write')}
              action={t('support.send')}
              most={ticketLimits.message.max}
              text={text}
              onText={setText}
              onSend={(files) => write(text.trim(), files)}
              actions={
                ticketAfter(ticket.status, 'solve') !== undefined && (
                  <Button icon={<IconCheck />} loading={busy} onClick={() => void finish()}>
                    {t('tickets.solve')}
                  </Button>
                )
              }
            />
          ) : (
            <div className={classes['composer']}>
              <p>{t('tickets.closedText')}</p>
              <div className={classes['buttons']}>
                <LinkButton to={path('/account/support/new')}>{t('tickets.create')}</LinkButton>
              </div>
            </div>
          )}
        </Card>
      </div>
    </>
  )
}

/** When an answer is to come, and where to. */
function Expected({ due }: { due: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { email } = useSignedInUser()
  const now = useNow()
  const isLate = now !== null && Date.parse(due) < now
  return (
    <p className={classes['expected']}>
      <IconMail size={18} aria-hidden="true" />
      <span>
        {isLate ? t('support.answerLate') : t('support.answerBy', { time: format.dateTime(due) })}{' '}
        {t('support.answerMailed', { email })}
      </span>
    </p>
  )
}

const faces = { good: IconMoodSmile, bad: IconMoodSad }

/** How support was. What was said can be said anew. */
function Satisfaction({ ticket }: { ticket: TicketThread }) {
  const { t } = useTranslation()
  const { rate: tell } = useOwnTicket(ticket.id)
  const [rate, setRate] = useState<TicketSatisfaction | undefined>(ticket.satisfaction?.rate)
  const [comment, setComment] = useState(ticket.satisfaction?.comment ?? '')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const send = async () => {
    if (rate === undefined) return
    setBusy(true)
    setFailure(undefined)
    try {
      await tell({ rate, comment: comment.trim() })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const isSaid = ticket.satisfaction?.rate === rate && ticket.satisfaction?.comment === comment.trim()
  return (
    <Card title={t('tickets.howWasIt')}>
      <div className={classes['composer']}>
        <div className={classes['stars']} role="group" aria-label={t('tickets.howWasIt')}>
          {ticketSatisfactions.map((one) => {
            const Face = faces[one]
            return (
              <Button
                key={one}
                icon={<Face size={18} />}
                aria-pressed={one === rate}
                look={one === rate ? 'primary' : 'secondary'}
                onClick={() => setRate(one)}
              >
                {t(`tickets.satisfactions.${one}`)}
              </Button>
            )
          })}
        </div>
        {rate !== undefined && (
          <>
            <Textarea
              label={t('tickets.satisfactionComment')}
              autosize
              minRows={2}
              maxLength={2000}
              value={comment}
              onChange={(event) => setComment(event.currentTarget.value)}
            />
            {failure !== undefined && <ErrorNote error={failure} />}
            <div className={classes['buttons']}>
              <Button
                look="primary"
                loading={busy}
                why={isSaid ? t('tickets.alreadySaid') : undefined}
                onClick={() => void send()}
              >
                {t('tickets.satisfactionSend')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Card>
  )
}
