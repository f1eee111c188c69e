import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { SegmentedLinks } from '#app/ui/segmented-links.tsx'

/** What a wallet shows of itself, and the account's invoices beside, which lead back. */
export function WalletTabs({ walletId, here }: { walletId: string; here: 'log' | 'payments' | 'invoices' }) {
  const { t } = useTranslation()
  const path = usePath()
  const wallet = path(`/wallets/${walletId}`)
  return (
    <SegmentedLinks
      label={t('shell.wallet')}
      options={[
        { to: wallet, label: t('wallet.log'), active: here === 'log' },
        { to: `${wallet}?list=payments`, label: t('wallet.transactions'), active: here === 'payments' },
        {
          to: `${path('/account/invoices')}?wallet=${walletId}`,
          label: t('invoices.title'),
          active: here === 'invoices',
        },
      ]}
    />
  )
}
