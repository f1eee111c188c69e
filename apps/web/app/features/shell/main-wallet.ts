import type { Wallet } from '@wakestone/contract/money/wallet'

/** The wallet in the currency of the visitor's country, else the fullest. */
export function mainWalletOf(wallets: readonly Wallet[], currency: string | undefined): Wallet | undefined {
  return (
    wallets.find((wallet) => wallet.currency === currency) ??
    wallets.toSorted((a, b) => b.balance.amount - a.balance.amount)[0]
  )
}
