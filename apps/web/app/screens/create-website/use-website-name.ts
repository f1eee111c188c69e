import { useQuery } from '@tanstack/react-query'
import { ApiError } from '@wakestone/contract/client'
import { isReservedSubdomain, subdomainSchema } from '@wakestone/contract/validation'
import { checkWebsiteName } from '@wakestone/contract/websites/craftums-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

export type NameAnswer = 'unknown' | 'checking' | 'free' | 'taken' | 'reserved' | 'uncheckable'

async function ask(name: string): Promise<'free' | 'taken' | 'reserved'> {
  try {
    await api(checkWebsiteName, { params: { name } })
    return 'free'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.body.error === 'resource_already_exists') return 'taken'
    if (error.body.error === 'domain_reserved') return 'reserved'
    throw error
  }
}

/** Whether a name can be had, asked once it is typed to its end. */
export function useWebsiteName(name: string, isTyping: boolean): NameAnswer {
  const isGood = subdomainSchema.safeParse(name).success
  const isReserved = isReservedSubdomain(name)
  const answer = useQuery(
    queryOf(
      checkWebsiteName,
      { params: { name } },
      { read: () => ask(name), enabled: isGood && !isReserved && !isTyping, retry: false, staleTime: 10_000 },
    ),
  )
  if (!isGood) return 'unknown'
  if (isReserved) return 'reserved'
  if (answer.isError) return 'uncheckable'
  return answer.data ?? (isTyping ? 'unknown' : 'checking')
}
