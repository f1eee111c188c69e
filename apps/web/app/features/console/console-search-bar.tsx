import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './console.module.css'

type Props = {
  needle: string
  count: number
  /** Place of the current match, from 1; 0 = none yet. */
  place: number
  onNeedle: (needle: string) => void
  onStep: (direction: 1 | -1) => void
  onClose: () => void
}

/** Find: Enter goes to the older match, Shift+Enter to the newer, Escape closes. */
export function ConsoleSearchBar({ needle, count, place, onNeedle, onStep, onClose }: Props) {
  const { t } = useTranslation()
  const inputRef = useRef<HTMLInputElement>(null)
  useEffect(() => inputRef.current?.focus(), [])
  const isWithout = needle !== '' && count === 0
  return (
    <div className={classes.search} role="search">
      <input
        ref={inputRef}
        className={classes.searchInput}
        type="search"
        value={needle}
        placeholder={t('console.findPlaceholder')}
        aria-label={t('console.find')}
        onChange={(event) => onNeedle(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onStep(event.shiftKey ? 1 : -1)
          else if (event.key !== 'Escape') return
          else onClose()
          event.preventDefault()
        }}
      />
      <output className={classes.searchCount} data-without={isWithout || undefined}>
        {needle === '' ? '' : isWithout ? t('console.noMatch') : t('console.matchOf', { place, total: count })}
      </output>
      <button
        type="button"
        className={classes.tool}
        aria-label={t('console.olderMatch')}
        disabled={count === 0}
        onClick={() => onStep(-1)}
      >
        <IconArrowUp size={16} />
      </button>
      <button
        type="button"
        className={classes.tool}
        aria-label={t('console.newerMatch')}
        disabled={count === 0}
        onClick={() => onStep(1)}
      >
        <IconArrowDown size={16} />
      </button>
      <button type="button" className={classes.tool} aria-label={t('console.closeFind')} onClick={onClose}>
        <IconX size={16} />
      </button>
    </div>
  )
}
