import type { AuditEvent } from '@wakestone/contract/event'
import type { Translate } from '#app/i18n/create-i18n.ts'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EventDetails, EventName, LevelBadge } from './event-parts.tsx'
import classes from './events.module.css'

/** How grave it is, what happened, and when. */
export function eventColumns(t: Translate): Column<AuditEvent>[] {
  return [
    { key: 'level', header: t('events.level'), cell: (event) => <LevelBadge level={event.level} /> },
    {
      key: 'what',
      header: t('events.action'),
      phone: 'title',
      cell: (event) => (
        <div className={classes.what}>
          <span className={classes.name}>
            <EventName event={event} />
          </span>
          <EventDetails event={event} />
        </div>
      ),
    },
    {
      key: 'when',
      header: t('events.when'),
      align: 'end',
      cell: (event) => (
        <span className={classes.when}>
          <DateTime value={event.created_at} />
        </span>
      ),
    },
  ]
}
