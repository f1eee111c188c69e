import type { AuditEvent } from '@wakestone/contract/event'
import { DateTime } from '#app/ui/date-time.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { EventDetails, EventName, LevelBadge } from './event-parts.tsx'
import classes from './events.module.css'

/** Events one below the other, newest first. */
export function EventList({ label, events }: { label: string; events: readonly AuditEvent[] }) {
  return (
    <ol className={classes.list} aria-label={label}>
      {events.map((event) => (
        <li key={event.id} className={classes.event}>
          <span className={classes.level}>
            <LevelBadge level={event.level} />
          </span>
          <div className={classes.what}>
            <span className={classes.name}>
              <EventName event={event} />
            </span>
            <EventDetails event={event} />
          </div>
          <span className={classes.when}>
            <DateTime value={event.created_at} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** The list before its events are known. */
export function EventListSkeleton({ label }: { label: string }) {
  return (
    <ol className={classes.list} aria-label={label} aria-busy="true">
      {Array.from({ length: 8 }, (_, index) => (
        <li key={index} className={classes.event}>
          <span className={classes.level}>
            <Skeleton width={92} height={22} radius={11} />
          </span>
          <Skeleton width={index % 2 === 0 ? 180 : 240} />
          <Skeleton width={150} />
        </li>
      ))}
    </ol>
  )
}
