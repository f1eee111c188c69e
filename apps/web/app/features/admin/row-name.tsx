import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './row-name.module.css'

/** What a row of an administrators' list is about: its name, what is out of the ordinary about it, and its address. */
export function RowName({
  to,
  name,
  address,
  badges,
}: {
  to: string
  name: string
  address: ReactNode
  badges?: ReactNode
}) {
  return (
    <div className={classes['who']}>
      <div className={classes['badges']}>
        <Link to={to}>{name}</Link>
        {badges}
      </div>
      <span>{address}</span>
    </div>
  )
}
