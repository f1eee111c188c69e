import { Link, useNavigate } from 'react-router'
import classes from './segmented.module.css'

/**
 * A choice of a few whose place is the address, so that it also works without JavaScript. `anchor` is where the
 * choice stands on a long page: a page that has to be loaded for it begins there.
 */
export function SegmentedLinks({
  label,
  options,
  anchor,
}: {
  label: string
  options: readonly { to: string; label: React.ReactNode; active: boolean }[]
  anchor?: string | undefined
}) {
  const navigate = useNavigate()
  return (
    <nav className={classes['group']} aria-label={label}>
      {options.map((option) => (
        <Link
          key={option.to}
          to={anchor === undefined ? option.to : `${option.to}#${anchor}`}
          className={classes['link']}
          aria-current={option.active ? 'true' : undefined}
          replace
          preventScrollReset
          onClick={(event) => {
            if (anchor === undefined || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
            // Following the anchor would move a page that is already where it should be.
            event.preventDefault()
            void navigate(option.to, { replace: true, preventScrollReset: true })
          }}
        >
          {option.label}
        </Link>
      ))}
    </nav>
  )
}
