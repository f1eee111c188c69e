import { useState } from 'react'
import { PlayersWarning, usualMinutes, type WarningMinutes } from '#app/features/power/warning-choice.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useWorlds } from './use-worlds.ts'

/**
 * Whether the game is stopped for something, and how long before that its players are to be told.
 * @returns `note`, for the dialog that asks; `in_seconds`, for what it sends
 */
export function useStop(stops: boolean) {
  const { t } = useTranslation()
  const { isLive, players } = useWorlds()
  const [chosen, setChosen] = useState<WarningMinutes | null>(null)
  const minutes = chosen ?? usualMinutes(players)
  const endsGame = isLive && stops && players > 0
  const note = isLive ? (
    <>
      <p>{t(stops ? 'worlds.stops' : 'worlds.beside')}</p>
      {endsGame && (
        <div>
          <PlayersWarning players={players} minutes={minutes} onChange={setChosen} />
        </div>
      )}
    </>
  ) : null
  return { note, in_seconds: endsGame ? Number(minutes) * 60 : 0 }
}
