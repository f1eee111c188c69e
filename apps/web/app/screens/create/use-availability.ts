import { useQuery } from '@tanstack/react-query'
import { ApiError } from '@wakestone/contract/client'
import { checkDomain } from '@wakestone/contract/servers/domains-routes'
import { isReservedSubdomain, subdomainSchema } from '@wakestone/contract/validation'
import { useEffect, useState } from 'react'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import type { RouteCall } from '@wakestone/contract/route'

export type Availability = 'unknown' | 'checking' | 'free' | 'taken' | 'reserved' | 'uncheckable'

/** In full: without that, the answer for a free address is a 404, which browsers write down as an error. */
async function ask(body: RouteCall<typeof checkDomain>['body']): Promise<'free' | 'taken' | 'reserved'> {
  try {
    return (await api(checkDomain, { query: { full: '1' }, body })) === undefined ? 'free' : 'taken'
  } catch (error) {
    if (error instanceof ApiError && error.body.error === 'domain_reserved') return 'reserved'
    throw error
  }
}

/** Whether an address can be had; asked once it is typed to its end. */
export function useAvailability(
  subdomain: string,
  { zone, isTyping }: { zone: string | undefined; isTyping: boolean },
): Availability {
  const [settled, setSettled] = useState(subdomain)
  useEffect(() => {
    if (!isTyping) setSettled(subdomain)
  }, [subdomain, isTyping])
  const isValid = subdomainSchema.safeParse(subdomain).success
  const isReserved = isReservedSubdomain(subdomain)
  const body = { subdomain: settled, zone_name: zone ?? '' }
  const answer = useQuery(
    queryOf(
      checkDomain,
      { body },
      {
        read: () => ask(body),
        enabled: isValid && !isReserved && zone !== undefined && settled === subdomain,
        retry: false,
        staleTime: 10_000,
      },
    ),
  )
  if (!isValid || zone === undefined) return 'unknown'
  if (isReserved) return 'reserved'
  if (settled !== subdomain) return isTyping ? 'unknown' : 'checking'
  if (answer.isError) return 'uncheckable'
  return answer.data ?? 'checking'
}
