import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { IconChevronDown, IconMailCheck } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { ticketLimits, type TicketTopic, ticketTopics } from '@wakestone/contract/values'
import { useUser } from '#app/features/session/use-user.ts'
import { useFormat, useLanguage, usePath } from '#app/i18n/use-format.ts'
import { TrapField } from '#app/features/forms/trap-field.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import type { FormAnswer } from '#app/ui/form-reasons.ts'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './ticket-form.module.css'

const calls = () => import('./ticket-calls.ts')

export type SentTicket = { number: number; email: string; due: string | null }

/**
 * A message to support, with or without an account; tells in its place that it has arrived. Without scripts it is
 * posted to `/contact`, whose page gives the `answer` and, once it was taken, `sent`.
 */
export function TicketForm({
  topic = 'server_problem',
  answer,
  sent: sentBefore,
}: {
  topic?: TicketTopic
  answer?: FormAnswer | undefined
  sent?: SentTicket | undefined
}) {
  const [sent, setSent] = useState(sentBefore)
  return sent === undefined ? (
    <Form topic={topic} answer={answer} onSent={setSent} />
  ) : (
    <Sent ticket={sent} onAnother={() => setSent(undefined)} />
  )
}

function Form({
  topic,
  answer,
  onSent,
}: {
  topic: TicketTopic
  answer: FormAnswer | undefined
  onSent: (ticket: SentTicket) => void
}) {
  const { t } = useTranslation()
  const path = usePath()
  const language = useLanguage()
  const user = useUser()
  const form = useZodForm(
    async () => (user === null ? (await calls()).visitorTicketBody : (await calls()).userTicketBody),
    { topic, email: '', subject: '', message: '', website: '', language },
    answer,
  )
  const submit = form.submit(async (body) => {
    const { number, answer_due_at: due } = await (await calls()).sendTicket(body)
    onSent({ number, email: user?.email ?? body.email ?? '', due })
  })
  return (
    <form className={classes['form']} method="post" action={path('/contact#contact')} noValidate onSubmit={submit}>
      <NativeSelect
        label={t('support.topic')}
        data={ticketTopics.map((value) => ({ value, label: t(`support.topics.${value}`) }))}
        rightSection={<IconChevronDown size={16} aria-hidden="true" />}
        {...form.field('topic')}
      />
      {user === null && (
        <TextInput
          type="email"
          label={t('support.email')}
          description={form.isWrong('email') ? undefined : t('support.emailHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="email"
          required
          withAsterisk={false}
          {...form.field('email')}
        />
      )}
      <TextInput
        label={t('support.subject')}
        maxLength={ticketLimits.subject.max}
        required
        withAsterisk={false}
        {...form.field('subject')}
      />
      <Textarea
        label={t('support.message')}
        description={form.isWrong('message') ? undefined : t('support.messageHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        rows={7}
        maxLength={ticketLimits.message.max}
        required
        withAsterisk={false}
        {...form.field('message')}
      />
      <TrapField value={form.values.website} onChange={form.field('website').onChange} />
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <Button type="submit" look="primary" size="large" loading={form.busy}>
        {t('support.send')}
      </Button>
      {user !== null && <p className={classes['hint']}>{t('support.answeredAt', { email: user.email })}</p>}
    </form>
  )
}

function Sent({ ticket, onAnother }: { ticket: SentTicket; onAnother: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className={classes['sent']} role="status">
      <IconMailCheck size={34} stroke={1.6} aria-hidden="true" />
      <h3 ref={title} tabIndex={-1}>
        {t('support.sentTitle')}
      </h3>
      <p>{t('support.sentText', { number: String(ticket.number), email: ticket.email })}</p>
      {ticket.due !== null && <p>{t('support.answerBy', { time: format.dateTime(ticket.due) })}</p>}
      <Button onClick={onAnother}>{t('support.another')}</Button>
    </div>
  )
}
