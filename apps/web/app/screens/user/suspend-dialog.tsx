import { Textarea } from '@mantine/core'
import { type AdminUserDetails, suspendBody } from '@wakestone/contract/admin'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { useSuspend } from './user-changes.ts'
import classes from './user.module.css'

/** Says what a suspension does, and asks for the reason, which the user is told. */
export function SuspendDialog({
  user,
  opened,
  onClose,
}: {
  user: AdminUserDetails
  opened: boolean
  onClose: () => void
}) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={t('admin.suspendTitle', { name: user.username })}>
      <SuspendForm user={user} onClose={onClose} />
    </Modal>
  )
}

function SuspendForm({ user, onClose }: { user: AdminUserDetails; onClose: () => void }) {
  const { t } = useTranslation()
  const suspend = useSuspend(user.id)
  const form = useZodForm(suspendBody, { reason: '' })
  const submit = form.submit(async ({ reason }) => {
    await suspend(reason)
    onClose()
  })
  return (
    <form className={classes['form']} noValidate onSubmit={submit}>
      <p>
        <Trans i18nKey="admin.suspendText" values={{ name: user.username }} components={{ b: <b /> }} />
      </p>
      <Textarea
        label={t('admin.reason')}
        description={t('admin.reasonHint')}
        autosize
        minRows={3}
        maxLength={500}
        data-autofocus
        {...form.field('reason')}
      />
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <div className={classes['actions']}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" look="danger" loading={form.busy}>
          {t('admin.suspend')}
        </Button>
      </div>
    </form>
  )
}
