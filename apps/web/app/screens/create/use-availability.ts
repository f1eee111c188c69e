import { useQuery } from '@tanstack/react-query'
import { ApiError } from '@wakestone/contract/client'
import { checkDomain } from '@wakestone/contract/servers/domains-routes'
import { isReservedSubdomain, subdomainSchema } from '@wakestone/contract/validation'
import { useEffect, useState } from 'react'
import { api } from '#app/api/client.ts'

export type Availability = 'unknown' | 'checking' | 'free' | 'taken' | 'reserved' | 'uncheckable'

/** The API answers 404 for a free address. */
async function ask(subdomain: string, zone: string): Promise<'free' | 'taken' | 'reserved'> {
  try {
    await api(checkDomain, { body: { subdomain, zone_name: zone } })
    return 'taken'
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 'free'
    if (error instanceof ApiError && error.body.error === 'domain_reserved') return 'reserved'
    throw error
  }
}

/** Whether an address can be had; asked once typing pauses. */
export function useAvailability(subdomain: string, zone: string | undefined): Availability {
  const [settled, setSettled] = useState(subdomain)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(subdomain), 300)
    return () => clearTimeout(timer)
  }, [subdomain])
  const isValid = subdomainSchema.safeParse(subdomain).success
  const isReserved = isReservedSubdomain(subdomain)
  const answer = useQuery({
    queryKey: ['availability', zone, settled],
    queryFn: () => ask(settled, zone ?? ''),
    enabled: isValid && !isReserved && zone !== undefined && settled === subdomain,
    retry: false,
    staleTime: 10_000,
  })
  if (!isValid || zone === undefined) return 'unknown'
  if (isReserved) return 'reserved'
  if (settled !== subdomain) return 'checking'
  if (answer.isError) return 'uncheckable'
  return answer.data ?? 'checking'
}
