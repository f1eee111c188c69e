import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { topUpWalletBody, type Wallet } from '@wakestone/contract/wallet'
import { z } from 'zod'
import { parseAmount } from '#app/features/wallets/parse-amount.ts'
import { currencyDigits } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { useTopUp } from './user-changes.ts'
import classes from './user.module.css'

/** What is typed as an amount of this currency, as the contract wants it. */
const formOf = (currency: string) =>
  topUpWalletBody.extend({
    amount: z
      .string()
      .transform((typed) => parseAmount(typed, currencyDigits(currency)) ?? 0)
      .pipe(topUpWalletBody.shape.amount),
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
  const [key] = useState(() => crypto.randomUUID())
  const form = useZodForm(formOf(wallet.currency), { amount: '', reason: '', refundable: false })
  const submit = form.submit(async (body) => {
    await topUp(body, key)
    onClose()
  })
  return (
    <form className={classes['form']} noValidate onSubmit={submit}>
      <TextInput
        label={t('admin.topUpAmount')}
        inputMode="decimal"
        rightSection={wallet.currency}
        rightSectionWidth={56}
        autoComplete="off"
        data-autofocus
        {...form.field('amount')}
      />
      <Textarea
        label={t('admin.topUpReason')}
        description={t('admin.topUpReasonHint')}
        autosize
        minRows={2}
        maxLength={500}
        {...form.field('reason')}
      />
      <Checkbox
        label={t('admin.topUpRefundable')}
        description={t('admin.topUpRefundableHint')}
        checked={form.values.refundable}
        onChange={(event) => form.set('refundable', event.currentTarget.checked)}
      />
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <div className={classes['actions']}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" look="primary" loading={form.busy}>
          {t('admin.topUp')}
        </Button>
      </div>
    </form>
  )
}
