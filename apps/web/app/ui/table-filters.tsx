import { NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { LinkButton } from './button.tsx'
import { useTableAddress } from './table-address.ts'
import classes from './table-filters.module.css'

/** Controls above a list that narrow it; each keeps its choice in the address under `name`. */
export function TableFilters({ names, children }: { names: readonly string[]; children: ReactNode }) {
  const { t } = useTranslation()
  const { search, to } = useTableAddress()
  const isActive = names.some((name) => search.has(name))
  return (
    <div className={classes['filters']} role="group" aria-label={t('table.filters')}>
      {children}
      {isActive && (
        <LinkButton look="quiet" to={to(Object.fromEntries(names.map((name) => [name, null])))} preventScrollReset>
          {t('table.clearFilters')}
        </LinkButton>
      )}
    </div>
  )
}

type FilterOption = { value: string; label: string }

/** One of several. '' = no matter which. */
export function SelectFilter({
  name,
  label,
  options,
}: {
  name: string
  label: string
  options: readonly (FilterOption | { group: string; items: readonly FilterOption[] })[]
}) {
  const { search, go } = useTableAddress()
  return (
    <NativeSelect
      className={classes['filter'] ?? ''}
      label={label}
      value={search.get(name) ?? ''}
      onChange={(event) => go({ [name]: event.currentTarget.value })}
      data={options.map((option) =>
        'group' in option ? { group: option.group, items: [...option.items] } : { ...option },
      )}
    />
  )
}

/** A day, `yyyy-mm-dd` in the address. */
export function DayFilter({
  name,
  label,
  least,
  most,
  standard = '',
}: {
  name: string
  label: string
  /** The day that is meant while none is chosen. */
  standard?: string
  least?: string
  most?: string
}) {
  const { search, go } = useTableAddress()
  return (
    <TextInput
      className={`${classes['filter']} ${classes['day']}`}
      type="date"
      label={label}
      value={search.get(name) ?? standard}
      min={least}
      max={most}
      onChange={(event) => go({ [name]: event.currentTarget.value })}
    />
  )
}

const TYPING_PAUSE_MS = 250

/** Words to look for. The list follows a moment after the last letter. */
export function SearchFilter({ name = 'q', label }: { name?: string; label: string }) {
  const { search, go } = useTableAddress()
  const inAddress = search.get(name) ?? ''
  const [typed, setTyped] = useState(inAddress)
  const [seen, setSeen] = useState(inAddress)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  // Changed from elsewhere: going back, or filters cleared.
  if (seen !== inAddress) {
    setSeen(inAddress)
    setTyped(inAddress)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <TextInput
      className={`${classes['filter']} ${classes['search']}`}
      type="search"
      label={label}
      value={typed}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      onChange={(event) => {
        const { value } = event.currentTarget
        setTyped(value)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => go({ [name]: value.trim() }, { replace: true }), TYPING_PAUSE_MS)
      }}
    />
  )
}
