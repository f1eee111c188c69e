import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Server } from '@wakestone/contract/servers/server'
import { MoveDialog, openTargets } from '#app/features/servers/moving/move-dialog.tsx'
import { movingQuery } from '#app/features/servers/moving/moving-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { RescueButton } from './rescue-button.tsx'

/** Asks the owner to let a server move, or moves it; from a machine that is lost it is brought back from a backup. */
export function MoveButton({ server }: { server: Server }) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const { data } = useQuery(movingQuery(server.id))
  const targets = data === undefined ? [] : openTargets(data.targets, true)
  const obstacle = data?.targets[0]?.obstacle
  const why = obstacle == null ? t('moving.noTargets') : t('moving.none', { why: t(`moving.why.${obstacle}`) })
  return (
    <>
      <Button
        why={data !== undefined && targets.length === 0 ? why : undefined}
        loading={data === undefined}
        onClick={() => setAsking(true)}
      >
        {t('adminServers.migrate')}
      </Button>
      {obstacle === 'lost' && <RescueButton server={server} />}
      {data !== undefined && (
        <MoveDialog server={server} moving={data} opened={isAsking} onClose={() => setAsking(false)} asAdmin />
      )}
    </>
  )
}
