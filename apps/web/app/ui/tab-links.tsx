import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import classes from './tab-links.module.css'

/** Parts of a screen side by side, each with an address of its own. On narrow screens the row is pushed sideways. */
export function TabLinks({
  label,
  tabs,
}: {
  label: string
  tabs: readonly { to: string; label: string; active: boolean }[]
}) {
  const row = useRef<HTMLElement>(null)
  const open = tabs.find(({ active }) => active)?.to
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (tab == null || row.current === null) return
    row.current.scrollLeft = tab.offsetLeft - (row.current.clientWidth - tab.clientWidth) / 2
  }, [open])
  return (
    <nav ref={row} className={classes['tabs']} aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          className={classes['tab']}
          aria-current={tab.active ? 'page' : undefined}
          preventScrollReset
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
