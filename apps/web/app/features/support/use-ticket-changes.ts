import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { verify } from '@wakestone/contract/accounts/users-routes'
import { api } from '#app/api/client.ts'
import { staleTickets } from './ticket-queries.ts'

const retryMilliseconds = 30_000

/** Keeps what is shown of tickets as it is for others: a change is asked for as soon as it is told. */
export function useTicketChanges(): void {
  const queries = useQueryClient()
  useEffect(() => {
    let source: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isFirst = true
    const open = () => {
      source = new EventSource('/api/v1/support/stream')
      // Told while nobody listened: all that is shown may be old.
      source.addEventListener('open', () => {
        if (!isFirst) void staleTickets(queries)
        isFirst = false
      })
      source.addEventListener('ticket', (event: MessageEvent<string>) => {
        const { id } = JSON.parse(event.data) as { id: string }
        void staleTickets(queries, id)
      })
      source.addEventListener('tickets', () => void staleTickets(queries))
      source.addEventListener('error', () => {
        if (source?.readyState !== EventSource.CLOSED) return // it comes back by itself
        // Refused: any call renews the session where it can be renewed.
        const renew = () => void api(verify, { query: { simple: '1' } }).then(open, () => undefined)
        timer = setTimeout(renew, retryMilliseconds)
      })
    }
    open()
    return () => {
      clearTimeout(timer)
      source?.close()
      source = undefined
    }
  }, [queries])
}
