import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './market-filters.module.css'

/** What narrows a search further: behind a button on phones, where it would stand before all that is found. */
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
