import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { AdminUserDetails } from '@wakestone/contract/admin/admin'
import { canTopUpAsAdmin } from '@wakestone/contract/capabilities'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { WalletLog } from '#app/features/wallets/wallet-log.tsx'
import { WalletTransactions } from '#app/features/wallets/wallet-transactions.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { SegmentedLinks } from '#app/ui/segmented-links.tsx'
import { TopUpDialog } from './top-up-dialog.tsx'
import classes from './user.module.css'

/** The wallets with what they hold; of the open one its movements or its payments. */
export function WalletsTab({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [search] = useSearchParams()
  const administrator = useSignedInUser()
  const [isToppingUp, setToppingUp] = useState(false)
  const open = user.wallets.find(({ id }) => id === search.get('wallet')) ?? user.wallets[0]
  const isPayments = search.get('list') === 'payments'
  if (open === undefined) return <EmptyState title={t('admin.noWalletsTitle')} text={t('admin.noWalletsText')} />
  const to = (walletId: string, payments: boolean) =>
    `?tab=wallets&wallet=${walletId}${payments ? '&list=payments' : ''}`
  return (
    <>
      <div className={classes['wallets']}>
        <SegmentedLinks
          label={t('wallet.others')}
          options={user.wallets.map((wallet) => ({
            to: to(wallet.id, isPayments),
            label: <span className="tabular">{format.money(wallet.balance)}</span>,
            active: wallet === open,
          }))}
        />
        <SegmentedLinks
          label={t('wallet.log')}
          options={[
            { to: to(open.id, false), label: t('wallet.log'), active: !isPayments },
            { to: to(open.id, true), label: t('wallet.transactions'), active: isPayments },
          ]}
        />
        {canTopUpAsAdmin(administrator.user_capabilities) && (
          <Button onClick={() => setToppingUp(true)}>{t('admin.topUp')}</Button>
        )}
      </div>
      <TopUpDialog user={user} wallet={open} opened={isToppingUp} onClose={() => setToppingUp(false)} />
      <Card padded={false}>
        {isPayments ? (
          <WalletTransactions walletId={open.id} isOwn={false} />
        ) : (
          <WalletLog walletId={open.id} ownerId={user.id} />
        )}
      </Card>
    </>
  )
}
