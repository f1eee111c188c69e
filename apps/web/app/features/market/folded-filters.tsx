import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './market-filters.module.css'

/** Further filters of a search. On phones they fold behind a button, so that results stay in view. */
export function FoldedFilters({ chosen, children }: { chosen: readonly unknown[]; children: ReactNode }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const count = chosen.filter(Boolean).length
  return (
    <>
      <button type="button" className={classes['fold']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconAdjustmentsHorizontal size={16} aria-hidden="true" />
        {t('table.filters')}
        {count > 0 && ` (${count})`}
      </button>
      <div className={classes['folded']} data-open={isOpen || undefined}>
        {children}
      </div>
    </>
  )
}
