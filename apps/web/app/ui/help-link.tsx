import { IconHelp } from '@tabler/icons-react'
import { createContext, useContext } from 'react'
import classes from './help-link.module.css'

/** Where the open screen is explained, and how the way there is called. */
export const HelpContext = createContext<{ to: string; label: string } | undefined>(undefined)

/** Leads to the documentation of the open screen, if there is any. In a tab of its own: the screen may hold work. */
export function HelpLink() {
  const help = useContext(HelpContext)
  if (help === undefined) return null
  return (
    <a
      className={classes['help']}
      href={help.to}
      target="_blank"
      rel="noopener"
      title={help.label}
      aria-label={help.label}
      data-print="hide"
    >
      <IconHelp size={19} stroke={1.7} aria-hidden="true" />
    </a>
  )
}
