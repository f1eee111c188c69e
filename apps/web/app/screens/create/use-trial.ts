import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { startTrial } from '@wakestone/contract/sales/vouchers-routes'
import { useSearchParams } from 'react-router'
import { api } from '#app/api/client.ts'
import type { Draft } from './draft.ts'

/** Where the address asks for a trial (`redeem=1`), its code is got and put into the order. */
export function useTrial(draft: Draft, change: (change: Partial<Draft>) => void): { error: unknown } {
  const [search] = useSearchParams()
  const { mutate, error } = useMutation({
    mutationFn: (product: string) => api(startTrial, { params: { id: product } }),
    onSuccess: ({ code }) => change({ voucher: code }),
  })
  useEffect(() => {
    if (search.get('redeem') === '1' && draft.product !== null && draft.voucher === null) mutate(draft.product)
    // Asked once, by the address the page was opened with.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  return { error }
}
