import { type AdminUserDetails, suspendBody } from '@wakestone/contract/admin/admin'
import { ReasonInput } from '#app/features/admin/reason-input.tsx'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { useSuspend } from './user-changes.ts'

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
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      action={t('admin.suspend')}
      look="danger"
      busy={form.busy}
      failure={form.failure}
    >
      <p>
        <Trans i18nKey="admin.suspendText" values={{ name: user.username }} components={{ b: <b /> }} />
      </p>
      <ReasonInput description={t('admin.reasonHint')} minRows={3} data-autofocus {...form.field('reason')} />
    </DialogForm>
  )
}
