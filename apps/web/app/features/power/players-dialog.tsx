import { useTranslation } from '#app/i18n/texts.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'

/** Asks before players are thrown out. */
export function PlayersDialog({
  action,
  name,
  players,
  onClose,
  onConfirm,
}: {
  /** Null: nothing is asked. */
  action: 'stop' | 'restart' | null
  /** Of the server. */
  name: string
  /** How many are playing now. */
  players: number
  onClose: () => void
  onConfirm: () => Promise<unknown>
}) {
  const { t } = useTranslation()
  return (
    <ConfirmDialog
      opened={action !== null}
      onClose={onClose}
      title={t(`server.playersOn.${action ?? 'stop'}`, { name })}
      text={t('server.playersOn.text', { count: players })}
      action={t(`server.${action ?? 'stop'}`)}
      onConfirm={onConfirm}
    />
  )
}
