import { Button as MantineButton } from '@mantine/core'
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
  loading?: boolean
  fullWidth?: boolean
  children: ReactNode
}

const heights = { small: 'xs', normal: 'sm', large: 'md' } as const

/**
 * A button. Its variant is none of Mantine's: of those it writes the colours into the element, where they would win
 * over the style sheet. `why` disables it and says the reason, to the eye on hover or focus and to a screen reader;
 * it stays focusable, since what cannot be reached cannot explain itself.
 */
export function Button({
  look = 'secondary',
  size = 'normal',
  icon,
  why,
  children,
  onClick,
  ...rest
}: Shared & { why?: string | undefined } & Omit<ComponentPropsWithoutRef<'button'>, 'color'>) {
  const refused = why !== undefined
  return (
    <MantineButton
      size={heights[size]}
      leftSection={icon}
      variant="own"
      classNames={{ root: classes['root'], section: classes['section'] }}
      data-look={look}
      {...rest}
      {...(refused ? { 'aria-disabled': true, 'data-disabled': true, title: why } : {})}
      onClick={refused ? (event) => event.preventDefault() : onClick}
    >
      {children}
      {refused && <span className="visually-hidden"> — {why}</span>}
    </MantineButton>
  )
}

/** A link that looks like a button. */
export function LinkButton({
  look = 'secondary',
  size = 'normal',
  icon,
  to,
  reload = false,
  children,
  ...rest
}: Shared & { to: string; reload?: boolean } & Omit<ComponentPropsWithoutRef<'a'>, 'color' | 'href'>) {
  return (
    <MantineButton
      component={Link}
      to={to}
      reloadDocument={reload}
      size={heights[size]}
      leftSection={icon}
      variant="own"
      classNames={{ root: classes['root'], section: classes['section'] }}
      data-look={look}
      {...rest}
    >
      {children}
    </MantineButton>
  )
}
