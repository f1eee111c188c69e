import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './done-note.module.css'

/** A success message, with further notes or links below it. */
export function DoneNote({ children, more }: { children: string; more?: ReactNode }) {
  return (
    <div className={classes['note']}>
      <IconCircleCheck size={18} aria-hidden="true" />
      <div className={classes['words']}>
        <p role="status">{children}</p>
        {more}
      </div>
    </div>
  )
}
