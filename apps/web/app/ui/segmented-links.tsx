import { Link } from 'react-router'
import classes from './segmented.module.css'

/** A choice of a few whose place is the address, so that it also works without JavaScript. */
export function SegmentedLinks({
  label,
  options,
}: {
  label: string
  options: readonly { to: string; label: React.ReactNode; active: boolean }[]
}) {
  return (
    <nav className={classes['group']} aria-label={label}>
      {options.map((option) => (
        <Link
          key={option.to}
          to={option.to}
          className={classes['link']}
          aria-current={option.active ? 'true' : undefined}
          replace
          preventScrollReset
        >
          {option.label}
        </Link>
      ))}
    </nav>
  )
}
