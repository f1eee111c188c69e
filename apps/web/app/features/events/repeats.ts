import type { AuditEvent } from '@wakestone/contract/ground/event'

/** An event with how often in a row it came, the newest of them. */
export type Repeated = AuditEvent & { times: number }

/** Neighbours that read alike become one; what failed, or is grave, always stands alone. `dayOf` keeps days apart. */
export function joinRepeats(events: readonly AuditEvent[], dayOf: (time: string) => string): Repeated[] {
  const rows: Repeated[] = []
  for (const event of events) {
    const last = rows.at(-1)
    if (last !== undefined && isAlike(last, event) && dayOf(last.created_at) === dayOf(event.created_at))
      last.times += 1
    else rows.push({ ...event, times: 1 })
  }
  return rows
}

const gravest = 20

function isAlike(one: AuditEvent, other: AuditEvent): boolean {
  return (
    one.action === other.action &&
    one.success &&
    other.success &&
    one.level <= gravest &&
    other.level <= gravest &&
    one.error === null &&
    other.error === null &&
    one.executor?.id === other.executor?.id &&
    one.person?.id === other.person?.id
  )
}
