import { returnEngine } from '@wakestone/contract/servers/engine-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { engineName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import classes from './settings.module.css'

type Props = {
  server: Server
  back: { engine: string; version: string; from: string; until: string }
  why: string | undefined
  onBegun: () => Promise<unknown>
}

/** The way back to what was before the last change, for as long as its files are kept. */
export function ReturnCard({ server, back, why, onBegun }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isAsking, setAsking] = useState(false)
  const named = { engine: engineName(back.engine), version: back.version }
  return (
    <Card title={t('engine.back')}>
      <p className={classes['text']}>
        {t('engine.backText', { ...named, from: format.dateTime(back.from), until: format.date(back.until) })}
      </p>
      <Button why={why} onClick={() => setAsking(true)}>
        {t('engine.backTo', named)}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('engine.backTitle', named)}
        text={t('engine.backAsk', { from: format.dateTime(back.from) })}
        action={t('engine.backTo', named)}
        onConfirm={async () => {
          await api(returnEngine, { params: { id: server.id } })
          await onBegun()
        }}
      />
    </Card>
  )
}
