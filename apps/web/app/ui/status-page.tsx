import type { ReactNode } from 'react'
import { useErrorText } from './error-text.ts'
import { EventId } from './event-id.tsx'
import type { FigureName } from './figures.ts'
import { PixelFigure } from './pixel-figure.tsx'
import classes from './status-page.module.css'

/**
 * One thing to tell, in the middle of the page, under an icon or a creature of the night. `code` is a status that
 * people know by its number. `error` is a code of the catalogue or what was thrown.
 */
export function StatusPage({
  tone = 'plain',
  icon,
  figure,
  code,
  title,
  text,
  error,
  eventId,
  busy = false,
  children,
}: {
  tone?: 'plain' | 'good' | 'bad'
  icon?: ReactNode
  figure?: FigureName
  code?: number
  title: string
  text?: ReactNode
  error?: unknown
  eventId?: string
  busy?: boolean
  children?: ReactNode
}) {
  const described = useErrorText(error)
  return (
    <div className={classes['page']} data-tone={tone} data-busy={busy} aria-live="polite" aria-busy={busy}>
      {figure === undefined ? (
        <span className={classes['icon']} aria-hidden="true">
          {icon}
        </span>
      ) : (
        <div className={classes['figure']}>
          <PixelFigure name={figure} />
        </div>
      )}
      {code !== undefined && <p className={classes['code']}>{code}</p>}
      <h1>{title}</h1>
      {error !== undefined && <p className={classes['error']}>{described.text}</p>}
      {text !== undefined && <div className={classes['text']}>{text}</div>}
      {error !== undefined && <EventId id={eventId ?? described.eventId} />}
      {children !== undefined && <div className={classes['actions']}>{children}</div>}
    </div>
  )
}
