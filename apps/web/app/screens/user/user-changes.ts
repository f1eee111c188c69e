/** What an administrator does to an account. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Capabilities } from '@wakestone/contract/capabilities'
import { beginViewAs, changeUserCapabilities, suspendUser, unsuspendUser } from '@wakestone/contract/admin/admin-routes'
import { topUpWallet } from '@wakestone/contract/money/wallets-routes'
import { api } from '#app/api/client.ts'
import { makeStale } from '#app/api/query-of.ts'
import { aboutAdminUser, aboutUser, aboutWallet } from '#app/api/stale-answers.ts'
import { usePath } from '#app/i18n/use-format.ts'

/** Everything that is shown of a user, read anew after a change: its events and sessions have changed too. */
function useReload(id: string) {
  const queries = useQueryClient()
  return async () => {
    await makeStale(queries, ...aboutAdminUser(id), ...aboutUser(id))
  }
}

export function useSuspend(id: string) {
  const reload = useReload(id)
  return async (reason: string) => {
    await api(suspendUser, { params: { id }, body: { reason } })
    await reload()
  }
}

export function useTopUp(userId: string, walletId: string) {
  const queries = useQueryClient()
  const reload = useReload(userId)
  return async (body: { amount: number; reason: string; refundable: boolean }, idempotencyKey: string) => {
    await api(topUpWallet, { params: { id: walletId }, body, idempotencyKey })
    await Promise.all([reload(), makeStale(queries, ...aboutWallet(walletId))])
  }
}

export function useUnsuspend(id: string) {
  const onSettled = useReload(id)
  return useMutation({ mutationFn: () => api(unsuspendUser, { params: { id } }), onSettled })
}

export function useChangeCapabilities(id: string) {
  const onSettled = useReload(id)
  return useMutation({
    mutationFn: (change: { set: Capabilities; remove: string[] }) =>
      api(changeUserCapabilities, { params: { id }, body: change }),
    onSettled,
  })
}

/** Loads the panel anew: nothing of what an administrator has read stays in the page that shows it as a user. */
export function useViewAs(id: string) {
  const path = usePath()
  return useMutation({
    mutationFn: () => api(beginViewAs, { params: { id } }),
    onSuccess: () => location.assign(path('/s')),
  })
}
