import type { ReactNode } from 'react'
import classes from './console-surface.module.css'

/** Lines of a console, to be read: night in both themes, for what games print is coloured for a dark ground. */
export function ConsoleSurface({ label, lines }: { label: string; lines: readonly ReactNode[] }) {
  return (
    // Can be scrolled, so it can be reached.
    <pre className={classes['surface']} aria-label={label} role="log" aria-live="off" tabIndex={0}>
      {lines.map((line, index) => (
        <span key={index}>
          {line}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
