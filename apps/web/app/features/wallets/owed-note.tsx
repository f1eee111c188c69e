import type { ReactNode } from 'react'
import type { Wallet } from '@wakestone/contract/money/wallet'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './owed-note.module.css'

/**
 * What the owner of a wallet owes after a payment was taken back; nothing for most. `text` says what that means here,
 * `children` is what can be done about it.
 */
export function OwedNote({ owed, text, children }: Pick<Wallet, 'owed'> & { text: string; children?: ReactNode }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (owed.amount === 0) return null
  return (
    <div className={classes['owed']} role="note">
      <strong>{t('wallet.owed', { amount: format.money(owed) })}</strong>
      <p>{text}</p>
      {children !== undefined && <div className={classes['action']}>{children}</div>}
    </div>
  )
}
