import { formatServer } from '@wakestone/contract/servers/engine-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmByTyping } from '#app/ui/confirm-by-typing.tsx'
import { CopyField, KeptField, pathsOf } from './files-fields.tsx'
import classes from './settings.module.css'

/** Deletes the files, once the server's name has been typed. */
export function FormatCard({
  server,
  why,
  onBegun,
}: {
  server: Server
  why: string | undefined
  onBegun: () => Promise<unknown>
}) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const [kept, setKept] = useState('')
  const [isCopied, setCopied] = useState(true)
  return (
    <Card title={t('engine.format')}>
      <div className={classes['form']}>
        <p className={classes['text']}>{t('engine.formatText')}</p>
        <KeptField value={kept} onChange={setKept} />
        <CopyField checked={isCopied} onChange={setCopied} />
        <Button look="danger" why={why} onClick={() => setAsking(true)}>
          {t('engine.formatBegin')}
        </Button>
      </div>
      <ConfirmByTyping
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('engine.formatTitle', { name: server.name })}
        text={isCopied ? t('engine.formatAsk') : t('engine.formatAskNoCopy')}
        name={server.name}
        action={t('engine.formatBegin')}
        onConfirm={async () => {
          await api(formatServer, {
            params: { id: server.id },
            body: { keep_files: pathsOf(kept), ignore_backup: !isCopied },
          })
          await onBegun()
        }}
      />
    </Card>
  )
}
