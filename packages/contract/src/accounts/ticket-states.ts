/** What becomes of a ticket, as one table: buttons, guards and the clock read it. No schemas, so that pages carry it cheaply. */
import type { TicketStatus } from '../values.ts'

export const ticketActions = ['take', 'answer', 'write', 'solve', 'reopen', 'close'] as const
export type TicketAction = (typeof ticketActions)[number]

/**
 * `take`: somebody of support looks after it · `answer`: support has written · `write`: the writer has · `solve`: either
 * says that it is done · `reopen`: support · `close`: support, or the clock when nobody wrote any more.
 */
export const ticketTransitions: Readonly<Record<TicketStatus, Readonly<Partial<Record<TicketAction, TicketStatus>>>>> =
  {
    NEW: { take: 'OPEN', answer: 'PENDING', write: 'NEW', solve: 'SOLVED', close: 'CLOSED' },
    OPEN: { take: 'OPEN', answer: 'PENDING', write: 'OPEN', solve: 'SOLVED', close: 'CLOSED' },
    PENDING: { take: 'PENDING', answer: 'PENDING', write: 'OPEN', solve: 'SOLVED', reopen: 'OPEN', close: 'CLOSED' },
    SOLVED: { take: 'SOLVED', answer: 'PENDING', write: 'OPEN', reopen: 'OPEN', close: 'CLOSED' },
    // Over. Whoever writes to a closed one begins another, which names it.
    CLOSED: {},
  }

/** The state afterwards; undefined where that cannot be done. */
export const ticketAfter = (status: TicketStatus, action: TicketAction): TicketStatus | undefined =>
  ticketTransitions[status][action]

/** States in which the writer waits for support once they have written. */
export const isTicketOver = (status: TicketStatus) => status === 'SOLVED' || status === 'CLOSED'
