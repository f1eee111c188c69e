import { useQuery } from '@tanstack/react-query'
import { useRouteLoaderData } from 'react-router'
import type { Wallet } from '@wakestone/contract/wallet'
import { walletsQuery } from '#app/api/queries.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import type { loader } from '#app/root.tsx'

/** The wallet in the currency of the visitor's country, else the fullest. */
export function useMainWallet(): Wallet | undefined {
  const user = useSignedInUser()
  const currency = useRouteLoaderData<typeof loader>('root')?.location?.currency
  const { data: wallets = [] } = useQuery({ ...walletsQuery(user.id), refetchInterval: 60_000 })
  return (
    wallets.find((wallet) => wallet.currency === currency) ??
    wallets.toSorted((a, b) => b.balance.amount - a.balance.amount)[0]
  )
}
