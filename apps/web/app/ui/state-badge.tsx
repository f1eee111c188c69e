import { useTranslation } from '#app/i18n/texts.tsx'
import { type PanelState, type PublicState, publicStates } from '@wakestone/contract/states'
import classes from './state-badge.module.css'

export type BadgeColour = 'moss' | 'dusk' | 'lantern' | 'muted' | 'ember'
export type BadgeShape = 'filled' | 'ring' | 'crescent' | 'pulse' | 'square' | 'triangle'

/** What is said about a server: its state, or that its contract was withdrawn from. */
export type ShownState = PanelState | 'withdrawn'

/** A word, a colour and a shape for every state, the same everywhere. */
export const stateLooks: Record<ShownState, { colour: BadgeColour; shape: BadgeShape }> = {
  preparing: { colour: 'lantern', shape: 'pulse' },
  starting: { colour: 'lantern', shape: 'pulse' },
  waking: { colour: 'dusk', shape: 'pulse' },
  running: { colour: 'moss', shape: 'filled' },
  idle: { colour: 'moss', shape: 'ring' },
  sleeping: { colour: 'dusk', shape: 'crescent' },
  stopping: { colour: 'muted', shape: 'pulse' },
  stopped: { colour: 'muted', shape: 'square' },
  crashed: { colour: 'ember', shape: 'triangle' },
  expired: { colour: 'muted', shape: 'square' },
  withdrawn: { colour: 'muted', shape: 'square' },
  failed: { colour: 'ember', shape: 'triangle' },
}

const paths: Record<BadgeShape, React.ReactNode> = {
  filled: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  ring: <circle cx="5" cy="5" r="3.2" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  crescent: <path d="M6.8.9a4.4 4.4 0 1 0 2.6 6.3A4.1 4.1 0 0 1 6.8.9Z" fill="currentColor" />,
  pulse: <circle cx="5" cy="5" r="4" fill="currentColor" className={classes['pulse']} />,
  square: <rect x="1.2" y="1.2" width="7.6" height="7.6" rx="1.4" fill="currentColor" />,
  triangle: <path d="M5 .8 9.6 9H.4Z" fill="currentColor" />,
}

/** The pill itself, for words that are no server state. */
export function Badge({
  colour,
  shape,
  children,
  size = 'normal',
}: {
  colour: BadgeColour
  shape: BadgeShape
  children: React.ReactNode
  size?: 'normal' | 'small'
}) {
  return (
    <span className={classes['badge']} data-colour={colour} data-size={size}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        {paths[shape]}
      </svg>
      <span>{children}</span>
    </span>
  )
}

/** What a server does now, in one word. */
export function StateBadge({ state, size }: { state: ShownState; size?: 'normal' | 'small' }) {
  const { t } = useTranslation()
  const look = stateLooks[state]
  return (
    <Badge colour={look.colour} shape={look.shape} {...(size === undefined ? {} : { size })}>
      {t(`state.${state}`)}
    </Badge>
  )
}

const publicLooks: Record<PublicState, PanelState> = {
  up: 'running',
  asleep: 'sleeping',
  starting: 'starting',
  down: 'stopped',
}

/** What strangers are told of it: whether they can join, and in the words of its website. */
export function PublicStateBadge({ state }: { state: PanelState }) {
  const { t } = useTranslation()
  const shown = publicStates[state]
  return <Badge {...stateLooks[publicLooks[shown]]}>{t(`publicState.${shown}`)}</Badge>
}
