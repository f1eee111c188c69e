import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './checklist.module.css'

export type ChecklistItem = {
  key: string
  done: boolean
  title: string
  /** What it is good for, or how; shown while it is not done. */
  text?: ReactNode
  action?: ReactNode
}

/** Things to do once, each with whether it is done. The first that is not stands out. */
export function Checklist({ items, label }: { items: readonly ChecklistItem[]; label: string }) {
  const { t } = useTranslation()
  const next = items.find(({ done }) => !done)
  return (
    <ul className={classes['list']} aria-label={label}>
      {items.map((item) => (
        <li key={item.key} data-done={item.done} data-next={item === next}>
          {item.done ? (
            <IconCircleCheckFilled size={22} aria-hidden="true" />
          ) : (
            <IconCircleDashed size={22} stroke={1.6} aria-hidden="true" />
          )}
          <div className={classes['words']}>
            <strong>
              {item.title}
              {item.done && <span className="visually-hidden"> — {t('checklist.done')}</span>}
            </strong>
            {!item.done && item.text !== undefined && <div className={classes['text']}>{item.text}</div>}
          </div>
          {!item.done && item.action !== undefined && <div className={classes['action']}>{item.action}</div>}
        </li>
      ))}
    </ul>
  )
}
