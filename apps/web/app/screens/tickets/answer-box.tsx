import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeskThread, Macro } from '@wakestone/contract/accounts/support'
import { ticketAfter } from '@wakestone/contract/accounts/ticket-states'
import { ticketLimits } from '@wakestone/contract/values'
import { Composer } from '#app/features/support/composer.tsx'
import { macrosQuery, useDeskTicket } from '#app/features/support/ticket-queries.ts'
import classes from '#app/features/support/tickets.module.css'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'

/** In the language of the ticket, else in the first one there is. */
export function textOf(macro: Macro, ticket: Pick<DeskThread, 'language' | 'number' | 'user'>): string {
  const { texts } = macro
  const text = texts[ticket.language] || texts.en || texts.pl || texts.de
  return text.replaceAll('{name}', ticket.user?.username ?? '').replaceAll('{number}', String(ticket.number))
}

/** An answer, with what becomes of the ticket, or a note. */
export function AnswerBox({ ticket }: { ticket: DeskThread }) {
  const { t } = useTranslation()
  const { answer, note } = useDeskTicket(ticket.id)
  const canAnswer = ticketAfter(ticket.status, 'answer') !== undefined
  const [isNote, setNote] = useState(!canAnswer)
  const [status, setStatus] = useState<'PENDING' | 'SOLVED'>('PENDING')
  const [text, setText] = useState('')
  const macros = useQuery(macrosQuery()).data ?? []
  const putIn = (id: string) => {
    const macro = macros.find((one) => one.id === id)
    if (macro === undefined) return
    setText((before) => (before === '' ? '' : `${before.trimEnd()}\n\n`) + textOf(macro, ticket))
    setStatus(macro.status)
  }
  const noting = isNote || !canAnswer
  return (
    <Card>
      <Composer
        key={noting ? 'note' : 'answer'}
        label={t(noting ? 'desk.noteLabel' : 'desk.answerLabel')}
        action={t(noting ? 'desk.keepNote' : status === 'SOLVED' ? 'desk.sendSolved' : 'desk.send')}
        most={ticketLimits.answer}
        text={text}
        onText={setText}
        hasFiles={!noting}
        onSend={(files) => (noting ? note(text.trim()) : answer(text.trim(), status, files))}
        tools={
          <div className={classes['buttons']} role="group" aria-label={t('desk.kind')}>
            <Button
              size="small"
              aria-pressed={!noting}
              look={noting ? 'quiet' : 'secondary'}
              why={canAnswer ? undefined : t('desk.whyClosed')}
              onClick={() => setNote(false)}
            >
              {t('desk.answer')}
            </Button>
            <Button
              size="small"
              aria-pressed={noting}
              look={noting ? 'secondary' : 'quiet'}
              onClick={() => setNote(true)}
            >
              {t('desk.note')}
            </Button>
            {macros.length > 0 && !noting && (
              <NativeSelect
                size="xs"
                aria-label={t('desk.useMacro')}
                value=""
                data={[
                  { value: '', label: t('desk.useMacro') },
                  ...macros.map(({ id, name }) => ({ value: id, label: name })),
                ]}
                onChange={(event) => putIn(event.currentTarget.value)}
              />
            )}
          </div>
        }
        actions={
          !noting && (
            <NativeSelect
              aria-label={t('desk.afterwards')}
              value={status}
              data={(['PENDING', 'SOLVED'] as const).map((value) => ({
                value,
                label: t(`desk.after.${value}`),
              }))}
              onChange={(event) => setStatus(event.currentTarget.value as typeof status)}
            />
          )
        }
      />
    </Card>
  )
}
