import { IconRefresh } from '@tabler/icons-react'
import type { PanelState } from '@wakestone/contract/states'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { Countdown, useCountdown } from './countdown.tsx'
import { PlayersDialog } from './players-dialog.tsx'
import { powerRefusal } from './power-refusal.ts'
import { usePower } from './use-power.ts'

/** A restart where something applies from the next start only; nothing while the server is down. */
export function RestartToApply({
  server,
  state,
  canPower,
  players,
}: {
  server: { id: string; name: string }
  state: PanelState
  canPower: boolean
  /** How many are playing now. */
  players: number
}) {
  const { t } = useTranslation()
  const power = usePower(server.id)
  const [isAsking, setAsking] = useState(false)
  const isCounting = useCountdown(server.id) !== undefined
  if (powerRefusal('restart', state, canPower) !== null) return null
  if (isCounting) return <Countdown serverId={server.id} canPower={canPower} />
  const restart = (inSeconds = 0) => power.mutateAsync({ action: 'restart', inSeconds })
  return (
    <>
      <Button
        icon={<IconRefresh />}
        loading={power.isPending}
        onClick={() =>
          players > 0 ? setAsking(true) : void restart().catch((error: unknown) => showErrorToast(error))
        }
      >
        {t('server.restartToApply')}
      </Button>
      <PlayersDialog
        action={isAsking ? 'restart' : null}
        name={server.name}
        players={players}
        onClose={() => setAsking(false)}
        onConfirm={restart}
      />
    </>
  )
}
