import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './button.module.css'

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'small' | 'normal' | 'large'

type Shared = {
  /** One primary action per screen. */
  look?: ButtonLook
  size?: ButtonSize
  icon?: ReactNode
  fullWidth?: boolean
  children: ReactNode
}

/**
 * A button. `why` disables it and says the reason, to the eye on hover and to a screen reader; it stays focusable,
 * since what cannot be reached cannot explain itself. `loading` keeps its width and takes no clicks.
 */
export function Button({
  look = 'secondary',
  size = 'normal',
  icon,
  fullWidth = false,
  loading = false,
  why,
  children,
  onClick,
  type = 'button',
  ...rest
}: Shared & { loading?: boolean; why?: string | undefined } & ComponentPropsWithoutRef<'button'>) {
  const refused = why !== undefined
  return (
    <button
      {...rest}
      type={type}
      className={`${classes['root']} ${rest.className ?? ''}`}
      data-look={look}
      data-size={size}
      data-wide={fullWidth}
      data-loading={loading}
      data-disabled={refused || rest.disabled ? true : undefined}
      aria-disabled={refused || loading ? true : undefined}
      aria-busy={loading ? true : undefined}
      title={why ?? rest.title}
      onClick={refused || loading ? (event) => event.preventDefault() : onClick}
    >
      <Inner icon={icon}>{children}</Inner>
      {refused && <span className="visually-hidden"> — {why}</span>}
    </button>
  )
}

/** A link that looks like a button. */
export function LinkButton({
  look = 'secondary',
  size = 'normal',
  icon,
  fullWidth = false,
  to,
  reload = false,
  children,
  ...rest
}: Shared & { to: string; reload?: boolean; preventScrollReset?: boolean } & Omit<
    ComponentPropsWithoutRef<'a'>,
    'href'
  >) {
  return (
    <Link
      {...rest}
      to={to}
      reloadDocument={reload}
      className={`${classes['root']} ${rest.className ?? ''}`}
      data-look={look}
      data-size={size}
      data-wide={fullWidth}
    >
      <Inner icon={icon}>{children}</Inner>
    </Link>
  )
}

function Inner({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className={classes['inner']}>
      {icon}
      <span>{children}</span>
    </span>
  )
}
