import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { DeskThread } from '@wakestone/contract/accounts/support'
import { type TicketAction, ticketAfter } from '@wakestone/contract/accounts/ticket-states'
import { type TicketTopic, ticketTopics } from '@wakestone/contract/values'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useDeskTicket } from '#app/features/support/ticket-queries.ts'
import classes from '#app/features/support/tickets.module.css'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'

/** Who looks after a ticket, what it is about, and what becomes of it without an answer. */
export function TicketControls({ ticket }: { ticket: DeskThread }) {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const { change } = useDeskTicket(ticket.id)
  const [busy, setBusy] = useState(false)
  const [isClosing, setClosing] = useState(false)
  const doing = async (body: Parameters<typeof change>[0]) => {
    setBusy(true)
    try {
      await change(body)
    } catch (failure) {
      showErrorToast(failure)
    } finally {
      setBusy(false)
    }
  }
  const can = (action: TicketAction) => ticketAfter(ticket.status, action) !== undefined
  const { assignee, agents } = ticket
  // Somebody who may answer no longer still looks after it until another does.
  const people = assignee === null || agents.some((agent) => agent.id === assignee.id) ? agents : [...agents, assignee]
  return (
    <Card title={t('desk.controls')}>
      <div className={classes['composer']}>
        <NativeSelect
          label={t('desk.assignee')}
          value={assignee?.id ?? ''}
          disabled={busy}
          data={[
            { value: '', label: t('desk.nobody') },
            ...people.map((agent) => ({ value: agent.id, label: agent.username })),
          ]}
          onChange={(event) => void doing({ assignee_id: event.currentTarget.value || null })}
        />
        <NativeSelect
          label={t('desk.topic')}
          value={ticket.topic}
          disabled={busy}
          data={ticketTopics.map((value) => ({ value, label: t(`support.topics.${value}`) }))}
          onChange={(event) => void doing({ topic: event.currentTarget.value as TicketTopic })}
        />
        <div className={classes['buttons']}>
          {can('take') && assignee?.id !== id && (
            <Button loading={busy} onClick={() => void doing({ action: 'take' })}>
              {t('desk.take')}
            </Button>
          )}
          {can('solve') && (
            <Button loading={busy} onClick={() => void doing({ action: 'solve' })}>
              {t('desk.solve')}
            </Button>
          )}
          {can('reopen') && (
            <Button loading={busy} onClick={() => void doing({ action: 'reopen' })}>
              {t('desk.reopen')}
            </Button>
          )}
          {can('close') && (
            <Button look="quiet" onClick={() => setClosing(true)}>
              {t('desk.close')}
            </Button>
          )}
        </div>
      </div>
      <ConfirmDialog
        opened={isClosing}
        onClose={() => setClosing(false)}
        title={t('desk.closeTitle', { number: String(ticket.number) })}
        text={t('desk.closeText')}
        action={t('desk.close')}
        onConfirm={() => change({ action: 'close' })}
      />
    </Card>
  )
}
