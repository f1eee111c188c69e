import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { topUpWalletBody, type Wallet } from '@wakestone/contract/money/wallet'
import { z } from 'zod'
import { randomId } from '#app/api/random-id.ts'
import { ReasonInput } from '#app/features/admin/reason-input.tsx'
import { AmountInput } from '#app/features/wallets/amount-input.tsx'
import { amountSchema } from '#app/features/wallets/amount-schema.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { useTopUp } from './user-changes.ts'

const formOf = (currency: string) =>
  topUpWalletBody.extend({
    amount: amountSchema(currency, topUpWalletBody.shape.amount),
    refundable: z.boolean(),
  })

/** Puts money into somebody's wallet by hand. */
export function TopUpDialog({
  user,
  wallet,
  opened,
  onClose,
}: {
  user: { id: string; username: string }
  wallet: Wallet
  opened: boolean
  onClose: () => void
}) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={t('admin.topUpTitle', { name: user.username })}>
      <TopUpForm userId={user.id} wallet={wallet} onClose={onClose} />
    </Modal>
  )
}

function TopUpForm({ userId, wallet, onClose }: { userId: string; wallet: Wallet; onClose: () => void }) {
  const { t } = useTranslation()
  const topUp = useTopUp(userId, wallet.id)
  // One key for as long as the dialog is open: sent again after a lost answer, it is the same top-up.
  const [key] = useState(randomId)
  const form = useZodForm(formOf(wallet.currency), { amount: '', reason: '', refundable: false })
  const submit = form.submit(async (body) => {
    await topUp(body, key)
    onClose()
  })
  return (
    <DialogForm onSubmit={submit} onCancel={onClose} action={t('admin.topUp')} busy={form.busy} failure={form.failure}>
      <AmountInput currency={wallet.currency} data-autofocus {...form.field('amount')} />
      <ReasonInput description={t('admin.reasonRead')} {...form.field('reason')} />
      <Checkbox
        label={t('admin.topUpRefundable')}
        description={t('admin.topUpRefundableHint')}
        checked={form.values.refundable}
        onChange={(event) => form.set('refundable', event.currentTarget.checked)}
      />
    </DialogForm>
  )
}
