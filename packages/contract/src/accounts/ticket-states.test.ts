import { expect, test } from 'vitest'
import { ticketStatuses } from '../values.ts'
import { isTicketOver, ticketActions, ticketAfter, ticketTransitions } from './ticket-states.ts'

const next = (status: (typeof ticketStatuses)[number]) => Object.values(ticketTransitions[status])

test('every ticket can be closed, and a closed one stays so', () => {
  for (const status of ticketStatuses)
    expect(ticketAfter(status, 'close')).toBe(status === 'CLOSED' ? undefined : 'CLOSED')
  expect(ticketActions.filter((action) => ticketAfter('CLOSED', action) !== undefined)).toEqual([])
})

test('every state is come to from a new ticket', () => {
  const seen = new Set<string>(['NEW'])
  for (let size = 0; size < seen.size;) {
    size = seen.size
    for (const status of ticketStatuses) if (seen.has(status)) for (const one of next(status)) seen.add(one)
  }
  expect([...seen].toSorted()).toEqual([...ticketStatuses].toSorted())
})

test('whoever writes is waited for by support, whoever is answered is not', () => {
  for (const status of ticketStatuses) {
    const written = ticketAfter(status, 'write')
    if (written !== undefined) expect(['NEW', 'OPEN']).toContain(written)
    const answered = ticketAfter(status, 'answer')
    if (answered !== undefined) expect(answered).toBe('PENDING')
    expect(isTicketOver(status) && ticketAfter(status, 'solve') !== undefined).toBe(false)
  }
})
