import { useQuery } from '@tanstack/react-query'
import { useRouteLoaderData } from 'react-router'
import type { Wallet } from '@wakestone/contract/money/wallet'
import { walletsQuery } from '#app/api/queries.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import type { loader } from '#app/root.tsx'
import { mainWalletOf } from './main-wallet.ts'

/** The wallet that is shown first, kept up to date. */
export function useMainWallet(): Wallet | undefined {
  const user = useSignedInUser()
  const currency = useRouteLoaderData<typeof loader>('root')?.location?.currency
  const { data: wallets = [] } = useQuery({ ...walletsQuery(user.id), refetchInterval: 60_000 })
  return mainWalletOf(wallets, currency)
}
