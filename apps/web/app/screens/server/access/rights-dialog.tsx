import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { changeServerAccess, inviteToServer } from '@wakestone/contract/accounts/sharing-routes'
import {
  changeAccessBody,
  type GrantableCapability,
  inviteBody,
  type ServerPerson,
} from '@wakestone/contract/accounts/sharing'
import { useId } from 'react'
import { api } from '#app/api/client.ts'
import { rightsIn } from '#app/features/sharing/rights.tsx'
import { accessQuery } from '#app/features/sharing/sharing-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Modal } from '#app/ui/modal.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './access.module.css'
import { RightsChoice } from './rights-choice.tsx'

type Names = GrantableCapability[]

function Actions({ form, onClose, busy, label }: { form: string; onClose: () => void; busy: boolean; label: string }) {
  const { t } = useTranslation()
  return (
    <>
      <Button onClick={onClose}>{t('common.cancel')}</Button>
      <Button look="primary" type="submit" form={form} loading={busy}>
        {label}
      </Button>
    </>
  )
}

type Shared = { serverId: string; grantable: readonly string[]; onClose: () => void }

/** Invites somebody. Mounted while it is open, so that the next one begins empty. */
export function InviteDialog({ serverId, grantable, onClose }: Shared) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const id = useId()
  const form = useZodForm(inviteBody, { to: '', capabilities: [] as Names })
  const submit = form.submit(async (body) => {
    try {
      await api(inviteToServer, { params: { id: serverId }, body })
    } catch (error) {
      if (errorBodyOf(error)?.error !== 'user_not_found') throw error
      return form.refuse('to', 'invitee_unknown')
    }
    await queries.invalidateQueries(accessQuery(serverId))
    onClose()
  })
  return (
    <Modal
      opened
      wide
      onClose={onClose}
      title={t('sharing.inviteTitle')}
      actions={<Actions form={id} onClose={onClose} busy={form.busy} label={t('sharing.send')} />}
    >
      <form id={id} className={classes['form']} noValidate onSubmit={submit}>
        <TextInput
          label={t('sharing.to')}
          description={t('sharing.toHint')}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.field('to')}
        />
        <RightsChoice
          grantable={grantable}
          chosen={form.values.capabilities}
          onChange={(names) => form.set('capabilities', names)}
        />
        {form.failure !== undefined && <ErrorNote error={form.failure} />}
      </form>
    </Modal>
  )
}

/** Changes what somebody may do. */
export function ChangeDialog({ serverId, grantable, person, onClose }: Shared & { person: ServerPerson }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const id = useId()
  const held = rightsIn(person.capabilities).filter((name) => name !== 'server.manage.read') as Names
  const form = useZodForm(changeAccessBody, { capabilities: held })
  const submit = form.submit(async (body) => {
    await api(changeServerAccess, { params: { id: serverId, userId: person.user_id }, body })
    await queries.invalidateQueries(accessQuery(serverId))
    onClose()
  })
  return (
    <Modal
      opened
      wide
      onClose={onClose}
      title={t('sharing.changeTitle', { name: person.username })}
      actions={<Actions form={id} onClose={onClose} busy={form.busy} label={t('sharing.save')} />}
    >
      <form id={id} className={classes['form']} noValidate onSubmit={submit}>
        <RightsChoice
          grantable={grantable}
          chosen={form.values.capabilities}
          onChange={(names) => form.set('capabilities', names)}
        />
        {form.failure !== undefined && <ErrorNote error={form.failure} />}
      </form>
    </Modal>
  )
}
