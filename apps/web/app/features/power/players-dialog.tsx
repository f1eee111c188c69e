import type { CountedAction } from '@wakestone/contract/servers/countdown'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { usualWarning } from './use-power.ts'
import classes from './power.module.css'

/** Minutes that players may be given; none: it happens at once. */
const choices = ['0', '1', '5'] as const
type Choice = (typeof choices)[number]

/** Asks before players are thrown out, and how long before they are to be told. */
export function PlayersDialog({
  action,
  name,
  players,
  onClose,
  onConfirm,
}: {
  /** Null: nothing is asked. */
  action: CountedAction | null
  /** Of the server. */
  name: string
  /** How many are playing now. */
  players: number
  onClose: () => void
  onConfirm: (inSeconds: number) => Promise<unknown>
}) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<Choice | null>(null)
  const minutes = chosen ?? (usualWarning(players) > 0 ? '1' : '0')
  const close = () => {
    setChosen(null)
    onClose()
  }
  return (
    <ConfirmDialog
      opened={action !== null}
      onClose={close}
      title={t(`server.playersOn.${action ?? 'stop'}`, { name })}
      text={players > 0 ? t('server.playersOn.text', { count: players }) : t('server.playersOn.nobody')}
      action={t(`server.${action ?? 'stop'}`)}
      onConfirm={() => onConfirm(Number(minutes) * 60)}
    >
      <div className={classes.when}>
        <Segmented
          label={t('server.playersOn.when')}
          value={minutes}
          onChange={setChosen}
          options={choices.map((value) => ({
            value,
            label:
              value === '0' ? t('server.playersOn.now') : t('server.playersOn.inMinutes', { count: Number(value) }),
          }))}
        />
        {minutes !== '0' && players > 0 && <p>{t('server.playersOn.warned')}</p>}
      </div>
    </ConfirmDialog>
  )
}
