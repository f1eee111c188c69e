import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { staleTickets } from './ticket-queries.ts'

/** Keeps what is shown of tickets as it is for others: a change is asked for as soon as it is told. */
export function useTicketChanges(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const source = new EventSource('/api/v1/support/stream')
    let isFirst = true
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
    return () => source.close()
  }, [queries])
}
