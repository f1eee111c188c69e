import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import type { RouteCall } from '@wakestone/contract/route'
import { changeFlag, type FlagState, listFlags } from '@wakestone/contract/site/flags-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

export const flagsQuery = (client: ApiClient = api) => queryOf(listFlags, {}, { client })

type Change = RouteCall<typeof changeFlag>['body']

/** Changes a flag, and the list with what the server made of it. */
export function useChangeFlag() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ key, change }: { key: string; change: Change }) =>
      api(changeFlag, { params: { key }, body: change }),
    onSuccess: (changed) =>
      client.setQueryData<FlagState[]>(flagsQuery().queryKey, (list) =>
        list?.map((flag) => (flag.key === changed.key ? changed : flag)),
      ),
  })
}
