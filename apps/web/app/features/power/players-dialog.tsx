import type { CountedAction } from '@wakestone/contract/servers/countdown'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import classes from './power.module.css'
import { usualMinutes, WarningChoice, type WarningMinutes } from './warning-choice.tsx'

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
  const [chosen, setChosen] = useState<WarningMinutes | null>(null)
  const minutes = chosen ?? usualMinutes(players)
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
      <div className={classes.choice}>
        <WarningChoice players={players} minutes={minutes} onChange={setChosen} />
      </div>
    </ConfirmDialog>
  )
}
