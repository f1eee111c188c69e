import { useTranslation } from '#app/i18n/texts.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { usualWarning } from './use-power.ts'
import classes from './power.module.css'

/** Minutes that players may be given; none: it happens at once. */
const choices = ['0', '1', '5'] as const
export type WarningMinutes = (typeof choices)[number]

/** What is offered first. */
export const usualMinutes = (players: number): WarningMinutes => (usualWarning(players) > 0 ? '1' : '0')

/** Who is about to be disconnected, and how long before that they are told. */
export function PlayersWarning(props: Parameters<typeof WarningChoice>[0]) {
  const { t } = useTranslation()
  return (
    <>
      <p>
        <strong>{t('server.playersOn.text', { count: props.players })}</strong>
      </p>
      <WarningChoice {...props} />
    </>
  )
}

/** How long players are warned before the game goes down under them. */
export function WarningChoice({
  players,
  minutes,
  onChange,
}: {
  players: number
  minutes: WarningMinutes
  onChange: (minutes: WarningMinutes) => void
}) {
  const { t } = useTranslation()
  return (
    <div className={classes.when}>
      <p className={classes.whenLabel} aria-hidden="true">
        {t('server.playersOn.when')}
      </p>
      <Segmented
        label={t('server.playersOn.when')}
        value={minutes}
        onChange={onChange}
        options={choices.map((value) => ({
          value,
          label: value === '0' ? t('server.playersOn.now') : t('server.playersOn.inMinutes', { count: Number(value) }),
        }))}
      />
      {minutes !== '0' && players > 0 && <p>{t('server.playersOn.warned')}</p>}
    </div>
  )
}
