import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { createTicketBody } from '@wakestone/contract/accounts/support'
import { ticketLimits, type TicketTopic, ticketTopics } from '@wakestone/contract/values'
import { serversQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { FilePicker, whyTooMuch } from '#app/features/support/file-picker.tsx'
import { sendTicketWithFiles, staleTickets } from '#app/features/support/ticket-queries.ts'
import classes from '#app/features/support/tickets.module.css'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import type { Route } from './+types/new-ticket'

export function loader({ request, context }: Route.LoaderArgs) {
  requireUser(request, context)
  return null
}

const body = createTicketBody.pick({ topic: true, subject: true, message: true })

/** `/{lang}/account/support/new`: a message to support, with the server that it is about. `?server=` chooses that; pages that lead here may say `?topic=` and `?subject=`. */
export default function NewTicket() {
  const { t } = useTranslation()
  const path = usePath()
  const language = useLanguage()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [search] = useSearchParams()
  const { id: userId, email } = useSignedInUser()
  const servers = useQuery(serversQuery(userId)).data ?? []
  const [serverId, setServerId] = useState(search.get('server') ?? '')
  const [takesAlong, setTakesAlong] = useState(true)
  const [files, setFiles] = useState<File[]>([])
  const form = useZodForm(body, {
    topic: ticketTopics.find((known) => known === search.get('topic')) ?? ('server_problem' as TicketTopic),
    subject: (search.get('subject') ?? '').slice(0, ticketLimits.subject.max),
    message: '',
  })
  const server = servers.find(({ id }) => id === serverId)
  const submit = form.submit(async (values) => {
    const about = server === undefined || !takesAlong ? {} : { server_id: server.id }
    const { id } = await sendTicketWithFiles({ ...values, ...about, language }, files)
    await staleTickets(queries)
    await navigate(path(id === null ? '/account/support' : `/account/support/${id}`), { replace: true })
  })
  const why = whyTooMuch(files)
  return (
    <>
      <PageMeta page="newTicket" />
      <Link className={classes['back']} to={path('/account/support')}>
        <IconArrowLeft size={15} aria-hidden="true" /> {t('tickets.back')}
      </Link>
      <PageHeader title={t('tickets.createTitle')} text={t('support.answeredAt', { email })} />
      <div className={classes['page']}>
        <Card>
          <form className={classes['composer']} noValidate onSubmit={submit}>
            <NativeSelect
              label={t('support.topic')}
              data={ticketTopics.map((value) => ({ value, label: t(`support.topics.${value}`) }))}
              {...form.field('topic')}
            />
            {servers.length > 0 && (
              <NativeSelect
                label={t('tickets.server')}
                value={server?.id ?? ''}
                data={[
                  { value: '', label: t('tickets.noServer') },
                  ...servers.map(({ id, name }) => ({ value: id, label: name })),
                ]}
                onChange={(event) => setServerId(event.currentTarget.value)}
              />
            )}
            {server !== undefined && (
              <Checkbox
                checked={takesAlong}
                label={t('tickets.takeAlong')}
                description={t('tickets.takeAlongHint')}
                onChange={(event) => setTakesAlong(event.currentTarget.checked)}
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
              rows={8}
              maxLength={ticketLimits.message.max}
              required
              withAsterisk={false}
              {...form.field('message')}
            />
            <FilePicker files={files} onChange={setFiles} />
            {form.failure !== undefined && <ErrorNote error={form.failure} />}
            <div className={classes['buttons']}>
              <Button
                type="submit"
                look="primary"
                loading={form.busy}
                why={why === undefined ? undefined : t(`tickets.tooMuch.${why}`)}
              >
                {t('support.send')}
              </Button>
            </div>
          </form>
        </Card>
      </div>
    </>
  )
}
